"""Letters that a German player reads, and answers in German."""

from collections.abc import Callable

import pytest

from pbm_holomino.letters.letter import Letter
from tests.club import Club
from tests.house import home, mail_of


def first_letter(club: Club) -> Letter:
    """What alice, who reads German, gets when her game begins."""
    club.say("change language alice {alice} de")
    club.server.time = "2026-11-21T08:00:00Z"
    club.game = "holo"
    club.server.sent.clear()
    club.server.challenge("-num_digits=4", "alice bob", "holo")
    return club.letters()["alice"]


def quoted(letter: Letter) -> str:
    return "".join(f"> {line}\n" for line in letter.text.splitlines())


def by_thunderbird(letter: Letter) -> str:
    return f"Am 21.11.26 um 09:00 schrieb pbm@localhost:\n{quoted(letter)}"


def by_gmail(letter: Letter) -> str:
    day = "Am Sa., 21. Nov. 2026 um 09:00 Uhr"
    return f"{day} schrieb <pbm@localhost>:\n\n{quoted(letter)}"


def by_outlook(letter: Letter) -> str:
    head = "Von: pbm@localhost\nGesendet: Samstag, 21. November 2026 09:00\n"
    subject = f"An: alice@example.org\nBetreff: {letter.subject}\n\n"
    return f"-----Ursprüngliche Nachricht-----\n{head}{subject}{letter.text}"


@pytest.mark.parametrize("program", [by_thunderbird, by_gmail, by_outlook])
@pytest.mark.parametrize("words", ["Zug 123:1", "Ich setze 123 auf 1"])
def test_a_reply_in_german_is_played(
    club: Club, words: str, program: Callable[[Letter], str]
) -> None:
    letter = first_letter(club)
    body = f"{words}\n\n{program(letter)}"
    answered = {"In_Reply_To": f"<{letter.id}@localhost>"}
    club.server.mail(mail_of(f"AW: {letter.subject}", home("alice"), body, **answered))
    assert club.json()["last"] == "alice 123:1"
    assert club.letters()["bob"].subject == "holo 1: your turn"


def test_a_letter_in_german(club: Club) -> None:
    letter = first_letter(club)
    assert letter.subject == "holo 1: eine neue Partie, du bist am Zug"
    said = " ".join(letter.text.split())
    for part in (
        "Du bist am Zug, alice. Holomino, Partie 1, am Anfang: alice gegen bob",
        'Eine neue Partie Holomino für dich und bob. Für die Regeln schick "holo help"',
        "bob hat bis 12.12.2026, 08:00 UTC Zeit, zu ziehen oder anzunehmen; sonst "
        "verfällt die Herausforderung, und es gibt keine Partie.",
        "Diese Züge sind möglich:",
        "Der Vorrat ist leer.",
    ):
        assert part in said
