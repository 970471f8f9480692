"""Moves as people type them. However a line is typed, no other move is played than the
one that it holds, no more than one word is a password, and none is quoted."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pbm_holomino.commands.parse import parse
from pbm_holomino.commands.reading.spelling import move_in, moves_in
from pbm_holomino.errors import PbmError
from pbm_holomino.rules import load, names
from tests.commands.acquaintance import PLAYERS, known
from tests.sizes import sized

MEANT = {
    "holo": {
        "123:17": "123:17",
        "123 17": "123:17",
        "123@17": "123:17",
        "123 : 17": "123:17",
        "123: 17": "123:17",
        "123 :17.": "123:17",
        "123-17": "123:17",
        "123, 17": "123:17",
        "(123:17)": "123:17",
        '"123:17",': "123:17",
        "\uff11\uff12\uff13\uff1a\uff11\uff17": "123:17",
        "17:123": "123:17",
        "17 123": "123:17",
        "17@123": "123:17",
        "123:17 #8": "123:17#8",
        "123 17#8": "123:17#8",
        "123:117": "123:117",
        "117:123": "117:123",  # a tile at 123, as it is typed
        "pass": "pass",
        "Pass.": "Pass",
        "pass 123": "pass:123",
        "pass: 123": "pass:123",
        "undo.": "undo",
    },
    "hextol": {
        "24:7, 19": "24:7,19",
        "24 : 7 , 19": "24:7,19",
        "24 7,19": "24:7,19",
        "24@7/19": "24:7,19",
        "24:7.19": "24:7,19",
        "7,19:24": "24:7,19",
        "12,13:24": "24:12,13",
        "7, 19 : 24": "24:7,19",
        "7,19 24": "24:7,19",
        "12:13,24": "12:13,24",
        "24 7 9": "24:7,9",
    },
    "walomino": {
        "pairs: RG, RR": "pairs:RG,RR",
        "pairs RG RR": "pairs:RG,RR",
        "Pairs: rg rr": "Pairs:rg,rr",
        "take: RRG, any": "take:RRG,any",
        "take any": "take:any",
        "RG 7 8": "RG:7,8",
        "rg: 7, 8": "rg:7,8",
        "7,8:RG": "RG:7,8",
    },
}
NOT_MEANT = {
    # two moves are possible, or none without putting numbers together
    "holo": ["123 117", "12 3 17", "123:1 7", "123:17:5", "123 17 5", "17", "123", ""],
    "hextol": ["24 7 19", "2 4 7 19", "24:719", "247,19", "24:7,19,20", "24 12 13"]
    + ["1 123:17", "1. 123:17", "7/19@24", "1 123 17", "20.11.24"],
    "walomino": ["take:R,R,G", "take R R G", "RG:78", "RG YB", "pairs", "7 8"]
    + ["7 8:RG"],
}


@pytest.mark.parametrize("game", MEANT)
def test_what_a_move_means(game: str) -> None:
    for typed, meant in MEANT[game].items():
        assert move_in(typed, load(game).in_notation) == meant, typed


@pytest.mark.parametrize("game", NOT_MEANT)
def test_what_may_be_more_than_one_move_or_none(game: str) -> None:
    for typed in NOT_MEANT[game]:
        assert move_in(typed, load(game).in_notation) == "", typed


def test_several_moves_in_a_row() -> None:
    def means(game: str, typed: str, glued: bool = False) -> str:
        return " ".join(moves_in(typed.split(), load(game).in_notation, glued))

    assert means("holo", "123 17 124 18") == "123:17 124:18"
    assert means("holo", "123:17, 124 : 18.") == "123:17 124:18"
    assert means("holo", "pass 123 124:18") == "pass:123 124:18"
    assert means("holo", "123 17 124") == ""
    assert means("hextol", "24:7, 19 13:2,3") == "24:7,19 13:2,3"
    assert means("holo", "123 17", glued=True) == ""
    assert means("holo", "123 : 17", glued=True) == "123:17"


@given(st.text("0123456789RGYPBrg:@,. -#", max_size=14), st.sampled_from(names()))
@settings(max_examples=sized(100, 6000))
@example("17:123", "holo")
def test_a_move_keeps_what_was_typed(text: str, game: str) -> None:
    """Its parts are those that were typed, each whole; only the first or the last may
    have changed its place."""
    in_notation = load(game).in_notation
    meant = move_in(text, in_notation)
    if not meant:
        return
    assert in_notation(meant.partition("#")[0])
    typed, parts = re.findall("[0-9A-Za-z]+", text), re.findall("[0-9A-Za-z]+", meant)
    number = parts[-1:] if "#" in meant else []
    moved, rest = parts[: len(parts) - len(number)], typed[: len(typed) - len(number)]
    assert number == typed[len(rest) :]
    assert moved in (rest, [*rest[-1:], *rest[:-1]])
    if in_notation(text):
        assert meant == text


@given(st.sampled_from(sorted(MEANT)), st.integers(0, 999), st.sampled_from(".:) "))
def test_a_number_before_a_move_is_no_part_of_it(
    game: str, number: int, stop: str
) -> None:
    """It may be the board's, or that of the move."""
    in_notation = load(game).in_notation
    for move in MEANT[game].values():
        if ":" in move and in_notation(move):
            assert move_in(f"{number}{stop} {move}", in_notation) == ""


# Whole lines, in any order

PASSWORDS = ["zq9xmark", "7zq9xmark", "ZQ9XMARK,", "zq9xmark@17", "~zq9xmark234567a"]
PASSWORDS += ["zq9x.mark", "(zq9xmark)", "zq9x;mark"]
NUMBERS = ["2345", "123456", "10717"]  # passwords, too
TYPED = {
    game: [(typed, meant) for typed, meant in moves.items() if "#" not in meant]
    for game, moves in MEANT.items()
}


MORE = ["please", "5", "now", "bob", "-x"]


class Line(NamedTuple):
    """A line with what its parts are; the moves are those that it may mean."""

    words: list[str]
    password: str
    moves: Sequence[str]


@st.composite
def lines(draw: st.DrawFn, passwords: Sequence[str]) -> Line:
    """A command for a board in any order, with parts left out or added to it."""
    game = draw(st.sampled_from(sorted(TYPED)))
    command = draw(
        st.sampled_from(["move", "queue", "submit", "previewas", "resign", "showas"])
    )
    password = draw(st.sampled_from(passwords))
    typed, meant = draw(st.sampled_from(TYPED[game]))
    parts = [
        [draw(st.sampled_from([game, load(game).TITLE]))],
        [command],
        [draw(st.sampled_from(["1", "12", "#7", "3,", "99"]))],
        [draw(st.sampled_from(["alice", "bob,", "CAROL", "dave"]))],
        [password],
    ]
    if command not in ("resign", "showas"):
        parts.append(typed.split())
    first = draw(st.integers(0, 2))  # how many words keep their places
    order = draw(st.permutations(range(first, len(parts))))
    parts = [*parts[:first], *(parts[i] for i in order)]
    for _ in range(draw(st.integers(0, 1))):
        del parts[draw(st.integers(0, len(parts) - 1))]
    for word in draw(st.lists(st.sampled_from(MORE), max_size=1)):
        parts.insert(draw(st.integers(0, len(parts))), [word])
    words = [word for part in parts for word in part]
    return Line(words, password, [meant, typed])


def said_or_done(line: Line) -> str:
    """What is said about a line, or how it was read; the request is checked."""
    try:
        request = parse(line.words, known=known("alice"))
    except PbmError as error:
        return str(error)
    assert request.password in (*line.words, "")
    if request.command in ("move", "queue", "submit", "previewas"):
        # as it was typed, a word that is no move may be one: the game will refuse it
        in_notation = load(request.game).in_notation
        for move in filter(in_notation, request.words):
            assert move.lower() in map(str.lower, line.moves), request
    return request.read_as


@given(lines(PASSWORDS))
@settings(max_examples=sized(80, 10_000))
def test_no_line_plays_another_move_or_quotes_a_password(line: Line) -> None:
    if len(line.words) > 2:  # nobody knows what a word or two are meant to be
        assert "zq9x" not in said_or_done(line).lower()


@given(lines(NUMBERS))
@settings(max_examples=sized(100, 5000))
def test_a_password_of_digits_is_no_board_and_no_move(line: Line) -> None:
    if len(line.words) > 2:
        said_or_done(line)


@given(lines(PASSWORDS))
@settings(max_examples=sized(100, 3000))
def test_a_password_that_is_found_is_the_one_that_was_typed(line: Line) -> None:
    assume(line.password in line.words and not {*MORE}.intersection(line.words))
    try:
        request = parse(line.words, known=known())
    except PbmError:
        return
    # in the usual order, what comes after the userid is tried, whatever it is
    if request.userid in PLAYERS and request.read_as:
        assert request.password == line.password
