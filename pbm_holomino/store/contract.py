"""What every store can do: keep documents, and what belongs to them, for any number of
processes and machines.

A document is strict YAML under a folder and a name: `("holo", "12")` is a board,
`("players", "alice")` an account. A store that cannot do what it is asked raises
StoreTrouble or one of its kinds: Busy where others hold a lock for too long, and Again
where the same command may do better on a second try.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from pbm_holomino.store.endings import History
from pbm_holomino.store.search import Entry, Wanted

PLAYERS = "players"  # the folder of the accounts; each game has one of its own

# The folders of mails that are kept whole.
WAITING = "waiting"  # letters that could not leave and cannot be written again
UNDELIVERABLE = "undeliverable"  # letters that were refused for good
QUARANTINE = "quarantine"  # mails that nobody can read, for the owner to look at

Key = tuple[str, int]  # a game and a board
Progress = Callable[[Sequence[Key]], AbstractContextManager[Iterable[Key]]]


class Document(NamedTuple):
    """The text of a document, None for a reader who has this revision of it already.
    Two texts of a document never have the same revision."""

    revision: Hashable
    text: bytes | None


class Fault(NamedTuple):
    """What is wrong with a store, in words without a full stop, and what mends it; None
    where only its owner can."""

    what: str
    mend: Callable[[], object] | None = None


class Mark(Protocol):
    """The mark of a line whose letters are being sent. It holds a word for each letter,
    or copy of one, that has been dealt with; it is `kept` where others wait."""

    kept: bool

    def __contains__(self, word: str) -> bool: ...

    def add(self, word: str) -> None:
        """Note that a letter, or a copy, has been dealt with."""


class Marks(Protocol):
    """The marks of lines whose letters have not all been sent."""

    def is_unsent(self, folder: str, name: str, line: int) -> bool:
        """Whether letters about a line of a document's log are marked as unsent."""

    def unsent(self, folder: str) -> Mapping[str, list[int]]:
        """All marks of a folder: the lines, ascending, by the names of documents."""

    def times(self, folder: str) -> list[float]:
        """When the marks of a folder were made, in seconds of the epoch, ascending."""

    def sending(
        self, folder: str, name: str, line: int
    ) -> AbstractContextManager[Mark | None]:
        """The mark of a line whose letters are ours to send; None where there is no
        mark, or somebody else sends them. It goes when the block ends well, unless it
        is to be kept; it stays when the block fails, or the process or the machine
        dies."""


class Mails(Protocol):
    """Whole mails in folders, put there once and never changed."""

    def keep(self, folder: str, filename: str, content: bytes) -> None:
        """Put a mail that strangers can have made, durably. Beyond a number and a size
        the oldest go; the newest stays."""

    def is_full(self, folder: str) -> bool:
        """Whether the oldest mail in a folder would go if one more were kept."""

    def mails(self, folder: str) -> list[str]:
        """The filenames of the mails in a folder, the oldest first."""

    def read(self, folder: str, filename: str) -> bytes | None:
        """A mail; None where somebody has collected it."""

    def remove(self, folder: str, filename: str) -> None:
        """Remove a mail, if it is still there."""

    def sweep(self, folder: str) -> None:
        """Remove what was left half written when a process died."""

    def times(self, folder: str) -> list[float]:
        """When the mails in a folder were put there, in seconds of the epoch,
        ascending."""


class Counters(Protocol):
    """What is counted by the hour, or by another time. It need not be durable."""

    def count(self, folder: str, hour: str, name: str) -> int:
        """Count a name once more in an hour; how often it had been counted before."""

    def count_of(self, folder: str, hour: str, name: str) -> int:
        """How often a name has been counted in an hour, at least."""

    def claim(
        self, folder: str, hour: str, claims: Mapping[str, tuple[int, int]]
    ) -> bool:
        """Count each of these names so many times more in an hour, the first number,
        unless one of them would be counted more often than its limit, the second;
        whether they were counted."""


class Index(Protocol):
    """Questions about all boards. Where it cannot answer now, it raises Unusable, and
    the boards are read instead."""

    def select(self, wanted: Wanted) -> list[Entry]:
        """The entries of the boards that are wanted, and of all damaged ones of these
        games, in the order of the games and of the numbers."""

    def history(self, game: str, after: tuple[str, int]) -> History:
        """The endings of a game, and which of them came after that time and board."""

    def tallies(self, game: str) -> dict[str, Counter[int]]:
        """For each player, in how many games how many players shared the first place
        with them, themselves included; 0 counts the games they lost."""

    def seen(self, players: Iterable[str]) -> dict[str, str]:
        """When each of these players was last heard of on a board; empty for never."""

    def scan(self, anew: bool, progress: Progress) -> None:
        """Find what was changed by hand; `anew` derives all from the documents."""


class Store(Protocol):
    """The documents of a server. `patience` is how many seconds a command waits for a
    lock."""

    patience: float

    # Reading: needs no lock, and always sees a whole document

    def find(
        self, folder: str, name: str, known: Hashable | None = None
    ) -> Document | None:
        """A document, without its text if its revision is the one that is `known`; None
        if there is no such document. It may be damaged: the text is not read. Raises
        CorruptFile where there cannot be a text."""

    def names(self, folder: str) -> list[str]:
        """The names of the documents in a folder, in no order."""

    def latest(self, folders: Iterable[str], most: int) -> list[tuple[str, str]]:
        """The `most` documents of these folders that were changed last, the latest at
        the end."""

    def exists(self, folder: str, name: str) -> bool:
        """Whether there is such a document, which may be damaged."""

    def lost(self, folder: str) -> list[str]:
        """The names of the documents that a folder once had and has no more."""

    def is_lost(self, folder: str, name: str) -> bool:
        """Whether a folder once had that document, and has it no more."""

    # Writing: under the document's lock

    def lock(self, folder: str, name: str) -> AbstractContextManager[None]:
        """Hold a document's lock; there need be no such document yet. Locks inside
        locks are one transaction: what is saved in the outermost block counts when that
        has ended well."""

    def save(
        self, folder: str, name: str, data: Any, unsent: int | None = None
    ) -> Hashable:
        """Replace a document, durably, with these data as strict YAML, and mark a
        line's letters as unsent in the same commit; its new revision. What lists know
        of a board follows from its data."""

    def next_number(self, game: str) -> int:
        """A number for the next board that no board has had, not even one that is
        gone. To be asked under the lock of the game's `new`."""

    def sync(self, folder: str, name: str) -> None:
        """Make sure that a document as it is now lasts, whoever saved it."""

    # What belongs to the documents

    @property
    def marks(self) -> Marks:
        """The marks of letters that have not been sent."""

    @property
    def kept(self) -> Mails:
        """The mails that wait, cannot be delivered or cannot be read."""

    @property
    def counters(self) -> Counters:
        """What is counted by the hour."""

    def index(self, read: Callable[[str, int], Entry | None]) -> Index:
        """The index of all boards. `read` gives the entry of a board as its document
        has it, None for one that is in no list."""

    def key(self) -> bytes:
        """The server's key, made when it is first needed. Raises CorruptFile."""

    def note(self, name: str) -> str:
        """A line that was noted for the owner under this name; empty if there is
        none."""

    def put_note(self, name: str, text: str) -> None:
        """Note a line for the owner, or forget it (an empty one)."""

    def now(self) -> str:
        """The present time, `2026-11-20T04:12:33Z`, by the store's own clock."""

    def upgrade(self) -> None:
        """Bring what the store is kept in to the version of this program. Raises
        StoreTrouble where that is not allowed."""

    def faults(self) -> Iterator[Fault]:
        """What is wrong with what is kept beside the documents."""

    def close(self) -> None:
        """Let go of all that is open."""
