"""Marks of letters that have not all been sent: a row for each line.

Whoever sends the letters leases the mark: the row says who holds it, and until when.
No transaction is open while letters are sent.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import urandom
from threading import Lock, Timer
from time import monotonic

from pbm_holomino.errors import StoreTrouble, busy
from pbm_holomino.store.contract import last
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call, Row
from pbm_holomino.store.postgres.leases import LEASE_SECONDS, RENEWED_AFTER, Leases
from pbm_holomino.store.postgres.pool import Pool

Held = tuple[str, str, int, str]  # the folder, the name, the line, and who holds it


class Removals:
    """Removes marks whose letters have all been sent: at once, or those of so many
    seconds together, which costs the database less. Should the process die before, the
    letters are sent again."""

    def __init__(self, pool: Pool, seconds: float) -> None:
        self._pool = pool
        self._seconds = seconds
        self._lock = Lock()
        self._removing = Lock()
        self._marks: list[Held] = []
        self._timer: Timer | None = None

    def add(self, mark: Held) -> None:
        """Remove a mark, soon."""
        with self._lock:
            self._marks.append(mark)
            if self._seconds and self._timer is None:
                self._timer = Timer(self._seconds, self._due)
                self._timer.daemon = True
                self._timer.start()
        if not self._seconds:
            self.finish()

    def _due(self) -> None:
        with suppress(StoreTrouble):  # it goes with the next ones, or its lease ends
            self.finish()

    def finish(self) -> None:
        """Remove all that are to be removed, and wait for those that another thread
        removes."""
        with self._removing:
            with self._lock:
                marks, self._marks = self._marks, []
                timer, self._timer = self._timer, None
            if timer is not None:
                timer.cancel()
            if marks:
                self._remove(marks)

    def _remove(self, marks: list[Held]) -> None:
        try:
            self._pool.run([Call(sql.UNMARK, mark) for mark in marks])
        except StoreTrouble:
            if self._seconds:
                with self._lock:
                    self._marks = [*marks, *self._marks]
            raise


class Mark:
    """A mark that we have `leased`, when this process's clock said so (see
    `contract.Mark`)."""

    def __init__(self, pool: Pool, row: Held, done: str, leased: float) -> None:
        self.kept = False
        self._pool = pool
        self._row = row
        self._done = done.splitlines()
        self._leased = leased

    def __contains__(self, word: str) -> bool:
        return word in self._done

    def add(self, word: str) -> None:
        """Note that a letter, or a copy, has been dealt with."""
        self._done.append(word)
        if monotonic() - self._leased > RENEWED_AFTER:
            self._run(Call(sql.RENEW, (*self._row, self._text, f"{LEASE_SECONDS}s")))
            self._leased = monotonic()

    @property
    def row(self) -> Held:
        """Which mark it is, and who holds it."""
        return self._row

    def release(self) -> None:
        """Let others send those letters that wait."""
        self._run(Call(sql.RELEASE, (*self._row, self._text)))

    @property
    def _text(self) -> str:
        return "\n".join(self._done)

    def _run(self, call: Call) -> None:
        self._pool.run([call])


class Marks:
    """The marks in the database. `ask` puts one statement to it, and `leases` knows
    the marks that are ours. Those that are done are removed with all others of `late`
    seconds."""

    def __init__(
        self,
        pool: Pool,
        ask: Callable[..., list[Row]],
        leases: Leases,
        late: float = 0,
    ) -> None:
        self._pool = pool
        self._ask = ask
        self._leases = leases
        self._removals = Removals(pool, late)

    def finish(self) -> None:
        """Remove the marks that are still to be removed, and leave to others those
        whose letters have not been begun."""
        self._removals.finish()
        if left := self._leases.leave():
            with suppress(StoreTrouble):  # the leases end by themselves
                self._pool.run([Call(sql.RELEASE, (*row, "")) for row in left])

    def is_unsent(self, folder: str, name: str, line: int) -> bool:
        """Whether letters about a line are marked as unsent."""
        return bool(self._ask(sql.IS_MARKED, folder, name, line))

    def at_end(self, folder: str, name: str, lines: Sequence[int]) -> list[int]:
        """Those at the end of these lines that are marked (see `contract.Marks`)."""
        if self._leases.only_mark(folder, name, lines):
            return [lines[-1]]
        marked = {line for (line,) in self._ask(sql.MARKED, folder, name)}
        return last(lines, marked.__contains__)

    def unsent(self, folder: str) -> dict[str, list[int]]:
        """All marks of a folder: the lines, ascending, by the names of documents."""
        marks: dict[str, list[int]] = {}
        for name, line in self._ask(sql.MARKS, folder):
            marks.setdefault(name, []).append(line)
        return marks

    def times(self, folder: str) -> list[float]:
        """When the marks of a folder were made, in seconds of the epoch, ascending."""
        return [made for (made,) in self._ask(sql.MARKED_AT, folder)]

    def left(
        self, folders: Iterable[str], most: int, seldom: bool = False
    ) -> list[tuple[str, str]]:
        """Some documents with marks that nobody has leased (see `contract.Marks`)."""
        return [
            (folder, name) for folder, name in self._ask(sql.LEFT, [*folders], most)
        ]

    @contextmanager
    def sending(self, folder: str, name: str, line: int) -> Iterator[Mark | None]:
        """The mark of a line whose letters are ours to send (see `contract.Marks`)."""
        mark = self._leased(folder, name, line)
        try:
            yield mark
        except BaseException:
            if mark is not None:
                with suppress(StoreTrouble):  # the lease ends by itself
                    mark.release()
            raise
        if mark is not None and mark.kept:
            mark.release()
        elif mark is not None:
            self._removals.add(mark.row)

    @contextmanager
    def flushing(self, folder: str) -> Iterator[None]:
        """Lease all mails of a folder (see `contract.Store`)."""
        row = (folder, "flush", 0, urandom(8).hex())
        (rows,) = self._pool.run([Call(sql.HOLD, (*row, f"{LEASE_SECONDS}s"))])
        if not rows:
            raise busy(f"{folder} flush")
        try:
            yield
        finally:
            self._pool.run([Call(sql.UNMARK, row)])

    def _leased(self, folder: str, name: str, line: int) -> Mark | None:
        lease = self._leases.take((folder, name, line))
        row = (folder, name, line, lease.holder)
        if lease.is_fresh:
            return Mark(self._pool, row, "", lease.leased)
        (rows,) = self._pool.run([Call(sql.LEASE, (*row, f"{LEASE_SECONDS}s"))])
        return Mark(self._pool, row, rows[0][0], monotonic()) if rows else None
