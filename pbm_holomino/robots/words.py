"""What robots say: a remark on a position, and why a move is good."""

from collections.abc import Collection, Sequence
from typing import TypeVar

from pbm_holomino.robots.contract import Forecast
from pbm_holomino.robots.search import Position
from pbm_holomino.rules.contract import Scoring
from pbm_holomino.sentences import amount, number_of

MoveT = TypeVar("MoveT")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
THANKS = "Thank you for the game."
_CLEAR = 0.95  # a chance from which on a game is as good as won


def points(number: float) -> str:
    """A number of points: `1 point`, `12 points`, `2.5 points`."""
    return number_of(number, "point")


def lead(
    scores: Sequence[int], seat: int, scoring: Scoring, gone: Collection[int] = ()
) -> int:
    """By how much a seat is better than the best of the others, but for those who are
    gone; 0 if nobody is left."""
    ranks = {at: scoring.rank(score) for at, score in enumerate(scores)}
    mine = ranks.pop(seat)
    return min((ranks[at] for at in ranks if at not in gone), default=mine) - mine


def remark(
    scores: Sequence[int],
    seat: int,
    scoring: Scoring,
    forecast: Forecast,
    gone: Collection[int] = (),
) -> str:
    """What the robot in this seat thinks of the position: one sentence to the others,
    which says who leads, if that decides, and how the game may end. Seats that are gone
    do not count."""
    ahead = lead(scores, seat, scoring, gone) if scoring.decides else 0
    side, judgement = _judged(forecast.chance, len(scores), len(scores) - len(gone))
    if not ahead:
        return f"{judgement[0].upper()}{judgement[1:]}."
    much = points(abs(ahead))
    if ahead > 0:
        begins = f"I am {much} ahead"
    elif len(scores) == 2:
        begins = f"You are {much} ahead"
    else:
        begins = f"I am {much} behind"
    joined = "but" if ahead * side < 0 or not side else "and"
    return f"{begins}, {joined} {judgement}."


def _judged(chance: float, seats: int, left: int) -> tuple[int, str]:
    """Whether a chance is good (1), bad (-1) or neither, where so many of the seats are
    left, and what to say of it."""
    if chance >= _CLEAR:
        return 1, "I expect to win"
    if chance <= 1 - _CLEAR:
        return -1, "I expect to lose"
    tenths = min(max(round(10 * chance), 1), 9)
    if seats > 2:
        side = (tenths > 10 / left) - (tenths < 10 / left - 1)
        return side, f"I think I come first in {_of_ten(tenths)}"
    if tenths == 5:
        return 0, "I think the game is open"
    if tenths > 5:
        return 1, f"I think I win {_of_ten(tenths)} from here"
    return -1, f"I think you win {_of_ten(10 - tenths)} from here"


def _of_ten(tenths: int) -> str:
    return f"about {_NUMBERS[tenths - 1]} game{'s' * (tenths > 1)} in ten"


def gained(gain: float, others: int, scoring: Scoring) -> str:
    """What a move gains at once on so many others."""
    if not gain:
        return "It gains nothing at once."
    whom = "your opponent" if others == 1 else "the best of the others"
    much = number_of(abs(gain), _scored(scoring))
    if gain < 0:
        return f"It loses {much} to {whom} at once."
    return f"It gains {much} on {whom} at once."


def _scored(scoring: Scoring) -> str:
    """What a player scores, one of them: a point, unless it decides nothing."""
    return "point" if scoring.decides else scoring.points.removesuffix("s")


def reason(position: Position[MoveT], gain: float, move: MoveT) -> str:
    """Why a player may choose a move between two: what it scores, and what the other
    can score in return."""
    seat = position.turn
    scores = f"It scores {points(gain)}" if gain else "It scores nothing"
    position.make(move)
    if position.over:
        then = "and the game is over"
    elif position.turn == seat:
        then = "and your opponent cannot move"
    else:
        then = _in_return(position, "and" if gain else "but")
    position.unmake()
    return f"{scores}, {then}."


def _in_return(position: Position[MoveT], joined: str) -> str:
    """What the player to move can score: the most that they hold or are sure to draw,
    or about so much on average where a tile is drawn."""
    added = [max((gain for gain, _ in moves), default=0) for moves in position.draws()]
    if not position.moves(1):
        if not (most := max(added)):
            return "and your opponent must draw first and can then score nothing"
        how = f"at most {amount(most)}"
        return f"{joined} your opponent must draw first and can then score {how}"
    reply = position.prospect()
    if not reply:
        return "and your opponent can score nothing in return"
    if amount(reply) == "0":
        return "and your opponent can score hardly anything in return"
    how = "about" if added else "at most"
    return f"{joined} your opponent can score {how} {amount(reply)} in return"
