"""What a command needs to know besides its words."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from pbm_holomino.match.board import Match
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

if TYPE_CHECKING:
    from pbm_holomino.store.robot_jobs import Advice

# What a robot advises a player to play on a board.
Advise = Callable[[Match, str], "Advice | None"]


class Context(NamedTuple):
    """The store as a command finds it: its boards and lists, the accounts of the
    `people` that the command is about, the time (UTC, as in logs), a function that
    makes the seed of a new board, and whether games against robots may count.

    A command given `by_owner` comes from the owner of the server, not from a player.
    `web` is the address of the front page, empty without pages.

    `wake` has robots look at what they have to do. Where a command may wait for a
    robot, `advise` gives its advice to a player on a board; None if it finds none.
    """

    library: Library
    people: People
    now: str
    seed: Callable[[], bytes]
    rated_robots: bool = False
    wake: Callable[[], bool] = lambda: False
    advise: Advise | None = None
    by_owner: bool = False
    web: str = ""
