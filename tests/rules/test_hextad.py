"""Hextad: which intersections are valid, what they score, and what letters propose."""

import random
import re
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Any

import pytest

from pbm_holomino.errors import IllegalMove
from pbm_holomino.rules import load
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.games import hextad
from pbm_holomino.rules.hextiles import State
from pbm_holomino.rules.options import configure
from tests.helpers import Stacked
from tests.rules.naive import BITES, DIGITS, points
from tests.rules.naive_hextol import Cell, Half, Naive, count, tiles, written
from tests.sizes import sized

LENIENT = {"strict": "no"}
RING = (7, 8, 2, 3, 4, 5, 6, 18)  # the cells round positions 0 and 1, clockwise


def options(**words: str) -> dict[str, Any]:
    """Hextad's options, from the words of a challenge."""
    return configure(load("hextad"), words)


def board(first: str, *moves: str, **words: str) -> State:
    """A board on which these tiles lie. Nobody has tiles or points, the boneyard is
    empty, and the first player is to move."""
    left = tiles(options(**words))
    state = hextad.start(2, options(**words))
    chance = Stacked(bytes([left.index(first)]) + bytes(len(left)))
    state, _ = hextad.settle(state, chance)
    for text in moves:
        move = hextad.parse_move(state, state.turn, text)
        state = hold(state, [move.tile], [move.tile], sack=["00"])
        state, _ = hextad.play(state, state.turn, move)
    return hold(state._replace(scores=(0, 0), turn=0), (), ())


def hold(state: State, *pools: Iterable[str], sack: Iterable[str] = ()) -> State:
    """The same board with these tiles in the pools and in the boneyard."""
    held = tuple(map(tuple, pools))
    return state._replace(pools=held, sack=tuple(sorted(sack)), due=())


def play(state: State, text: str) -> tuple[State, list[str]]:
    """Make a move of the player whose turn it is; what the letter says about it."""
    move = hextad.parse_move(state, state.turn, text)
    state, events = hextad.play(state, state.turn, move)
    return state, [f"{event.seat} {event.text}" for event in events]


def legal(state: State) -> set[str]:
    """The moves of the player whose turn it is, as they are written."""
    return set(map(hextad.format_move, hextad.legal(state, state.turn)))


def said_of(first: str, *moves: str, **words: str) -> str:
    """What is said about the score of the last of these moves."""
    state = board(first, *moves[:-1], **words)
    state = hold(state, [moves[-1][:2]], ["00"], sack=["01"])
    state, told = play(state, moves[-1])
    score = re.search(r"scored (\d+)", told[0])
    assert state.scores == (int(score[1]) if score else 0, 0)
    return told[0].removeprefix(f"0 played {moves[-1]}")


# Intersections


@pytest.mark.parametrize(
    ("numbers", "value"),
    [
        ("336", 6),
        ("246", 6),
        ("224", 4),
        ("000", 0),
        ("055", 5),
        ("459", 9),
        ("124", None),
        ("001", None),
        ("111", None),
        ("666", None),
    ],
)
def test_an_intersection_is_valid_where_two_numbers_add_up_to_the_third(
    numbers: str, value: int | None
) -> None:
    for order in permutations(numbers):
        assert hextad.sum_of("".join(order)) == value


def test_a_move_scores_the_sum_of_each_intersection() -> None:
    # 4 at 2 beside the double two: 2, 2 and 4; with 6 at 8 beside the 2 at 1: 2, 4, 6
    assert said_of("22", "46:2,8") == " and scored 10 with sums of 4 and 6"


def test_three_three_and_six_score_six() -> None:
    assert said_of("33", "16:9,2") == " and scored 6"


def test_three_zeros_score_nothing_but_are_valid() -> None:
    assert said_of("00", "05:2,9") == " and scored 0"


def test_in_the_open_nothing_is_scored_and_nothing_said() -> None:
    assert said_of("22", "15:7,19") == ""


def test_lenient_intersections_that_are_not_valid_score_nothing() -> None:
    # 5, 2 and 2 do not add up; 5 at 2, 3 at 8 and the 2 at 1 do
    assert said_of("22", "35:8,2", **LENIENT) == " and scored 5"
    assert said_of("22", "56:8,2", **LENIENT) == ""


def test_the_most_is_ten_times_the_greatest_number() -> None:
    """66 in a gap of two cells, round which 0 and 6 take turns."""
    faces = dict(zip(RING, "60060606", strict=True))
    faces = {at: "06"[way % 2] for way, at in enumerate(RING)}
    state = hold(board("22"), ["66"], ["00"], sack=["01"])
    state = state._replace(cells=faces, frontier={0: "6", 1: "6"}, box=(-1, 1, -4, 2))
    state, _ = play(state, "66:0,1")
    assert state.scores == (60, 0)


# Legal moves


def test_opening_moves() -> None:
    # Six of the eight cells round a double touch one half of it, and 18 sides lead
    # outwards from them; 2 and 6 touch both, with 2 sides outwards each. Strictly 2
    # and 6 take a 4 (beside 2 and 2), but no 2. Two cells of the ring side by side
    # meet one half: 2, 2 and 4 are valid there.
    outwards, in_a_row = 18 * 2 + 4, 4 * 2 + 4
    strict = legal(hold(board("22"), ["24"]))
    assert len(strict) == outwards + in_a_row
    assert {"24:7,19", "24:19,7", "24:7,8", "24:8,2"} <= strict
    assert not {"24:2,8", "24:2,9"} & strict
    lenient = legal(hold(board("22", **LENIENT), ["24"]))
    assert len(lenient) == 22 * 2 + 8 * 2
    assert strict < lenient


def test_a_double_is_listed_once_smaller_position_first() -> None:
    moves = legal(hold(board("22"), ["44"]))
    # no 4, 4 and 2 in the ring; all 22 sides that lead outwards
    assert len(moves) == 22
    for move in moves:
        first, second = map(int, move[3:].split(","))
        assert first < second


def test_nothing_has_to_match() -> None:
    assert "35:7,19" in legal(hold(board("22"), ["35"]))


REFUSALS = [
    ("33:4,13", "No tile 33 is in {your} pool; it holds 02, 24, 44."),
    ("24:4,4", "A tile takes two cells, and you named 4 twice."),
    ("24:0,4", "Position 0 is taken, by 2."),
    ("24:11,26", "Neither 11 nor 26 is beside a tile."),
    (
        "24:2,9",
        "24:2,9 does not fit: where positions 2, 0 and 1 meet there would be 2, 2 and "
        "2, and no two of these add up to the third. Beside 2 and 2, the half at 2 "
        "must be 0 or 4. 24:9,2 would fit.",
    ),
    (
        "44:8,7",
        "44:7,8 does not fit: where positions 7, 8 and 1 meet there would be 4, 4 and "
        "2, and no two of these add up to the third. The halves of a tile beside this "
        "2 must add up to 2 or differ by 2.",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSALS)
def test_refusal(text: str, sentence: str) -> None:
    state = hold(board("22"), ["02", "24", "44"], ["11"])
    move = hextad.parse_move(state, 0, text)
    with pytest.raises(IllegalMove) as told:
        hextad.play(state, 0, move)
    assert str(told.value) == sentence.replace("{your}", "your")


def test_a_cell_where_no_number_of_the_set_is_right() -> None:
    # 4 and 4 ask for 0 or 8
    state = hold(board("44", min_pips="3"), ["35"], ["33"])
    with pytest.raises(IllegalMove, match=r"the half at 2 can be none of this set\."):
        play(state, "35:2,9")


def test_lenient_no_intersection_is_refused() -> None:
    for move in ("24:2,9", "44:8,7"):
        play(hold(board("22", **LENIENT), [move[:2]], ["11"]), move)


# Played twice: by the engine, and slowly


def meetings(halves: dict[Cell, int], cells: Iterable[Cell]) -> list[list[int]]:
    """The numbers at each point of the plane where corners of these cells and of two
    others meet."""
    corners: dict[Any, list[int]] = {}
    for cell, face in halves.items():
        for point in points(cell, DIGITS + BITES):
            corners.setdefault(point, []).append(face)
    asked = {point for cell in cells for point in points(cell, DIGITS + BITES)}
    return [corners[point] for point in sorted(asked) if len(corners[point]) == 3]


def is_valid(numbers: Sequence[int]) -> bool:
    return any(one + two == three for one, two, three in permutations(numbers))


class Slow(Naive):
    """A position of Hextad."""

    def agrees(self, one: Half, two: Half, met: list[tuple[int, int]]) -> bool:
        halves = {**self.halves, **dict((one, two))}
        formed = meetings(halves, (one[0], two[0]))
        return not self.options["strict"] or all(map(is_valid, formed))

    def values(self, cells: list[Cell]) -> list[int]:
        formed = meetings(self.halves, cells)
        return [max(numbers) for numbers in formed if is_valid(numbers)]


# Lines of legal moves to the depths 1, 2 and 3, from these seeds.
PERFT: list[tuple[dict[str, str], int, tuple[int, ...]]] = [
    ({}, 0, ()),
    (LENIENT, 0, ()),
    ({"pool_size": "1"}, 1, ()),
    ({"pool_size": "1", **LENIENT}, 1, ()),
    ({"max_pips": "9", "pool_size": "2", "board_size": "4"}, 5, ()),
    ({"max_pips": "2", "pool_size": "1", "board_size": "3"}, 5, ()),
]


def begun(words: dict[str, str], seed: int) -> tuple[State, Slow, Chance]:
    """The same new game for both."""
    chance = Chance(bytes([seed]) * 32)
    state, _ = hextad.settle(hextad.start(2, options(**words)), chance)
    slow = Slow(chance.seed, options(**words)).opened()
    assert isinstance(slow, Slow)
    return state, slow, chance


def lines(state: State, chance: Chance, depth: int) -> int:
    """The number of legal lines of this length that the engine knows."""
    moves = [] if state.over else hextad.legal(state, state.turn)
    if depth == 1:
        return len(moves)
    after = (hextad.play(state, state.turn, move)[0] for move in moves)
    return sum(lines(hextad.settle(s, chance)[0], chance, depth - 1) for s in after)


@pytest.mark.parametrize(("words", "seed", "counts"), PERFT)
def test_perft(words: dict[str, str], seed: int, counts: tuple[int, ...]) -> None:
    state, slow, chance = begun(words, seed)
    for depth, expected in enumerate(counts, 1):
        assert lines(state, chance, depth) == expected
        if expected <= sized(1_000, 10_000):
            assert count(slow, depth) == expected


GAMES = [
    {"pool_size": "3"},
    {"board_size": "6"},
    {"board_size": "5", **LENIENT},
    {"board_size": "4", "max_pips": "3", "pool_size": "4"},
    {"board_size": "6", "min_pips": "2", "max_pips": "9", "pool_size": "12"},
]


@pytest.mark.parametrize("words", GAMES)
def test_whole_games_played_twice(words: dict[str, str]) -> None:
    made = 0
    for seed in range(sized(1, 4)):
        state, slow, chance = begun(words, seed)
        dice = random.Random(seed)
        while not slow.over:
            assert hextad.to_move(state) == (slow.turn,)
            moves = hextad.legal(state, slow.turn)
            slowly = {written(*move) for move in slow.moves(slow.turn)}
            assert list(moves) == sorted({*moves})
            assert set(map(hextad.format_move, moves)) == slowly
            best = [move for move, _ in hextad.best_moves(state, moves)]
            move = dice.choice(best)
            state, _ = hextad.settle(hextad.play(state, slow.turn, move)[0], chance)
            after = slow.after(hextad.format_move(move))
            assert isinstance(after, Slow)
            slow = after
            assert (state.pools, state.scores) == (slow.pools, slow.scores)
            assert (state.draws, state.sack) == (slow.draws, slow.left)
        best_score = max(slow.scores)
        winners = tuple(s for s in (0, 1) if slow.scores[s] == best_score)
        assert hextad.outcome(state) == winners
        made += sum(slow.scores)
    assert made
