"""What a game is, what tile games share, and the games themselves: pure functions."""

import os
from functools import cache
from importlib import import_module
from types import ModuleType

from pbm_holomino.rules import games
from pbm_holomino.rules.contract import AnyGame


@cache
def names() -> tuple[str, ...]:
    """The games' names, as they are typed: each is a module in `games`."""
    return tuple(sorted(name for name in modules_of(games) if name.isalpha()))


@cache
def modules_of(package: ModuleType) -> tuple[str, ...]:
    """The names of a package's modules. Its folders are looked at once: while a program
    runs, its files may be replaced."""
    entries = (entry for folder in package.__path__ for entry in os.listdir(folder))
    return tuple(entry.removesuffix(".py") for entry in entries)


@cache
def load(name: str, version: int | None = None) -> AnyGame:
    """The rules of one of the games in `names()`, in one of the `versions()` of them or
    else the newest. Raises LookupError for others.

    A game's newest rules are in the module of its name, older ones in modules beside
    it: what `holo_1` does not do in its own way, it takes from `holo`.
    """
    if name not in names():
        raise LookupError(name)
    newest = _module(name)
    if version is None or version == newest.VERSION:
        return newest
    if version not in versions(name):
        raise LookupError(f"version {version} of {name}")
    return _module(f"{name}_{version}")


def edition(name: str, version: int) -> str:
    """What the rules of a version are called: by the game's name if they are its
    newest, and otherwise such as `holo_1`."""
    return name if version == load(name).VERSION else f"{name}_{version}"


@cache
def versions(name: str) -> tuple[int, ...]:
    """The versions of a game's rules that can be played, the newest last."""
    named = (module.partition("_") for module in modules_of(games))
    older = (int(word) for game, _, word in named if game == name and word.isdecimal())
    return (*sorted(older), load(name).VERSION)


def _module(name: str) -> AnyGame:
    # Here the types of a game's states and moves are lost: see AnyGame.
    game: AnyGame = import_module(f"{games.__name__}.{name}").GAME
    return game
