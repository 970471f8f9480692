"""Marks of letters that have not all been sent: a row for each line.

Whoever sends the letters leases the mark: the row says who holds it, and until when.
No transaction is open while letters are sent.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import urandom
from time import monotonic

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.contract import last
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call, Row
from pbm_holomino.store.postgres.pool import Pool

# Longer than it may take to send one letter (see `mail.ways`): to five addresses by
# sendmail, or by SMTP in a dozen steps, each of a minute at most.
LEASE_SECONDS = 1200
_RENEWED_AFTER = 60.0


class Mark:
    """A mark that we have leased (see `contract.Mark`)."""

    def __init__(self, pool: Pool, row: tuple[str, str, int, str], done: str) -> None:
        self.kept = False
        self._pool = pool
        self._row = row  # the folder, the name, the line, and who holds it
        self._done = done.splitlines()
        self._leased = monotonic()

    def __contains__(self, word: str) -> bool:
        return word in self._done

    def add(self, word: str) -> None:
        """Note that a letter, or a copy, has been dealt with."""
        self._done.append(word)
        if monotonic() - self._leased > _RENEWED_AFTER:
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
    """The marks in the database. `ask` puts one statement to it."""

    def __init__(self, pool: Pool, ask: Callable[..., list[Row]]) -> None:
        self._pool = pool
        self._ask = ask

    def is_unsent(self, folder: str, name: str, line: int) -> bool:
        """Whether letters about a line are marked as unsent."""
        return bool(self._ask(sql.IS_MARKED, folder, name, line))

    def at_end(self, folder: str, name: str, lines: Sequence[int]) -> list[int]:
        """Those at the end of these lines that are marked (see `contract.Marks`)."""
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

    def _leased(self, folder: str, name: str, line: int) -> Mark | None:
        row = (folder, name, line, urandom(8).hex())
        lease = Call(sql.LEASE, (*row, f"{LEASE_SECONDS}s"))
        (rows,) = self._pool.run([lease])
        return Mark(self._pool, row, rows[0][0]) if rows else None
