"""A mail that waits or works holds up nobody else."""

import hashlib
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from time import sleep
from typing import Any

import pytest

from pbm_holomino.commands import results
from pbm_holomino.commands.request import Answer
from pbm_holomino.match import account
from pbm_holomino.resident import lmtp
from tests.house import House
from tests.processes import PATIENCE, Talk, free_port, resident, send, wait_until
from tests.resident.desk import lmtp_server, mail, move


def lines_of(raw: bytes) -> list[str]:
    return [*raw.decode().splitlines(), "."]


def begun(path: str, raw: bytes) -> Talk:
    """A connection on which a mail has been sent that is not answered yet."""
    talk = Talk(path).at_data()
    talk.say(*lines_of(raw))
    return talk


def test_mails_that_wait_at_the_port_delay_nobody_at_the_socket(
    house: House,
) -> None:
    """On as many connections as it has, for a board that is busy."""
    house.settings("wait: 60\n")
    port, line = free_port(), move(house, "alice")
    with resident(house, f"127.0.0.1:{port}") as running, ExitStack() as crowd:
        with house.store.lock("holo", "1"):
            waiting = []
            for number in range(lmtp.MOST_CONNECTIONS):
                client = socket.create_connection(("127.0.0.1", port), PATIENCE)
                waiting.append(crowd.enter_context(client).makefile("rb"))
                said = ["LHLO here", "MAIL FROM:<alice@example.org>"]
                said += ["RCPT TO:<pbm@localhost>", "DATA"]
                said += lines_of(mail("alice", line, f"m{number}"))
                client.sendall("".join(f"{each}\r\n" for each in said).encode())
            for heard in waiting:
                while not heard.readline().startswith(b"354"):
                    pass
            for number in range(10):
                help_ = mail("bob", "help", f"h{number}")
                assert running.send(help_, "bob@example.org")[0] == 250
        assert {heard.readline() for heard in waiting} == {b"250 2.0.0 Done\r\n"}
        assert running.stop() == (0, "")
    assert house.match().ply == 1


@pytest.fixture
def at_work(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Until it is set, the command "list" goes on computing."""
    done = threading.Event()

    def compute(*_: object) -> Answer:
        while not done.is_set():
            pass
        return Answer("Nobody.\n")

    monkeypatch.setattr(results, "players", compute)
    yield done
    done.set()


def test_slow_mails_delay_nobody_at_the_same_socket(
    house: House, at_work: threading.Event
) -> None:
    path = str(house.path("lmtp"))
    with lmtp_server(house.server, house.path("lmtp")):
        working = [begun(path, mail("alice", "list", f"m{n}")) for n in range(5)]
        assert send(path, mail("bob", "help", "h"))[0] == 250
        for talk in working:
            talk.socket.settimeout(0.01)
            with pytest.raises(TimeoutError):
                talk.socket.recv(1)
        at_work.set()
        for talk in working:
            talk.socket.settimeout(PATIENCE)
            assert talk.socket.recv(100) == b"250 2.0.0 Done\r\n"
            talk.close()


def test_few_passwords_are_hashed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As each takes 16 MiB."""
    now, most, lock = 0, 0, threading.Lock()
    scrypt = hashlib.scrypt

    def watched(*words: Any, **named: Any) -> bytes:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        wait_until(lambda: most >= account.MOST_HASHING)
        with lock:
            now -= 1
        return scrypt(*words, **named)

    monkeypatch.setattr(hashlib, "scrypt", watched)
    with ThreadPoolExecutor(12) as threads:
        list(threads.map(account.hash_password, ["secret"] * 24))
    assert most == account.MOST_HASHING == 4


def test_a_silent_connection_is_closed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lmtp.SILENCE == 60
    monkeypatch.setattr(lmtp, "SILENCE", 1.0)
    path = house.path("lmtp")
    with lmtp_server(house.server, path):
        silent, half = Talk(str(path)), Talk(str(path)).at_data()
        half.say("Subject: he")
        assert silent.end().startswith(b"220")
        assert half.end() == b""
        with closing(Talk(str(path))) as next_one:
            assert next_one.hear()[0].startswith("220")
        silent.close()
        half.close()


def test_a_client_gets_its_verdict_however_long_that_takes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lmtp, "SILENCE", 2.5)
    house.store.patience = PATIENCE
    path = house.path("lmtp")
    raw = mail("alice", move(house, "alice"), "m1")
    with lmtp_server(house.server, path):
        with house.store.lock("holo", "1"):
            talk = begun(str(path), raw)
            sleep(4)
        assert talk.end() == b"250 2.0.0 Done\r\n"
        talk.close()
    assert house.match().ply == 1
