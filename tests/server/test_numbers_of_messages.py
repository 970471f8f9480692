"""What a player does with their account does not show in the letters with their words
to others."""

from pathlib import Path

import pytest

from pbm_holomino.letters.letter import Letter
from tests.house import House, home, mail_of
from tests.mail.reports import Lost, postfix


@pytest.fixture
def house(tmp_path: Path) -> House:
    house = House(tmp_path / "one").sign_up("alice", "bob", "carol")
    house.taken()
    return house


def message(house: House, number: int, command: str = "message") -> Letter:
    """The letter to bob with what alice writes."""
    to = " bob" if command == "message" else ""
    raw = mail_of(
        f"{command} alice xanadu{to}", body="Hello", Message_ID=f"<{number}@x>"
    )
    sent = house.mail(raw)
    (letter,) = [each for each in sent if each.to == (home("bob"),)]
    return letter


def reply(house: House, letter: Letter, text: str) -> list[Letter]:
    headers = {"In_Reply_To": f"<{letter.id}@localhost>", "Message_ID": f"<{text}@x>"}
    return house.mail(mail_of(f"Re: {letter.subject}", home("bob"), text, **headers))


def test_they_are_the_same_whatever_else_their_writer_does(
    house: House, tmp_path: Path
) -> None:
    busy = house.copy(tmp_path / "two")
    for number, command in enumerate(("message", "broadcast", "message")):
        house.time = busy.time = f"2026-11-20T08:{number + 1:02}:00Z"
        for line in ("block alice {alice} carol", "change format alice {alice} text"):
            busy.type(line)
        busy.by_mail("alice", f"{number}" * 16, "message alice {alice} carol", "Psst")
        one, other = (message(each, number, command) for each in (house, busy))
        assert one[1:] == other[1:]  # all but its key
        assert one.id.startswith("players.alice.0.bob.")


def test_each_is_told_from_the_others_and_answered(house: House) -> None:
    letters = [message(house, 1), message(house, 2), message(house, 3, "broadcast")]
    assert len({letter.id for letter in letters}) == 3
    for number, letter in enumerate(letters):
        told = reply(house, letter, f"Gladly{number}")
        assert {each.to for each in told} == {(home("alice"),), (home("bob"),)}
        token = letter.id.rsplit(".", 1)[1]
        line = f"message bob ~{token} alice"
        raw = mail_of(line, home("bob"), "Again", Message_ID=f"<again{number}@x>")
        assert any("Again" in each.text for each in house.mail(raw))
        raw = mail_of(line.replace("bob", "carol"), home("carol"), "Me, too")
        assert all("Me, too" not in each.text for each in house.mail(raw))


def test_each_counts_when_it_comes_back(house: House) -> None:
    letter = message(house, 1)
    mail = f"To: {home('bob')}\nMessage-ID: <{letter.id}@localhost>\n\nHello\n"
    assert house.mail(postfix(Lost(home("bob"), mail.encode()))) == []
    bob = house.library.player("bob")
    assert bob is not None
    assert [each.days for each in bob.bounces] == [("2026-11-20",)]
