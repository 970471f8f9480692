"""Perft: how many lines of legal moves Walomino has from a position, to three depths.
The numbers come from a slow second counting, and the engine must find the same.

A position is a seed, how many play, and how many pairs were played before the count:
always the middle one of the legal moves in alphabetical order. Wishes and pairs are
left to chance.
"""

from typing import NamedTuple

import pytest

from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.games import walomino
from pbm_holomino.rules.games.walomino.state import State
from tests.rules import naive_walomino as naive
from tests.rules.walomino_table import WalominoTable
from tests.sizes import sized

WALOMINO = walomino.GAME

OPTION_SETS: dict[str, dict[str, str]] = {
    "pot": {},
    "die": {"draft": "die", "rounds": "12"},
    "random": {"draft": "random", "rounds": "4"},
}


class WalominoPerft(NamedTuple):
    """The seed (32 times this byte), the players, the pairs played before the count,
    and the lines to the depths 1, 2 and 3."""

    set: str
    seed: int
    seats: int
    made: int
    counts: tuple[int, int, int]


TABLE = (
    WalominoPerft("pot", 1, 2, 12, (17, 343, 5941)),
    WalominoPerft("pot", 1, 2, 18, (11, 126, 1760)),
    WalominoPerft("pot", 2, 2, 12, (22, 0, 0)),
    WalominoPerft("pot", 3, 2, 16, (23, 297, 6056)),
    WalominoPerft("die", 3, 3, 0, (18, 436, 20598)),
    WalominoPerft("die", 1, 3, 14, (1, 16, 201)),
    WalominoPerft("die", 2, 3, 18, (13, 234, 2887)),
    WalominoPerft("die", 2, 3, 20, (13, 238, 0)),
    WalominoPerft("random", 2, 4, 0, (22, 408, 12473)),
    WalominoPerft("random", 1, 4, 12, (9, 45, 672)),
    WalominoPerft("random", 2, 4, 16, (9, 78, 624)),
    WalominoPerft("random", 2, 4, 20, (9, 117, 3511)),
)


def middle(written: list[str]) -> str:
    return sorted(written)[len(written) // 2]


def engine_start(row: WalominoPerft) -> WalominoTable:
    chance = Chance(bytes([row.seed]) * 32)
    table = WalominoTable(row.seats, chance, **OPTION_SETS[row.set])
    while table.state.phase != "play":
        table.play(table.view().legal[0])
    for _ in range(row.made):
        table.play(middle(list(table.view().legal)))
    assert table.state.round == 1
    return table


def engine_perft(state: State, depth: int, chance: Chance) -> int:
    """Lines in this round: the next one begins with taking."""
    if state.over or state.phase != "play":
        return 0
    moves = WALOMINO.legal(state, state.turn)
    if depth == 1:
        return len(moves)
    following = (WALOMINO.play(state, state.turn, move)[0] for move in moves)
    return sum(
        engine_perft(WALOMINO.settle(after, chance)[0], depth - 1, chance)
        for after in following
    )


def naive_start(row: WalominoPerft) -> naive.NaiveWalomino:
    """Dealt by the engine, and played on by itself."""
    view = engine_start(row._replace(made=0)).view()
    faces = view.drawing.faces
    pair = ((naive.SPIRAL[0], faces[0]), (naive.SPIRAL[1], faces[1]))
    game = naive.NaiveWalomino((pair,), view.pools, 0)
    for _ in range(row.made):
        moves = game.successors()
        game = moves[middle(list(moves))]
    return game


def name(row: WalominoPerft) -> str:
    return "-".join(map(str, row[:4]))


@pytest.mark.parametrize("row", TABLE, ids=name)
def test_slow_counting(row: WalominoPerft) -> None:
    game = naive_start(row)
    depth = sized(2, 3)  # the engine is held to all three each time
    counted = [naive.perft(game, n) for n in range(1, depth + 1)]
    assert tuple(counted) == row.counts[:depth]


@pytest.mark.parametrize("row", TABLE, ids=name)
def test_engine(row: WalominoPerft) -> None:
    table = engine_start(row)
    counted = [engine_perft(table.state, n, table.chance) for n in (1, 2, 3)]
    assert tuple(counted) == row.counts
