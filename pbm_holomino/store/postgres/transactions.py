"""Transactions: the documents that are locked, and what is saved under their locks.

A lock begins with the first thing that is asked under it: the first exchange with the
database begins the transaction, locks the rows and reads them; what is saved goes with
the last one, which commits.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from pbm_holomino import rules
from pbm_holomino.errors import Busy, TryLater, busy
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store import closing
from pbm_holomino.store.contract import PLAYERS, Document
from pbm_holomino.store.postgres import schema
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call, Connection, Row
from pbm_holomino.store.postgres.pool import Pool

Name = tuple[str, str]  # the folder and the name of a document
Answered = Sequence[tuple[Call, list[Row]]]  # statements, each with its answer


class Moment(NamedTuple):
    """A time by the database's clock, in seconds of the epoch, and when we learnt
    it."""

    time: float
    learnt: float  # by the clock of this process

    @classmethod
    def of(cls, time: float) -> "Moment":
        """A time that we learn just now."""
        return cls(time, monotonic())

    @property
    def age(self) -> float:
        """How many seconds ago we learnt it."""
        return monotonic() - self.learnt

    @property
    def now(self) -> float:
        """The time by the database's clock now."""
        return self.time + self.age


class Held(NamedTuple):
    """What the row of a locked document holds: the document, if there is one, and what
    lists know of it by now."""

    document: Document | None
    sign: int | None = None
    seated: str = ""


class Transaction:
    """What is done under locks, in one transaction, which begins when it must. A lock
    is waited for `patience` seconds, the commit `commit_wait` seconds. `learn` is told
    the time by the database's clock, and `committed` what was written, when that is
    known to last. If the store is closed to writers, nothing can be locked unless it
    `is_ours`."""

    def __init__(
        self,
        pool: Pool,
        patience: float,
        commit_wait: float,
        learn: Callable[[Moment], None],
        committed: Callable[[Answered], None],
        is_ours: bool = False,
    ) -> None:
        self._pool = pool
        self._patience = patience
        self._commit_wait = commit_wait
        self._learn = learn
        self._committed = committed
        self._is_ours = is_ours
        self._connection: Connection | None = None
        self._failed: TryLater | None = None
        self._wanted: list[Name] = []  # to be locked with whatever comes next
        self._held: dict[Name, Held] = {}
        self._writes: list[Call] = []
        self._following: list[Call] = []
        self._written: list[tuple[Call, list[Row]]] = []

    def lock(self, name: Name) -> None:
        """Lock a document before anything else is done."""
        if name not in self._held and name not in self._wanted:
            # everybody takes locks in the same order, or two may wait for each other
            assert all(order(name) > order(other) for other in self._held)
            self._wanted.append(name)

    def held(self, name: Name, known: bytes | None = None) -> Held | None:
        """What a locked document holds, without its text if it is the revision that is
        `known`; None if it is not locked."""
        self.take_locks(name, known)
        found = self._held.get(name)
        if found is None or found.document is None:
            return found
        document = found.document
        if document.text is None and document.revision != known:
            ((row,),) = self._run([Call(sql.FIND, (*name, None))])
            self._held[name] = found._replace(document=Document(*row))
        return self._held[name]

    def hold(self, name: Name) -> Held:
        """Lock a document; what it holds, perhaps without its text."""
        self.lock(name)
        self.take_locks()
        return self._held[name]

    def write(self, writes: Iterable[Call]) -> None:
        """Have the commit write this."""
        self._writes += writes

    def follow(self, call: Call) -> None:
        """Have a statement follow the commit, which counts even if this fails."""
        if call not in self._following:
            self._following.append(call)

    def put(self, name: Name, held: Held, writes: Iterable[Call]) -> None:
        """Have the commit write this; it makes a locked document hold something else
        from now on."""
        self._held[name] = held
        self.write(writes)

    def ask(self, calls: Sequence[Call]) -> list[list[Row]]:
        """The answers to these statements, under the locks, after all that was
        written."""
        self.take_locks()
        return self._written_with(calls)

    def commit(self) -> None:
        """Write what was put, and end the transaction. Raises Again where nobody knows
        whether it counts."""
        if self._failed:
            self.roll_back()
            raise self._failed
        if self._writes:
            self.take_locks()
        if not self._writes and not self._written:
            self.roll_back()
            return
        expected, later = self._pool.expected(), self._pool.to_do_later()
        then = (*expected, *self._following, *later)
        try:
            commit = [Call(sql.COMMIT)]
            (_, *answers) = self._written_with(commit, self._commit_wait, then)
        except BaseException:
            self._pool.do_later(later)
            raise
        finally:
            self.roll_back()
        self._pool.learn(expected, answers)
        self._committed(self._written)

    def roll_back(self) -> None:
        """End the transaction, undone if it is still open."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._pool.give_back(connection)

    # Locks

    def take_locks(
        self, reader_of: Name | None = None, known: bytes | None = None
    ) -> None:
        """Lock what is to be locked. A reader may know a revision of one of them."""
        wanted, self._wanted = sorted(self._wanted, key=order), []
        if not wanted and self._connection is not None:
            return
        calls = [
            self._lock(name, known if name == reader_of else None) for name in wanted
        ]
        try:
            answers = self._run(calls)
            missing = [
                name for name, rows in zip(wanted, answers, strict=True) if not rows
            ]
            for name in missing:
                add = Call(sql.ADD, name)
                answers[wanted.index(name)] = self._run([add, self._lock(name)])[1]
        except Busy:
            raise busy(" ".join(wanted[-1])) from None
        for name, rows in zip(wanted, answers, strict=True):
            ((revision, text, sign, seated, time, closed, version),) = rows
            if closed is not None and not self._is_ours:
                self._failed = closing.refusal(closing.parse_closed(closed))
                raise self._failed
            if version != schema.CURRENT:
                self._failed = schema.unfit(version)
                raise self._failed
            document = None if revision is None else Document(revision, text)
            self._held[name] = Held(document, sign, seated or "")
            self._learn(Moment.of(time))

    def _lock(self, name: Name, known: bytes | None = None) -> Call:
        values = (*name, known, _milliseconds(self._patience))
        return Call(sql.LOCK, values, self._patience)

    # Exchanges with the database

    def _written_with(
        self,
        calls: Sequence[Call],
        within: float | None = None,
        then: Sequence[Call] = (),
    ) -> list[list[Row]]:
        """Write what was put; the answers to the statements that follow it."""
        writes, self._writes = self._writes, []
        answers = self._run([*writes, *calls], within, then)
        self._written += zip(writes, answers, strict=False)
        return answers[len(writes) :]

    def _run(
        self,
        calls: Sequence[Call],
        within: float | None = None,
        then: Sequence[Call] = (),
    ) -> list[list[Row]]:
        """The answers to statements, the first of which begin the transaction, and to
        what comes `then`, after the last of them has ended it."""
        if self._failed:
            raise self._failed
        try:
            if self._connection is not None:
                return self._connection.run(calls, within, then)
            begin = [Call(sql.BEGIN)]
            if not calls or calls[0].sql != sql.LOCK:  # which limits the transaction
                begin.append(limit(self._patience))
            self._connection, answers = self._pool.start([*begin, *calls], within)
            return answers[len(begin) :]
        except TryLater as error:  # whoever goes on all the same does not get far
            self._failed = error
            raise


def limit(patience: float) -> Call:
    """Have the transaction wait for each lock so many seconds at most."""
    return Call(sql.LIMIT, (_milliseconds(patience),), patience)


def _milliseconds(seconds: float) -> str:
    """How long to wait, as PostgreSQL reads it, to which 0 would mean for ever."""
    return f"{max(1, round(1000 * seconds))}ms"


def order(name: Name) -> tuple[int, str, int, str]:
    """The order in which documents are locked: what is of no folder, accounts by name,
    then boards by number, a new one before all others of its game, then the rest."""
    folder, word = name
    ranks = {"": 0, PLAYERS: 1, **dict.fromkeys(rules.names(), 2)}
    number = int(word) if is_number(word) else 0
    return ranks.get(folder, 3), folder, number, word


class Transactions:
    """The transaction of each thread, if one is open."""

    def __init__(self, begin: Callable[[], Transaction]) -> None:
        self._begin = begin
        self._threads = threading.local()

    @property
    def open(self) -> Transaction | None:
        """The transaction of this thread."""
        found: Transaction | None = getattr(self._threads, "open", None)
        return found

    @contextmanager
    def joined(self) -> Iterator[Transaction]:
        """The transaction of this thread, which this block is a part of; one that is
        begun here is committed if the block ends well."""
        found = self.open
        if found is not None:
            yield found
            return
        begun = self._threads.open = self._begin()
        try:
            yield begun
            begun.commit()
        except BaseException:
            begun.roll_back()
            raise
        finally:
            self._threads.open = None
