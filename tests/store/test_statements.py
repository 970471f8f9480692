"""Every statement that is put to PostgreSQL is about one document, or one row of
another table, by its key, or is marked as a list: so boards can be spread."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino.store import postgres
from pbm_holomino.store.postgres import statements

# By what the rows of a table can be spread; everything else in a row may vary.
KEYS = {
    "documents": ("folder", "name"),
    "boards": ("folder", "name"),
    "seats": ("folder", "name"),
    "marks": ("folder", "name"),
    "mails": ("folder", "filename"),
    "counts": ("folder", "hour", "digest"),
    "tallies": ("game",),
    "totals": ("game",),
    "numbers": ("game",),
}
EVERYWHERE = {"notes", "secrets", "store"}  # so few rows that each machine has them all

PARAMETER = r"(?:'\w+/' \|\| )?\$[0-9]"
INSERTED = (
    r"INSERT INTO pbm\.\w+\s+(?:AS old\s+)?\(([^)]*)\)\s+(?:VALUES \(|SELECT )([^\n]*)"
)


def all_statements() -> dict[str, bytes]:
    """Every statement, by its name."""
    named = {k: v for k, v in vars(statements).items() if isinstance(v, bytes)}
    groups = {k: v for k, v in vars(statements).items() if isinstance(v, tuple)}
    for name, group in groups.items():
        named |= {f"{name}{number}": each for number, each in enumerate(group)}
    return named


STATEMENTS = all_statements()


def mentions(sql: str) -> Iterator[tuple[str, str]]:
    """The tables that a statement names, each with what follows it until the next."""
    for found in re.finditer(r"(?<!')pbm\.(\w+)((?:(?!pbm\.).)*)", sql, re.DOTALL):
        yield found[1], found[2]


def keyed(table: str, sql: str, rest: str) -> bool:
    """Whether a statement gives the whole key of the rows of a table it names."""
    inserted = re.search(INSERTED, sql)
    if inserted and re.match(rf"\s*INSERT INTO pbm\.{table}\b", sql):
        columns = inserted[1].split(", ")
        values = inserted[2].split(", ")
        given = {c for c, v in zip(columns, values, strict=False) if "$" in v}
        if given >= {*KEYS[table]}:
            return True
    return all(re.search(rf"\b{column} = {PARAMETER}", rest) for column in KEYS[table])


def is_of_one_key(sql: str) -> bool:
    return all(
        table in EVERYWHERE or keyed(table, sql, rest) for table, rest in mentions(sql)
    )


def test_a_statement_is_about_one_key_or_marked_as_a_list() -> None:
    for name in STATEMENTS:
        is_list = STATEMENTS[name] in statements.LISTS
        assert is_of_one_key(STATEMENTS[name].decode()) != is_list, STATEMENTS[
            name
        ].decode()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT text FROM pbm.documents WHERE folder = $1",
        "SELECT text FROM pbm.documents WHERE folder = ANY($1) AND name = ANY($2)",
        "SELECT 1 FROM pbm.seats WHERE player = $1",
        "INSERT INTO pbm.marks (folder, name, line)\nSELECT folder, name, 1\n"
        "FROM pbm.documents WHERE folder = $1 AND name = $2",
        "SELECT 1 FROM pbm.documents AS a, pbm.documents AS b\n"
        "WHERE a.folder = $1 AND a.name = $2 AND b.folder = a.folder",
    ],
)
def test_statements_that_are_not(sql: str) -> None:
    assert not is_of_one_key(sql)


def test_all_statements_about_tables_are_in_their_module() -> None:
    for path in Path(postgres.__path__[0]).glob("*.py"):
        if path.stem not in ("statements", "schema"):
            words = rb"(FROM|JOIN|INTO|UPDATE|TABLE)\s+pbm\."
            assert not re.search(words, path.read_bytes()), path
