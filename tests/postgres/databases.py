"""Tests over PostgreSQL: each folder of a test's servers has a database of its own.

`pytest --store postgresql` runs tests so.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from pbm_holomino.store.contract import Store
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
    *("documents", "seats", "tallies", "totals", "numbers"),
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
        if not settings.exists():  # for commands that open the store themselves
            settings.write_text(f"store: {self.url(folder)}\n")
        store = PostgresStore(self.url(folder), PATIENCE)
        self._stores.append(store)
        store.now()  # now there are tables
        key = "INSERT INTO pbm.secrets VALUES ('key', %b) ON CONFLICT DO NOTHING"
        self._run(folder, key, KEY)
        return store

    def records(self, folder: Path) -> dict[str, bytes]:
        return dict(self._run(folder, _RECORDS))

    def files(self, folder: Path) -> dict[str, bytes]:
        beside = InFiles().files(folder)
        return beside | self.records(folder) | dict(self._run(folder, _OTHERS))

    def put(self, folder: Path, name: str, text: bytes) -> None:
        where, _, document = name.removesuffix(".yaml").rpartition("/")
        values = (where, document, text)
        put = (
            "INSERT INTO pbm.documents (folder, name, text) VALUES (%s, %s, %b) "
            "ON CONFLICT (folder, name) DO UPDATE SET text = excluded.text"
        )
        self._run(folder, put, *values)

    def clear(self) -> None:
        """Close the stores of a test that has ended, and empty the databases."""
        while self._stores:
            self._stores.pop().close()
        while self._taken:
            folder, name = next(iter(self._taken.items()))
            self._run(folder, ";".join(f"DELETE FROM pbm.{each}" for each in _TABLES))
            self._free.append(name)
            del self._taken[folder]

    def _new(self) -> str:
        self._made += 1
        name = f"store{self._made}"
        self._cluster.ask(f"CREATE DATABASE {name} OWNER {ROLE}")
        return name

    def _run(self, folder: Path, statement: str, *values: object) -> list[Any]:
        with psycopg.connect(self.url(folder), autocommit=True) as connection:
            cursor = connection.execute(statement.encode(), values or None)
            return cursor.fetchall() if cursor.description else []


@contextmanager
def databases(cluster: Cluster) -> Iterator[InDatabases]:
    """In this block, servers are over databases."""
    before = storage.over
    found = storage.over = InDatabases(cluster)
    try:
        yield found
    finally:
        storage.over = before
