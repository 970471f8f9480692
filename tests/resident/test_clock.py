"""`pbm serve --clock`: what cron does elsewhere is done beside the server."""

import signal

from pbm_holomino.store.contract import FLUSHED_AT, TICKED_AT
from tests.house import House
from tests.processes import resident, wait_until
from tests.resident.desk import mail

NOWHERE = "send: smtp\nsmtp: 127.0.0.1:1\n"


def test_it_sends_what_waits_and_does_what_is_due(house: House) -> None:
    """With the settings as they are, and for as long as the server is there."""
    house.settings(NOWHERE)
    with resident(house, "--clock") as server:
        assert server.send(mail("alice", "help", "m1"))[0] == 250
        wait_until(lambda: house.store.kept.mails("waiting"), "a letter that waits")
        for name in (FLUSHED_AT, TICKED_AT):
            wait_until(lambda name=name: house.store.remembered(name))  # type: ignore[misc]
        house.path("config.yaml").write_text("send: outbox\n")
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: not house.store.kept.mails("waiting"), "the letter gone")
        status, said = server.stop()
    assert status == 0
    assert "Traceback" not in said


def test_without_the_word_it_leaves_that_to_others(house: House) -> None:
    with resident(house) as server:
        assert server.send(mail("alice", "help", "m1"))[0] == 250
        assert server.stop() == (0, "")
    assert not house.store.remembered(FLUSHED_AT)
    assert not house.store.remembered(TICKED_AT)
