"""A letter that is quoted back without any mark tells the opponent nothing secret."""

import re
from collections.abc import Callable, Iterator

import pytest

from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.account import TOKEN
from pbm_holomino.server import replies
from tests.house import House, fill_in, home, mail_of
from tests.server.test_replies import letter_to, token_of

QUEUED = "346:9998"


def told(house: House, who: str, line: str, reader: str = "") -> Letter:
    """The letter to a player, the writer unless named, after a command by mail."""
    sent = house.mail(mail_of(fill_in(line), home(who)))
    return letter_to(sent, reader or who)


def kinds(house: House) -> Iterator[tuple[str, Letter, str]]:
    """Letters of every kind, each with what only its reader may know."""
    opened = told(house, "bob", "holo challenge alice bob", "alice")
    yield "opening", opened, ""
    line = f"holo queue 1 bob {{bob}} {QUEUED}"
    yield "queue", told(house, "bob", line), QUEUED
    move, other, *_ = house.legal()
    yield "draft", told(house, "alice", f"holo submit 1 alice {{alice}} {move}"), ""
    yield "offer", told(house, "alice", "holo move 1 alice {alice} propose", "bob"), ""
    line = f"holo move 1 alice {{alice}} {other}"
    yield "move", told(house, "alice", line, "bob"), ""
    house.type("walomino challenge alice bob")
    line = "walomino move 1 alice {alice} take:RGYPBBBB,any"
    yield "wishes", told(house, "alice", line), "GYPBBBB"


def letter_of_kind(house: House, kind: str) -> tuple[Letter, str]:
    return next(
        (letter, secret) for name, letter, secret in kinds(house) if name == kind
    )


KINDS = ("opening", "queue", "draft", "offer", "move", "wishes")


@pytest.mark.parametrize("how", ["reply", "subject"])
@pytest.mark.parametrize("kind", KINDS)
def test_only_the_words_above_the_letter_are_passed_on(
    house: House, kind: str, how: str
) -> None:
    letter, secret = letter_of_kind(house, kind)
    (address,) = letter.to
    who = address.partition("@")[0]
    game, board = letter.id.split(".")[:2]
    raw_id = f"<{letter.id}@localhost>"
    link = (
        f"mailto:pbm@localhost?subject={game}%20move%20{board}%20%7E{token_of(letter)}"
    )
    quoted = f"{letter.text}\n{link}\n{raw_id}\n~{token_of(letter)}\n"
    if how == "reply":
        body = f"chat\nHello there\n\n{quoted}"
        raw = mail_of("Re: x", address, body, In_Reply_To=raw_id)
    else:
        body = f"Hello there\n\n{quoted}"
        raw = mail_of(
            f"{game} chat {board} {who} {{{who}}}".format(
                alice="xanadu", bob="better4"
            ),
            address,
            body,
        )
    sent = house.mail(raw)
    other = "bob" if who == "alice" else "alice"
    words = letter_to(sent, other).text
    assert "Hello there" in words
    assert not re.search(rf"[~.]{TOKEN}", words)
    assert "mailto" not in words
    assert not secret or secret not in words
    assert words.count("\n") < 12
    assert letter_to(sent, who).text.startswith("Sent to")


def as_one_line(letter: Letter) -> str:
    return " ".join(letter.text.split())


def as_headings_and_tables(letter: Letter) -> str:
    return "\n".join(
        f"# **{line.strip()}**" if n % 2 else f"| {line.strip()} |"
        for n, line in enumerate(letter.text.split("\n"))
    )


def as_source_of_html(letter: Letter) -> str:
    lines = (f"<p class='q'>{line}</p>" for line in letter.text.split("\n"))
    return "\n".join(["<!DOCTYPE html>", "<style>", ".q{color:#fff}", *lines])


@pytest.mark.parametrize(
    "form", [as_one_line, as_headings_and_tables, as_source_of_html]
)
@pytest.mark.parametrize("kind", ["queue", "wishes"])
def test_no_secret_is_passed_on_whatever_a_program_makes_of_the_letter(
    house: House, kind: str, form: Callable[[Letter], str]
) -> None:
    letter, secret = letter_of_kind(house, kind)
    (address,) = letter.to
    sent = house.mail(
        mail_of(
            "Re: x",
            address,
            f"chat\nHello there\n\n{form(letter)}",
            In_Reply_To=f"<{letter.id}@localhost>",
        )
    )
    other = "alice" if address == home("bob") else "bob"
    words = letter_to(sent, other).text
    assert "Hello there" in words
    assert secret in letter.text
    assert secret not in words


@pytest.mark.parametrize("how", ["reply", "subject"])
def test_no_words_are_held_against_what_another_player_plans(
    house: House, how: str
) -> None:
    """Otherwise bob could find out what alice has submitted, by guessing."""
    move, other, *_ = house.legal()
    draft = told(house, "alice", f"holo submit 1 alice {{alice}} {move}")
    guess = f"This is how holo 1 would look after {move}. Nothing has been played yet."
    assert guess in " ".join(draft.text.split())
    body = f"Hello there\n{guess}\nAnd this is the end"
    line, headers = fill_in("holo chat 1 bob {bob}"), {"Message_ID": "<chat@x>"}
    if how == "reply":
        (shown,) = house.mail(mail_of(fill_in("holo showas bob {bob} 1"), home("bob")))
        line, body = "Re: x", f"chat\n{body}"
        headers["In_Reply_To"] = f"<{shown.id}@localhost>"
    words = letter_to(house.mail(mail_of(line, home("bob"), body, **headers)), "alice")
    said = " ".join(words.text.split())
    assert f"Hello there {guess} And this is the end" in said


def test_an_earlier_letter_is_known_as_quoted_though_no_header_names_it(
    house: House,
) -> None:
    letter = told(house, "bob", f"holo queue 1 bob {{bob}} {QUEUED}")
    house.type("holo chat 1 alice {alice}", "-m=Tea at five?")
    house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}")
    for number, body in enumerate((letter.text, letter.text.replace("\n", " "))):
        raw = mail_of(
            "holo chat 1 bob better4",
            home("bob"),
            f"Gladly\n\n{body}",
            Message_ID=f"<{number}@x>",
        )
        words = letter_to(house.mail(raw), "alice").text
        assert "Gladly" in words
        assert QUEUED not in words
        assert "Each move is played when" not in words


@pytest.mark.parametrize("kind", KINDS)
def test_no_letter_begins_with_what_reads_as_a_command(house: House, kind: str) -> None:
    letter, _ = letter_of_kind(house, kind)
    assert replies.whole(letter.text) is None
    (answer,) = house.mail(mail_of("", home("alice"), letter.text))
    assert answer.subject.startswith("Re: your command")


@pytest.mark.parametrize(
    "line", ["message bob {bob} alice", "holo challenge bob alice"]
)
def test_a_letter_about_a_board_is_not_quoted_in_other_mails(
    house: House, line: str
) -> None:
    letter, secret = letter_of_kind(house, "queue")
    body = f"Hello there\n\n{letter.text}"
    sent = house.mail(mail_of(fill_in(line), home("bob"), body))
    words = letter_to(sent, "alice").text
    assert "Hello there" in words
    assert secret not in words
