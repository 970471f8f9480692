"""What robots say of a position: a proposed move, points given away, a forecast."""

import random
import re
from typing import Any

import pytest

from pbm_holomino import robots, rules
from pbm_holomino.robots import remarks
from pbm_holomino.robots.contract import Budget, Forecast
from pbm_holomino.robots.general import General
from pbm_holomino.robots.playouts import forecast
from pbm_holomino.robots.reasons import risk
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.scoring import Scoring
from tests import boards
from tests.boards import Case
from tests.robots.test_robots import CASES, SECRET, Turn, alike, turns
from tests.sizes import some

LITTLE = Budget(steps=12)
every_case = pytest.mark.parametrize("case", some(CASES, 12), ids=str)
every_plain_case = pytest.mark.parametrize("case", boards.plain_cases(), ids=str)


def analysis(turn: Turn, played: str = "", budget: Budget = LITTLE) -> robots.Analysis:
    """What is made of this turn. The chance is the same each time."""
    view = turn.game.view(turn.state, turn.seat)
    return robots.analyse(name_of(turn), view, budget, random.Random(1), played)


def name_of(turn: Turn) -> str:
    return next(name for name in rules.names() if rules.load(name) is turn.game)


def gain(turn: Turn, word: str) -> int:
    """What a move scores at once by the rules."""
    after = played(turn, word)
    scored: int = after.scores[turn.seat] - turn.state.scores[turn.seat]
    return scored


def played(turn: Turn, word: str) -> Any:
    game, state, seat = turn
    return game.play(state, seat, game.parse_move(state, seat, word))[0]


@every_plain_case
def test_a_robot_thinks_for_a_seat(case: Case) -> None:
    view = case.game.view(boards.begun(case, Chance(bytes(32))), None)
    with pytest.raises(ValueError, match="seat"):
        robots.forecast(case.name, view, LITTLE, random.Random(1))


@every_case
def test_an_analysis_proposes_a_legal_move_and_says_why(case: Case) -> None:
    for turn in turns(case, 2):
        for budget in (LITTLE, Budget(steps=0)):
            found = analysis(turn, budget=budget)
            played(turn, found.move)
            assert found.given_away == 0
            assert re.fullmatch(r"[A-Z].*\.", str(found.reason))
            assert 0 <= found.forecast.chance <= 1


@every_plain_case
def test_the_move_proposed_gives_nothing_away(case: Case) -> None:
    for turn in turns(case):
        assert analysis(turn, analysis(turn).move).given_away == 0


@pytest.mark.parametrize("case", SECRET, ids=str)
def test_what_is_hidden_changes_no_analysis(case: Case) -> None:
    for turn, other in alike(case):
        assert analysis(turn) == analysis(other)


def last_turns(name: str) -> list[Turn]:
    """Turns in which a move ends the game, whatever it is."""
    found = []
    for case in (case for case in CASES if case.name == name):
        *_, state = (s for s in boards.states(case, 1) if case.game.to_move(s))
        turn = Turn(case.game, state, case.game.to_move(state)[0])
        moves = case.game.legal(state, turn.seat)
        ends = [played(turn, case.game.format_move(move)) for move in some(moves, 20)]
        if all(not case.game.to_move(after) for after in ends):
            found.append(turn)
    return found


def is_open_race(name: str) -> bool:
    """Whether nothing is secret in a game, and the score alone decides it."""
    game = rules.load(name)
    return game.SCORING.decides and not game.SECRETS


@pytest.mark.parametrize("name", [n for n in rules.names() if is_open_race(n)])
def test_a_last_move_gives_away_what_the_best_one_would_score_more(name: str) -> None:
    """Nothing comes after it, so that it is worth what it scores."""
    found = last_turns(name)
    assert found
    for turn in found[:3]:
        legal = turn.game.legal(turn.state, turn.seat)
        gains = {word: gain(turn, word) for word in map(turn.game.format_move, legal)}
        for word in some([*gains], 4):
            expected = max(gains.values()) - gains[word]
            assert analysis(turn, word).given_away == expected


@every_plain_case
def test_the_forecast_of_a_finished_game_is_its_result(case: Case) -> None:
    *_, state = boards.states(case, 1)
    game, winners = case.game, case.game.outcome(state)
    assert winners is not None
    for seat, score in enumerate(state.scores):
        best = min(
            game.SCORING.rank(other)
            for at, other in enumerate(state.scores)
            if at != seat
        )
        expected = Forecast(
            best - game.SCORING.rank(score), (seat in winners) / len(winners)
        )
        view = game.view(state, seat)
        name = case.name
        assert robots.forecast(name, view, LITTLE, random.Random(1)) == expected


@every_plain_case
def test_whoever_is_to_move_each_seat_has_a_forecast(case: Case) -> None:
    for turn in turns(case):
        for seat in range(case.seats):
            view = turn.game.view(turn.state, seat)
            found = robots.forecast(case.name, view, LITTLE, random.Random(1))
            assert 0 < found.chance < 1


def test_the_chance_is_by_the_rule_of_laplace() -> None:
    """Five games, of which two are won and one is drawn: (2.5 + 1) / (5 + 2)."""
    leads = iter([5, -10, 0, 20, -5])
    assert forecast(lambda: next(leads), Budget(steps=4)) == Forecast(2, 0.5)


def test_the_general_forecast_is_a_share_of_the_points() -> None:
    (case,) = (case for case in boards.plain_cases() if case.name == "hextol")
    view = case.game.view(case.game.start(2, case.options), 0)._replace(scores=(30, 9))
    found = General(case.game).forecast(view, LITTLE, random.Random(1))
    assert found.lead == 21
    assert found.chance == pytest.approx((1 + 21 / 40) / 2)


# What they say

POINTS, MINUS = Scoring(), Scoring(low_wins=True)


@pytest.mark.parametrize(
    ("scores", "scoring", "chance", "expected"),
    [
        ((0, 0), POINTS, 0.5, "I think the game is open."),
        (
            (24, 12),
            POINTS,
            0.7,
            "I am 12 points ahead, and I think I win about seven games in ten from "
            "here.",
        ),
        (
            (24, 12),
            POINTS,
            0.3,
            "I am 12 points ahead, but I think you win about seven games in ten from "
            "here.",
        ),
        (
            (3, 4),
            POINTS,
            0.5,
            "You are 1 point ahead, but I think the game is open.",
        ),
        ((3, 4), MINUS, 0.97, "I am 1 point ahead, and I expect to win."),
        ((3, 90), POINTS, 0.01, "You are 87 points ahead, and I expect to lose."),
        ((1400, 180), POINTS, 0.97, "I am 1220 points ahead, and I expect to win."),
        (
            (3, 2, 5),
            MINUS,
            0.12,
            "I am 1 point behind, and I think I come first in about one game in ten.",
        ),
        (
            (3, 2, 5),
            MINUS,
            0.6,
            "I am 1 point behind, but I think I come first in about six games in ten.",
        ),
    ],
)
def test_a_remark_says_who_leads_and_how_it_may_end(
    scores: tuple[int, ...], scoring: Scoring, chance: float, expected: str
) -> None:
    assert str(remarks.remark(scores, 0, scoring, chance)) == expected


@every_plain_case
def test_a_remark_is_one_sentence(case: Case) -> None:
    """After the game there is nothing to remark."""
    *states, last = boards.states(case, 1)
    for state in (states[0], states[-1], last):
        view = case.game.view(state, 0)
        expected = robots.forecast(case.name, view, LITTLE, random.Random(1))
        said = robots.remark(case.name, view, expected)
        assert re.fullmatch(r"[A-Z][^.]*\.", str(said))
        assert (said == remarks.THANKS) == (state is last)


def test_those_who_are_gone_do_not_count() -> None:
    """Of three players, one of whom is gone, each of two has an even chance."""
    said = remarks.remark((3, 2, 5), 0, MINUS, 0.6, gone=(1,))
    assert str(said) == (
        "I am 2 points ahead, and I think I come first in about six games in ten."
    )
    assert MINUS.lead((3, 2), 0, gone=(1,)) == 0


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, "1 point"),
        (1.04, "1 point"),
        (0.96, "1 point"),
        (2.5, "2.5 points"),
        (-0.04, "0 points"),
        (1220, "1220 points"),
        (1_000_000.25, "1000000.2 points"),
    ],
)
def test_points_are_written_as_people_write_them(number: float, expected: str) -> None:
    assert str(POINTS.on_one[0].of(n=number)) == (
        f"It gains {expected} on your opponent at once."
    )


def test_a_robot_that_is_no_better_accepts_a_draw() -> None:
    (case,) = (case for case in boards.plain_cases() if case.name == "hextol")
    view = case.game.view(case.game.start(2, case.options), 0)
    assert robots.accepts_draw(view, Forecast(0, 0.5))
    assert not robots.accepts_draw(view, Forecast(3, 0.51))


def test_a_risk_is_what_a_reason_says_of_the_answers() -> None:
    kept = "It scores 4 points, and your opponent can score at most 2.5 in return."
    assert str(risk(kept)) == "Your opponent can score at most 2.5 in return."
    none = "It scores nothing, and your opponent cannot move."
    assert str(risk(none)) == "Then your opponent cannot move."
    assert risk("It gains nothing at once.") is None
