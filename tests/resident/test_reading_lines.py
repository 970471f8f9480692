"""The text of a mail arrives as it was sent."""

import random
from collections.abc import Iterator
from contextlib import closing

import pytest

from pbm_holomino.resident import lmtp
from tests.house import House
from tests.processes import Talk
from tests.resident.desk import lmtp_server

_WORDS = [b"\r\n", b"\r\n", b".", b".", b"\n", b"\r", b"a"]
_ENVELOPE = ("MAIL FROM:<a@b.c>", "RCPT TO:<pbm@localhost>", "DATA")


@pytest.fixture
def came(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """What comes in at the house's socket."""
    came: list[bytes] = []
    monkeypatch.setattr(lmtp, "receive", lambda raw, *_: came.append(raw))
    with lmtp_server(house.server, house.path("lmtp")):
        yield came


def test_dots_that_the_sender_has_doubled_are_single(
    house: House, came: list[bytes]
) -> None:
    """RFC 5321, 4.5.2."""
    with closing(Talk(str(house.path("lmtp"))).at_data()) as talk:
        for packet in (["..one", "two"], ["..."], ["", "..", "a\n.", ".."], ["."]):
            talk.say(*packet)
        assert talk.hear() == ["250 2.0.0 Done"]
    assert came == [b".one\ntwo\n..\n\n.\na\n.\n.\n"]


def test_a_mail_may_come_in_any_pieces(house: House, came: list[bytes]) -> None:
    chance = random.Random(5321)
    sent = []
    with closing(Talk(str(house.path("lmtp")))) as talk:
        talk.say("LHLO here")
        talk.hear(2)
        for _ in range(200):
            lines = b"".join(chance.choices(_WORDS, k=chance.randrange(20)))
            text = lines + b"\r\n"
            sent.append(text.replace(b"\r\n", b"\n"))
            talk.say(*_ENVELOPE)
            assert talk.hear(3)[-1].startswith("354")
            doubled = (b"\r\n" + text).replace(b"\r\n.", b"\r\n..")[2:] + b".\r\n"
            cut = chance.randrange(len(doubled))
            talk.socket.sendall(doubled[:cut])
            talk.socket.sendall(doubled[cut:])
            assert talk.hear() == ["250 2.0.0 Done"]
    assert came == sent
