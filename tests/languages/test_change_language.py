"""`change language`: by code or name, with the list of those there are."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino.commands.params import LANGUAGE
from pbm_holomino.languages import known
from tests.club import Club
from tests.languages.folder import in_place_of, made

ALL = "en (English), de (Deutsch) or nl"


@pytest.fixture(autouse=True)
def languages(tmp_path: Path) -> Iterator[None]:
    """German, and Dutch, whose catalogue does not say what it is called."""
    home = tmp_path / "languages"
    made(home, "de", {"English": "Deutsch"})
    made(home, "nl", {"You won.": "Je hebt gewonnen."})
    with in_place_of(home):
        yield


def reads(club: Club) -> str:
    player = club.server.library.player("alice")
    assert player is not None
    return player.language_at(club.server.time)


@pytest.mark.parametrize("word", ["de", "DE", "Deutsch", "deutsch", "de-AT", "de_ch"])
def test_a_language_is_chosen_by_its_code_or_its_name(club: Club, word: str) -> None:
    club.say(f"change language alice {{alice}} {word}")
    assert reads(club) == "de"


@pytest.mark.parametrize("word", ["en", "English", "en-GB"])
def test_so_is_english_again(club: Club, word: str) -> None:
    club.say("change language alice {alice} nl")
    club.server.time = "2026-11-21T08:00:00Z"
    club.say(f"change language alice {{alice}} {word}")
    assert reads(club) == "en"


@pytest.mark.parametrize(
    ("word", "near"),
    [("Deutch", "de"), ("deu", "de"), ("Englisch", "en"), ("nld", "nl")],
)
def test_one_that_is_not_there_is_answered_with_the_nearest(
    club: Club, word: str, near: str
) -> None:
    said, _ = club.refused_line(f"change language alice {{alice}} {word}")
    shown = "That" if len(word) > 3 else f'"{word}"'
    assert said.startswith(
        f'{shown} is not a language here: please write {ALL}. Did you mean "{near}"? '
    )


@pytest.mark.parametrize("word", ["tlh", "../de", "klingon"])
def test_or_else_with_the_list(club: Club, word: str) -> None:
    said, _ = club.refused_line(f"change language alice {{alice}} {word}")
    shown = "That" if len(word) > 3 else f'"{word}"'
    assert said.startswith(f"{shown} is not a language here: please write {ALL}. For")


def test_without_a_word_the_list_is_shown(club: Club) -> None:
    said, _ = club.refused_line("change language alice {alice}")
    assert said.startswith(
        "A word is missing: language. The languages here are en (English), de "
        "(Deutsch) and nl. Please write: change language userid password language"
    )


def test_a_shell_completes_the_codes() -> None:
    assert list(LANGUAGE.offers([])) == ["en", "de", "nl"] == list(known.codes())
