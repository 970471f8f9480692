"""Which boards have been saved since the index was last brought up to date.

Before a board's file is replaced, a notice of it is written: a file in a folder of its
own, with a line for each board. A process that saves keeps its notice locked until the
last of these boards is saved, or until it dies. So whoever reads the boards' files
after finding their notice unlocked has seen the changes, and may remove the notice; and
there is no change without one.
"""

import fcntl
import os
import re
from _thread import get_native_id  # each has it loaded, threading costs
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import time_ns

from pbm_holomino.named_tuples import NamedTuple

INDEX = "index.sqlite"  # misses no change of which there is a notice
FOLDER = "changed"
_NAME = r"[0-9]+\.[0-9]+"
_LINE = rb"(?m)^([a-z]+) ([1-9][0-9]{0,8})\n"


class Notice(NamedTuple):
    """The boards that a process is saving, or has saved: then it is `done`."""

    path: str
    boards: frozenset[tuple[str, int]]
    done: bool


class _Open(NamedTuple):
    """A notice of ours, open and locked, and how many boards it names."""

    fd: int
    boards: int


class Changes:
    """The notices in a store, the folder `root`, on each of which a process names at
    most so many boards."""

    def __init__(self, root: str, most: int = 1) -> None:
        self._root = root
        self._folder = os.path.join(root, FOLDER)
        self._most = most
        self._open: list[_Open] = []  # with room for more boards

    def close(self) -> None:
        """Unlock all notices of ours."""
        while self._open:
            os.close(self._open.pop().fd)

    @contextmanager
    def saving(self, game: str, board: int) -> Iterator[None]:
        """Give notice that a board is saved in this block. Where that fails, the index
        is removed: it would miss the change."""
        with ExitStack() as after:
            try:
                notice = self._written(f"{game} {board}\n".encode("ascii"))
                after.callback(self._reuse, notice)
            except OSError:
                drop_index(self._root)
                after.callback(drop_index, self._root)
            yield

    def _reuse(self, notice: _Open) -> None:
        if notice.boards < self._most:
            self._open.append(notice)
        else:
            os.close(notice.fd)

    def _written(self, line: bytes) -> _Open:
        """A notice with one more line."""
        fd, boards = self._next()
        try:
            if os.write(fd, line) < len(line):
                raise OSError("there is no room for a line")
        except OSError:
            os.close(fd)
            raise
        return _Open(fd, boards + 1)

    def _next(self) -> _Open:
        with suppress(IndexError):  # there is none, or other threads have them
            while True:
                notice = self._open.pop()
                if os.fstat(notice.fd).st_nlink:
                    return notice
                os.close(notice.fd)  # somebody has removed all notices
        return _Open(self._new(), 0)

    def _new(self) -> int:
        """A new notice, open and locked before anybody sees it."""
        name = f"{time_ns()}.{get_native_id()}"
        hidden = os.path.join(self._folder, f".{name}")
        how = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        try:
            fd = os.open(hidden, how, 0o600)
        except FileNotFoundError:
            with suppress(FileExistsError):
                os.mkdir(self._folder, 0o700)
            fd = os.open(hidden, how, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            os.rename(hidden, os.path.join(self._folder, name))
        except OSError:
            os.close(fd)
            raise
        return fd

    def boards(self) -> set[tuple[str, int]]:
        """The boards that any notice names."""
        return {board for notice in self.notices() for board in notice.boards}

    def notices(self) -> list[Notice]:
        """All notices. The files of their boards must be read after this. What the disk
        refuses is raised as OSError."""
        found = []
        for path in self._paths():
            with suppress(FileNotFoundError), open(path, "rb") as file:
                done = _is_free(file.fileno())  # first: nobody adds to what is free
                found.append(Notice(path, _boards(file.read()), done))
        return found

    def _paths(self) -> list[str]:
        try:
            names = os.listdir(self._folder)
        except FileNotFoundError:
            return []
        return [os.path.join(self._folder, n) for n in names if re.fullmatch(_NAME, n)]


def drop_index(root: str) -> None:
    """Remove the index of a store, so that it is made anew. Its journal goes first, as
    it would be played back into the next one."""
    path = os.path.join(root, INDEX)
    for name in (f"{path}-journal", path):
        with suppress(OSError):
            os.unlink(name)


def remove(notices: list[Notice]) -> None:
    """Remove those of the notices that are done with."""
    for notice in notices:
        if notice.done:
            with suppress(FileNotFoundError):
                os.unlink(notice.path)


def _boards(text: bytes) -> frozenset[tuple[str, int]]:
    """The boards that a notice names. A process that has written half a line has saved
    nothing yet."""
    lines = re.finditer(_LINE, text)
    return frozenset((line[1].decode("ascii"), int(line[2])) for line in lines)


def _is_free(fd: int) -> bool:
    """Whether nobody holds a notice locked."""
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
