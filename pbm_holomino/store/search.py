"""What is looked for in lists of boards, and what is found."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pbm_holomino.errors import CorruptFile
from pbm_holomino.store.summary import Summary

# What there is to tell of a board; of a damaged file, that it is one.
Entry = Summary | CorruptFile


class Found(NamedTuple):
    """Boards that were looked for, and the damaged files that were met."""

    boards: list[Summary]
    damaged: list[CorruptFile]

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Found":
        """These, apart."""
        found = cls([], [])
        for entry in entries:
            if isinstance(entry, CorruptFile):
                found.damaged.append(entry)
            else:
                found.boards.append(entry)
        return found

    def only(self, is_wanted: Callable[[Summary], bool]) -> "Found":
        """The same with those boards only."""
        return self._replace(boards=list(filter(is_wanted, self.boards)))


class Unusable(Exception):
    """The index can tell nothing now."""


class Wanted(NamedTuple):
    """The boards that a list is about, as far as the index tells them apart: those of
    these games, or of these players; only active or only ended ones; opened by a mail;
    due by a time; the last so many; what ended after a time and board; where somebody
    may have to be reminded by a time; what limits new challenges after a time."""

    games: Sequence[str]
    players: Sequence[str] = ()
    active: bool | None = None
    mail: str = ""
    due: str = ""
    last: int = 0
    after: tuple[str, int] | None = None
    remind: str = ""
    matters: str = ""
    only_damaged: bool = False  # nothing of the boards, but which of them are that
