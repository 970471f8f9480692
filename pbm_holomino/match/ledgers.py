"""Ledgers: a key, a log of lines, and what follows from them.

A board, a tournament and an account are ledgers. What they have in common is here; what
one is, says the kind of its folder: a module of `match.kinds` by that name, or `boards`
for the folder of a game.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from pbm_holomino import rules
from pbm_holomino.errors import NotFound
from pbm_holomino.languages import Sentence
from pbm_holomino.match import kinds
from pbm_holomino.match.record import Key, LogLine

BOARDS = "boards"  # the kind of what is in each game's folder


def is_number(name: str) -> bool:
    """Whether a name is a number that a store gives."""
    return name.isascii() and name.isdigit() and name[0] != "0" and len(name) < 10


class Ledger(Protocol):
    """What every ledger has."""

    @property
    def key(self) -> Key:
        """Where it is kept."""

    @property
    def log(self) -> Sequence[LogLine[Any]]:
        """Its lines, the oldest first."""


L = TypeVar("L", bound=Ledger)


class Kind(ABC, Generic[L]):
    """What a ledger is. Lines have numbers, by which letters and their marks name them:
    these are their places in the log, unless a kind says otherwise."""

    named_after = "a number"  # what the names in its folder are, for the owner
    has_numbers = True  # whether these names are numbers that the store gives
    has_derived = False  # whether its data has parts that follow from the others
    is_account = False  # whether its ledgers are the players' own accounts
    # What somebody reads who names a robot as the player, `{userid}`, if not usual:
    no_robots: Sentence | None = None

    def is_name(self, name: str) -> bool:
        """Whether a document may have this name."""
        return is_number(name)

    @abstractmethod
    def load(self, key: Key, data: Any, earlier: L | None) -> L:
        """The ledger in the data of a document; `earlier` is what it once was, if that
        is remembered. Raises what `store.damage` calls damage."""

    @abstractmethod
    def dump(self, ledger: L) -> dict[str, Any]:
        """The data of a ledger's document."""

    @abstractmethod
    def missing(self, key: Key) -> NotFound:
        """The error about one that is not there."""

    def numbers(self, ledger: L) -> Sequence[int]:
        """The numbers of all lines."""
        return range(len(ledger.log))

    def line(self, ledger: L, number: int) -> LogLine[Any]:
        """The line with this number. Raises LookupError."""
        return ledger.log[number]

    def line_from(self, ledger: L, source: str, who: str) -> int | None:
        """The number of the line that this player's command brought, if any."""
        numbered = zip(self.numbers(ledger), ledger.log, strict=True)
        theirs = (no for no, one in numbered if one.came_by(source) and one.who == who)
        return next(theirs, None)

    def with_letters(self, ledger: L) -> Sequence[int]:
        """The numbers of the lines about which letters may be marked as unsent: all but
        those that the letters about earlier ones cover."""
        return self.numbers(ledger)

    def lines_for(self, ledger: L, reader: str) -> int:
        """How many lines count as read when a reader's command reads the ledger."""
        return len(ledger.log)

    def people(self, ledger: L) -> Sequence[str]:
        """The players whose accounts its letters need."""
        return ()

    def is_gone(self, ledger: L) -> bool:
        """Whether nothing can be done with it any more, as if it were not there."""
        return False

    @abstractmethod
    def after(self, ledger: L, line: LogLine[Any]) -> L:
        """The ledger after one more line. Raises Refused if it cannot come now."""

    def settled(self, ledger: L, now: str) -> L:
        """The ledger with all that follows at once from what has just changed it."""
        return ledger

    def due(self, ledger: L, now: str) -> Sequence[LogLine[Any]]:
        """The lines that the clock demands by now; after the first, maybe others."""
        return ()

    def brought(self, before: L | None, after: L) -> int:
        """The first line that a change has brought."""
        had = () if before is None else self.numbers(before)
        return next(number for number in self.numbers(after) if number not in had)

    def marked(self, before: L | None, after: L) -> int | None:
        """The line that a change has brought and whose letters are to be marked as
        unsent; None if nobody gets any."""
        return self.brought(before, after)

    def entails(
        self, ledger: L, line: int, now: str
    ) -> Iterable[tuple[Key, LogLine[Any]]]:
        """The lines that other ledgers get now because of one of this, if they can."""
        return ()

    def board(self, ledger: L) -> Any:
        """The board that can be shown; None if it is none."""
        return None

    def full(self, ledger: L) -> Mapping[int, Sentence]:
        """The lines that have lost their place in the log, and whose letters must have
        left before it is saved; each with the sentence about that."""
        return {}

    def as_saved(self, ledger: L) -> L:
        """The ledger without what its document does not say."""
        return ledger

    def when_sent(self, ledger: L) -> L:
        """What is kept of the ledger once all letters about it have left."""
        return ledger


@cache
def folders() -> tuple[str, ...]:
    """The folders of all ledgers: those of the games first."""
    names = rules.modules_of(kinds)
    others = sorted(name for name in names if name.isalpha() and name != BOARDS)
    return (*rules.names(), *others)


def numbered() -> tuple[str, ...]:
    """The folders in which the store gives numbers."""
    return tuple(folder for folder in folders() if load(folder).has_numbers)


def name_of_kind(folder: str) -> str:
    """The name of the kind of what is in a folder. Raises LookupError where there are
    no ledgers."""
    if folder in rules.names():
        return BOARDS
    if folder not in folders():
        raise LookupError(folder)
    return folder


@cache
def load(folder: str) -> Kind[Any]:
    """The kind of the ledgers in a folder. Raises LookupError where there are none."""
    kind: Kind[Any] = import_module(f"{kinds.__name__}.{name_of_kind(folder)}").KIND
    return kind


def kind_of(ledger: Ledger) -> Kind[Any]:
    """The kind of a ledger."""
    return load(ledger.key.folder)
