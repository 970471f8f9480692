"""Forecasts: how games end in which the players mostly play well and sometimes err."""

from collections.abc import Callable
from random import Random
from statistics import fmean
from typing import TypeVar

from pbm_holomino.robots.contract import Budget, Forecast, Meter
from pbm_holomino.robots.search import Position
from pbm_holomino.robots.uct import Scored

MoveT = TypeVar("MoveT")
_SLIPS = 0.2  # of the moves are not the quick reply
_TEMPTING = 8  # moves of which a slip is one


def forecast(sample: Callable[[], float], budget: Budget) -> Forecast:
    """What to expect when games end with such leads. A step is a game; there is one in
    any case. The chance is by Laplace's rule, so that a few games prove nothing."""
    meter, leads = Meter(budget), [sample()]
    while meter.step():
        leads.append(sample())
    won = sum((lead > 0) + (lead == 0) / 2 for lead in leads)
    return Forecast(fmean(leads), (won + 1) / (len(leads) + 2))


def lead_at_end(position: Scored[MoveT], seat: int, rng: Random) -> float:
    """The lead of a seat at the end of one game from here."""
    made = play_out(position, rng)
    lead = position.scores[seat] - position.scores[1 - seat]
    for _ in range(made):
        position.unmake()
    return lead


def play_out(position: Position[MoveT], rng: Random) -> int:
    """Play to the end of the game, and return how many moves were made."""
    made = 0
    while not position.over:
        if rng.random() < _SLIPS:
            position.make(rng.choice(position.moves(_TEMPTING))[1])
        else:
            position.make(position.reply())
        made += 1
    return made
