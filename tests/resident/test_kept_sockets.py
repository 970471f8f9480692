"""Sockets that systemd keeps: a server that restarts defers no mail."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path

import pytest

from pbm_holomino.errors import NotAllowed
from pbm_holomino.resident import listeners, lmtp
from pbm_holomino.resident.listeners import Listeners, kept_for_us
from tests.house import PASSWORDS, House
from tests.paths import ROOT
from tests.processes import PATIENCE, Talk, free_port, send, surroundings, wait_until
from tests.resident.desk import Desk, mail, move
from tests.resident.typists import type_in

# Hands the listed descriptors to a program, as systemd does.
_HAND = """\
import fcntl, os, sys
given, words = [*map(int, sys.argv[1].split())], sys.argv[2:]
count = len(given)
for number, fd in enumerate([fcntl.fcntl(fd, fcntl.F_DUPFD, 99) for fd in given], 3):
    os.dup2(fd, number)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(count))
os.environ["LISTEN_FDNAMES"] = ":".join(["pbm.socket"] * count)
os.execv(words[0], words)
"""


class Manager:
    """Keeps sockets in a house for the servers that it starts."""

    def __init__(self, house: House, stack: ExitStack) -> None:
        self._house = house
        self.port = free_port()
        self._kept = [
            stack.enter_context(socket.create_server(("127.0.0.1", self.port)))
        ]
        for name in ("lmtp", "shell"):
            made = stack.enter_context(socket.socket(socket.AF_UNIX))
            made.bind(str(house.path(name)))
            made.listen(4096)
            self._kept.append(made)

    def start(self, *words: str) -> "subprocess.Popen[str]":
        numbers = [one.fileno() for one in self._kept]
        return subprocess.Popen(
            [sys.executable, "-c", _HAND, " ".join(map(str, numbers))]
            + [sys.executable, "-m", "pbm_holomino", "serve", *words],
            pass_fds=numbers,
            env=surroundings(PYTHONPATH=str(ROOT), PBM_GAMES=str(self._house.folder)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@pytest.fixture
def manager(house: House) -> Iterator[Manager]:
    with ExitStack() as stack:
        yield Manager(house, stack)


class Mailing(threading.Thread):
    """Sends one mail after the other, until it is told to end; the codes of the
    answers, -1 for none."""

    def __init__(self, where: str, number: int) -> None:
        super().__init__()
        self._where, self._number = where, number
        self.is_ended = False
        self.codes: list[int] = []

    def run(self) -> None:
        while not self.is_ended:
            name = f"m{self._number}.{len(self.codes)}"
            try:
                code, _ = send(self._where, mail("alice", "help", name))
            except (OSError, AssertionError):  # it was refused before the mail came
                code = -1
            self.codes.append(code)

    def has_sent(self, count: int) -> bool:
        """Whether so many have been answered."""
        return len(self.codes) >= count


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_restart_defers_no_mail(house: House, manager: Manager, workers: str) -> None:
    mailing = [Mailing(str(house.path("lmtp")), number) for number in range(3)]
    server = manager.start("--workers", workers, f"127.0.0.1:{manager.port}")
    for thread in mailing:
        thread.start()
    try:
        for _ in range(2):
            assert server.stdout is not None
            assert server.stdout.readline().startswith("Serving on ")
            for thread in mailing:
                wait_until(partial(thread.has_sent, len(thread.codes) + 2), "mails")
            server.terminate()
            assert server.communicate(timeout=PATIENCE) == (
                "Served, and stopped.\n",
                "",
            )
            assert server.returncode == 0
            server = manager.start("--workers", workers)
        words = f"holo showas alice {PASSWORDS['alice']} 1"
        assert not type_in(house, words).did_it_itself
    finally:
        for thread in mailing:
            thread.is_ended = True
        for thread in mailing:
            thread.join(PATIENCE)
        server.terminate()
        server.communicate(timeout=PATIENCE)
    codes = [code for thread in mailing for code in thread.codes]
    assert len(codes) > 12
    assert {*codes} == {250}
    assert house.path("lmtp").exists()  # others keep it


def test_which_sockets_are_used(house: House, tmp_path: Path) -> None:
    """Those at its own paths, whatever leads there, and any port; the others it
    opens."""
    (tmp_path / "link").symlink_to(house.folder)
    with ExitStack() as stack:
        kept = []
        for path in ("link/shell", "more"):
            one = stack.enter_context(socket.socket(socket.AF_UNIX))
            one.bind(str(tmp_path / path))
            one.listen()
            kept.append(one)
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        own = str(house.path("lmtp")), None, str(house.path("shell"))
        with closing(Listeners(*own, [*kept, port])) as at:
            assert at.shell is kept[0]
            lmtp_socket, *others = at.sockets
            assert lmtp_socket.getsockname() == own[0]
            assert others == [kept[1], port, kept[0]]
        assert not Path(own[0]).exists()
        assert Path(own[2]).exists()


def test_what_is_meant_for_another_process_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LISTEN_PID", str(os.getppid()))
    monkeypatch.setenv("LISTEN_FDS", "1")
    assert kept_for_us() == []
    assert "LISTEN_FDS" not in os.environ


def test_a_connection_is_no_listening_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Accept=yes would hand over."""
    ours, theirs = socket.socketpair()
    monkeypatch.setattr(listeners, "_FIRST", theirs.detach())
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", "1")
    with ours, pytest.raises(NotAllowed, match="is not a listening socket"):
        kept_for_us()


# Clients of a server that ends gently


class Ending:
    """An LMTP server in threads of this process."""

    def __init__(self, house: House, folder: Path) -> None:
        self.desk = Desk(house.server)
        self._path = str(folder / "socket")

    def come_in(self) -> Talk:
        """A client that has come in."""
        with suppress(FileNotFoundError):
            os.unlink(self._path)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self._path)
            listener.listen()
            talk = Talk(self._path)
            client, _ = listener.accept()
        self.desk.do(lambda: self.desk.clients.take(client, lambda: None))
        return talk

    def close(self) -> None:
        """End gently."""
        self.desk.do(lambda: self.desk.server.close(gently=True))


@pytest.fixture
def ends(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Ending]:
    monkeypatch.setattr(lmtp, "_MOMENT", 0.2)
    found = Ending(house, tmp_path)
    with closing(found.desk):
        yield found


CLOSING = b"421 4.3.2 This server is closing\r\n"


def test_a_mail_that_has_begun_is_taken(house: House, ends: Ending) -> None:
    talk = ends.come_in().at_data()
    ends.close()
    time.sleep(0.3)
    raw = mail("alice", move(house, "alice"), "m1").decode()
    talk.say(*raw.splitlines(), ".")
    assert talk.hear()[0].startswith("250")
    assert talk.end() == CLOSING  # after a moment
    talk.close()
    assert house.match().ply == 1


def test_a_silent_client_is_let_go(ends: Ending) -> None:
    talk = ends.come_in()
    assert talk.hear()[0].startswith("220")
    ends.close()
    assert talk.end() == CLOSING
    talk.close()


def test_one_that_comes_in_at_the_last_moment_is_served(
    ends: Ending, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lmtp, "_MOMENT", PATIENCE)
    ends.close()
    talk = ends.come_in()
    talk.at_data().say("Subject: help", "", ".")
    assert talk.hear()[0].startswith("250")
    talk.say("QUIT")
    assert talk.hear()[0].startswith("221")
    talk.close()


def test_one_that_never_stops_is_let_go_after_a_mail(
    ends: Ending, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lmtp, "_LONGEST_CLOSING", 0.1)
    talk = ends.come_in().at_data()
    ends.close()
    time.sleep(0.2)
    talk.say("Subject: help", "", ".")
    assert talk.hear()[0].startswith("250")
    assert talk.end() == b""
    talk.close()
