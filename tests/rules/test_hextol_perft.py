"""How many lines are legal, counted twice: by the engine, and slowly."""

import random

import pytest

from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.games import hextol
from pbm_holomino.rules.hextiles import State
from tests.rules.any_hextiles import lines
from tests.rules.hextol_scene import options
from tests.rules.naive_hextol import NaiveHextol, count, written
from tests.sizes import sized

HEXTOL = hextol.GAME

DEFAULT: dict[str, str] = {}
LARGE = {"max_pips": "9", "pool_size": "2"}
SMALL = {"max_pips": "2", "pool_size": "1", "board_size": "4"}

# A first tile of which one tile in the pool has a half leaves it 22 moves.
PERFT = [
    (DEFAULT, 0, (22, 382, 17718)),
    (LARGE, 5, (22, 194, 9868)),
    (SMALL, 5, (22, 252, 1620)),
]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(("words", "seed", "counts"), PERFT)
def test_perft(
    words: dict[str, str], seed: int, counts: tuple[int, ...], depth: int
) -> None:
    chance = Chance(bytes([seed]) * 32)
    state, _ = HEXTOL.settle(HEXTOL.start(2, options(**words)), chance)
    slow = NaiveHextol(chance.seed, options(**words)).opened()
    assert lines(HEXTOL, state, chance, depth) == counts[depth - 1]
    if depth <= sized(2, 3):
        assert count(slow, depth) == counts[depth - 1]


# On small boards regions are closed and turns are skipped.
GAMES = [
    {"board_size": "7"},
    {"board_size": "8", "pool_size": "3"},
    {"board_size": "7", "min_pips": "2", "max_pips": "9", "pool_size": "12"},
    {"board_size": "6", "max_pips": "4", "pool_size": "6"},
]


def closing(state: State, moves: list[str]) -> list[str]:
    """Those of the moves that score, or if none does, all."""
    parsed = [HEXTOL.parse_move(state, state.turn, move) for move in moves]
    after = [HEXTOL.play(state, state.turn, move)[0].scores for move in parsed]
    pairs = zip(moves, after, strict=True)
    return [move for move, scores in pairs if scores != state.scores] or moves


def check_moves(state: State, slow: NaiveHextol) -> list[str]:
    """The legal moves, which both must know, each once and in order."""
    assert HEXTOL.to_move(state) == (slow.turn,)
    listed = [HEXTOL.format_move(move) for move in HEXTOL.legal(state, slow.turn)]
    moves = {written(*move) for move in slow.moves(slow.turn)}
    assert (len(listed), set(listed)) == (len(moves), moves)
    assert listed == sorted(listed, key=lambda m: [m[:2], *map(int, m[3:].split(","))])
    return listed


@pytest.mark.parametrize("words", GAMES)
def test_whole_games_played_twice(words: dict[str, str]) -> None:
    points = 0
    for number in range(sized(2, 4)):
        chance, dice = Chance(bytes([number]) * 32), random.Random(number)
        state, _ = HEXTOL.settle(HEXTOL.start(2, options(**words)), chance)
        slow = NaiveHextol(chance.seed, options(**words)).opened()
        while not slow.over:
            text = dice.choice(closing(state, check_moves(state, slow)))
            move = HEXTOL.parse_move(state, slow.turn, text)
            state, _ = HEXTOL.settle(HEXTOL.play(state, slow.turn, move)[0], chance)
            slow = slow.after(text)
            assert (state.pools, state.scores) == (slow.pools, slow.scores)
            assert (state.draws, state.sacks[0]) == (slow.draws, slow.left)
        best = max(slow.scores)
        winners = tuple(seat for seat in (0, 1) if slow.scores[seat] == best)
        assert HEXTOL.outcome(state) == winners
        points += sum(slow.scores)
    assert points
