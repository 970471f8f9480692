"""Marks of letters that have not all been sent.

While letters about line 7 of `holo/12.yaml` are to be sent, there is a file
`holo/12.7.unsent`. Whoever sends them holds it locked: that is whoever has made it, if
need be after a while, or whoever finds it when that process has died.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from time import time

from pbm_holomino.store.contract import last
from pbm_holomino.store.files.disk import close_lock, open_lock, take
from pbm_holomino.store.files.folders import CLOSED, READING, WRITING, Folders

_KIND = ".unsent"
_MOMENT = 60.0  # seconds in which whoever has made a mark probably deals with it
_MOST_HELD = 256  # marks of ours whose letters nobody has begun to send
_LARGE = 1 << 17  # bytes of a folder with several thousand names


class Mark:
    """An open mark. It holds a line for each letter, or copy of one, that has been
    dealt with; it is `kept` where others wait."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self.kept = False
        self._done = set(_read_all(fd).decode("ascii", "replace").splitlines())

    def __contains__(self, line: str) -> bool:
        return line in self._done

    def add(self, line: str) -> None:
        """Write down that a letter, or a copy, has been dealt with."""
        with WRITING:
            os.write(self._fd, f"{line}\n".encode("ascii"))


class Marks:
    """The marks in a store's folders."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._ours: dict[str, int] = {}  # open and locked, by their paths

    def close(self) -> None:
        """Leave to others the letters that have not been begun."""
        for path in [*self._ours]:
            self._leave(path)

    def leave(self, folder: str, name: str, line: int) -> None:
        """The same for the letters about a line."""
        self._leave(self._path(folder, name, line))

    def _leave(self, path: str) -> None:
        fd = self._ours.pop(path, None)
        if fd is not None:
            close_lock(fd)

    def make(self, folder: str, name: str, line: int) -> None:
        """Mark a line's letters as unsent: they are ours to send. What the disk refuses
        is raised as OSError."""
        path = self._path(folder, name, line)
        self._leave(path)
        with ExitStack() as opened:
            fd = open_lock(path)
            opened.callback(close_lock, fd)
            os.ftruncate(fd, 0)
            if take(fd):
                opened.pop_all()
                self._ours[path] = fd
        for path in [*self._ours][:-_MOST_HELD]:
            self._leave(path)

    def is_unsent(self, folder: str, name: str, line: int) -> bool:
        """Whether letters about a line of its log are marked as unsent."""
        return self._folders.has(folder, _filename(name, line))

    def at_end(self, folder: str, name: str, lines: Sequence[int]) -> list[int]:
        """Those at the end of these lines that are marked (see `contract.Marks`)."""
        return last(lines, lambda line: self.is_unsent(folder, name, line))

    def unsent(self, folder: str) -> dict[str, list[int]]:
        """All marks of a folder: the lines, ascending, by the names of the files."""
        marks: dict[str, list[int]] = {}
        for filename in self._folders.filenames(folder):
            if not filename.endswith(_KIND):  # as most
                continue
            name, _, line = filename.removesuffix(_KIND).partition(".")
            if line.isdigit():
                marks.setdefault(name, []).append(int(line))
        return {name: sorted(lines) for name, lines in sorted(marks.items())}

    def times(self, folder: str) -> list[float]:
        """When the marks of a folder were made, in seconds of the epoch, ascending."""
        return [found.st_mtime for found, _ in self._folders.by_age(folder, _KIND)]

    def left(
        self, folders: Iterable[str], most: int, seldom: bool = False
    ) -> list[tuple[str, str]]:
        """Some documents with marks that somebody has left behind (see
        `contract.Marks`): they are a minute old. Large folders are looked at only
        seldom."""
        found = list[tuple[str, str]]()
        for folder in folders:
            with READING, suppress(FileNotFoundError):
                size = os.stat(self._folders.path(folder)).st_size
                if seldom or size <= _LARGE:
                    found += self._left_in(folder)
        if len(found) > most:
            from random import sample  # it is seldom so, and slow to load

            found = sample(found, most)
        return found

    def _left_in(self, folder: str) -> Iterator[tuple[str, str]]:
        latest = time() - _MOMENT
        for name, lines in self.unsent(folder).items():
            with suppress(FileNotFoundError):  # somebody has just sent its letters
                if os.stat(self._path(folder, name, lines[-1])).st_mtime <= latest:
                    yield folder, name

    @contextmanager
    def sending(self, folder: str, name: str, line: int) -> Iterator[Mark | None]:
        """The mark of a line whose letters are ours to send; None where there is no
        mark, somebody else holds it, or the store is closed. The mark goes when the
        block ends well, unless it is to be kept; it stays when the block fails or the
        process dies, when the system lets go of it."""
        path = self._path(folder, name, line)
        fd = self._ours.pop(path, None)
        fd = _opened(path) if fd is None else fd
        if fd is None:
            yield None
            return
        try:
            with READING:
                is_ours = take(fd) and not self._folders.has("", CLOSED)
                mark = Mark(fd) if is_ours else None
            yield mark
            if mark is not None and not mark.kept:
                with WRITING, suppress(FileNotFoundError):
                    os.unlink(path)
        finally:
            close_lock(fd)

    def _path(self, folder: str, name: str, line: int) -> str:
        return self._folders.path(folder, _filename(name, line))


def _filename(name: str, line: int) -> str:
    return f"{name}.{line}{_KIND}"


def _opened(path: str) -> int | None:
    with READING:
        try:
            return open_lock(path, os.O_RDWR)
        except FileNotFoundError:
            return None


def _read_all(fd: int) -> bytes:
    pieces = []
    while piece := os.read(fd, 1 << 16):
        pieces.append(piece)
    return b"".join(pieces)
