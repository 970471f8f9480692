"""A server that ends in the middle of its work, in good order or killed."""

import re
import signal
import socket
import threading
from itertools import product
from pathlib import Path
from time import sleep

import pytest

from tests import storage
from tests.house import House, home
from tests.mail.postboxes import SlowPost
from tests.processes import (
    Resident,
    Talk,
    deliver,
    resident,
    run,
    send,
    wait_until,
)
from tests.resident.desk import in_outbox, lmtp_server, mail, move, of_the_move
from tests.sizes import some

ALICE, BOB = home("alice"), home("bob")

in_one_process_or_two = pytest.mark.parametrize("workers", ["1", "2"])


class Sending(threading.Thread):
    """A mail on its way, and the code of the answer; -1 if there was none."""

    def __init__(self, server: Resident, raw: bytes) -> None:
        super().__init__()
        self._server, self._raw = server, raw
        self.code = 0
        self.start()

    def run(self) -> None:
        try:
            self.code = self._server.send(self._raw)[0]
        except OSError:  # smtplib's errors are such
            self.code = -1

    def verdict(self) -> int:
        self.join()
        return self.code


@pytest.mark.parametrize(
    ("workers", "sign"),
    some([*product(["1", "2"], [signal.SIGTERM, signal.SIGINT])], 2),
)
def test_a_server_without_work_ends_at_once(
    house: House, workers: str, sign: int
) -> None:
    with resident(house, "--workers", workers) as server:
        idle, at_data = Talk(server.path), Talk(server.path).at_data()
        assert idle.hear()[0].startswith("220")
        assert server.stop(sign) == (0, "")
        for talk in (idle, at_data):
            assert talk.end() == b"421 4.3.2 This server is closing\r\n"
            talk.close()
    assert not house.path("lmtp").exists()


@in_one_process_or_two
def test_half_a_mail_is_not_begun(house: House, workers: str) -> None:
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house, "--workers", workers) as server:
        talk = Talk(server.path).at_data()
        talk.say(*raw.decode().splitlines())  # all but the dot
        assert server.stop() == (0, "")
        assert talk.end().startswith(b"421 ")
        talk.close()
    assert house.match().ply == 0
    with lmtp_server(house.server, house.path("lmtp")):
        assert send(str(house.path("lmtp")), raw)[0] == 250
    assert house.match().ply == 1


@in_one_process_or_two
def test_work_that_was_begun_is_finished(
    house: House, tmp_path: Path, workers: str
) -> None:
    slow = SlowPost(house, tmp_path / "post")
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house, "--workers", workers) as server:
        sending = Sending(server, raw)
        slow.wait()
        server.process.send_signal(signal.SIGTERM)
        # nobody else is let in any more, while this goes on
        wait_until(lambda: not house.path("lmtp").exists())
        assert server.process.poll() is None
        slow.go()
        assert sending.verdict() == 250
        assert server.ended() == (0, "")
    assert house.match().ply == 1
    assert f"To: {ALICE}" in slow.letters()
    assert f"To: {BOB}" in slow.letters()
    assert house.store.marks.unsent("holo") == {}


@in_one_process_or_two
def test_a_mail_is_finished_even_if_its_client_has_gone(
    house: House, tmp_path: Path, workers: str
) -> None:
    slow = SlowPost(house, tmp_path / "post")
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house, "--workers", workers) as server:
        talk = Talk(server.path).at_data()
        talk.say(*raw.decode().splitlines(), ".")
        slow.wait()
        talk.close()
        server.process.send_signal(signal.SIGTERM)
        slow.go()
        assert server.ended() == (0, "")
    assert house.store.marks.unsent("holo") == {}
    assert f"To: {BOB}" in slow.letters()


@pytest.mark.parametrize(
    "then", ["the same mail", "another board", "flush", "a process by itself"]
)
def test_after_a_kill_the_letters_come_once(
    house: House, tmp_path: Path, then: str
) -> None:
    """Whoever comes next sends them, whatever for."""
    house.challenges(1)
    slow = SlowPost(house, tmp_path / "post")
    raw = mail("alice", move(house, "alice"), "m1")
    other = mail("alice", move(house, "alice", 2), "m2")
    with resident(house) as server:
        assert server.send(raw)[0] == 250
        slow.wait()  # no letter has left yet
        server.stop(signal.SIGKILL)
    slow.go()
    assert house.path("lmtp").exists()  # nobody has tidied up
    assert house.store.marks.unsent("holo") == {"1": [1]}
    storage.over.pass_leases(house.folder)
    house.path("config.yaml").unlink()
    if then == "flush":
        assert run(house.folder, "pbm", "flush").status == 0
    elif then == "a process by itself":
        assert deliver(house.folder, other).status == 0
    else:
        with resident(house) as server:
            assert server.send(raw if then == "the same mail" else other)[0] == 250
            assert server.stop() == (0, "")
    assert len(house.match().record.log) == 2
    assert not house.has_marks()
    assert {*of_the_move(house)} <= {*in_outbox(house)}


def test_letters_of_workers_are_durable_before_it_ends(house: House) -> None:
    """Their marks go only then."""
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house, "--workers", "2") as server:
        assert server.send(raw)[0] == 250
        assert server.stop() == (0, "")
    assert house.store.marks.unsent("holo") == {}
    assert in_outbox(house) == of_the_move(house)


def test_workers_whose_parent_is_killed_finish_what_they_have_begun(
    house: House, tmp_path: Path
) -> None:
    slow = SlowPost(house, tmp_path / "post")
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house, "--workers", "2") as server:
        sending = Sending(server, raw)
        slow.wait()
        idle = Talk(server.path)
        assert idle.hear()[0].startswith("220")
        server.process.kill()
        assert idle.end() == b"421 4.3.2 This server is closing\r\n"
        idle.close()
        slow.go()
        assert sending.verdict() == 250
        with resident(house):  # waits for those workers to end
            assert house.store.marks.unsent("holo") == {}
            assert sorted(re.findall("^To: (.*)", slow.letters(), re.M)) == [ALICE, BOB]
    assert house.match().ply == 1


@in_one_process_or_two
def test_one_server_follows_another(house: House, workers: str) -> None:
    with resident(house, "--workers", workers) as first:
        following = threading.Timer(0.1, first.process.terminate)
        following.start()
        with resident(
            house, "--workers", workers
        ) as second:  # waits for the first one to end
            assert first.ended() == (0, "")
            raw = mail("alice", move(house, "alice"), "m1")
            assert second.send(raw)[0] == 250


@in_one_process_or_two
def test_a_mail_is_finished_even_if_its_connection_was_reset(
    house: House, workers: str
) -> None:
    raw = mail("alice", move(house, "alice"), "m1")
    house.settings("wait: 30\n")
    with resident(house, "--workers", workers) as server:
        talk = Talk(server.path)
        with house.store.lock("holo", "1"):
            talk.say("LHLO test", f"MAIL FROM:<{ALICE}>", "RCPT TO:<pbm@localhost>")
            talk.say("DATA", *raw.decode().splitlines(), ".")
            wait_until(lambda: b"\n354 " in talk.socket.recv(1000, socket.MSG_PEEK))
            sleep(0.5)
            talk.close()  # nobody has read the answers
            sleep(0.2)
            server.process.send_signal(signal.SIGTERM)
            sleep(0.5)
        assert server.ended() == (0, "")
    assert house.match().ply == 1
    assert not house.has_marks()
