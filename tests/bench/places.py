"""Where a store can be: in files, or in PostgreSQL. Each with a bare save of the same
shape as a move's, for comparison."""

import os
import re
import resource
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Protocol

from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.store import yaml as strict
from tests import needs
from tests.bench import positions
from tests.bench.crowd import Cost
from tests.bench.harness import FOLDER
from tests.bench.saves import save_bare
from tests.bench.serve import machine_used, seconds_used

if TYPE_CHECKING:
    from tests.postgres.cluster import Cluster

_SECONDS = 3  # for which bare saves are made
_BOARDS = 1000  # for bare transactions


class Place(Protocol):
    """A kind of store."""

    name: str

    def settings(self, home: Path) -> str:
        """The settings of a new store for a home."""

    def taken(self, home: Path) -> int:
        """How many bytes it takes on the disk."""

    def used(self) -> float:
        """How many seconds of the processor the database has used; 0 for files."""

    def save_bare(self, connections: int) -> Cost:
        """Bare saves for some seconds, so many at once."""

    def replay(self, connections: int) -> Cost | None:
        """All that moves ask of the database, for some seconds and so many at once;
        None for files."""


@contextmanager
def opened(root: str) -> Iterator[list[Place]]:
    """The places of this machine; those in files are in this folder."""
    program = needs.find_postgresql()
    if program is None:
        yield [Files(root)]
        return
    # only this needs psycopg
    from tests.postgres.cluster import give_away, open_cluster

    with TemporaryDirectory(prefix="pbm-bench-", dir=FOLDER) as folder:
        give_away(Path(folder))
        with open_cluster(Path(folder), shared_buffers="128MB") as cluster:
            pgbench = Path(program).with_name("pgbench")
            yield [Files(root), Postgresql(cluster, pgbench, Path(root))]


def _text() -> bytes:
    """The file of a board with 20 tiles."""
    return strict.dump(to_data(positions.at_tiles(20)))


class Files:
    """The files of a folder."""

    name = "files"

    def __init__(self, root: str) -> None:
        self._folder = os.path.join(root, "bare")
        os.mkdir(self._folder)

    def settings(self, home: Path) -> str:
        return ""

    def taken(self, home: Path) -> int:
        return sum(path.stat().st_blocks * 512 for path in home.rglob("*"))

    def used(self) -> float:
        return 0.0

    def save_bare(self, connections: int) -> Cost:
        """A file written, made durable, and renamed; each thread has one of its own."""
        text, end = _text(), perf_counter() + _SECONDS

        def save(name: str) -> int:
            saves = count(1)
            while perf_counter() < end:
                save_bare(self._folder, text, name)
                next(saves)
            return next(saves) - 1

        clocks = (perf_counter, process_time, float, float, machine_used)
        before = [clock() for clock in clocks]
        with ThreadPoolExecutor(connections) as threads:
            done = sum(threads.map(save, map(str, range(connections))))
        took = (clock() - early for clock, early in zip(clocks, before, strict=True))
        return Cost(done, *took)

    def replay(self, connections: int) -> None:
        return None


_TABLES = (
    "CREATE TABLE boards (id integer PRIMARY KEY, text bytea NOT NULL)",
    "CREATE TABLE marks (id bigserial PRIMARY KEY, board integer NOT NULL)",
    f"INSERT INTO boards SELECT id, '\\x{{}}' FROM generate_series(1, {_BOARDS}) AS id",
    "GRANT ALL ON boards, marks, marks_id_seq TO pbm",
)
_BARE = f"""\
\\set id random(1, {_BOARDS})
BEGIN;
SELECT text FROM boards WHERE id = :id FOR UPDATE;
UPDATE boards SET text = '\\x{{}}' WHERE id = :id;
INSERT INTO marks (board) VALUES (:id);
COMMIT;
"""
_TAKEN = """
SELECT sum(pg_total_relation_size(oid)) FROM pg_class
WHERE relnamespace = 'pbm'::regnamespace AND relkind = 'r'
"""


class Postgresql:
    """Databases of a server that runs for this. The path of its pgbench makes bare
    transactions."""

    name = "PostgreSQL"

    def __init__(self, cluster: "Cluster", pgbench: Path, folder: Path) -> None:
        self._cluster = cluster
        self._pgbench = pgbench
        self._script = folder / "bare.sql"
        self._script.write_text(_BARE.format(_text().hex()), encoding="ascii")
        cluster.ask("CREATE DATABASE bare")
        for statement in _TABLES:
            cluster.ask(statement.format(_text().hex()), database="bare")

    def settings(self, home: Path) -> str:
        name = _database(home)
        self._cluster.ask(f"CREATE DATABASE {name} OWNER pbm")
        return f"store: {self._cluster.url(name)}\n"

    def taken(self, home: Path) -> int:
        return int(self._cluster.ask(_TAKEN, database=_database(home))[0][0])

    def used(self) -> float:
        assert self._cluster.process is not None
        return seconds_used(self._cluster.process.pid)

    def save_bare(self, connections: int) -> Cost:
        """A board locked and read, written, and a mark made, in one transaction."""
        return self._bench(connections, "bare", ["-f", str(self._script)])

    def replay(self, connections: int) -> Cost:
        """All that a move asks of the database, asked by nothing but pgbench."""
        return self._bench(connections, "replayed", self._replayed)

    @cached_property
    def _replayed(self) -> list[str]:
        """What pgbench is told to replay a move."""
        from tests.bench import replayed  # only this needs psycopg

        self._cluster.ask("CREATE DATABASE replayed OWNER pbm")
        url = self._cluster.url("replayed")
        found = replayed.of_move(self._script.parent / "replayed", url)
        return found.options(self._script.with_name("replayed.sql"))

    def _bench(self, connections: int, database: str, words: list[str]) -> Cost:
        """What it costs to have pgbench carry out a script."""
        clients = ["-n", "-M", "prepared", "-c", str(connections), "-T", str(_SECONDS)]
        command = [str(self._pgbench), *clients, *words, self._cluster.url(database)]
        clocks = (perf_counter, _of_children, float, self.used, machine_used)
        before = [clock() for clock in clocks]
        told = subprocess.check_output(command, stderr=subprocess.DEVNULL, text=True)
        took = [clock() - early for clock, early in zip(clocks, before, strict=True)]
        found = re.search(r"processed: (\d+)", told)
        assert found is not None
        return Cost(int(found[1]), *took)


def _database(home: Path) -> str:
    return home.name.lower().replace("-", "_")


def _of_children() -> float:
    """Seconds of the processor that went into children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
