"""Letters that a player reads in their language, and answers in it."""

from typing import NamedTuple

import pytest

from pbm_holomino.letters.letter import Letter
from tests.club import Club
from tests.house import home, mail_of
from tests.mail.programs.languages import LANGUAGES


class Spoken(NamedTuple):
    """What somebody writes and reads in a language. `begins` and `day` are of Outlook's
    quotation; `letter` is in the first letter of a game, a hand of 123 and so on."""

    code: str
    moves: tuple[str, ...]  # 123:1
    resigns: tuple[str, ...]
    is_unsure: str
    begins: str
    day: str
    subject: str
    letter: tuple[str, ...]
    half: str  # a point


DUTCH = Spoken(
    "nl",
    (
        *("Zet 123 op 1", "zet 123 op 1", "Ik speel 123:1", "ik speel 123 op 1"),
        *("dan speel ik 123:1", "Ik leg steen 123 op veld 1.", "123 op plek 1 graag"),
        *("mijn zet: 123:1", "ik ga voor 123 op 1"),
        "Hoi Bob,\n\nik doe 123:1\n\nGroetjes,\nAlice",
    ),
    ("ik geef op", "Ik geef het op.", "opgeven", "geef op"),
    "Het is niet zeker of je dit wilt",
    "-----Oorspronkelijk bericht-----",
    "zaterdag 21 november 2026 09:00",
    "holo 1: een nieuwe partij, jij bent aan zet",
    (
        "Je bent aan zet, alice. Holomino, bord 1, aan het begin: alice tegen bob",
        'Een nieuwe partij Holomino voor jou en bob. Stuur "holo help" voor de regels.',
        "bob heeft tot 12-12-2026, 08:00 UTC de tijd om een zet te doen of de "
        "uitdaging aan te nemen; anders vervalt die en komt er geen partij.",
        "Deze zetten zijn mogelijk:",
        "De zak is leeg.",
    ),
    "0,5",
)
GERMAN = Spoken(
    "de",
    (
        *("Zug 123:1", "Ich setze 123 auf 1", "ich setze 123 auf 1", "123 auf 1"),
        *("Ich spiele 123:1", "Ich lege den Stein 123 auf Feld 1.", "mein Zug: 123:1"),
        "Hallo Bob,\n\nich spiele 123:1\n\nViele Grüße\nAlice",
    ),
    ("ich gebe auf", "Ich gebe auf.", "aufgeben", "gib auf"),
    "Ich bin nicht sicher, ob du das willst",
    "-----Ursprüngliche Nachricht-----",
    "Samstag, 21. November 2026 09:00",
    "holo 1: eine neue Partie, du bist am Zug",
    (
        "Du bist am Zug, alice. Holomino, Partie 1, am Anfang: alice gegen bob",
        'Eine neue Partie Holomino für dich und bob. Für die Regeln schick "holo help"',
        "bob hat bis zum 12.12.2026, 08:00 UTC Zeit, zu ziehen oder anzunehmen; sonst "
        "verfällt die Herausforderung, und es gibt keine Partie.",
        "Diese Züge sind möglich:",
        "Der Vorrat ist leer.",
    ),
    "0,5",
)
EACH = {spoken.code: spoken for spoken in (DUTCH, GERMAN)}
of_each = pytest.mark.parametrize("spoken", EACH.values(), ids=EACH)


def said(name: str) -> pytest.MarkDecorator:
    """Each language with each that is said in it so."""
    cases = [(one, words) for one in EACH.values() for words in getattr(one, name)]
    ids = [f"{one.code}-{words}" for one, words in cases]
    return pytest.mark.parametrize(("spoken", "words"), cases, ids=ids)


def first_letter(club: Club, code: str) -> Letter:
    """What alice, who reads this language, gets when her game begins."""
    club.say(f"change language alice {{alice}} {code}")
    club.server.time = "2026-11-21T08:00:00Z"
    club.game = "holo"
    club.server.sent.clear()
    club.server.challenge("-num_digits=4", "alice bob", "holo")
    return club.letters()["alice"]


def with_marks(attribution: str, letter: Letter) -> str:
    """As most programs quote below an answer."""
    quoted = "".join(f"> {line}\n" for line in letter.text.splitlines())
    return f"{attribution}\n{quoted}"


def by_outlook(spoken: Spoken, letter: Letter) -> str:
    """As Outlook quotes below an answer, without any mark."""
    values = ("pbm@localhost", spoken.day, "alice@example.org", letter.subject)
    lines = zip(LANGUAGES[spoken.code].headers, values, strict=True)
    head = "".join(f"{name} {value}\n" for name, value in lines)
    return f"{spoken.begins}\n{head}\n{letter.text}"


def answer(
    club: Club, spoken: Spoken, words: str, letter: Letter, quotation: str = ""
) -> None:
    program = LANGUAGES[spoken.code]
    quoted = quotation or with_marks(program.wrote[0], letter)
    raw = mail_of(
        f"{program.prefixes[0]}{letter.subject}",
        home("alice"),
        f"{words}\n\n{quoted}",
        In_Reply_To=f"<{letter.id}@localhost>",
    )
    club.server.mail(raw)


def quotations(spoken: Spoken, letter: Letter) -> list[str]:
    """That of each program: Gmail, Apple Mail, Thunderbird, K-9, Mutt, Yahoo, Outlook,
    and what some of them add below."""
    program = LANGUAGES[spoken.code]
    added = (program.apple, program.k9, program.yahoo)
    quoted = [with_marks(line, letter) for line in program.wrote]
    outlook = [
        f"{line}\n\n{by_outlook(spoken, letter)}" for line in ("", program.outlook)
    ]
    return [*quoted, *outlook, *(f"{line}\n\n{quoted[0]}" for line in added)]


@pytest.mark.parametrize("program", range(len(LANGUAGES["en"].wrote) + 5))
@of_each
def test_a_reply_is_played_whatever_quotes_the_letter(
    club: Club, spoken: Spoken, program: int
) -> None:
    letter = first_letter(club, spoken.code)
    quotation = quotations(spoken, letter)[program]
    answer(club, spoken, spoken.moves[0], letter, quotation)
    assert club.json()["last"] == "alice 123:1"
    told = club.letters()["bob"]
    assert told.subject == "holo 1: your turn"
    assert "alice writes" not in told.text


@said("moves")
def test_a_move_is_played_as_one_says_it(
    club: Club, spoken: Spoken, words: str
) -> None:
    answer(club, spoken, words, first_letter(club, spoken.code))
    assert club.json()["last"] == "alice 123:1"
    assert "alice writes" not in club.letters()["bob"].text


@said("resigns")
def test_nobody_resigns_but_is_told_how(club: Club, spoken: Spoken, words: str) -> None:
    answer(club, spoken, words, first_letter(club, spoken.code))
    assert club.json()["status"] == "active"
    (told,) = club.server.taken()
    assert told.to == (home("alice"),)
    assert spoken.is_unsure in told.text
    assert "\n  resign\n" in told.text


@of_each
def test_the_first_letter_of_a_game(club: Club, spoken: Spoken) -> None:
    letter = first_letter(club, spoken.code)
    assert letter.subject == spoken.subject
    told = " ".join(letter.text.split())
    for part in spoken.letter:
        assert part in told


@of_each
def test_numbers_in_tables_have_a_comma(club: Club, spoken: Spoken) -> None:
    first_letter(club, spoken.code)
    for line in ("move 1 alice {alice} propose", "accept 1 bob {bob}"):
        club.say(f"holo {line}")
    club.server.taken()
    (told,) = club.server.mail(mail_of("holo standings", home("alice")))
    alice = next(line for line in told.text.splitlines() if line.startswith("alice"))
    assert alice.split() == ["alice", "1", "0", "0", "1", spoken.half]
