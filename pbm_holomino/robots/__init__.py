"""Players that are programs: functions from what a player may see to a move.

A robot is chosen by the name of its game and its level. For a board that is played by
older rules the name is that of their edition, such as `holo_1`. Levels 1 to 3 are three
strengths: level 1 takes what scores most at once, level 2 sees what the next player can
do then, and level 3 thinks as long as its budget allows. `load` gives the robot,
`analyse` what level 3 makes of a turn (for hints and reviews), `forecast` how a game
may end, and `remark` that in words.

All get a seat's view (`game.view(state, seat)`) while nothing is due, a budget, and a
generator of random numbers. With a budget in steps all that they return follows from
these; with one in seconds they keep to that time of the thread's processor, though they
make at least a little effort whatever it is.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from random import Random

from pbm_holomino import rules
from pbm_holomino.languages import Sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.robots import games, remarks
from pbm_holomino.robots.contract import (
    Budget,
    Choose,
    Forecast,
    Made,
    seat_of,
)
from pbm_holomino.robots.general import General
from pbm_holomino.rules.contract import AnyGame, View

LEVELS = (1, 2, 3)


@cache
def load(name: str, level: int) -> Choose:
    """The robot that plays a game at a level: from a view of the seat that is to move,
    a legal move in canonical notation. A game, or an edition of its rules, of which
    nobody has made a robot has the general one at every level, and without a budget
    that is the one that moves. Raises LookupError for a game, an edition or a level
    that there is not."""
    if level not in LEVELS:
        raise LookupError(f"level {level}")
    _rules(name)

    def choose(view: View, budget: Budget, rng: Random) -> str:
        return _made(name, budget).LEVELS[level - 1](view, budget, rng)

    return choose


def forecast(name: str, view: View, budget: Budget, rng: Random) -> Forecast:
    """How a game is expected to end for the seat whose view this is, whoever is to
    move; of a game that is over by its rules, how it did end."""
    game, seat = _rules(name), seat_of(view)
    winners = game.outcome(view.known)
    if winners is None:
        return _made(name, budget).forecast(view, budget, rng)
    lead = game.SCORING.lead(view.scores, seat, view.gone)
    return Forecast(lead, (seat in winners) / len(winners))


def accepts_draw(view: View, expected: Forecast) -> bool:
    """Whether a robot that expects this takes an offered draw: when it thinks that it
    is no better than the others."""
    return expected.chance <= 1 / (len(view.scores) - len(view.gone))


def remark(name: str, view: View, expected: Forecast) -> Sentence:
    """What the robot whose view this is thinks of the position, to those it plays
    with, such as `I am 12 points ahead, and I think I win
    about seven games in ten from here.` After the game it says thank you."""
    game, seat = _rules(name), seat_of(view)
    if game.outcome(view.known) is not None:
        return remarks.THANKS
    chance = expected.chance
    return remarks.remark(view.scores, seat, game.SCORING, chance, view.gone)


class Analysis(NamedTuple):
    """What level 3 makes of a turn."""

    move: str  # that it would play, in canonical notation
    reason: Sentence  # to the player
    given_away: float  # points, by the move played instead, if any; never less than 0
    forecast: Forecast  # before the move
    second: str = ""  # the best of the other moves, if none was played and there is one
    second_reason: Sentence | None = None


def analyse(
    name: str, view: View, budget: Budget, rng: Random, played: str = ""
) -> Analysis:
    """What to play in a view of a seat that is to move, and what a legal move that was
    played instead gave away, or which move comes second. Half of the budget goes to the
    choice."""
    game, seat = _rules(name), seat_of(view)
    part = budget.part(0.25)
    move = load(name, LEVELS[-1])(view, budget.part(0.5), rng)
    if played:
        others = [game.format_move(game.parse_move(view.known, seat, played))]
    else:
        others = _rivals(game, view, move)
    best, *worths = _made(name, part).worths(view, [move, *others], part, rng)
    expected = forecast(name, view, part, rng)
    if not played:
        found = Analysis(move, best.reason, 0.0, expected)
        if not worths:
            return found
        second = max(range(len(worths)), key=lambda at: worths[at].points)
        return found._replace(
            second=others[second], second_reason=worths[second].reason
        )
    given_away = max((best.points - other.points for other in worths), default=0.0)
    return Analysis(move, best.reason, max(given_away, 0.0), expected)


_MOST_RIVALS = 3


def _rivals(game: AnyGame, view: View, move: str) -> list[str]:
    """The moves that gain most at once, but for one, and those that lay the same tile
    there in another way; none where a player is free in what to send."""
    if view.proposal.heading is None:
        return []
    moves = list(zip(view.legal, view.moves, strict=True))
    gains = game.gains(view.known, [value for _, value in moves])
    chosen = next((value for word, value in moves if word == move), None)
    at = set() if chosen is None else {*game.covers(chosen)}
    tile = move.partition(":")[0]
    others = [
        (gain, word)
        for gain, (word, value) in zip(gains, moves, strict=True)
        if word != move
        and not (word.partition(":")[0] == tile and at & {*game.covers(value)})
    ]
    others.sort(key=lambda other: -other[0])
    return [word for _, word in others[:_MOST_RIVALS]]


def reasons_of(name: str) -> Sequence[Sentence]:
    """All reasons that `analyse` gives in an edition of a game."""
    return *_made(name, Budget()).REASONS, *General(_rules(name)).REASONS


def _rules(name: str) -> AnyGame:
    """The rules of this edition."""
    game, _, version = name.partition("_")
    return rules.load(game, int(version)) if version else rules.load(game)


def _made(name: str, budget: Budget) -> Made:
    """What is made for an edition of the rules, or what is made for all."""
    if budget.is_empty or name not in rules.modules_of(games):
        return General(_rules(name))
    made: Made = import_module(f"{games.__name__}.{name}")
    return made
