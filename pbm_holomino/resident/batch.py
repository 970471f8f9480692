"""Group commit: the letters of a resident server become durable in batches.

A mail is done when its move and the mark of its letters are durable, and the letters
are in the outbox. A letter must last before its mark goes: here a mark stays, held by
this process, until a thread has made many letters durable at once. Should the process
end before, the letters are sent again.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from queue import Queue
from time import monotonic

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.resident.report import report
from pbm_holomino.store.files.disk import sync
from pbm_holomino.store.files.folders import Folders
from pbm_holomino.store.files.marks import Mark, Marks
from pbm_holomino.store.files.spool import Spool
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import Home

# Seconds from a mark to its batch, at most; less where the one before took less
_WAIT = 0.2
BOARDS_ON_NOTICE = 100  # whoever asks for a list compares the stamps of all
_MOST_WAITING = 256  # marks; a sender beyond that waits for the next batch
# Threads that make files durable at once, and how many files it takes to need one more:
# file systems do together what several wait for, and what one waits for alone costs the
# disk a flush of its own.
_AT_ONCE, _FEW = 8, 4


class Batches:
    """The store in a home, and the home with its outbox, where letters become durable
    in batches; and the thread that does it. To be closed in the end."""

    def __init__(self, home: Home) -> None:
        folders, letters = Folders(home.root), _Letters()
        self._waiting: Queue[_Sent | None] = Queue(_MOST_WAITING)
        outbox = _BatchSpool(folders, letters)
        self.home = Home(home.root, home.config, outbox)
        self.store = FileStore(
            home.root,
            home.config.wait,
            outbox,
            _BatchMarks(folders, letters, self._waiting.put),
            BOARDS_ON_NOTICE,
        )
        self._closing = threading.Event()
        self._syncing = ThreadPoolExecutor(_AT_ONCE, "sync")
        self._thread = threading.Thread(target=self._finish_all, name="batches")
        self._thread.start()

    def close(self) -> None:
        """End, when every letter is durable."""
        self._closing.set()
        self._waiting.put(None)
        self._thread.join()
        self._syncing.shutdown()
        self.store.close()

    def _finish_all(self) -> None:
        took, is_open = 0.0, True
        while is_open:
            batch = [self._waiting.get()]
            self._closing.wait(min(_WAIT, took))
            count = self._waiting.qsize()  # nobody else takes from it
            batch += [self._waiting.get() for _ in range(count)]
            is_open = None not in batch
            begun = monotonic()
            self._finish([sent for sent in batch if sent is not None])
            took = monotonic() - begun

    def _finish(self, batch: "list[_Sent]") -> None:
        """Make letters durable, and let go of their marks. Those stay where the disk
        refuses: then whoever sends next, or flush, does it again."""
        paths = [path for sent in batch for path in sent.paths]
        try:
            self._sync(paths)
            _sync({os.path.dirname(path) for path in paths})
            trouble = None
        except OSError as error:
            trouble = StoreTrouble(f"Letters cannot be made durable: {error}.")
        for sent in batch:
            try:
                with sent.held:
                    if trouble is not None:
                        raise trouble
                    sent.mark.finish()
            except (OSError, StoreTrouble) as error:
                report(error)

    def _sync(self, paths: Sequence[str]) -> None:
        """Make files durable, several at once. Raises OSError."""
        threads = min(_AT_ONCE, 1 + len(paths) // _FEW)
        own, *others = (paths[first::threads] for first in range(threads))
        begun = [self._syncing.submit(_sync, share) for share in others]
        _sync(own)
        for each in begun:
            each.result()


class _Letters(threading.local):
    """The paths of the letters under the mark that a thread holds; None while it holds
    none."""

    paths: list[str] | None = None


class _BatchSpool(Spool):
    """A file that is put while its mark is held is written at once, and made durable
    soon."""

    def __init__(self, folders: Folders, letters: _Letters) -> None:
        super().__init__(folders)
        self._letters = letters

    def put(self, folder: str, filename: str, content: bytes) -> None:
        if self._letters.paths is None:
            super().put(folder, filename, content)
        else:
            self.write(folder, filename, content)
            self._letters.paths.append(self.path(folder, filename))


class _BatchMarks(Marks):
    """A mark stays until the letters under it are durable."""

    def __init__(
        self, folders: Folders, letters: _Letters, wait: Callable[["_Sent"], None]
    ) -> None:
        super().__init__(folders)
        self._letters = letters
        self._wait = wait

    @contextmanager
    def sending(self, folder: str, name: str, line: int) -> Iterator[Mark | None]:
        with ExitStack() as held:
            mark = held.enter_context(super().sending(folder, name, line))
            if mark is None:
                yield None
                return
            paths = list[str]()
            late = _LateMark(mark, paths)
            self._letters.paths = paths
            try:
                yield late
            finally:
                self._letters.paths = None
            if paths:
                self._wait(_Sent(held.pop_all(), late, paths))
            else:
                late.finish()


class _LateMark(Mark):
    """A mark that learns which letters have been dealt with when that will last: those
    whose files are still to be made durable wait, and so does what follows them."""

    def __init__(self, mark: Mark, paths: Sequence[str]) -> None:
        self._mark = mark
        self._paths = paths
        self._lines: list[str] = []
        self.kept = False

    def __contains__(self, line: str) -> bool:
        return line in self._mark or line in self._lines

    def add(self, line: str) -> None:
        if self._paths:
            self._lines.append(line)
        else:  # it left in another way
            self._mark.add(line)

    def finish(self) -> None:
        self._mark.kept = self.kept
        for line in self._lines if self.kept else ():  # else the mark goes
            self._mark.add(line)


class _Sent(NamedTuple):
    """A mark, held until it is finished, and the paths of the letters under it."""

    held: ExitStack
    mark: _LateMark
    paths: list[str]


def _sync(paths: Iterable[str]) -> None:
    """Make files or folders durable, one after the other. Raises OSError."""
    for path in paths:
        with suppress(FileNotFoundError):  # somebody has collected it
            sync(path)
