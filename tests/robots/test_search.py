"""Searches find what trying everything finds."""

import random
from collections.abc import Iterator
from math import inf
from typing import Any

import pytest

from pbm_holomino.robots.contract import Budget, Meter
from pbm_holomino.robots.games import hextol, holo, walomino
from pbm_holomino.robots.halving import halving
from pbm_holomino.robots.search import Position, alpha_beta, ranked, worths
from pbm_holomino.robots.uct import uct
from pbm_holomino.rules.games.walomino.chain import COLOURS
from tests import boards
from tests.boards import Case

UNLIMITED = Budget()


def tried(position: Position[Any], move: Any) -> float:
    """What the player to move gains on the other from a move on, if both play best."""
    (gain,) = (gain for gain, found in position.moves() if found == move)
    seat = position.turn
    position.make(move)
    replies = [tried(position, reply) for _, reply in position.moves()]
    later = max(replies, default=0.0)
    worth = gain + (later if position.turn == seat else -later)
    position.unmake()
    return worth


def rounds(pairs: int) -> Iterator[walomino.Position]:
    """Rounds of Walomino with so many random pairs for each of two players."""
    dice = random.Random(1)
    for _ in range(15):
        walongs = dice.choices(COLOURS, k=4 * pairs + 2)
        counts = [0] * len(walomino.PAIRS), [0] * len(walomino.PAIRS)
        shades = [COLOURS.index(colour) for colour in walongs]
        for at in range(0, 4 * pairs, 2):
            pair = walomino.PAIR_OF[shades[at]][shades[at + 1]]
            counts[at % 4 // 2][pair] += 1
        yield walomino.Position(shades[-2:], counts, 0, 0)


def endings(name: str, words: dict[str, str], tiles: int) -> Iterator[Any]:
    """States of games played at random where no more than so many tiles are left."""
    for turned in range(6):
        states: Iterator[Any] = boards.states(Case(name, 2, words), turned)
        for state in states:
            if not state.sacks[0] and sum(map(len, state.pools)) <= tiles:
                yield state
                break


def positions() -> Iterator[Any]:
    yield from rounds(3)
    short = {"max_pips": "3", "pool_size": "3"}
    yield from map(hextol.Position, endings("hextol", short, 2))


def is_open(position: Any) -> bool:
    return not position.over


def test_alpha_beta_finds_what_trying_everything_finds() -> None:
    checked = 0
    for position in filter(is_open, positions()):
        values = {move: tried(position, move) for _, move in position.moves()}
        for key in (None, position.key):
            best = alpha_beta(position, Meter(UNLIMITED), key=key)
            assert values[best] == max(values.values())
            found = worths(position, position.moves(), Meter(UNLIMITED), key=key)
            assert found == [values[move] for _, move in position.moves()]
        checked += 1
    assert checked > 12


def test_three_plies_in_holomino_are_all_replies_and_what_comes_then() -> None:
    checked = 0
    for state in endings("holo", {"num_digits": "4", "pool_size": "2"}, 3):
        position = holo.Position(state)
        for worth, move in ranked(position, 2, Meter(UNLIMITED)):
            assert worth == after_replies(position, move)
            checked += 1
    assert checked > 20


def after_replies(position: Any, move: Any) -> float:
    """What a move scores, less the best reply, which scores less what can then be
    expected."""
    (gain,) = (gain for gain, found in position.moves() if found == move)
    position.make(move)
    best = 0.0 if position.over else -inf
    for scored, reply in position.moves():
        position.make(reply)
        best = max(best, scored - position.prospect())
        position.unmake()
    position.unmake()
    worth: float = gain - best
    return worth


def test_without_simulations_the_most_promising_move_is_the_best() -> None:
    (state, *_) = endings("holo", {"num_digits": "4", "pool_size": "2"}, 6)
    position = holo.Position(state)
    moves = [(float(-place), move) for place, (_, move) in enumerate(position.moves())]
    for width in (1, 5):
        found = uct(position, moves, Meter(Budget(steps=0)), width, 4, 5.0)
        assert found == moves[0][1]


@pytest.mark.parametrize("steps", [20, 21, 400])
def test_halving_finds_the_best_on_average(steps: int) -> None:
    dice = random.Random(1)

    def sample(candidate: float) -> float:
        return candidate + dice.uniform(-0.4, 0.4)

    assert halving([3, 1, 7, 5, 6], sample, Budget(steps=steps)) == 7


def test_halving_spends_no_more_than_its_budget() -> None:
    sampled = []

    def sample(candidate: int) -> float:
        sampled.append(candidate)
        return -candidate

    assert halving([2, 3, 1], sample, Budget(steps=10)) == 1
    assert len(sampled) <= 10
