"""Several worker processes that share the connections of one server."""

import os
import random
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from operator import ge
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.processes import PATIENCE, surroundings, wait_until


class Naming:
    """The server of naming.py, as a process."""

    def __init__(self, path: Path, kind: str, workers: int, most: int) -> None:
        self.path = str(path)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.resident.naming"]
            + [self.path, kind, str(workers), str(most)],
            env=surroundings(PYTHONPATH=str(ROOT)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline()

    def ended(self) -> tuple[int, str]:
        """The exit status, and what was said on standard error."""
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err.decode()


class Client:
    """A connection, for as long as this is kept."""

    def __init__(self, server: Naming) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(server.path)

    def worker(self) -> int:
        """The process that serves it; 0 if none does."""
        return int(self.socket.recv(99) or 0)

    def leave(self) -> None:
        """Leave, when the worker knows it."""
        self.socket.sendall(b".")
        assert self.socket.recv(1) == b""
        self.socket.close()


@contextmanager
def naming(
    folder: Path, workers: int, most: int = 100, kind: str = "work"
) -> Iterator[Naming]:
    running = Naming(folder / "socket", kind, workers, most)
    try:
        yield running
    finally:
        running.process.terminate()
        running.process.communicate()


def is_gone(pid: int) -> bool:
    """Whether a process has ended, and its parent knows."""
    return not Path(f"/proc/{pid}").exists()


# Who gets a client


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_no_worker_has_more_than_one_connection_above_another(
    tmp_path: Path, count: int
) -> None:
    with naming(tmp_path, count) as server:
        here, had = [], Counter[int]()
        for _ in range(16):
            here.append(Client(server))
            had[here[-1].worker()] += 1
            least = min(had.values()) if len(had) == count else 0
            assert max(had.values()) - least <= 1
        assert len(had) == count


def test_a_new_client_goes_where_the_fewest_are(tmp_path: Path) -> None:
    """However unevenly the others have left."""
    chance = random.Random(5)
    with naming(tmp_path, 3) as server:
        here: dict[Client, int] = {}
        for _ in range(6):
            client = Client(server)
            here[client] = client.worker()
        workers = set(here.values())
        assert len(workers) == 3
        for _ in range(200):
            if here and chance.random() < 0.5:
                client = chance.choice(list(here))
                client.leave()
                del here[client]
            else:
                had = Counter(dict.fromkeys(workers, 0)) + Counter(here.values())
                fewest = min(had[worker] for worker in workers)
                client = Client(server)
                here[client] = client.worker()
                assert had[here[client]] == fewest


def test_a_client_waits_for_a_free_place(tmp_path: Path) -> None:
    with naming(tmp_path, workers=2, most=2) as server:
        inside = [Client(server) for _ in range(4)]
        assert set(Counter(client.worker() for client in inside).values()) == {2}
        waiting = Client(server)
        waiting.socket.settimeout(0.3)
        with pytest.raises(TimeoutError):
            waiting.socket.recv(1)
        waiting.socket.settimeout(PATIENCE)
        inside[0].leave()
        assert waiting.worker()


def test_a_worker_that_takes_nothing_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    with naming(tmp_path, workers=2) as server:
        here = [Client(server) for _ in range(2)]
        first, second = (client.worker() for client in here)
        os.kill(first, signal.SIGSTOP)
        here += [Client(server) for _ in range(20)]
        assert [client.worker() for client in here[3::2]] == [second] * 10
        os.kill(first, signal.SIGCONT)
        assert [client.worker() for client in here[2::2]] == [first] * 10


# Workers that end


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSEGV])
def test_a_worker_that_dies_is_replaced(tmp_path: Path, sign: int) -> None:
    with naming(tmp_path, workers=2) as server:
        clients = [Client(server) for _ in range(4)]
        told = [client.worker() for client in clients]
        dead, other = told[:2]
        os.kill(dead, sign)
        for client, worker in zip(clients, told, strict=True):
            if worker == dead:
                assert client.socket.recv(1) == b""
        wait_until(lambda: Client(server).worker() not in (0, *told))
        for client, worker in zip(clients, told, strict=True):
            if worker == other:
                client.leave()  # it was served all the time
        server.process.terminate()
        assert server.ended() == (
            0,
            f"pbm serve: a worker has ended with status -{sign:d}\n",
        )


def test_a_worker_that_is_told_to_end_is_replaced_without_a_word(
    tmp_path: Path,
) -> None:
    with naming(tmp_path, workers=1) as server:
        first = Client(server).worker()
        os.kill(first, signal.SIGTERM)
        wait_until(lambda: Client(server).worker() not in (0, first))
        server.process.terminate()
        assert server.ended() == (0, "")


def test_clients_wait_while_there_is_no_worker(tmp_path: Path) -> None:
    with naming(tmp_path, workers=1) as server:
        for _ in range(4):
            worker = Client(server).worker()
            assert worker
            os.kill(worker, signal.SIGKILL)
            wait_until(partial(is_gone, worker))


def test_pauses_grow_where_workers_die_again_and_again(tmp_path: Path) -> None:
    with naming(tmp_path, workers=1, kind="die") as server:
        assert server.process.stdout is not None
        times = [float(server.process.stdout.readline()) for _ in range(5)]
        server.process.terminate()
        status, told = server.ended()
    pauses = [late - early for early, late in pairwise(times)]
    assert all(map(ge, pauses, (0.1, 0.2, 0.4, 0.8)))
    assert status == 0
    assert set(told.splitlines()) == {"pbm serve: a worker has ended with status 3"}


def test_others_take_the_place_of_workers_whose_settings_are_old(
    tmp_path: Path,
) -> None:
    """Those that have clients end when these have left."""
    with naming(tmp_path, workers=3) as server:
        clients = [Client(server) for _ in range(2)]
        old = [client.worker() for client in clients]
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: Client(server).worker() not in (0, *old))
        here = [Client(server) for _ in range(12)]
        new = [client.worker() for client in here]
        assert len({*new}) == 3
        assert {*new}.isdisjoint(old)
        for client, worker in zip(clients, old, strict=True):
            assert not is_gone(worker)
            client.leave()
            wait_until(partial(is_gone, worker))
        server.process.terminate()
        assert server.ended() == (0, "")


# The parent's end


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_parent(tmp_path: Path, sign: int) -> None:
    with naming(tmp_path, workers=3) as server:
        here = [Client(server) for _ in range(3)]
        workers = {client.worker() for client in here}
        assert len(workers) == 3
        server.process.send_signal(sign)
        status, told = server.ended()
        assert (status, told) == (-sign if sign == signal.SIGKILL else 0, "")
        wait_until(lambda: all(map(is_gone, workers)))
    assert Path(server.path).exists() == (sign == signal.SIGKILL)


def test_a_signal_for_the_whole_group_ends_all(tmp_path: Path) -> None:
    """As systemd sends it, and a terminal."""
    with naming(tmp_path, workers=2) as server:
        here = [Client(server) for _ in range(2)]
        workers = [client.worker() for client in here]
        for pid in (*workers, server.process.pid):
            os.kill(pid, signal.SIGTERM)
        assert server.ended() == (0, "")
        assert all(map(is_gone, workers))


def test_nobody_can_connect_to_a_server_whose_parent_was_killed(tmp_path: Path) -> None:
    """So that pbm-inbox does not wait for an answer, but does the work itself. A worker
    that has hardly begun still has the parent's listener: whoever connects then is cut
    off as it closes that."""
    with naming(tmp_path, workers=2) as server:
        here = [Client(server) for _ in range(2)]
        assert len({client.worker() for client in here} - {0}) == 2  # both have begun
        server.process.kill()
        server.process.wait(PATIENCE)
        with pytest.raises(ConnectionRefusedError):
            Client(server)
