"""What players are to be told of their turns besides letters, until it is done.

Each waits like a mail, under a name that says all of it.
"""

import re
from collections.abc import Iterator

from pbm_holomino.match.account import Player
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.contract import NOTICES, Store

BROWSERS, ADDRESS = "browsers", "address"  # where it is told
MOST_TRIES = 3
_PAUSES = (0, 60, 900)  # seconds before each try
_NAME = (
    rf"({BROWSERS}|{ADDRESS})\.([a-z][a-z0-9_]{{1,19}})\.([a-z]+)\.([0-9]{{1,9}})"
    r"\.([0-9]{1,6})\.([0-2])\.eml"
)


class Notice(NamedTuple):
    """A turn of a player that began with a line of a board's log; how often it has been
    tried to tell them; and when it was put here, in seconds of the epoch."""

    where: str
    userid: str
    game: str
    board: int
    line: int
    tries: int = 0
    put: float = 0

    @property
    def filename(self) -> str:
        return f"{'.'.join(map(str, self[:-1]))}.eml"

    def is_due(self, now: float) -> bool:
        """Whether it is time for the next try."""
        return self.put + _PAUSES[self.tries] <= now


def places(player: Player) -> tuple[str, ...]:
    """Where a player is told of turns."""
    found = {BROWSERS: player.pushes, ADDRESS: player.notices}
    return tuple(place for place in found if found[place])


def put(store: Store, notice: Notice) -> None:
    """Keep what is to be told. Where very much waits, the oldest is forgotten."""
    store.kept.keep(NOTICES, notice.filename, b"")


def waiting(store: Store) -> Iterator[Notice]:
    """What is to be told, the oldest first."""
    for name, since in store.kept.times(NOTICES).items():
        if match := re.fullmatch(f"(?a){_NAME}", name):
            where, userid, game, board, line, tries = match.groups()
            numbers = int(board), int(line), int(tries)
            yield Notice(where, userid, game, *numbers, since)


def forget(store: Store, notice: Notice) -> None:
    """Forget what has been told, or is of no use any more."""
    store.kept.remove(NOTICES, notice.filename)


def put_off(store: Store, notice: Notice) -> bool:
    """Keep what could not be told for another try, if there is one."""
    again = notice._replace(tries=notice.tries + 1)
    if has_more := again.tries < MOST_TRIES:
        put(store, again)
    forget(store, notice)
    return has_more
