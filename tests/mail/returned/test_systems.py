"""Bounces of any system are noticed, nothing that a program has sent is carried out or
answered, and nobody's mail is taken for such: in these mails, a third of which was only
looked at to measure."""

import pytest

from pbm_holomino.mail import bounces as found_in
from pbm_holomino.mail import incoming, unattended
from tests.house import House, mail_of
from tests.mail.returned.systems import (
    BOB,
    LETTER,
    SERVER,
    SYSTEMS,
    TOKEN,
    automatic,
    bounce,
    bounces,
    people,
)

BOUNCES, AUTOMATIC, PEOPLE = dict(bounces()), dict(automatic()), dict(people())
LEAST_SEEN = 0.95  # of all bounces


def is_automatic(raw: bytes) -> bool:
    return incoming.read(raw, SERVER) is None


def is_counted(raw: bytes) -> bool:
    """Whether a bounce says which letter has not reached bob."""
    found = found_in.read(raw)
    if found is None or BOB not in found.addresses:
        return False
    return [str(each) for each in found.letters("localhost")] == [
        f"holo.1.4.bob.{TOKEN}"
    ]


@pytest.mark.parametrize("is_apart", [False, True])
def test_bounces_are_seen(is_apart: bool) -> None:
    of = [b.raw for b in BOUNCES.values() if b.is_apart == is_apart]
    assert len(BOUNCES) > 100
    assert sum(map(is_counted, of)) >= LEAST_SEEN * len(of)


def test_no_automatic_mail_is_carried_out_or_answered() -> None:
    mails = {**AUTOMATIC, **{name: each.raw for name, each in BOUNCES.items()}}
    assert [name for name in mails if not is_automatic(mails[name])] == []


def test_no_person_s_mail_is_taken_for_one() -> None:
    assert len(PEOPLE) > 100
    assert [name for name in PEOPLE if is_automatic(PEOPLE[name])] == []


@pytest.mark.parametrize(
    "why",
    ["552 Quota exceeded", "550 5.2.2 No room", "451 4.3.0 Try again", "mailbox full"]
    + ["Your mail is delayed and will be retried", "421 Too many connections"],
)
def test_what_may_still_arrive_is_seen_and_does_not_count(why: str) -> None:
    found = found_in.read(bounce(SYSTEMS["opensmtpd"], why))
    assert found is not None
    assert found.addresses == ()


@pytest.mark.parametrize("name", [n for n in AUTOMATIC if "delayed" not in n])
def test_other_automatic_mails_count_against_nobody(name: str) -> None:
    assert not is_counted(AUTOMATIC[name])


def test_an_absent_player_is_not_lost() -> None:
    text = f"I am away. My other address is {BOB}. Room 552, or 550 points."
    raw = mail_of("holo 1: your turn", BOB, f"{text}\n\n{LETTER}", Return_Path="<>")
    assert is_automatic(raw)
    assert not is_counted(raw)


def test_a_bounce_in_words_does_nothing_but_count(house: House) -> None:
    before = house.files()
    for each in BOUNCES.values():
        assert house.mail(each.raw) == []
    for raw in AUTOMATIC.values():
        assert house.mail(raw) == []
    after = house.files()
    changed = [name for name in after if after[name] != before.get(name)]
    assert [name for name in changed if not name.startswith("bounces/")] == []


@pytest.mark.parametrize(
    "text",
    ["Feedback-Type\n", "could not be delivered\n", "x@y.z ", "5.1.1 ", "a" * 99, "("]
    + ["\U0001f44d reacted to your message\n", "Message-ID: <\n", "returned mail "],
)
def test_words_of_any_length_are_read_in_no_time(text: str) -> None:
    raw = bounce(SYSTEMS["exim without marks"], text * (90_000 // len(text)))
    is_automatic(raw)
    found = found_in.read(raw)
    assert found is None or len(found.addresses) <= 20


def test_a_reaction_needs_an_emoji_and_nothing_more() -> None:
    assert unattended.is_reaction("\u2764\ufe0f Bob reacted via Gmail\n\n> Hi")
    assert unattended.is_reaction("\U0001f44d\nBob reacted to your message:\n")
    assert not unattended.is_reaction("Bob reacted to your message:\n")
    assert not unattended.is_reaction("\U0001f44d She reacted to your message well")
