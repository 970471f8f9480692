"""Tests over PostgreSQL: each folder of a test's servers has a database of its own.

`pytest --store postgresql` runs tests so.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import psycopg

from pbm_holomino import rules
from pbm_holomino.store.contract import PLAYERS, RATINGS, Store
from pbm_holomino.store.postgres.store import PostgresStore
from tests import storage
from tests.postgres.cluster import ROLE, Cluster
from tests.storage import KEY, PATIENCE, InFiles

_RECORDS = """
SELECT folder || '/' || name || '.yaml', text FROM pbm.documents WHERE text IS NOT NULL
UNION ALL
SELECT folder || '/' || name || '.' || line || '.unsent',
    convert_to(done || CASE WHEN done = '' THEN '' ELSE E'\\n' END, 'UTF8')
FROM pbm.marks
"""
_OTHERS = """
SELECT folder || '/' || filename, content FROM pbm.mails
UNION ALL SELECT name, value FROM pbm.secrets
UNION ALL SELECT name, convert_to(text, 'UTF8') FROM pbm.notes
"""
_TABLES = (
    *("documents", "boards", "seats", "tallies", "totals", "numbers"),
    *("marks", "mails", "counts", "secrets", "notes"),
)


class InDatabases:
    """A store is a database of a server that many tests share: each folder of a test
    has one of its own. Of a test that has ended nothing is left in them."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._free = list[str]()  # of nobody, and empty
        self._taken: dict[Path, str] = {}
        self._stores = list[PostgresStore]()
        self._made = 0

    def url(self, folder: Path) -> str:
        """The address of a folder's database."""
        if folder not in self._taken:
            self._taken[folder] = self._free.pop() if self._free else self._new()
        return self._cluster.url(self._taken[folder])

    def open(self, folder: Path) -> Store:
        folder.mkdir(parents=True, exist_ok=True)
        settings = folder / "config.yaml"
        url = self.url(folder)
        text = settings.read_text() if settings.exists() else ""
        copied = next((of for of in self._taken if text == self._settings(of)), None)
        if not text or copied:  # for commands that open the store themselves
            settings.write_text(self._settings(folder))
        store = PostgresStore(url, PATIENCE)
        self._stores.append(store)
        store.now()  # now there are tables
        key = "INSERT INTO pbm.secrets VALUES ('key', %b) ON CONFLICT DO NOTHING"
        self.run(folder, key, KEY)
        if copied not in (None, folder):
            self._copy(copied, folder)
        return store

    def _settings(self, folder: Path) -> str:
        return f"store: {self._cluster.url(self._taken[folder])}\n"

    def _copy(self, source: Path, to: Path) -> None:
        """Do to a database what a test has done to the folder."""
        self.run(to, "DELETE FROM pbm.secrets")
        with (
            psycopg.connect(self.url(source)) as given,
            psycopg.connect(self.url(to)) as taking,
        ):
            for table in _TABLES:
                with (
                    given.cursor().copy(f"COPY pbm.{table} TO STDOUT") as out,
                    taking.cursor().copy(f"COPY pbm.{table} FROM STDIN") as into,
                ):
                    for data in out:
                        into.write(data)

    def records(self, folder: Path) -> dict[str, bytes]:
        return dict(self.run(folder, _RECORDS))

    def files(self, folder: Path) -> dict[str, bytes]:
        beside = InFiles().files(folder)
        return beside | self.records(folder) | dict(self.run(folder, _OTHERS))

    @contextmanager
    def clearing(self) -> Iterator[None]:
        """Close the stores that are opened in this block, and empty their databases;
        those of fixtures for several tests were opened before."""
        stores, folders = len(self._stores), set(self._taken)
        yield
        for store in self._stores[stores:]:
            store.close()
        del self._stores[stores:]
        for folder in self._taken.keys() - folders:
            self.run(folder, ";".join(f"DELETE FROM pbm.{each}" for each in _TABLES))
            self._free.append(self._taken.pop(folder))

    def path(self, folder: Path, *parts: str) -> Path:
        path = folder.joinpath(*parts)
        where = str(path.parent.relative_to(folder))
        if path.suffix == ".yaml" and where in (*rules.names(), PLAYERS, RATINGS):
            return cast(Path, Row(self, folder, where, path.stem))
        return path

    def _new(self) -> str:
        self._made += 1
        name = f"store{self._made}"
        self._cluster.ask(f"CREATE DATABASE {name} OWNER {ROLE}")
        return name

    def run(self, folder: Path, statement: str, *values: object) -> list[Any]:
        with psycopg.connect(self.url(folder), autocommit=True) as connection:
            cursor = connection.execute(statement.encode(), values or None)
            return cursor.fetchall() if cursor.description else []


class Row:
    """What a test does by hand to the file of a document, done to its row."""

    def __init__(
        self, databases: InDatabases, folder: Path, where: str, name: str
    ) -> None:
        self._databases = databases
        self._folder = folder
        self._key = (where, name)

    def exists(self) -> bool:
        return "/".join(self._key) + ".yaml" in self._databases.records(self._folder)

    def read_bytes(self) -> bytes:
        asked = "SELECT text FROM pbm.documents WHERE folder = %s AND name = %s"
        ((text,),) = self._databases.run(self._folder, asked, *self._key)
        return bytes(text)

    def write_bytes(self, text: bytes) -> None:
        put = (
            "INSERT INTO pbm.documents (folder, name, text) VALUES (%s, %s, %b) "
            "ON CONFLICT (folder, name) DO UPDATE SET text = excluded.text"
        )
        self._databases.run(self._folder, put, *self._key, text)

    def read_text(self, encoding: str = "utf-8") -> str:
        return self.read_bytes().decode(encoding)

    def write_text(self, text: str, encoding: str = "utf-8") -> None:
        self.write_bytes(text.encode(encoding))

    def unlink(self) -> None:
        remove = "DELETE FROM pbm.documents WHERE folder = %s AND name = %s"
        self._databases.run(self._folder, remove, *self._key)


@contextmanager
def databases(cluster: Cluster) -> Iterator[InDatabases]:
    """In this block, servers are over databases."""
    before = storage.over
    found = storage.over = InDatabases(cluster)
    try:
        yield found
    finally:
        storage.over = before
