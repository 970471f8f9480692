"""PostgreSQL servers of the tests' own, made from the installed programs.

PostgreSQL refuses to run as root, so tests that root runs start it as `nobody`; all
others start it as themselves. Each server listens on a socket in a folder of its own,
which is removed with all its data when the test is done.
"""

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from tests import needs
from tests.processes import PATIENCE, free_port, wait_until

POSTGRESQL = pytest.mark.needs("postgresql")

ADMIN = "postgres"  # the superuser
ROLE = "pbm"  # owns the tests' databases, and is nothing more
PORT = 5432  # part of a socket's name; no two servers share a folder
_SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "16MB",
    "max_connections": "200",
    "log_line_prefix": "%m [%p] %q%a ",
}
_numbers = count(1)


def ordinary_user() -> dict[str, Any]:
    """The arguments that let subprocess run a program as somebody other than root."""
    if os.geteuid():
        return {}
    return {"user": "nobody", "group": "nogroup", "extra_groups": []}


@contextmanager
def short_folder() -> Iterator[Path]:
    """A temporary folder that belongs to the servers' account. The path of a socket
    has at most 107 bytes, and pytest's own folders are closed to other accounts."""
    folder = Path(tempfile.mkdtemp(prefix="pbm-pg-"))
    give_away(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def give_away(path: Path) -> None:
    """Let a file or a folder belong to the servers' account."""
    if not os.geteuid():
        shutil.chown(path, "nobody", "nogroup")


def address(
    database: str, *folders: Path, user: str = ROLE, port: int = PORT, **more: str
) -> str:
    """The URL of a database behind sockets in these folders, in the order in which a
    client tries them."""
    given = {"host": ",".join(map(str, folders)), "port": str(port), **more}
    words = "&".join(f"{name}={quote(text, '')}" for name, text in given.items())
    return f"postgresql://{user}@/{database}?{words}"


def run_program(name: str, *words: str | Path) -> None:
    """Run one of PostgreSQL's programs, or of the system's, which must succeed."""
    done = subprocess.run(
        [name, *words],
        **ordinary_user(),
        cwd="/",
        env={**os.environ, "PATH": f"{_bin()}:{os.environ.get('PATH', os.defpath)}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{name}: {done.stderr}"


@cache
def _bin() -> Path:
    program = needs.find_postgresql()
    assert program is not None
    return Path(program).parent


@cache
def _pristine() -> Path:
    """The data of a server that has never run, made once by each process."""
    folder = Path(tempfile.mkdtemp(prefix="pbm-pg-"))
    atexit.register(shutil.rmtree, folder)
    give_away(folder)
    words = ["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]
    small = "--wal-segsize=1"  # MB; a new server is then 28 MB instead of 40
    run_program("initdb", "-D", folder / "data", "-U", ADMIN, small, *words)
    return folder / "data"


class Cluster:
    """A PostgreSQL server, which is started on the data in `folder/data` unless these
    are somewhere else, and listens in `folder`.

    `settings` are those of postgresql.conf.
    """

    def __init__(
        self, folder: Path, data: Path, settings: Mapping[str, str], port: int = PORT
    ) -> None:
        self.folder = folder
        self.data = data
        self.port = port
        self._settings = settings
        self._log = folder / "log"
        self._asking: psycopg.Connection[tuple[Any, ...]] | None = None
        self.process: subprocess.Popen[bytes] | None = None

    # Starting and stopping

    def start(self) -> None:
        """Start it, and wait until it answers. Call this in the main thread: the
        server ends when the thread that has started it does."""
        given = {**_SETTINGS, "unix_socket_directories": str(self.folder)}
        given |= {"port": str(self.port), **self._settings}
        words = [f"--{name}={value}" for name, value in given.items()]
        # tests that are killed leave no server behind
        before = ["setpriv", "--pdeathsig", "INT"]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [*before, str(_bin() / "postgres"), "-D", str(self.data), *words],
                **ordinary_user(),
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_until(self.answers, "a PostgreSQL that answers", self.log)

    def answers(self) -> bool:
        """Whether it takes connections."""
        assert self.process is not None
        assert self.process.poll() is None, self.log()
        try:
            self.ask("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, sign: int = signal.SIGINT) -> None:
        """Stop it as an administrator does: by default connections are ended, and
        nothing waits for clients."""
        assert self.process is not None
        self.process.send_signal(sign)
        self.process.wait(PATIENCE)

    def kill(self) -> None:
        """Kill the postmaster with -9, and wait until its other processes, too, have
        gone: before that no new one can be started."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(PATIENCE)
        wait_until(lambda: not self._processes(), "the end of all processes")

    def restart(self) -> None:
        """Kill the postmaster, if it still runs, and start it once more."""
        self.kill()
        self.start()

    def pause(self) -> None:
        """Freeze all its processes."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, sign: int) -> None:
        assert self.process is not None
        self.process.send_signal(sign)  # a frozen postmaster starts no others
        for pid in self._processes():
            with suppress(ProcessLookupError):
                os.kill(pid, sign)

    def _processes(self) -> list[int]:
        """The ids of all its processes, which work in the folder of its data."""
        folders = Path("/proc").glob("[0-9]*/cwd")
        return [int(p.parent.name) for p in folders if _goes_to(p, self.data)]

    def close(self) -> None:
        """End it, whatever a test has done to it."""
        if self._asking is not None:
            self._asking.close()
        if self.process is None:
            return
        if self.process.poll() is None:
            self.resume()
            self.stop(signal.SIGQUIT)
        with suppress(OSError):  # there is none if it has ended in good order
            # what a killed one leaves: a few bytes of the system's shared memory
            _, segment = (
                (self.data / "postmaster.pid").read_text().split("\n")[6].split()
            )
            subprocess.run(["ipcrm", "-m", segment], **ordinary_user(), check=False)

    def log(self) -> str:
        """What the server has said."""
        return self._log.read_text()

    # Asking

    def url(self, database: str, user: str = ROLE, **more: str) -> str:
        """The address of a database, for the store's settings."""
        return address(database, self.folder, user=user, port=self.port, **more)

    def ask(
        self, statement: str, *values: object, database: str = ADMIN
    ) -> list[tuple[Any, ...]]:
        """The rows that the superuser is answered with; each statement is a
        transaction of its own. The connection to the superuser's own database stays
        for the next one, as tests ask often; one that was cut is replaced."""
        if database != ADMIN:
            with self._connected(database) as connection:
                return _answer(connection, statement, values)
        with suppress(psycopg.OperationalError):
            if self._asking is not None and not self._asking.closed:
                return _answer(self._asking, statement, values)
        self._asking = self._connected(ADMIN)
        return _answer(self._asking, statement, values)

    def _connected(self, database: str) -> "psycopg.Connection[tuple[Any, ...]]":
        return psycopg.connect(self.url(database, ADMIN), autocommit=True)

    def configure(self, **settings: str) -> None:
        """Change settings of the server while it runs."""
        for name, value in settings.items():
            self.ask(f"ALTER SYSTEM SET {name} = '{value}'")
        self.ask("SELECT pg_reload_conf()")
        wait_until(lambda: all(self._shows(*pair) for pair in settings.items()))

    def _shows(self, name: str, value: str) -> bool:
        return self.ask("SELECT current_setting(%s)", name) == [(value,)]

    @contextmanager
    def database(self, template: str = "template1") -> Iterator[str]:
        """The name of a new database of `pbm`, a copy of another one that nobody is
        connected to; it is dropped in the end."""
        name = f"test{next(_numbers)}"
        words = f"OWNER {ROLE} TEMPLATE {template} STRATEGY file_copy"
        self.ask(f"CREATE DATABASE {name} {words}")
        try:
            yield name
        finally:
            self.ask(f"DROP DATABASE {name} WITH (FORCE)")

    def kill_backend(self, pid: int) -> None:
        """kill -9 of a process that serves a client. Returns when the server has
        noticed, and has begun to recover; by then it has ended all others."""
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not Path(f"/proc/{pid}").exists())

    def backends(self, database: str) -> list[int]:
        """The ids of the processes that serve the clients of a database."""
        statement = "SELECT pid FROM pg_stat_activity WHERE datname = %s"
        return [pid for (pid,) in self.ask(statement, database)]


def _answer(
    connection: "psycopg.Connection[tuple[Any, ...]]",
    statement: str,
    values: tuple[object, ...],
) -> list[tuple[Any, ...]]:
    cursor = connection.execute(statement.encode(), values or None)
    return cursor.fetchall() if cursor.description else []


def _goes_to(link: Path, folder: Path) -> bool:
    try:
        return link.readlink() == folder
    except OSError:  # somebody else's process, or one that has ended
        return False


@contextmanager
def open_cluster(
    place: Path | None = None,
    log: Path | None = None,
    *,
    copied: Path | None = None,
    fsync: bool = True,
    tcp: bool = False,
    **settings: str,
) -> Iterator[Cluster]:
    """A new server while the block runs, with the data `copied` from one that has
    stopped, or none.

    Its data are in the folder `place` and its write-ahead log in the folder `log`, if
    they are given; its account must be able to write there. With `tcp` it listens on a
    port of 127.0.0.1, too.
    """
    given = {"fsync": "on" if fsync else "off"}
    if tcp:
        given["listen_addresses"] = "127.0.0.1"
    with short_folder() as folder:
        data = (place or folder) / "data"
        run_program("cp", "-a", copied or _pristine(), data)
        if log is not None:
            run_program("mv", data / "pg_wal", log)
            run_program("ln", "-s", log / "pg_wal", data)
        port = free_port() if tcp else PORT
        with running(Cluster(folder, data, given | settings, port)) as cluster:
            if copied is None:
                cluster.ask(f"CREATE ROLE {ROLE} LOGIN")
            yield cluster


@contextmanager
def running(cluster: Cluster) -> Iterator[Cluster]:
    """A server that is started now and is ended after the block."""
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.close()


@contextmanager
def replica_of(primary: Cluster, **settings: str) -> Iterator[Cluster]:
    """A streaming replica that the primary server waits for at each COMMIT.

    It can be paused, killed and promoted (`replica.ask("SELECT pg_promote()")`).
    """
    with short_folder() as folder:
        data = folder / "data"
        source = f"host={primary.folder} port={primary.port} user={ADMIN}"
        words = ("--checkpoint=fast", "--wal-method=stream", "--no-sync")
        run_program("pg_basebackup", "-D", data, "-d", source, "-R", *words)
        with running(Cluster(folder, data, settings)) as replica:
            primary.configure(synchronous_standby_names="*")
            wait_until(lambda: is_synchronous(primary), "a replica", primary.log)
            yield replica


def is_synchronous(primary: Cluster) -> bool:
    """Whether a replica is connected that COMMIT waits for."""
    states = primary.ask("SELECT sync_state FROM pg_stat_replication")
    return ("sync",) in states


def waiting_commits(primary: Cluster) -> list[int]:
    """The ids of the backends whose COMMIT waits for a replica."""
    statement = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    return [pid for (pid,) in primary.ask(statement)]
