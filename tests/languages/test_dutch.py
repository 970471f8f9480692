"""Letters that a Dutch player reads, and answers in Dutch."""

import pytest

from pbm_holomino.letters.letter import Letter
from tests.club import Club
from tests.house import home, mail_of
from tests.mail.programs.languages import LANGUAGES

DUTCH = LANGUAGES["nl"]


def first_letter(club: Club) -> Letter:
    """What alice, who reads Dutch, gets when her game begins."""
    club.say("change language alice {alice} nl")
    club.server.time = "2026-11-21T08:00:00Z"
    club.game = "holo"
    club.server.sent.clear()
    club.server.challenge("-num_digits=4", "alice bob", "holo")
    return club.letters()["alice"]


def with_marks(attribution: str, letter: Letter) -> str:
    """As most programs quote below an answer."""
    quoted = "".join(f"> {line}\n" for line in letter.text.splitlines())
    return f"{attribution}\n{quoted}"


def by_outlook(letter: Letter) -> str:
    """As Outlook quotes below an answer, without any mark."""
    values = ("pbm@localhost", "zaterdag 21 november 2026 09:00", "alice@example.org")
    lines = zip(DUTCH.headers, (*values, letter.subject), strict=True)
    head = "".join(f"{name} {value}\n" for name, value in lines)
    return f"-----Oorspronkelijk bericht-----\n{head}\n{letter.text}"


def answer(club: Club, letter: Letter, words: str, quotation: str) -> None:
    raw = mail_of(
        f"{DUTCH.prefixes[0]}{letter.subject}",
        home("alice"),
        f"{words}\n\n{quotation}",
        In_Reply_To=f"<{letter.id}@localhost>",
    )
    club.server.mail(raw)


def quotations(letter: Letter) -> list[str]:
    """That of each program: Gmail, Apple Mail, Thunderbird, K-9, Mutt, Yahoo, Outlook,
    and what some of them add below."""
    added = (DUTCH.apple, DUTCH.k9, DUTCH.yahoo)
    quoted = [with_marks(line, letter) for line in DUTCH.wrote]
    outlook = [f"{line}\n\n{by_outlook(letter)}" for line in ("", DUTCH.outlook)]
    return [*quoted, *outlook, *(f"{line}\n\n{quoted[0]}" for line in added)]


PROGRAMS = range(len(DUTCH.wrote) + 5)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_reply_in_dutch_is_played_whatever_quotes_the_letter(
    club: Club, program: int
) -> None:
    letter = first_letter(club)
    answer(club, letter, "Zet 123 op 1", quotations(letter)[program])
    assert club.json()["last"] == "alice 123:1"
    told = club.letters()["bob"]
    assert told.subject == "holo 1: your turn"
    assert "alice writes" not in told.text


@pytest.mark.parametrize(
    "words",
    [
        *("zet 123 op 1", "Ik speel 123:1", "ik speel 123 op 1", "dan speel ik 123:1"),
        *("Ik leg steen 123 op veld 1.", "123 op plek 1 graag", "mijn zet: 123:1"),
        *("ik ga voor 123 op 1", "Hoi Bob,\n\nik doe 123:1\n\nGroetjes,\nAlice"),
    ],
)
def test_a_move_is_played_as_one_says_it(club: Club, words: str) -> None:
    letter = first_letter(club)
    answer(club, letter, words, with_marks(DUTCH.wrote[0], letter))
    assert club.json()["last"] == "alice 123:1"
    assert "alice writes" not in club.letters()["bob"].text


@pytest.mark.parametrize(
    "words", ["ik geef op", "Ik geef het op.", "opgeven", "geef op"]
)
def test_nobody_resigns_in_dutch_but_is_told_how(club: Club, words: str) -> None:
    letter = first_letter(club)
    answer(club, letter, words, with_marks(DUTCH.wrote[0], letter))
    assert club.json()["status"] == "active"
    (told,) = club.server.taken()
    assert told.to == (home("alice"),)
    assert "Het is niet zeker of je dit wilt" in told.text
    assert "\n  resign\n" in told.text


def test_a_letter_in_dutch(club: Club) -> None:
    letter = first_letter(club)
    assert letter.subject == "holo 1: een nieuwe partij, jij bent aan zet"
    said = " ".join(letter.text.split())
    for part in (
        "Je bent aan zet, alice. Holomino, bord 1, aan het begin: alice tegen bob",
        'Een nieuwe partij Holomino voor jou en bob. Stuur "holo help" voor de regels.',
        "bob heeft tot 12-12-2026, 08:00 UTC de tijd om een zet te doen of de "
        "uitdaging aan te nemen; anders vervalt die en komt er geen partij.",
        "Deze zetten zijn mogelijk:",
        "De zak is leeg.",
    ):
        assert part in said


def test_numbers_in_tables_have_a_comma(club: Club) -> None:
    first_letter(club)
    for line in ("move 1 alice {alice} propose", "accept 1 bob {bob}"):
        club.say(f"holo {line}")
    club.server.taken()
    raw = mail_of("holo standings", home("alice"))
    (told,) = club.server.mail(raw)
    alice = next(line for line in told.text.splitlines() if line.startswith("alice"))
    assert alice.split() == ["alice", "1", "0", "0", "1", "0,5"]
    assert "0.5" in club.say("holo standings")
