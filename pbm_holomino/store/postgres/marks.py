"""Marks of letters that have not all been sent: a row for each line.

Whoever sends the letters leases the mark: the row says who holds it, and until when.
No transaction is open while letters are sent.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import urandom
from time import monotonic

from pbm_holomino.errors import Busy, StoreTrouble
from pbm_holomino.store.contract import last
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call, Row
from pbm_holomino.store.postgres.leases import LEASE_SECONDS, RENEWED_AFTER, Leases
from pbm_holomino.store.postgres.pool import Pool


class Mark:
    """A mark that we have `leased`, when this process's clock said so (see
    `contract.Mark`)."""

    def __init__(
        self, pool: Pool, row: tuple[str, str, int, str], done: str, leased: float
    ) -> None:
        self.kept = False
        self._pool = pool
        self._row = row  # the folder, the name, the line, and who holds it
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

    def remove(self) -> None:
        """All its letters have been dealt with."""
        self._run(Call(sql.UNMARK, self._row))

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
    the marks that are ours."""

    def __init__(
        self, pool: Pool, ask: Callable[..., list[Row]], leases: Leases
    ) -> None:
        self._pool = pool
        self._ask = ask
        self._leases = leases

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
            mark.remove()

    @contextmanager
    def flushing(self, folder: str) -> Iterator[None]:
        """Lease all mails of a folder (see `contract.Store`)."""
        row = (folder, "flush", 0, urandom(8).hex())
        (rows,) = self._pool.run([Call(sql.HOLD, (*row, f"{LEASE_SECONDS}s"))])
        if not rows:
            raise Busy(f"{folder} flush is busy: please try again later.")
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
