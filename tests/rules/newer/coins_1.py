"""The first rules of coins: a coin is a point."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbm_holomino.rules.contract import Event, Game

from .coins import *  # noqa: F403  # what has not changed since
from .coins import State, taken

if TYPE_CHECKING:
    from tests.rules.newer import coins_1

    _FIRST: Game[State, int] = coins_1

VERSION = 1


def play(  # type: ignore[no-redef]
    state: State, seat: int, move: int
) -> tuple[State, tuple[Event, ...]]:
    return taken(state, seat, move, 1)


def gains(state: State, moves: Sequence[int]) -> list[int]:  # type: ignore[no-redef]
    return list(moves)
