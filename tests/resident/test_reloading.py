"""A server that reads its settings again at SIGHUP, while it works."""

import os
import pty
import signal
import sys
from pathlib import Path

import pytest

from pbm_holomino.resident.signals import Signals
from tests.house import PASSWORDS, House, home
from tests.mail.postboxes import SlowPost
from tests.paths import ROOT
from tests.processes import Resident, Talk, resident, surroundings, wait_until
from tests.resident.desk import mail, move
from tests.resident.test_stop import Sending
from tests.resident.typists import type_in

NEW = "address: new@example.net\n"
IN_USE = "pbm serve: The new settings are in use.\n"


def reload(server: Resident) -> str:
    """Have the settings read again; what the owner is told."""
    assert server.process.stderr is not None
    server.process.send_signal(signal.SIGHUP)
    return server.process.stderr.readline().decode()


def answers(house: House) -> list[str]:
    """Who each letter in the outbox comes from."""
    texts = [path.read_text() for path in house.path("outbox").glob("answer.*.eml")]
    return [text.partition("\n")[0] for text in texts]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_new_settings_are_for_those_who_come(
    house: House, tmp_path: Path, workers: str
) -> None:
    """What has begun goes on with the old ones; what is wrong is not used."""
    slow = SlowPost(house, tmp_path / "post")
    config = house.path("config.yaml")
    with resident(house, "--workers", workers) as server:
        talk = Talk(server.path)
        assert talk.hear()[0].startswith("220 localhost ")
        sending = Sending(server, mail("alice", move(house, "alice"), "m1"))
        slow.wait()
        config.write_text(NEW)
        assert reload(server) == IN_USE
        assert server.send(mail("bob", "help", "m2"), home("bob"))[0] == 250
        assert answers(house) == ["From: new@example.net"]
        words = f"holo showas alice {PASSWORDS['alice']} 1"
        assert not type_in(house, words).did_it_itself
        for text in ("adress: newer@example.net\n", "address: ["):
            config.write_text(text)
            told = reload(server)
            assert told.startswith("pbm serve: The old settings stay in use. ")
            assert "config" in told
        assert server.send(mail("bob", "help", "m3"), home("bob"))[0] == 250
        assert answers(house) == ["From: new@example.net"] * 2
        config.write_text(NEW)
        slow.go()
        assert sending.verdict() == 250
        talk.say("LHLO test", "QUIT")  # nobody has hung up
        assert [line[:3] for line in talk.hear(2)] == ["250", "221"]
        talk.close()
        assert server.stop() == (0, "")
    assert "From: pbm@localhost" in slow.letters()
    assert house.match().ply == 1
    assert house.store.marks.unsent("holo") == {}


def test_another_store_is_used(house: House, tmp_path: Path) -> None:
    """Unless there is none: a server without a store could only refuse mails."""
    with resident(house) as server:
        house.path("config.yaml").write_text("store: postgresql://localhost:1/none\n")
        told = reload(server)
        assert "The old settings stay in use. The database cannot be reached" in told
        assert server.send(mail("alice", move(house, "alice"), "m1"))[0] == 250
        assert server.stop() == (0, "")


# What the signal means

_LISTENER = """\
import signal, sys
from pbm_holomino.resident.signals import Signals
signals = Signals()
def tell(number, frame):
    with open(sys.argv[1], "a") as file:
        file.write("stop " if signals.is_stop(number) else "reload ")
if signal.SIGHUP in signals.numbers:
    signal.signal(signal.SIGHUP, tell)
open(sys.argv[1], "a").write("ready ")
while True:
    signal.pause()
"""


def test_a_terminal_that_is_closed_stops_it(tmp_path: Path) -> None:
    told = tmp_path / "told"
    child, terminal = pty.fork()
    if child == 0:
        words = [sys.executable, "-c", _LISTENER, str(told)]
        os.execve(sys.executable, words, surroundings(PYTHONPATH=str(ROOT)))
    try:
        wait_until(lambda: told.exists() and told.read_text() == "ready ")
        os.kill(child, signal.SIGHUP)
        wait_until(lambda: told.read_text() == "ready reload ")
        os.close(terminal)
        wait_until(lambda: told.read_text() == "ready reload stop ")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_nohup_is_respected() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert Signals().numbers == (signal.SIGTERM, signal.SIGINT)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert Signals().numbers == (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
