"""Perft: how many lines of legal moves there are from a position, to three depths,
and how many points are scored on all of them. Both numbers come from a slow second
counting (`naive`), and the engine must find the same.

A position is a seed, and how many moves were made before the count: always the
middle one of the legal moves in alphabetical order.
"""

from typing import NamedTuple

import pytest

from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.games import holo
from tests.rules import naive_holo as naive
from tests.rules.holo_table import options
from tests.sizes import sized

HOLO = holo.GAME

OPTION_SETS: dict[str, dict[str, str]] = {
    "default": {},
    "brettspielnetz": {"rules": "brettspielnetz"},
    "narrow": {"non_unique": "yes", "board_size": "5"},
}


class HoloPerft(NamedTuple):
    """The seed (32 times this byte), the moves made before the count, and what is
    counted to the depths 1, 2 and 3: lines and points."""

    set: str
    seed: int
    made: int
    counts: tuple[tuple[int, int], ...]


TABLE = (
    HoloPerft("default", 1, 0, ((10, 0), (106, 24), (1818, 2141))),
    HoloPerft("default", 3, 6, ((18, 15), (386, 456), (8508, 15652))),
    HoloPerft("default", 2, 35, ((24, 755), (740, 24295), (9349, 381754))),
    HoloPerft("default", 4, 36, ((32, 1871), (504, 30855), (0, 0))),
    HoloPerft("brettspielnetz", 2, 0, ((14, 0), (233, 55), (4240, 2505))),
    HoloPerft("brettspielnetz", 1, 35, ((27, 976), (621, 22871), (7867, 321470))),
    HoloPerft("brettspielnetz", 4, 35, ((23, 985), (512, 23105), (5625, 257351))),
    HoloPerft("narrow", 1, 0, ((14, 0), (210, 54), (3400, 2604))),
    HoloPerft("narrow", 3, 6, ((14, 11), (181, 123), (2233, 2753))),
    HoloPerft("narrow", 1, 14, ((4, 124), (20, 696), (20, 696))),
    HoloPerft("narrow", 2, 18, ((4, 68), (0, 0), (0, 0))),
    HoloPerft("narrow", 4, 18, ((4, 168), (16, 672), (0, 0))),
)


def middle(written: list[str]) -> str:
    return sorted(written)[len(written) // 2]


def naive_start(row: HoloPerft) -> naive.NaiveHolo:
    game = naive.begin(options(**OPTION_SETS[row.set]), bytes([row.seed]) * 32)
    for _ in range(row.made):
        moves = game.moves()
        game = game.after(moves[middle(list(moves))])
    return game


def naive_successors(game: naive.NaiveHolo) -> list[naive.NaiveHolo]:
    return [game.after(move) for move in game.moves().values()]


def engine_start(row: HoloPerft) -> tuple[holo.State, Chance]:
    chance = Chance(bytes([row.seed]) * 32)
    start = HOLO.start(2, options(**OPTION_SETS[row.set]))
    state, _ = HOLO.settle(start, chance)
    for _ in range(row.made):
        moves = {HOLO.format_move(m): m for m in HOLO.legal(state, state.turn)}
        state = engine_after(state, moves[middle(list(moves))], chance)
    return state, chance


def engine_after(state: holo.State, move: holo.Move, chance: Chance) -> holo.State:
    state, _ = HOLO.play(state, state.turn, move)
    state, _ = HOLO.settle(state, chance)
    return state


@pytest.mark.parametrize("row", TABLE, ids=lambda row: "-".join(map(str, row[:3])))
def test_slow_counting(row: HoloPerft) -> None:
    game = naive_start(row)
    depth = sized(2, 3)  # the engine is held to all three each time
    counted = [naive.perft(game, n, naive_successors) for n in range(1, depth + 1)]
    assert tuple(counted) == row.counts[:depth]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: "-".join(map(str, row[:3])))
def test_engine(row: HoloPerft) -> None:
    state, chance = engine_start(row)

    def successors(state: holo.State) -> list[holo.State]:
        return [
            engine_after(state, move, chance)
            for seat in HOLO.to_move(state)
            for move in HOLO.legal(state, seat)
        ]

    counted = [naive.perft(state, depth, successors) for depth in (1, 2, 3)]
    assert tuple(counted) == row.counts
