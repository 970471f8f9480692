"""Counts of names by the hour, each hour in one file that cannot grow with them.

The file is a count-min sketch (Cormode and Muthukrishnan, 2005) with conservative
update: two rows of counters, in each of which a name has one, in a slot given by a
hash of the name under a random key at the head of the file. A name's count is the
smaller of its two, which is never too small; it is too large only for a name that
shares both slots with busier ones, and nobody who does not know the key can choose
such a name. As counters only grow, what is given back is counted apart, in four shorter
rows that a file gets when they are needed, and is taken off the count.

Nothing here is made durable: after a power cut an hour may be counted again.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import blake2b

from pbm_holomino.store.files.folders import READING, WRITING, Folders

_KEY_BYTES = 32
_ROWS = 2
_SLOTS = 1 << 18  # counters in a row
_COUNTER_BYTES = 4
_RETURNED_ROWS, _RETURNED_SLOTS = 4, 1 << 15  # few names are given back
SIZE = _KEY_BYTES + _ROWS * _SLOTS * _COUNTER_BYTES  # of the file, which is sparse
_LONG = (
    SIZE + _RETURNED_ROWS * _RETURNED_SLOTS * _COUNTER_BYTES
)  # once names are given back
_GREATEST = (1 << 8 * _COUNTER_BYTES) - 1


class Counters:
    """The counts in a store's folders."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    def count(self, folder: str, hour: str, name: str) -> int:
        """Count a name once more in an hour; how often it had been counted before."""
        with self._locked(folder, hour) as sketch:
            before = sketch.count_of(name)
            sketch.add(name)
            return before

    def expect(self, folder: str, hour: str, name: str, most: int) -> None:
        """Nothing: a file is near."""

    def count_of(self, folder: str, hour: str, name: str) -> int:
        """How often a name has been counted in an hour."""
        with READING:
            try:
                fd = os.open(self._folders.path(folder, hour), _READ)
            except FileNotFoundError:
                return 0
            try:
                return _Sketch(fd).count_of(name) if _is_whole(fd) else 0
            finally:
                os.close(fd)

    def claim(
        self, folder: str, hour: str, claims: Mapping[str, tuple[int, int]]
    ) -> bool:
        """Count each of these names so many times more in an hour, the first number,
        unless one of them would be counted more often than its limit, the second;
        whether they were counted."""
        with self._locked(folder, hour) as sketch:
            for name, (more, most) in claims.items():
                if sketch.count_of(name) + more > most:
                    return False
            for name, (more, _) in claims.items():
                for _ in range(more):
                    sketch.add(name)
            return True

    def give_back(self, folder: str, hour: str, names: Iterable[str]) -> None:
        """Count these names once less (see `contract.Counters`)."""
        with self._locked(folder, hour) as sketch:
            for name in names:
                sketch.give_back(name)

    def settle(self) -> None:
        """Nothing: it is done already."""

    @contextmanager
    def _locked(self, folder: str, hour: str) -> Iterator["_Sketch"]:
        """The counts of an hour, which nobody else changes in this block. With the
        first of an hour, those of all other hours go."""
        with WRITING:
            self._folders.make(folder)
            fd = os.open(self._folders.path(folder, hour), _WRITE, 0o600)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)  # held for no longer than this takes
                if not _is_whole(fd):
                    os.pwrite(fd, os.urandom(_KEY_BYTES), 0)
                    os.ftruncate(fd, SIZE)
                    self._remove_others(folder, hour)
                yield _Sketch(fd)
            finally:
                os.close(fd)

    def _remove_others(self, folder: str, hour: str) -> None:
        for filename in self._folders.filenames(folder):
            if filename != hour:
                with suppress(FileNotFoundError):
                    os.unlink(self._folders.path(folder, filename))


def _is_whole(fd: int) -> bool:
    return os.fstat(fd).st_size in (SIZE, _LONG)


_READ = os.O_RDONLY | os.O_NOFOLLOW
_WRITE = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW


class _Sketch:
    """An open file of counts: how often names were counted, and how often given back.
    Files in which nothing was given back have no rows for it."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        key = os.pread(fd, _KEY_BYTES, 0)
        self._counted = _Rows(fd, key, _KEY_BYTES, _ROWS, _SLOTS)
        self._returned = _Rows(fd, key, SIZE, _RETURNED_ROWS, _RETURNED_SLOTS)

    def count_of(self, name: str) -> int:
        counted = self._counted.count_of(name)
        if not counted or os.fstat(self._fd).st_size == SIZE:
            return counted
        return max(0, counted - self._returned.count_of(name))

    def add(self, name: str) -> None:
        self._counted.add(name)

    def give_back(self, name: str) -> None:
        os.ftruncate(self._fd, _LONG)
        self._returned.add(name)


class _Rows:
    """The counters in one part of an open file."""

    def __init__(self, fd: int, key: bytes, start: int, rows: int, slots: int) -> None:
        self._fd = fd
        self._key = key
        self._start = start
        self._rows = rows
        self._slots = slots

    def count_of(self, name: str) -> int:
        return min(map(self._at, self._offsets(name)))

    def add(self, name: str) -> None:
        offsets = self._offsets(name)
        more = min(min(map(self._at, offsets)) + 1, _GREATEST)
        for offset in offsets:
            if self._at(offset) < more:
                os.pwrite(self._fd, more.to_bytes(_COUNTER_BYTES, "big"), offset)

    def _offsets(self, name: str) -> list[int]:
        """Where the counters of a name are in the file, one in each row."""
        code = blake2b(name.encode("utf-8", "surrogatepass"), key=self._key).digest()
        slots = self._slots
        return [
            self._start
            + _COUNTER_BYTES
            * (row * slots + int.from_bytes(code[8 * row :][:8], "big") % slots)
            for row in range(self._rows)
        ]

    def _at(self, offset: int) -> int:
        return int.from_bytes(os.pread(self._fd, _COUNTER_BYTES, offset), "big")
