"""The store's files, by folder and name: read whole, locked, replaced durably.

A file is named by its folder and its name: `("holo", "12")` is `holo/12.yaml`.
Beside it is `12.lock`, which is never deleted (deleting it would split those who
wait for it).
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pbm_holomino.errors import Busy, StoreTrouble
from pbm_holomino.store import yaml
from pbm_holomino.store.damage import corrupt
from pbm_holomino.store.disk import begin_to_write_out, sync, written
from pbm_holomino.store.folders import READING, WRITING, Folders
from pbm_holomino.store.marks import Marks
from pbm_holomino.store.spool import Spool

if TYPE_CHECKING:
    from pbm_holomino.store.counters import Counters

POLL_SECONDS = 0.01  # from one look at a lock that is held to the next

# Locks the file at a path, waiting so many seconds at most: the function that lets go
# of it, or None after waiting in vain. What the disk refuses is raised as OSError.
Acquire = Callable[[str, float], Callable[[], object] | None]


class Stamp(NamedTuple):
    """Which file this is: each save makes a new one."""

    inode: int
    time: int  # of its last change of any kind, in nanoseconds
    size: int


def by_filelock(path: str, patience: float) -> Callable[[], object] | None:
    """Lock a file by the library filelock (see Acquire)."""
    # it is slow to load, and most commands only read
    from filelock import FileLock, Timeout

    held = FileLock(path, timeout=patience, mode=0o600)
    try:
        held.acquire(poll_interval=POLL_SECONDS)
    except Timeout:
        return None
    return held.release


class Store:
    """A folder of strict YAML files that people can read.

    `patience` is how many seconds a command waits for a lock. `spool` has the letters
    and copies in the store's folders, `marks` the marks of letters that are not sent,
    `counters` what is counted by the hour. What the disk refuses is raised as
    StoreTrouble.
    """

    def __init__(
        self,
        root: str,
        patience: float = 0,
        acquire: Acquire = by_filelock,
        spool: Spool | None = None,
        marks: Marks | None = None,
    ) -> None:
        self.root = root
        self.patience = patience
        self.folders = Folders(root)
        self.spool = spool or Spool(self.folders)
        self.marks = marks or Marks(self.folders)
        self._acquire = acquire

    @cached_property
    def counters(self) -> "Counters":
        from pbm_holomino.store.counters import Counters  # for mails only

        return Counters(self.folders)

    def path(self, *parts: str) -> str:
        """Where a file is. A folder of no name is the store itself."""
        return self.folders.path(*parts)

    # Reading: needs no lock, and always sees a whole file

    def names(self, folder: str) -> list[str]:
        """The names of the files in a folder, in no order."""
        return self._named(folder, ".yaml")

    def locked_once(self, folder: str) -> list[str]:
        """The names of the files in a folder that have had a lock, which stays."""
        return self._named(folder, ".lock")

    def was_locked(self, folder: str, name: str) -> bool:
        """Whether a file of that name has had a lock."""
        return self.folders.has(folder, f"{name}.lock")

    def _named(self, folder: str, kind: str) -> list[str]:
        found = self.folders.filenames(folder)
        return [entry.removesuffix(kind) for entry in found if entry.endswith(kind)]

    def exists(self, folder: str, name: str) -> bool:
        """Whether there is such a file, which may be damaged."""
        return self.folders.has(folder, f"{name}.yaml")

    def stamp(self, folder: str, name: str) -> Stamp | None:
        """What tells a file from all that were there before it; None where there is
        no such file."""
        with READING:
            try:
                found = os.stat(self.path(folder, f"{name}.yaml"))
            except FileNotFoundError:
                return None
            return Stamp(found.st_ino, found.st_ctime_ns, found.st_size)

    def stamps(self, folder: str) -> dict[str, Stamp]:
        """The stamps of all files in a folder, by their names."""
        found = {}
        for name in self.names(folder):
            stamp = self.stamp(folder, name)
            if stamp is not None:
                found[name] = stamp
        return found

    def read(self, folder: str, name: str) -> Any:
        """The data in a file; None where there is no such file. Raises CorruptFile."""
        text = self.text(folder, name)
        try:
            return None if text is None else yaml.load(text)
        except ValueError as error:
            raise corrupt(folder, name, error) from None

    def text(self, folder: str, name: str) -> bytes | None:
        """The bytes of a file, no more than can be loaded and one; None where there
        is no such file. Raises CorruptFile for a folder in its place."""
        with READING:
            try:
                with open(self.path(folder, f"{name}.yaml"), "rb") as file:
                    return file.read(yaml.MOST_BYTES + 1)
            except FileNotFoundError:
                return None
            except IsADirectoryError:
                raise corrupt(folder, name, "it is a folder") from None

    # Writing: under the file's lock

    @contextmanager
    def lock(self, folder: str, name: str) -> Iterator[None]:
        """Hold a file's lock. Raises Busy after waiting in vain."""
        with WRITING:
            self.folders.make(folder)
            release = self._acquire(self.path(folder, f"{name}.lock"), self.patience)
        if release is None:
            raise Busy(f"{folder} {name} is busy: please try again later.")
        try:
            yield
        finally:
            release()

    def save(
        self, folder: str, name: str, data: Any, unsent: int | None = None
    ) -> None:
        """Replace a file, durably, and mark a line's letters as unsent before: a mark
        whose line was never saved means nothing. It costs two fsyncs."""
        text = yaml.dump(data)
        if len(text) > yaml.MOST_BYTES:
            raise StoreTrouble(f"{folder}/{name}.yaml is full.")
        with WRITING:
            beside = self.path(folder, f"{name}.new")
            with written(beside, text) as fd:
                begin_to_write_out(fd)
                if unsent is not None:  # made while the disk is at work
                    self.marks.make(folder, name, unsent)
                os.fsync(fd)
            os.rename(beside, self.path(folder, f"{name}.yaml"))
            sync(self.path(folder))

    def sync(self, folder: str) -> None:
        """Make the names in a folder durable, also those that another process gave
        before it died."""
        self.folders.sync(folder)
