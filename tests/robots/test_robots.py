"""What holds of every robot: legal moves, from nothing but what its seat may see."""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import pytest

from pbm_holomino import robots, rules
from pbm_holomino.robots.contract import Budget, Choose
from pbm_holomino.robots.general import General
from pbm_holomino.rules.contract import AnyGame
from tests import boards
from tests.boards import Case
from tests.rules.newer import coins
from tests.sizes import sized, some

CASES = some(boards.cases(several=2), sized(24, 200))
LITTLE = Budget(steps=12)
every_level = pytest.mark.parametrize("level", robots.LEVELS)
every_case = pytest.mark.parametrize("case", CASES, ids=str)
SECRET = [case for case in boards.plain_cases() if case.game.SECRETS]
every_plain_case = pytest.mark.parametrize("case", boards.plain_cases(), ids=str)


class Turn(NamedTuple):
    """A state of a game, and a seat that is to move."""

    game: AnyGame
    state: Any
    seat: int

    def choice(self, robot: Choose, budget: Budget = LITTLE) -> str:
        """What a robot moves here. Its chance is the same each time."""
        view = self.game.view(self.state, self.seat)
        return robot(view, budget, random.Random(1))


def turns(case: Case, most: int = 3) -> Iterator[Turn]:
    """A few turns of a game played at random, from its start to its end."""
    states = [state for state in boards.states(case, 1) if case.game.to_move(state)]
    for state in some(states, most):
        yield Turn(case.game, state, case.game.to_move(state)[-1])


@every_level
@every_case
def test_a_robot_makes_legal_moves_in_canonical_notation(
    case: Case, level: int
) -> None:
    robot = robots.load(case.name, level)
    for turn in turns(case):
        game, state, seat = turn
        word = turn.choice(robot)
        move = game.parse_move(state, seat, word)
        assert game.format_move(move) == word
        game.play(state, seat, move)


@every_level
@every_plain_case
def test_a_robot_with_the_same_chance_and_steps_moves_alike(
    case: Case, level: int
) -> None:
    robot = robots.load(case.name, level)
    for turn in turns(case):
        assert turn.choice(robot) == turn.choice(robot)


@every_plain_case
def test_without_a_budget_the_general_robot_moves(case: Case) -> None:
    general = General(case.game)
    for turn in turns(case):
        for budget in (Budget(seconds=0), Budget(steps=0), Budget(seconds=-1)):
            expected = turn.choice(general)
            assert turn.choice(robots.load(case.name, 3), budget) == expected


@every_plain_case
def test_no_seat_knows_how_many_draws_were_made(case: Case) -> None:
    for turn in turns(case):
        assert turn.game.view(turn.state, turn.seat).known.draws == 0


@every_level
@pytest.mark.parametrize("case", SECRET, ids=str)
def test_what_is_hidden_changes_no_choice(case: Case, level: int) -> None:
    """What another player has sent, and keeps secret."""
    robot = robots.load(case.name, level)
    for turn, other in alike(case):
        assert turn.choice(robot) == other.choice(robot)


def alike(case: Case) -> Iterator[tuple[Turn, Turn]]:
    """Turns that look the same to the seat that is to move, and differ in what another
    player has sent."""
    board, dice, checked = boards.opened(case, 13), random.Random(13), 0
    while board.turn and checked < 6:
        who = dice.choice(board.turn)
        for one, other in islice(boards.twins(board, who), 1):
            for seat in board.rules.to_move(one.state):
                if seat in board.rules.to_move(other.state):
                    yield (
                        Turn(case.game, one.state, seat),
                        Turn(case.game, other.state, seat),
                    )
                    checked += 1
        board = boards.sent(board, who, dice.choice(boards.notations(board, who)))
    assert checked


def test_the_general_robot_takes_what_gains_most() -> None:
    game = rules.load("hextol")
    (case,) = (case for case in boards.plain_cases() if case.name == "hextol")
    for turn in turns(case, 5):
        move = game.parse_move(turn.state, turn.seat, turn.choice(General(game)))
        after, _ = game.play(turn.state, turn.seat, move)
        scores = [
            game.play(turn.state, turn.seat, other)[0].scores[turn.seat]
            for other in game.legal(turn.state, turn.seat)
        ]
        assert after.scores[turn.seat] == max(scores)


def test_a_game_without_robots_of_its_own_has_the_general_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rules, "load", lambda name: coins.GAME)
    robots.load.cache_clear()
    state = coins.GAME.start(2, {})
    view = coins.GAME.view(state, 0)
    for level in robots.LEVELS:
        assert robots.load("coins", level)(view, LITTLE, random.Random(1)) == "3"
    robots.load.cache_clear()


def test_there_are_three_levels() -> None:
    for level in (0, 4):
        with pytest.raises(LookupError, match=f"level {level}"):
            robots.load("holo", level)
    with pytest.raises(LookupError, match="chess"):
        robots.load("chess", 1)
