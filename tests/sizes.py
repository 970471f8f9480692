"""How much the larger tests try: enough to notice a mistake each time, and with
`bin/check --full` as much as they ever do."""

from collections.abc import Sequence
from typing import TypeVar

full = False  # set by the option, before any test is imported
_Thing = TypeVar("_Thing")


def sized(small: int, large: int) -> int:
    """A number of games, examples or cases to try."""
    return large if full else small


def some(things: Sequence[_Thing], most: int) -> list[_Thing]:
    """At most so many of these, evenly spread from the first to the last; all of them
    with --full."""
    if full or len(things) <= most:
        return list(things)
    return [things[n * (len(things) - 1) // (most - 1)] for n in range(most)]
