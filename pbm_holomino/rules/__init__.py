"""The games. Each module here is one; a name is only ever looked up among them."""

import os
from functools import cache
from importlib import import_module
from typing import cast

from pbm_holomino.game import Game


@cache
def names() -> tuple[str, ...]:
    """The games' names, as they are typed: each is a module here, or a package."""
    here = (
        entry.removesuffix(".py") for entry in os.listdir(os.path.dirname(__file__))
    )
    return tuple(sorted(name for name in here if name.isalpha()))


@cache
def load(name: str) -> Game:
    """The rules of one of the games in `names()`."""
    if name not in names():
        raise LookupError(name)
    return cast(Game, import_module(f"{__name__}.{name}"))
