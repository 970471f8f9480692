"""What a command needs to know besides its words."""

from collections.abc import Callable
from typing import NamedTuple

from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People


class Context(NamedTuple):
    """The store as a command finds it: its boards and lists, the accounts of the
    `people` that the command is about, the time (UTC, as in logs), a function that
    makes the seed of a new board, and whether games against robots may count."""

    library: Library
    people: People
    now: str
    seed: Callable[[], bytes]
    rated_robots: bool = False
