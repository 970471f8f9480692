"""Which boards have been saved since somebody last looked.

Before a board's file is replaced, a note tells of it: a file in a folder of its own,
with a line for each board. Who saves holds their note locked until the last of its
boards is saved, or until their process dies. So whoever reads these boards' files
after they found the note unlocked has seen the changes, and may remove the note; and
no change can be without one.
"""

import fcntl
import os
import re
from _thread import get_native_id  # each has it loaded, threading costs
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import time_ns
from typing import NamedTuple

INDEX = "index.sqlite"  # that misses no change
FOLDER = "changed"
_NAME = re.compile(r"[0-9]+\.[0-9]+")
_LINE = re.compile(rb"^([a-z]+) ([1-9][0-9]{0,8})\n", re.MULTILINE)


class Note(NamedTuple):
    """The boards that somebody saves or has saved: it is `done` when they have let go
    of it."""

    path: str
    boards: frozenset[tuple[str, int]]
    done: bool


class _Begun(NamedTuple):
    """A note of ours, open and locked, and how many boards it tells of."""

    fd: int
    boards: int


class Changes:
    """The notes in a store, the folder `root`; who saves writes at most so many
    boards on one. What the disk refuses to tell of them is raised as OSError."""

    def __init__(self, root: str, most: int = 1) -> None:
        self._root = root
        self._folder = os.path.join(root, FOLDER)
        self._most = most
        self._begun: list[_Begun] = []  # to go on with

    def close(self) -> None:
        """Let go of all notes."""
        while self._begun:
            os.close(self._begun.pop().fd)

    @contextmanager
    def noted(self, game: str, board: int) -> Iterator[None]:
        """Note that a board is saved in this block. Where that cannot be noted, there
        must be no index that does not know it."""
        with ExitStack() as after:
            try:
                note = self._written(f"{game} {board}\n".encode("ascii"))
                after.callback(self._go_on_with, note)
            except OSError:
                drop_index(self._root)
                after.callback(drop_index, self._root)
            yield

    def _go_on_with(self, note: _Begun) -> None:
        if note.boards < self._most:
            self._begun.append(note)
        else:
            os.close(note.fd)

    def _written(self, line: bytes) -> _Begun:
        """A note that tells of this, too."""
        fd, boards = self._next()
        try:
            if os.write(fd, line) < len(line):
                raise OSError("there is no room for a line")
        except OSError:
            os.close(fd)
            raise
        return _Begun(fd, boards + 1)

    def _next(self) -> _Begun:
        with suppress(IndexError):  # there is none, or other threads have them
            while True:
                note = self._begun.pop()
                if os.fstat(note.fd).st_nlink:
                    return note
                os.close(note.fd)  # somebody has removed all notes
        return _Begun(self._new(), 0)

    def _new(self) -> int:
        """A new note, open and locked before anybody sees it."""
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
        """The boards that there are notes about."""
        return {board for note in self.pending() for board in note.boards}

    def pending(self) -> list[Note]:
        """All notes. What is to be told of these boards must be read after this."""
        found = []
        for path in self._paths():
            with suppress(FileNotFoundError), open(path, "rb") as note:
                done = _is_free(note.fileno())  # first: to what is free nobody adds
                found.append(Note(path, _boards(note.read()), done))
        return found

    def _paths(self) -> list[str]:
        try:
            names = os.listdir(self._folder)
        except FileNotFoundError:
            return []
        return [os.path.join(self._folder, n) for n in names if _NAME.fullmatch(n)]


def drop_index(root: str) -> None:
    """Remove the index of a store, so that it is made anew. A journal goes first, as
    it would be played back into the next one."""
    path = os.path.join(root, INDEX)
    for name in (f"{path}-journal", path):
        with suppress(OSError):
            os.unlink(name)


def remove(notes: list[Note]) -> None:
    """Remove those of the notes that are done with."""
    for note in notes:
        if note.done:
            with suppress(FileNotFoundError):
                os.unlink(note.path)


def _boards(text: bytes) -> frozenset[tuple[str, int]]:
    """The boards on a note. Who has written half a line has saved nothing yet."""
    lines = _LINE.finditer(text)
    return frozenset((line[1].decode("ascii"), int(line[2])) for line in lines)


def _is_free(fd: int) -> bool:
    """Whether nobody holds a note."""
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
