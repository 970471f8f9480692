"""The last answer of a pure function, kept: a state, or a board, is asked the same for
its file and for each reader, one after the other. Threads that ask about others only
lose that.
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

_Things = TypeVarTuple("_Things")
_Answer = TypeVar("_Answer")


def remember_last(ask: Callable[[*_Things], _Answer]) -> Callable[[*_Things], _Answer]:
    """A function of frozen values, which need not be hashable, that gives its last
    answer again when it is asked the same."""
    last: tuple[tuple[*_Things], _Answer] | None = None

    @wraps(ask)
    def answer(*things: *_Things) -> _Answer:
        nonlocal last
        known = last  # another thread may ask meanwhile
        if known is None or known[0] != things:  # what is identical is not compared
            known = last = things, ask(*things)
        return known[1]

    return answer
