"""A store of files that is closed to writers: the file `closed` says why.

Whoever locks a document, or holds a mark to send its letters, looks for that file
afterwards. So whoever has made it and then finds a lock free knows that the next
holder will see it.
"""

import os
import time
from collections.abc import Callable, Iterator

from pbm_holomino.errors import Busy
from pbm_holomino.match import ledgers
from pbm_holomino.store import closing
from pbm_holomino.store.contract import OTHER_FOLDERS, Closed
from pbm_holomino.store.files.closed import refusal
from pbm_holomino.store.files.disk import take
from pbm_holomino.store.files.folders import CLOSED, READING, WRITING, Folders
from pbm_holomino.store.files.spool import Spool

_LOCK = "closed.lock"  # held by the process that has made the file
_POLL_SECONDS = 0.01


class Closing:
    """What one process may do to a closed store."""

    def __init__(self, folders: Folders, patience: float) -> None:
        self._folders = folders
        self._patience = patience
        self._held: int | None = None  # the lock of the process that has closed it

    def check(self) -> None:
        """Raise StoreTrouble for a store that is closed, unless we have closed it."""
        if self._held is None:
            raise refusal(self._folders)

    def close(self, closed: Closed) -> None:
        """Close the store, and wait for those who write."""
        self._take()
        Spool(self._folders).put("", CLOSED, closing.format_closed(closed).encode())
        try:
            self._wait_for_writers()
        except Busy:
            self.open()
            raise

    def open(self) -> None:
        """Open the store again."""
        self._take()
        Spool(self._folders).remove("", CLOSED)
        self._folders.sync("")
        self.let_go()

    def let_go(self) -> None:
        """Leave it as it is."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def _take(self) -> None:
        """Make sure that no other process has closed the store and is still there."""
        if self._held is not None:
            return
        with WRITING:
            self._folders.make("")
            held = os.open(self._folders.path(_LOCK), os.O_RDWR | os.O_CREAT, 0o600)
        if not take(held):
            os.close(held)
            raise closing.being_copied()
        self._held = held

    def _wait_for_writers(self) -> None:
        """Wait until every lock, and every mark, has been free for a moment."""
        end = time.monotonic() + self._patience
        for path in self._locks(".lock"):
            if not _was_free(path, end):
                raise Busy(f"{path} is held by a command that still runs.")
        for path in self._locks(".unsent"):
            if not _was_free(path, end):
                raise closing.letters_leave()

    def _locks(self, kind: str) -> Iterator[str]:
        for folder in (*ledgers.folders(), *OTHER_FOLDERS):
            for filename in self._folders.filenames(folder):
                if filename.endswith(kind):
                    yield self._folders.path(folder, filename)
        if kind == ".lock":
            yield self._folders.path("key.lock")


def _was_free(path: str, end: float) -> bool:
    """Whether nobody held a file locked at some moment before the end."""
    with READING:
        try:
            fd = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            return True
        try:
            return _until(end, lambda: take(fd) or not os.fstat(fd).st_nlink)
        finally:
            os.close(fd)


def _until(end: float, is_so: Callable[[], bool]) -> bool:
    while not is_so():
        if time.monotonic() >= end:
            return False
        time.sleep(_POLL_SECONDS)
    return True
