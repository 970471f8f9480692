"""Which boards have been saved since somebody last looked.

Before a board's file is replaced, an empty note is put into a folder, with the board's
number in its name. Who saves holds the note locked until that is done, or until their
process dies. So whoever reads the file after they found the note unlocked has seen the
change, and may remove the note; and no change can be without one.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import time_ns
from typing import NamedTuple

INDEX = "index.sqlite"  # that misses no change
FOLDER = "changed"
_NAME = re.compile(r"([a-z]+)\.([1-9][0-9]{0,8})\.[0-9]+\.[0-9]+")


class Note(NamedTuple):
    """A board that somebody saves, or has saved: then it is `done`."""

    path: str
    game: str
    board: int
    done: bool


class Changes:
    """The notes in a store, the folder `root`. What the disk refuses to tell of them
    is raised as OSError."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._folder = os.path.join(root, FOLDER)

    @contextmanager
    def noted(self, game: str, board: int) -> Iterator[None]:
        """Note that a board is saved in this block. Where that cannot be noted, there
        must be no index that does not know it."""
        try:
            fd = self._write(f"{game}.{board}.{time_ns()}.{os.getpid()}")
        except OSError:
            drop_index(self._root)
            yield
            drop_index(self._root)
            return
        try:
            yield
        finally:
            os.close(fd)

    def _write(self, name: str) -> int:
        """A new note, open and locked before anybody sees it."""
        hidden = os.path.join(self._folder, f".{name}")
        try:
            fd = os.open(hidden, os.O_WRONLY | os.O_CREAT, 0o600)
        except FileNotFoundError:
            with suppress(FileExistsError):
                os.mkdir(self._folder, 0o700)
            fd = os.open(hidden, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            os.rename(hidden, os.path.join(self._folder, name))
        except OSError:
            os.close(fd)
            raise
        return fd

    def boards(self) -> list[tuple[str, int]]:
        """The boards that there are notes about."""
        return [board for board, _ in self._notes()]

    def pending(self) -> list[Note]:
        """All notes. What is to be told of these boards must be read after this."""
        return [
            Note(path, *board, done)
            for board, path in self._notes()
            if (done := _is_free(path)) is not None
        ]

    def _notes(self) -> Iterator[tuple[tuple[str, int], str]]:
        try:
            names = os.listdir(self._folder)
        except FileNotFoundError:
            return
        for name in names:
            if found := _NAME.fullmatch(name):
                path = os.path.join(self._folder, name)
                yield (found[1], int(found[2])), path


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


def _is_free(path: str) -> bool | None:
    """Whether nobody holds a note; None where it has gone."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    return True
