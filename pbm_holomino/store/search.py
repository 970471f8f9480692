"""What is looked for in lists of boards, and what is found."""

from collections.abc import Callable, Iterable, Sequence

from pbm_holomino.errors import CorruptFile
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.summary import Summary

# A board in a list: its summary, or the error that its file is damaged.
Entry = Summary | CorruptFile


class Found(NamedTuple):
    """The boards that were found, and the damaged files that were met."""

    boards: list[Summary]
    damaged: list[CorruptFile]

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Found":
        """Boards and damaged files, apart."""
        found = cls([], [])
        for entry in entries:
            if isinstance(entry, CorruptFile):
                found.damaged.append(entry)
            else:
                found.boards.append(entry)
        return found

    def only(self, is_wanted: Callable[[Summary], bool]) -> "Found":
        """The same with only those boards."""
        return self._replace(boards=list(filter(is_wanted, self.boards)))


class Unusable(Exception):
    """The index cannot be used now."""


class Wanted(NamedTuple):
    """The boards that a list is about, as far as the index can select them."""

    games: Sequence[str]
    players: Sequence[str] = ()  # those of any of these
    active: bool | None = None  # only active ones, or only those that have ended
    mail: str = ""  # the one that this mail opened
    due: str = ""  # by this time
    last: int = 0  # so many, that have ended last
    until: str = "~"  # of these, by this time; the default comes after every time
    after: tuple[str, int] | None = None  # ended after this time and board
    remind: str = ""  # somebody may have to be reminded by this time
    matters: str = ""  # those that limit new challenges after this time
    is_open: bool = False  # only open challenges
    only_damaged: bool = False  # no boards, only the damaged files
