"""What a game is, what tile games share, and the games themselves: pure functions."""

import os
from functools import cache
from importlib import import_module

from pbm_holomino.rules import games
from pbm_holomino.rules.contract import AnyGame


@cache
def names() -> tuple[str, ...]:
    """The games' names, as they are typed: each is a module in `games`."""
    return tuple(sorted(name for name in _modules() if name.isalpha()))


def _modules() -> list[str]:
    entries = (entry for folder in games.__path__ for entry in os.listdir(folder))
    return [entry.removesuffix(".py") for entry in entries]


@cache
def load(name: str) -> AnyGame:
    """The rules of one of the games in `names()`. Raises LookupError for another."""
    if name not in names():
        raise LookupError(name)
    # Here the types of the game's states and moves are lost: see AnyGame.
    game: AnyGame = import_module(f"{games.__name__}.{name}")
    return game
