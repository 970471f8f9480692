"""What a command needs to know besides its words."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pbm_holomino.commands.request import Request
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Key
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

if TYPE_CHECKING:
    from pbm_holomino.store.robot_jobs import Advice

# What a robot advises a player to play on a board.
Advise = Callable[[Match, str], "Advice | None"]


class Scope(NamedTuple):
    """Where the ledger is that a command changes or opens."""

    locks: tuple[Key, ...]  # in whose order they are taken
    # the ledger as it is now, or what a new one follows, if anything; and the number of
    # the line that the same command has brought before, if it has
    find: Callable[[], tuple[Any, int | None]]


class Robots(NamedTuple):
    """What a server's robots may do, and how they are told to do it."""

    are_rated: bool = False  # whether games against them may count
    # has them look at what they have to do: whether they will
    wake: Callable[[], bool] = lambda: False
    # where a command may wait for a robot: its advice to a player; None if it has none
    advise: Advise | None = None


NO_ROBOTS = Robots()


class Context(NamedTuple):
    """What a command finds, besides its words."""

    library: Library
    people: People  # the accounts that the command is about
    now: str  # UTC, as in logs
    seed: Callable[[], bytes]  # makes the seed of a new board
    robots: Robots = NO_ROBOTS
    by_owner: bool = False  # whether it comes from the owner of the server
    # whether the password of a request is that of an account
    fits: Callable[[Request, Player], bool] = lambda request, player: False
    web: str = ""  # the address of the front page, empty without pages
    notice_hosts: Sequence[str] = ()  # that may be called (see `match.notices`)
