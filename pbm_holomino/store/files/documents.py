"""The store's files, by folder and name: read whole, locked, replaced durably.

A file is named by its folder and its name: `("holo", "12")` is `holo/12.yaml`.
Beside it is `12.lock`, which is never deleted (deleting it would split those who
wait for it).
"""

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pbm_holomino import rules
from pbm_holomino.errors import busy
from pbm_holomino.match.times import time_at
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store import examples, yaml
from pbm_holomino.store.contract import FETCH, PLAYERS, Claim, Document, Key
from pbm_holomino.store.damage import corrupt, full
from pbm_holomino.store.files.changes import Changes
from pbm_holomino.store.files.disk import begin_to_write_out, lock_file, sync, written
from pbm_holomino.store.files.folders import CLOSED, READING, WRITING, Folders
from pbm_holomino.store.files.marks import Marks
from pbm_holomino.store.files.spool import Spool

if TYPE_CHECKING:
    from pbm_holomino.store.files.closing import Closing
    from pbm_holomino.store.files.counters import Counters

_MEMORY = "memory"  # the folder of what the owner's commands remember
OPENED = "opened"  # 1.opened: the store's own board 1, which hides an example


class Stamp(NamedTuple):
    """Which file this is: each save makes a new one."""

    inode: int
    time: int  # of its last change of any kind, in nanoseconds
    size: int


class Files:
    """The documents of a store, each a strict YAML file that people can read, and what
    belongs to them (see `contract.Store`).

    `kept` has the mails in the store's folders, `marks` the marks of letters that are
    not sent. On one notice of changes a process names so many boards. What the disk
    refuses is raised as StoreTrouble.
    """

    noun = "file"

    def __init__(
        self,
        root: str,
        patience: float = 0,
        kept: Spool | None = None,
        marks: Marks | None = None,
        boards_on_notice: int = 1,
    ) -> None:
        self.root = root
        self.patience = patience
        self.folders = Folders(root)
        self.kept = kept or Spool(self.folders)
        self.marks = marks or Marks(self.folders)
        self._changes = Changes(root, boards_on_notice)

    @cached_property
    def counters(self) -> "Counters":
        from pbm_holomino.store.files.counters import Counters  # for mails only

        return Counters(self.folders)

    @cached_property
    def closing(self) -> "Closing":
        from pbm_holomino.store.files.closing import Closing  # for copies only

        return Closing(self.folders, self.patience)

    def path(self, *parts: str) -> str:
        """Where a file is. A folder of no name is the store itself."""
        return self.folders.path(*parts)

    def now(self) -> str:
        """The present time, by the clock of this machine."""
        return time_at()

    def close(self) -> None:
        """Let go of the notices of changes, and of a store that was closed."""
        self._changes.close()
        self.marks.close()
        if "closing" in self.__dict__:
            self.closing.let_go()

    def check_open(self) -> None:
        """Raise StoreTrouble if the store is closed to writers, and not by us."""
        if self.folders.has("", CLOSED):
            self.closing.check()

    # Reading: needs no lock, and always sees a whole file

    def find(
        self, folder: str, name: str, known: Hashable | None = None
    ) -> Document | None:
        """The bytes of a file, no more than can be loaded and one (see
        `contract.Store`). Raises CorruptFile for a folder in its place."""
        stamp = self.stamp(folder, name)  # older than what is read
        if stamp is None or stamp == known:
            return None if stamp is None else Document(stamp, None)
        with READING:
            try:
                with open(self.path(folder, f"{name}.yaml"), "rb") as file:
                    return Document(stamp, file.read(yaml.MOST_BYTES + 1))
            except FileNotFoundError:
                return None
            except IsADirectoryError:
                raise corrupt(folder, name, "it is a folder") from None

    def expect(
        self,
        documents: Iterable[tuple[str, str, Hashable | None]] = (),
        claim: Claim | None = None,
    ) -> None:
        """Nothing: a file is near."""

    def settle(self) -> None:
        """Nothing: all is done already."""

    def names(self, folder: str) -> list[str]:
        """The names of the files in a folder, in no order."""
        return self._named(folder, ".yaml")

    def _named(self, folder: str, kind: str) -> list[str]:
        found = self.folders.filenames(folder)
        return [entry.removesuffix(kind) for entry in found if entry.endswith(kind)]

    def latest(self, folders: Iterable[str], most: int) -> list[tuple[str, str]]:
        """The files of these folders that were changed last (see `contract.Store`)."""
        saved = sorted(
            (stamp.time, folder, name)
            for folder in folders
            for name, stamp in self.stamps(folder).items()
        )
        return [(folder, name) for _, folder, name in saved[-most:]]

    def revisions(self, boards: Sequence[Key]) -> Mapping[Key, Stamp]:
        """The revisions of boards (see `contract.Store`)."""
        found = {key: self.stamp(key[0], str(key[1])) for key in boards}
        return {key: stamp for key, stamp in found.items() if stamp is not None}

    def bell(self) -> None:
        """Nothing rings when a file has changed."""

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

    # Files that are gone: their locks are still there

    def locked_once(self, folder: str) -> list[str]:
        """The names of the files in a folder that have had a lock, which stays."""
        return self._named(folder, ".lock")

    def was_locked(self, folder: str, name: str) -> bool:
        """Whether a file of that name has had a lock."""
        return self.folders.has(folder, f"{name}.lock")

    def lost(self, folder: str) -> list[str]:
        """The names of the files that a folder has lost."""
        return [
            name for name in self.locked_once(folder) if self._has_lost(folder, name)
        ]

    def is_lost(self, folder: str, name: str) -> bool:
        """Whether a folder has lost that file."""
        return self.was_locked(folder, name) and self._has_lost(folder, name)

    def _has_lost(self, folder: str, name: str) -> bool:
        """Whether a file that had a lock is gone. (Where an example has its name, a
        lock alone proves nothing: a checkout of 1.0 had the example among its
        boards.)"""
        if self.exists(folder, name):
            return False
        if self.exists(examples.folder(folder), name):
            return self.folders.has(folder, f"{name}.{OPENED}")
        return True

    # Writing: under the file's lock

    def may_lock(self, folder: str, name: str) -> bool:
        """Whether there is such a file: otherwise its lock would stay for ever."""
        return self.exists(folder, name)

    @contextmanager
    def lock(self, folder: str, name: str) -> Iterator[None]:
        """Hold a file's lock. Raises Busy after waiting in vain, and StoreTrouble if
        the store is closed to writers."""
        with WRITING:
            self.folders.make(folder)
            release = lock_file(self.path(folder, f"{name}.lock"), self.patience)
        if release is None:
            raise busy(f"{folder} {name}")
        try:
            self.check_open()  # now: see closing.py
            yield
        finally:
            release()

    def save(
        self, folder: str, name: str, data: Any, unsent: int | None = None
    ) -> Stamp | None:
        """Replace a file, durably, and mark a line's letters as unsent before: a mark
        whose line was never saved means nothing. It costs two fsyncs."""
        text = yaml.dump(data)
        if len(text) > yaml.MOST_BYTES:
            raise full(folder, name, self.noun)
        if folder not in rules.names():
            return self._saved(folder, name, text, unsent)
        if unsent == 0 and self.exists(examples.folder(folder), name):
            self._hide_example(folder, name)
        with self._changes.saving(folder, int(name)):
            return self._saved(folder, name, text, unsent)

    def _saved(
        self, folder: str, name: str, text: bytes, unsent: int | None
    ) -> Stamp | None:
        with WRITING, ExitStack() as failed:
            beside = self.path(folder, f"{name}.new")
            with written(beside, text) as fd:
                begin_to_write_out(fd)
                if unsent is not None:  # made while the disk is at work
                    failed.callback(self.marks.leave, folder, name, unsent)
                    self.marks.make(folder, name, unsent)
                os.fsync(fd)
            os.rename(beside, self.path(folder, f"{name}.yaml"))
            sync(self.path(folder))
            failed.pop_all()
        return self.stamp(folder, name)

    def remove(self, folder: str, name: str) -> None:
        """Remove a file, durably (see `contract.Store`)."""
        with WRITING:
            with suppress(FileNotFoundError):
                os.unlink(self.path(folder, f"{name}.yaml"))
            self.folders.sync(folder)

    def _hide_example(self, game: str, name: str) -> None:
        """Note that from now on the number is that of a board of ours."""
        if not self.exists(game, name):
            self.kept.put(game, f"{name}.{OPENED}", b"")

    def flushing(self, folder: str) -> AbstractContextManager[None]:
        """Keep others from sending the mails of a folder (see `contract.Store`)."""
        return self.lock(folder, "flush")

    def sync(self, folder: str, name: str) -> None:
        """Make the names in the file's folder durable, also those that another process
        gave before it died."""
        self.folders.sync(folder)

    # What belongs to the files

    def note(self, name: str) -> str:
        """A line that was noted for the owner; a power cut may take it away."""
        return (self.kept.read("", name) or b"").decode("utf-8", "replace")

    def put_note(self, name: str, text: str) -> None:
        """Note a line for the owner, or forget it (an empty one)."""
        if text:
            self.kept.write("", name, text.encode("utf-8", "replace"))
        else:
            self.kept.remove("", name)

    def remembered(self, name: str) -> str:
        """What one of the owner's commands has remembered; a power cut may take it
        away."""
        return (self.kept.read(_MEMORY, name) or b"").decode("utf-8", "replace")

    def remember(self, name: str, text: str) -> None:
        """Remember a line, if anybody has signed up here, or mail is fetched: nothing
        makes a store just for that."""
        if any(os.path.isdir(self.path(folder)) for folder in (PLAYERS, FETCH)):
            self.kept.write(_MEMORY, name, text.encode())
