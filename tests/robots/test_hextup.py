"""What Hextup's robots see: a win, and that the other player is about to win."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from pbm_holomino import robots
from pbm_holomino.robots.contract import Budget
from pbm_holomino.robots.games.hextup import Position
from pbm_holomino.rules.games import hextup
from pbm_holomino.rules.hextiles import State
from tests import boards
from tests.boards import Case
from tests.rules.any_hextiles import passed
from tests.rules.test_hextup import SHORT, board, hold

HEXTUP = hextup.GAME
ENOUGH = Budget(steps=400)
every_level = pytest.mark.parametrize("level", robots.LEVELS)


def states(seed: int, **words: str) -> Iterator[Any]:
    """The states of a game played by chance."""
    yield from boards.states(Case("hextup", 2, words), seed)


def choice(level: int, state: State) -> str:
    view = HEXTUP.view(state, *HEXTUP.to_move(state))
    return robots.load("hextup", level)(view, ENOUGH, random.Random(1))


@every_level
def test_every_level_wins_if_it_can(level: int) -> None:
    # Light has 0 and 2 in one group, and 1 is missing.
    state = hold(board("00", "02:6,17", **SHORT), ["12"], ["11"], [["01"], ["02"]])
    after, _ = HEXTUP.play(state, 0, HEXTUP.parse_move(state, 0, choice(level, state)))
    assert HEXTUP.outcome(after) == (0,)


def test_who_can_win_at_once_is_expected_to() -> None:
    state = hold(board("00", "02:6,17", **SHORT), ["12"], ["11"], [["01"], ["02"]])
    for seat, chance in enumerate((1, 0)):  # but for slips
        view = HEXTUP.view(state, seat)
        found = robots.forecast("hextup", view, ENOUGH, random.Random(1))
        assert found.chance == pytest.approx(chance, abs=0.05)


def test_the_general_robot_wins_if_it_can() -> None:
    state = hold(board("00", "02:6,17", **SHORT), ["12"], ["11"], [["01"], ["02"]])
    view = HEXTUP.view(state, 0)
    word = robots.load("hextup", 1)(view, Budget(steps=0), random.Random(1))
    after, _ = HEXTUP.play(state, 0, HEXTUP.parse_move(state, 0, word))
    assert HEXTUP.outcome(after) == (0,)


def test_a_win_that_can_be_prevented_is_prevented() -> None:
    """On boards of games played by chance: the other player could win, and some moves,
    fewer than half of all, are in the way."""
    met = 0
    for seed in range(30):
        for state in states(seed, max_pips="3"):
            if not is_saved_by_some(state):
                continue
            met += 1
            (seat,) = HEXTUP.to_move(state)
            for level in robots.LEVELS[1:]:
                move = HEXTUP.parse_move(state, seat, choice(level, state))
                assert not can_win(HEXTUP.play(state, seat, move)[0]), level
            break
        if met == 4:
            return
    raise AssertionError("too few such positions")


def can_win(state: State) -> bool:
    """Whether a player is to move and can win at once, by the rules."""
    return any(
        HEXTUP.outcome(HEXTUP.play(state, seat, move)[0]) == (seat,)
        for seat in HEXTUP.to_move(state)
        for move in HEXTUP.legal(state, seat)
    )


def is_saved_by_some(state: State) -> bool:
    """Whether a player who cannot win, and whose opponent could, has a few moves after
    which they could not."""
    if can_win(state) or not can_win(passed(state)):
        return False
    (seat,) = HEXTUP.to_move(state)
    legal = HEXTUP.legal(state, seat)
    safe = [m for m in legal if not can_win(HEXTUP.play(state, seat, m)[0])]
    return 0 < len(safe) < len(legal) / 2


def test_a_position_goes_through_a_game_and_back() -> None:
    """What is made is what the rules come to, and what is taken back is as it was."""
    state = next(states(3))
    position, dice = Position(state), random.Random(3)
    found = [position.state]
    while position.moves():
        gains = {move: gain for gain, move in position.moves()}
        assert {*gains} == {*HEXTUP.legal(position.state, position.turn)}
        move = dice.choice([*gains])
        seat, before = position.turn, position.scores
        position.make(move)
        after = position.scores
        lead = (after[seat] - before[seat]) - (after[1 - seat] - before[1 - seat])
        has_won = HEXTUP.outcome(position.state) == (seat,)
        assert has_won or gains[move] == lead
        found.append(position.state)
    while len(found) > 1:
        assert position.state == found.pop()
        position.unmake()
    assert position.state == found[0]
