"""What robots say: a remark on a position, and why a move is good."""

from typing import TypeVar

from pbm_holomino.robots.contract import Forecast
from pbm_holomino.robots.search import Position
from pbm_holomino.rules.contract import Scoring

MoveT = TypeVar("MoveT")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
THANKS = "Thank you for the game."
_CLEAR = 0.95  # a chance from which on a game is as good as won


def points(number: float) -> str:
    """A number of points: `1 point`, `12 points`, `2.5 points`."""
    return f"{number:.3g} point{'s' * (number != 1)}"


def lead(scores: tuple[int, ...], seat: int, scoring: Scoring) -> int:
    """By how much a seat is better than the best of the others."""
    ranks = [scoring.rank(score) for score in scores]
    mine = ranks.pop(seat)
    return min(ranks) - mine


def remark(
    scores: tuple[int, ...], seat: int, scoring: Scoring, forecast: Forecast
) -> str:
    """What the robot in this seat thinks of the position: one sentence to the others,
    which says who leads and how the game may end."""
    ahead = lead(scores, seat, scoring)
    side, judgement = _judged(forecast.chance, len(scores))
    if not ahead:
        return f"{judgement[0].upper()}{judgement[1:]}."
    amount = points(abs(ahead))
    if ahead > 0:
        begins = f"I am {amount} ahead"
    elif len(scores) == 2:
        begins = f"You are {amount} ahead"
    else:
        begins = f"I am {amount} behind"
    joined = "but" if ahead * side < 0 or not side else "and"
    return f"{begins}, {joined} {judgement}."


def _judged(chance: float, seats: int) -> tuple[int, str]:
    """Whether a chance is good (1), bad (-1) or neither, and what to say of it."""
    if chance >= _CLEAR:
        return 1, "I expect to win"
    if chance <= 1 - _CLEAR:
        return -1, "I expect to lose"
    tenths = min(max(round(10 * chance), 1), 9)
    if seats > 2:
        side = (tenths > 10 / seats) - (tenths < 10 / seats - 1)
        return side, f"I think I come first in {_of_ten(tenths)}"
    if tenths == 5:
        return 0, "I think the game is open"
    if tenths > 5:
        return 1, f"I think I win {_of_ten(tenths)} from here"
    return -1, f"I think you win {_of_ten(10 - tenths)} from here"


def _of_ten(tenths: int) -> str:
    return f"about {_NUMBERS[tenths - 1]} game{'s' * (tenths > 1)} in ten"


def reason(position: Position[MoveT], gain: float, move: MoveT, most: str) -> str:
    """Why a player may choose a move between two: what it scores, and what comes next;
    `most` says how the next score is known: `at most`, `about`."""
    seat = position.turn
    scores = f"It scores {points(gain)}" if gain else "It scores nothing"
    position.make(move)
    reply, is_over, is_mine = position.prospect(), position.over, position.turn == seat
    position.unmake()
    if is_over:
        return f"{scores}, and the game is over."
    if is_mine:
        return f"{scores}, and your opponent cannot move."
    expected = round(reply, 1)
    if not expected:
        return f"{scores}, and your opponent can score nothing in return."
    joined = "and" if gain else "but"
    return f"{scores}, {joined} your opponent can score {most} {expected:g} in return."
