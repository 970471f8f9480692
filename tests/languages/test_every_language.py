"""Every language that has a catalogue: they are found by their folders."""

import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.languages import ENGLISH_CODE, known, pages
from pbm_holomino.match.board import SCORE, Result
from pbm_holomino.match.verdicts import verdict_of
from pbm_holomino.web.guests import YOU
from tests.club import Club
from tests.languages import catalogues, english
from tests.paths import ROOT
from tests.sizes import sized
from tests.web.browser import signed_in, without_threads

__all__ = ["without_threads"]

FOLDERS = {os.path.basename(path): path for path in catalogues.languages()}
every_language = pytest.mark.parametrize("code", FOLDERS)
WIDTH = 72
WORDS = {word.split()[0] for word in table.at_top()} | {*rules.names(), "game"}
COMMAND = re.compile(rf"  ({'|'.join(WORDS)})\b|\{{")  # what no language changes


# What a translator writes


@every_language
def test_places_and_plurals_are_right(code: str) -> None:
    assert list(catalogues.mistakes(FOLDERS[code])) == []


def test_nothing_is_missing_or_stale_or_unlike_its_terms() -> None:
    said = catalogues.template()
    found = [list(catalogues.unfinished(folder, said)) for folder in FOLDERS.values()]
    assert found == [[]] * len(FOLDERS)


@every_language
def test_it_says_what_it_is_called(code: str) -> None:
    assert known.name(code) != code


@every_language
@pytest.mark.parametrize("winners", [(YOU,), (YOU, "robot1")], ids=len)
@pytest.mark.parametrize("game", rules.names())
def test_a_guest_who_wins_or_ties_is_not_named_in_english(
    code: str, game: str, winners: tuple[str, ...]
) -> None:
    scores, scoring = {YOU: 3, "robot1": 3}, rules.load(game).SCORING
    verdict = verdict_of(Result(winners, SCORE), scores, scoring)
    assert "you" not in known.language(code).say(verdict)


@every_language
def test_what_a_move_does_begins_with_the_move_as_in_english(code: str) -> None:
    """As pages put "It" there after a move that has just been named. What a move would
    do is only said of one that is not played."""
    for message in catalogues.read(FOLDERS[code]):
        forms = catalogues.texts(message.id) if message.id else ()
        if any(form.startswith("{move} ") and " would " not in form for form in forms):
            said = catalogues.texts(message.string)
            assert all(form.startswith("{move} ") for form in said), forms


def help_pages(code: str) -> Iterator[tuple[str, str, str]]:
    """Each page: its name, the English text, and that in the language."""
    for path in sorted(Path(catalogues.PAGES).glob("*.txt")):
        text = path.read_text("utf-8")
        yield path.stem, text, pages.translated(text, known.page(code, path.stem))


@every_language
def test_help_has_the_same_commands_and_room_for_its_words(code: str) -> None:
    for name, text, said in help_pages(code):
        assert commands(said) == commands(text), name
        assert [line for line in said.splitlines() if len(line) > WIDTH] == [], name


def commands(text: str) -> list[str]:
    """The lines to copy of a page, and those in braces."""
    return [line for line in text.splitlines() if COMMAND.match(line)]


# What players read


@every_language
def test_nothing_that_players_read_is_english_or_too_wide(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "tests/languages/walk.py", "1", *SIZE, code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == []


SIZE = (str(sized(20, 1000)), str(sized(20, 50)))


def test_english_that_is_left_is_found() -> None:
    assert english.left_in("Je bent aan zet. The board is left out:\n hier") != ""
    assert english.left_in("Je bent aan zet, alice. holo move 1 alice 123:4") == ""


# Players who read different languages


@pytest.mark.parametrize(
    "codes", [*itertools.combinations([ENGLISH_CODE, *FOLDERS], 2)], ids=" ".join
)
def test_two_readers_play_a_game_each_in_their_language(
    club: Club, codes: tuple[str, str], without_threads: None
) -> None:
    """One by mail, the other by page and shell."""
    reads = dict(zip(("alice", "bob"), codes, strict=True))
    for who, code in reads.items():
        club.say(f"change language {who} {{{who}}} {code}")
    club.server.time = "2026-11-21T08:00:00Z"
    club.open("holo", options="-num_digits=4").accept()
    browser = signed_in(club.server, "bob")
    while turn := club.json()["turn"]:
        move = club.board().view(None).legal[0]
        if turn == ["alice"]:
            letters = club.send("alice", f"move 1 alice PASSWORD {move}", no=move)
            assert {w: letter.language for w, letter in letters.items()} == reads
            check(reads["alice"], letters["alice"].subject, letters["alice"].text)
            check(reads["bob"], letters["bob"].subject, letters["bob"].text)
        else:
            check(reads["bob"], browser.get("/holo/1").text, club.move("bob", move))
            club.letters()
    assert club.board().result is not None


def check(code: str, *texts: str) -> None:
    """Whether these texts are in that language."""
    found = [text for text in texts if english.left_in(text)]
    assert code == ENGLISH_CODE or found == []
