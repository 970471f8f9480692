"""Tests over PostgreSQL: each folder of a test's servers has a database of its own.

`pytest --store postgresql` runs tests so.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pbm_holomino.store import home
from pbm_holomino.store.columns import EDITION
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import Store
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.closing import Closing
from pbm_holomino.store.postgres.connection import Connection
from pbm_holomino.store.postgres.pool import Pool
from pbm_holomino.store.postgres.schema import LISTS, MEMORY
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
_IS_LISTED = f"{MEMORY}{LISTS}"  # a secret that every database of this version has
_OTHERS = f"""
SELECT folder || '/' || filename, content FROM pbm.mails
UNION ALL SELECT name, value FROM pbm.secrets WHERE name <> '{_IS_LISTED}'
UNION ALL SELECT name, convert_to(text, 'UTF8') FROM pbm.notes
"""
_TABLES = (
    *("documents", "boards", "seats", "tallies", "totals", "numbers"),
    *("marks", "mails", "counts", "secrets", "notes"),
)
_CLEAR = ";".join(f"DELETE FROM pbm.{table}" for table in _TABLES)
_ADD_SECRET = "INSERT INTO pbm.secrets VALUES (%t, %b) ON CONFLICT DO NOTHING"


class Database:
    """A database that tests use in turn, over connections that stay open: a new one
    costs as much as all that a short test asks."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        cluster.ask(f"CREATE DATABASE {name} OWNER {ROLE}")
        self.url = cluster.url(name)
        first = PostgresStore(self.url, PATIENCE)
        first.now()  # now there are tables
        self._pool = first.pool
        self._connection = psycopg.connect(self.url, autocommit=True)

    def store(self, *waits: float) -> "Sharing":
        """A store that has its connections in common with others."""
        return Sharing(self._pool, self.url, *waits)

    def run(self, statement: str, *values: object) -> list[Any]:
        """The rows that statements answer with; each is a transaction of its own."""
        cursor = self._connection.execute(statement.encode(), values or None)
        return cursor.fetchall() if cursor.description else []

    def copy_to(self, other: "Database") -> None:
        """Let another one hold the same."""
        other.run(_CLEAR)
        for table in _TABLES:
            with (
                self._connection.cursor().copy(f"COPY pbm.{table} TO STDOUT") as out,
                other._connection.cursor().copy(f"COPY pbm.{table} FROM STDIN") as into,
            ):
                for data in out:
                    into.write(data)

    def close(self) -> None:
        self._pool.close()
        self._connection.close()


class Sharing(PostgresStore):
    """A store whose connections outlast it."""

    def __init__(self, pool: Pool, address: str, *waits: float) -> None:
        super().__init__(address, *waits)
        self.pool = pool
        self.closing = Closing(pool, self.patience)

    def close(self) -> None:
        self.closing.let_go()


class InDatabases:
    """A store is a database of a server that many tests share: each folder of a test
    has one of its own. Of a test that has ended nothing is left in them."""

    calls: Sequence[storage.Call] = [*InFiles.calls, (Connection, "run")]

    def saves(self, *given: Any) -> bool:
        is_run = isinstance(given[0], Connection)
        return is_run and sql.COMMIT in (call.sql for call in given[1])

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._free = list[Database]()  # of nobody, and empty
        self._taken: dict[Path, Database] = {}
        self._stores = list[Sharing]()
        self._made = 0

    def open(self, folder: Path) -> Store:
        folder.mkdir(parents=True, exist_ok=True)
        return self._opened(self._of(folder), PATIENCE)

    def open_database(self, config: Config) -> Store:
        """The store that settings name, for commands that open it themselves."""
        for database in self._taken.values():
            if database.url == config.store:
                return self._opened(database, config.wait, config.commit_wait)
        return PostgresStore(config.store, config.wait, config.commit_wait)

    def _opened(self, database: Database, *waits: float) -> Store:
        self._stores.append(database.store(*waits))
        return self._stores[-1]

    def copy(self, source: Path, folder: Path) -> Path:
        given = self._of(source)
        text = (source / "config.yaml").read_text()
        InFiles().copy(source, folder)
        taking = self._of(folder)
        (folder / "config.yaml").write_text(text.replace(given.url, taking.url))
        given.copy_to(taking)
        return folder

    def settings(self, folder: Path, text: str) -> None:
        where = f"store: {self._of(folder).url}\n"
        (folder / "config.yaml").write_text(where + text)

    def document(self, folder: Path, where: str, name: str) -> storage.Document:
        return Row(self._of(folder), where, name)

    def run(self, folder: Path, statement: str) -> None:
        """Do something by hand in the database of a folder."""
        self._of(folder).run(statement)

    def records(self, folder: Path) -> dict[str, bytes]:
        return dict(self._of(folder).run(_RECORDS))

    def files(self, folder: Path) -> dict[str, bytes]:
        beside = InFiles().files(folder)
        return beside | self.records(folder) | dict(self._of(folder).run(_OTHERS))

    def _of(self, folder: Path) -> Database:
        """The database of a folder."""
        if folder not in self._taken:
            database = self._free.pop() if self._free else self._new()
            database.run(_ADD_SECRET, "key", KEY)
            database.run(_ADD_SECRET, _IS_LISTED, EDITION.encode())
            self._taken[folder] = database
            self.settings(folder, "")  # for programs, which open the store themselves
        return self._taken[folder]

    def _new(self) -> Database:
        self._made += 1
        return Database(self._cluster, f"store{self._made}")

    def pass_leases(self, folder: Path) -> None:
        self.run(folder, "UPDATE pbm.marks SET until = now() WHERE until IS NOT NULL")

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
            self._taken[folder].run(_CLEAR)
            self._free.append(self._taken.pop(folder))

    def close(self) -> None:
        for database in (*self._free, *self._taken.values()):
            database.close()


class Row:
    """A document in its row, changed by hand: nothing else follows."""

    def __init__(self, database: Database, where: str, name: str) -> None:
        self._database = database
        self._key = (where, name)

    def exists(self) -> bool:
        return bool(self._texts())

    def read_bytes(self) -> bytes:
        ((text,),) = self._texts()
        return bytes(text)

    def _texts(self) -> list[Any]:
        asked = (
            "SELECT text FROM pbm.documents "
            "WHERE folder = %s AND name = %s AND text IS NOT NULL"
        )
        return self._database.run(asked, *self._key)

    def read_text(self) -> str:
        return self.read_bytes().decode()

    def write_bytes(self, data: bytes) -> int:
        put = (
            "INSERT INTO pbm.documents (folder, name, text) VALUES (%s, %s, %b) "
            "ON CONFLICT (folder, name) DO UPDATE SET text = excluded.text"
        )
        self._database.run(put, *self._key, data)
        return len(data)

    def write_text(self, data: str) -> int:
        return self.write_bytes(data.encode())

    def unlink(self) -> None:
        remove = "DELETE FROM pbm.documents WHERE folder = %s AND name = %s"
        self._database.run(remove, *self._key)


@contextmanager
def databases(cluster: Cluster) -> Iterator[InDatabases]:
    """In this block, servers are over databases."""
    found = InDatabases(cluster)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storage, "over", found)
        patch.setattr(home, "open_database", found.open_database)
        yield found
    found.close()
