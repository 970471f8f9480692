"""Players that are programs: functions from what a player may see to a move."""

import os
from functools import cache
from importlib import import_module
from random import Random

from pbm_holomino import rules
from pbm_holomino.robots import games
from pbm_holomino.robots.contract import Budget, Choose
from pbm_holomino.robots.general import General
from pbm_holomino.rules.contract import View

LEVELS = (1, 2, 3)


@cache
def load(name: str, level: int) -> Choose:
    """The robot that plays a game at a level. A game of which nobody has made a robot
    has the general one at every level, and without a budget that is the one that moves.
    Raises LookupError for a game or a level that there is not."""
    if level not in LEVELS:
        raise LookupError(f"level {level}")
    general = General(rules.load(name))
    if name not in _made():
        return general
    made: Choose = import_module(f"{games.__name__}.{name}").LEVELS[level - 1]

    def choose(view: View, budget: Budget, rng: Random) -> str:
        return (general if budget.is_empty else made)(view, budget, rng)

    return choose


@cache
def _made() -> frozenset[str]:
    """The games of which somebody has made a robot."""
    files = (file for folder in games.__path__ for file in os.listdir(folder))
    return frozenset(file.removesuffix(".py") for file in files)
