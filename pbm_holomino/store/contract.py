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
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Protocol

from pbm_holomino.named_tuples import NamedTuple

if TYPE_CHECKING:
    from pbm_holomino.store.endings import History
    from pbm_holomino.store.search import Entry, Wanted

PLAYERS = "players"  # the folder of the accounts; each game has one of its own
RATINGS = "ratings"  # the folder of the ratings, a document for each game
REVIEWS = "reviews"  # the folder of the reviews of boards
TOURNAMENTS = "tournaments"  # the folder of the tournaments, by their numbers
FETCH = "fetch"  # the folder of what is known of the mailbox that is fetched from
WELCOMES = "welcomes"  # the folder of what is known of strangers who have written
SHELVES = "shelves"  # the folder of how much each player has kept in notes
# The folders of what is derived, or remembered: no ledgers are in them.
OTHER_FOLDERS = (RATINGS, REVIEWS, FETCH, WELCOMES, SHELVES)

# The folders of mails that are kept whole.
WAITING = "waiting"  # letters that could not leave and cannot be written again
UNDELIVERABLE = "undeliverable"  # letters that were refused for good
QUARANTINE = "quarantine"  # mails that nobody can read, for the owner to look at
JOBS = "lessons"  # what players have asked the robots for
ASKED = "asked"  # how the mails were answered that have asked for it
HINTS = "hints"  # what they have advised
NOTICES = "notices"  # turns of which players are to be told besides letters
KEPT = (WAITING, UNDELIVERABLE, QUARANTINE, JOBS, ASKED, HINTS, NOTICES)

# The notes for the owner: why letters could not leave; since when some wait because of
# the limit on letters in a day; and that needed ones are among them; and which robot
# last came to no move.
WHY_WAITING, LIMITED_SINCE, LIMITED = "waiting.why", "limit.since", "limit.needed"
ROBOTS_FAILED = "robots.failed"
NOTES = (WHY_WAITING, LIMITED_SINCE, LIMITED, ROBOTS_FAILED)

# What the owner's commands remember of the store in which they ran: when pbm tick and
# pbm flush last came to their end, when the owner was last told that no mail could be
# fetched, and how many boards of format 1 pbm check has named.
TICKED_AT, FLUSHED_AT = "tick", "flush"
OUTAGE = "outage"  # until when no clock runs out, as ticks have not come for a while
MAILBOX_TOLD, OLD_BOARDS = "mailbox-told", "old-boards"

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


class Closed(NamedTuple):
    """Since when a store has been closed to writers, and why, in words that follow
    "as". If it is a copy that is not complete, `source` tells its source from
    others."""

    since: str
    why: str
    source: str = ""


class Title(NamedTuple):
    """What a piece of a store is: one of the kinds below, by its folder and name."""

    kind: str
    folder: str
    name: str


# The kinds of pieces, each with its folder and name. Everything else is derived, or
# need not last.
DOCUMENT = "document"
GREATEST = "greatest"  # a folder: the greatest number that a board there has had
OPENED = "opened"  # a game and a number that has hidden the example with it
MARK = "mark"  # a document's folder, and its name and a line as `12.7`
MAIL = "mail"
NOTE = "note"
KEY = "key"  # the server's


class Piece(NamedTuple):
    """A piece of a store, as it is copied from one to another: what it holds, and when
    it was put there, in microseconds of the epoch (0 where nobody asks)."""

    title: Title
    content: bytes
    time: int = 0


class Mark(Protocol):
    """The mark of a line whose letters are being sent. It holds a word for each letter,
    or copy of one, that has been dealt with; it is `kept` where others wait."""

    kept: bool

    def __contains__(self, word: str) -> bool: ...

    def add(self, word: str) -> None:
        """Note that a letter, or a copy, has been dealt with."""


def last(lines: Sequence[int], is_marked: Callable[[int], bool]) -> list[int]:
    """Those at the end of these lines that are marked, in their order."""
    return list(takewhile(is_marked, reversed(lines)))[::-1]


class Marks(Protocol):
    """The marks of lines whose letters have not all been sent."""

    def is_unsent(self, folder: str, name: str, line: int) -> bool:
        """Whether letters about a line of a document's log are marked as unsent."""

    def at_end(self, folder: str, name: str, lines: Sequence[int]) -> list[int]:
        """Those at the end of these lines whose letters are marked as unsent, in their
        order."""

    def unsent(self, folder: str) -> Mapping[str, list[int]]:
        """All marks of a folder: the lines, ascending, by the names of documents."""

    def times(self, folder: str) -> list[float]:
        """When the marks of a folder were made, in seconds of the epoch, ascending."""

    def left(
        self, folders: Iterable[str], most: int, seldom: bool = False
    ) -> list[tuple[str, str]]:
        """Some documents of these folders, at most so many, with marks that somebody
        has left behind; but none that takes long to find, unless that is asked
        seldom."""

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

    def times(self, folder: str) -> dict[str, float]:
        """When each of the mails in a folder was put there, in seconds of the epoch, by
        its filename; the oldest first."""


class Claim(NamedTuple):
    """A name that is held in an hour (see `Counters.hold`), up to a limit."""

    folder: str
    hour: str
    name: str
    most: int


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
        whether they were counted. Nobody else claims anything between the two."""

    def hold(self, folder: str, hour: str, limits: Mapping[str, int]) -> "Held | None":
        """Hold these names until it is known whether they are to be counted. None if
        one of them is counted and held as often as its limit."""

    def is_used_up(self, folder: str, hour: str, limits: Mapping[str, int]) -> bool:
        """Whether one of these names is counted as often as its limit, without what is
        held."""


class Held(Protocol):
    """Names that are held. Those of a process that dies are released, or counted."""

    def count(self) -> None:
        """Count the names, and hold them no more."""

    def release(self) -> None:
        """Hold the names no more."""


class Bell(Protocol):
    """Rings soon after boards have changed, whoever has changed them. It may miss one:
    no board waits for it."""

    def fileno(self) -> int:
        """The file that becomes readable when it rings."""

    def hear(self) -> None:
        """Take in that it has rung. Raises StoreTrouble if it rings no more."""

    def close(self) -> None:
        """Listen no more."""


class Index(Protocol):
    """Questions about all boards. Where it cannot answer now, it raises Unusable, and
    the boards are read instead."""

    def select(self, wanted: "Wanted") -> "list[Entry]":
        """The entries of the boards that are wanted, and of all damaged ones of these
        games, in the order of the games and of the numbers."""

    def history(self, game: str, after: tuple[str, int]) -> "History":
        """The endings of a game, and which of them came after that time and board."""

    def tallies(self, game: str) -> dict[str, Counter[int]]:
        """For each player, in how many games how many players shared the first place
        with them, themselves included; 0 counts the games they lost."""

    def seen(self, players: Iterable[str]) -> dict[str, str]:
        """When each of these players was last heard of on a board; empty for never."""

    def finished(self, players: Iterable[str], by: str) -> set[str]:
        """Those of these players who have finished a game by score by this time."""

    def scan(self, anew: bool, progress: Progress) -> None:
        """Find what was changed by hand; `anew` derives all from the documents."""


class Store(Protocol):
    """The documents of a server. `patience` is how many seconds a command waits for a
    lock, and `noun` what a document is called here: a file, perhaps."""

    patience: float
    noun: str

    # Reading: needs no lock, and always sees a whole document

    def find(
        self, folder: str, name: str, known: Hashable | None = None
    ) -> Document | None:
        """A document, without its text if its revision is the one that is `known`; None
        if there is no such document. It may be damaged: the text is not read. Raises
        CorruptFile where there cannot be a text."""

    def expect(
        self,
        documents: Iterable[tuple[str, str, Hashable | None]] = (),
        claim: "Claim | None" = None,
    ) -> None:
        """Be told what this thread will probably ask for after something else, such as
        the commit of what it saves now: a store that is far away does both at once. It
        finds these documents, each a folder, a name and the revision that is known,
        and no other ones; and it holds this name in an hour."""

    def settle(self) -> None:
        """Called at the end of a command of this thread: what was expected is
        forgotten, and others can hold what it has released."""

    def names(self, folder: str) -> list[str]:
        """The names of the documents in a folder, in no order."""

    def latest(self, folders: Iterable[str], most: int) -> list[tuple[str, str]]:
        """The `most` documents of these folders that were changed last, the latest at
        the end."""

    def revisions(self, boards: Sequence[Key]) -> Mapping[Key, Hashable]:
        """The revisions of those of these boards that there are, by one question."""

    def bell(self) -> Bell | None:
        """What rings when boards have changed; None where nothing does, so that
        somebody must look at them from time to time."""

    def exists(self, folder: str, name: str) -> bool:
        """Whether there is such a document, which may be damaged."""

    def lost(self, folder: str) -> list[str]:
        """The names of the documents that a folder once had and has no more."""

    def is_lost(self, folder: str, name: str) -> bool:
        """Whether a folder once had that document, and has it no more."""

    # Writing: under the document's lock

    def may_lock(self, folder: str, name: str) -> bool:
        """Whether a document's lock leaves nothing behind: there is such a document, or
        locks never do."""

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

    def remove(self, folder: str, name: str) -> None:
        """Remove a document that is derived from others, durably, if it is there."""

    def next_number(self, folder: str) -> int:
        """A number for the next board, or tournament, that none has had, not even one
        that is gone. To be asked under the lock of the folder's `new`."""

    def sync(self, folder: str, name: str) -> None:
        """Make sure that a document as it is now lasts, whoever saved it."""

    # What belongs to the documents

    def flushing(self, folder: str) -> AbstractContextManager[None]:
        """Keep others from sending the mails that are kept in a folder. Raises Busy
        where somebody else sends them."""

    @property
    def marks(self) -> Marks:
        """The marks of letters that have not been sent."""

    @property
    def kept(self) -> Mails:
        """The mails that wait, cannot be delivered or cannot be read."""

    @property
    def counters(self) -> Counters:
        """What is counted by the hour."""

    def index(self, read: "Callable[[str, int], Entry | None]") -> Index:
        """The index of all boards. `read` gives the entry of a board as its document
        has it, None for one that is in no list."""

    def key(self) -> bytes:
        """The server's key, made when it is first needed. Raises CorruptFile."""

    def note(self, name: str) -> str:
        """A line that was noted for the owner under this name; empty if there is
        none."""

    def put_note(self, name: str, text: str) -> None:
        """Note a line for the owner, or forget it (an empty one)."""

    def remembered(self, name: str) -> str:
        """What one of the owner's commands has remembered under this name; empty if
        nothing is. It is about this store: no copy of the store has it."""

    def remember(self, name: str, text: str) -> None:
        """Remember a line, until there is another one."""

    def now(self) -> str:
        """The present time, `2026-11-20T04:12:33Z`, by the store's own clock."""

    def upgrade(self) -> None:
        """Bring what the store is kept in to the version of this program. Raises
        StoreTrouble where that is not allowed."""

    def outdated(self) -> str:
        """What is here as an earlier version made it, and is made anew when it is used,
        in words that begin a sentence; empty if nothing is."""

    def faults(self) -> Iterator[Fault]:
        """What is wrong with what is kept beside the documents."""

    def size(self) -> int:
        """How many bytes it takes up on the disk."""

    # Copying

    def closed(self) -> Closed | None:
        """Whether writers are refused, and why; None if they are not."""

    def check_open(self) -> None:
        """Raise StoreTrouble if writers are refused. Locks, and whatever keeps a mail
        or lets letters be sent, make sure of it themselves."""

    def close_to_writers(self, why: str, source: str = "") -> None:
        """Refuse all writers but this process, and wait for those who are writing (see
        Closed). The store stays closed until it is opened again, even if this process
        dies. Raises Busy if another process has closed it and is still there."""

    def open_to_writers(self) -> None:
        """Let others write again. Raises Busy if another process has closed the store
        and is still there."""

    def titles(self) -> list[Title]:
        """What there is, documents first."""

    def pieces(self, titles: Sequence[Title]) -> list[Piece]:
        """The pieces with these titles, without those that are gone."""

    def put_pieces(self, pieces: Sequence[Piece]) -> None:
        """Put pieces of another store here, durably. The index must be made anew."""

    def clear(self) -> None:
        """Remove all pieces but the examples."""

    def close(self) -> None:
        """Let go of all that is open."""
