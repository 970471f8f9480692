"""The owner's longer help pages: where they are read, and that what they say can be
done."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from pbm_holomino.commands import table
from pbm_holomino.errors import StoreTrouble
from pbm_holomino.owner import help as pages
from pbm_holomino.store import config
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import open_database
from pbm_holomino.store.postgres.leases import LEASE_SECONDS
from tests.postgres.cluster import ADMIN, POSTGRESQL, Cluster
from tests.processes import run
from tests.sizes import some


def test_these_are_all_of_the_pages() -> None:
    files = Path(pages.__file__).parent.glob("*.txt")
    # the numbers on one page are worked out
    names = {path.stem for path in files} - {"commands"} | {"capacity"}
    assert sorted(names) == list(table.OWNERS_TEXTS)


@pytest.mark.parametrize("name", table.OWNERS_TEXTS)
def test_a_page_is_plain_text_within_the_columns(name: str) -> None:
    text = pages.page(name)
    assert text.isascii()
    assert text.startswith(f"{name}: ")
    assert not re.search(r"[ \t]$|\t|\n\n\n", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 72
    (related,) = re.findall(r"\nRelated: (.*)\n\Z", text)
    others = {*table.OWNERS_TEXTS, "owner"} - {name}
    named = {word.removeprefix("pbm help ") for word in related.split(", ")}
    assert "owner" in named
    assert named <= others


@pytest.mark.parametrize("name", some(table.OWNERS_TEXTS, 2))
def test_a_page_is_read_in_the_shell(tmp_path: Path, name: str) -> None:
    for words in (["help", name], ["help", "owner", name]):
        done = run(tmp_path, "pbm", *words)
        assert (done.status, done.out, done.err) == (0, pages.page(name), "")


def test_the_page_of_the_commands_names_all(tmp_path: Path) -> None:
    told = run(tmp_path, "pbm", "help", "owner").out
    assert set(re.findall(r'"pbm help (\w+)"', told)) == {*table.OWNERS_TEXTS}


@pytest.mark.parametrize("name", table.OWNERS_TEXTS)
def test_the_settings_on_a_page_are_right(name: str) -> None:
    lines = re.findall(r"^  ((?:store|address|send): \S+)$", pages.page(name), re.M)
    assert bool(lines) == (name in ("machines", "postgresql"))
    for line in lines:
        config.from_text(line.encode())


@pytest.mark.parametrize("name", table.OWNERS_TEXTS)
def test_the_commands_on_a_page_are_right(name: str) -> None:
    usages = {"pbm flush", "pbm tick", "pbm copy", "pbm serve", "pbm check"}
    usages |= {"pbm sample", "pbm status", "pbm web", "pbm kept"}
    for line in re.findall(r"^  (pbm \w+)", pages.page(name), re.M):
        assert line in usages


def test_how_long_a_dead_machines_letters_wait() -> None:
    assert LEASE_SECONDS == 20 * 60
    assert "20 minutes" in " ".join(pages.page("machines").split())


# Roles


@pytest.fixture
def database(cluster: Cluster) -> Iterator[str]:
    """The database that the page makes, with its two roles, under other names: the
    tests' cluster has a `pbm` already."""
    yield "pages"
    cluster.ask("DROP DATABASE IF EXISTS pages WITH (FORCE)")
    for role in ("pages", "pages_owner"):
        cluster.ask(f"DROP ROLE IF EXISTS {role}")


def statements() -> tuple[list[str], list[str]]:
    """What the page has the superuser type, and then the owner of the database."""
    text = pages.page("postgresql").replace("SCHEMA pbm", "SCHEMA !")
    text = re.sub(r"\bpbm(_owner)?\b", r"pages\1", text).replace(
        "SCHEMA !", "SCHEMA pbm"
    )
    found = re.findall(r"^  ((?:CREATE|REVOKE|GRANT|ALTER) [^;]*);$", text, re.M)
    first = next(n for n, line in enumerate(found) if line.startswith("CREATE SCHEMA"))
    return found[:first], found[first:]


@POSTGRESQL
def test_one_role_makes_the_tables_and_another_serves(
    cluster: Cluster, database: str, tmp_path: Path
) -> None:
    of_admin, of_owner = statements()
    assert (len(of_admin), len(of_owner)) == (5, 3)
    for line in of_admin:
        cluster.ask(line)
    owner, server = (cluster.url(database, role) for role in ("pages_owner", "pages"))
    with psycopg.connect(owner, autocommit=True) as connection:
        for line in of_owner:
            connection.execute(line.encode())
    with (
        closing(open_database(Config(store=server))) as store,
        pytest.raises(StoreTrouble, match="pbm check --repair"),
    ):
        store.names("players")
    (tmp_path / "config.yaml").write_text(f"store: {owner}\n")
    done = run(tmp_path, "pbm", "check", "--repair")
    assert done.status == 0, done
    (tmp_path / "config.yaml").write_text(f"store: {server}\n")
    for words in (
        ["signup", "alice", "xanadu", "a@b.org"],
        ["signup", "bob", "better4", "b@b.org"],
        ["holo", "challenge", "alice", "bob"],
        ["check", "--repair"],
        ["flush"],
        ["tick"],
    ):
        done = run(tmp_path, "pbm", *words)
        assert done.status == 0, done
    done = run(tmp_path, "pbm", "copy", server, str(tmp_path / "back"))
    assert done.status == 0, done
    with psycopg.connect(server, autocommit=True) as connection:
        for line in ("DROP TABLE pbm.marks", "CREATE TABLE pbm.more (a integer)"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(line.encode())
    assert cluster.ask("SELECT 1", database=ADMIN) == [(1,)]
