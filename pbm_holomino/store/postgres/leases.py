"""Leases of marks: which letters are ours to send, and for how long.

A commit that marks a line leases the mark to the process that commits, as it sends the
letters itself, if need be after a while: so it need not ask the database once more.
"""

from collections.abc import Sequence
from os import urandom
from threading import Lock
from time import monotonic
from typing import cast

from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call
from pbm_holomino.store.postgres.transactions import Answered

# Longer than it may take to send one letter (see `mail.transports`): to five addresses
# by sendmail, or by SMTP in a dozen steps, each of a minute at most.
LEASE_SECONDS = 1200
RENEWED_AFTER = 60.0
_MOST_MARKED = 1000  # lines whose letters a process has marked, but not sent

Marked = tuple[str, str, int]  # the folder, name and line of a mark
_Values = tuple[str, str, int, str, str]  # the line, who holds it, and for how long


class Lease(NamedTuple):
    """Who holds a mark, and when it was leased, by the clock of this process; 0.0 if
    nobody knows whether it was."""

    holder: str
    leased: float = 0.0

    @property
    def is_fresh(self) -> bool:
        """Whether it is known to be ours, and need not be renewed yet."""
        return bool(self.leased) and monotonic() - self.leased < RENEWED_AFTER


class Leases:
    """The leases of a process on the marks that it has made. Threads may share it."""

    def __init__(self) -> None:
        self._leases: dict[Marked, Lease] = {}
        self._alone: dict[tuple[str, str], int] = {}  # the only lines that are marked
        self._lock = Lock()

    def mark(self, marked: Marked) -> Call:
        """Mark a line's letters as unsent, and lease the mark. The end of the commit
        may be unknown: then we are still the one who may lease it."""
        with self._lock:
            lease = self._leases.pop(marked, None) or Lease(urandom(8).hex())
            self._leases[marked] = lease
            if len(self._leases) > _MOST_MARKED:
                del self._leases[next(iter(self._leases))]
        return Call(sql.MARK, (*marked, lease.holder, f"{LEASE_SECONDS}s"))

    def committed(self, written: Answered) -> None:
        """Learn from the answers to what was written which marks are leased."""
        for call, rows in written:
            if call.sql == sql.MARK:
                folder, name, line, holder, _ = cast(_Values, call.values)
                ((is_ours, is_alone),) = rows
                with self._lock:
                    if is_ours:
                        self._leases[folder, name, line] = Lease(holder, monotonic())
                    if is_alone:
                        self._alone[folder, name] = line

    def only_mark(self, folder: str, name: str, lines: Sequence[int]) -> bool:
        """Whether the last of these lines is known to be the only one of the document
        that was marked when it was saved. That is told once."""
        with self._lock:
            alone = self._alone.pop((folder, name), None)
        return bool(lines) and alone == lines[-1]

    def take(self, marked: Marked) -> Lease:
        """Our lease on a mark, or the one that we may ask for."""
        with self._lock:
            self._alone.pop(marked[:2], None)
            return self._leases.pop(marked, None) or Lease(urandom(8).hex())

    def leave(self) -> list[tuple[str, str, int, str]]:
        """The marks that are leased to us and that we have not dealt with, with their
        holders: others are to have them."""
        with self._lock:
            leases, self._leases = self._leases, {}
        return [
            (*marked, lease.holder) for marked, lease in leases.items() if lease.leased
        ]
