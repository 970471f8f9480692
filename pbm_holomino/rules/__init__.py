"""What a game is, what tile games share, and the games themselves: pure functions."""

import os
from functools import cache
from importlib import import_module
from typing import cast

from pbm_holomino.rules.contract import Game


@cache
def names() -> tuple[str, ...]:
    """The games' names, as they are typed: each is a module in `games`."""
    folder = os.path.join(os.path.dirname(__file__), "games")
    here = (entry.removesuffix(".py") for entry in os.listdir(folder))
    return tuple(sorted(name for name in here if name.isalpha()))


@cache
def load(name: str) -> Game:
    """The rules of one of the games in `names()`."""
    if name not in names():
        raise LookupError(name)
    return cast(Game, import_module(f"{__name__}.games.{name}"))
