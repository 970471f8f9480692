"""Counts of names by the hour, each hour in one file whose size never changes.

The file is a count-min sketch (Cormode and Muthukrishnan, 2005) with conservative
update: two rows of counters, in each of which a name has one, in a slot given by a
hash of the name under a random key at the head of the file. A name's count is the
smaller of its two, which is never too small; it is too large only for a name that
shares both slots with busier ones, and nobody who does not know the key can choose
such a name.

A name that is held has a lock on a byte far behind the end of the file. It ends with
the process, and nothing has to be written that a full disk could refuse.

Nothing here is made durable: after a power cut an hour may be counted again.
"""

import fcntl
import os
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b

from pbm_holomino.store.files.folders import READING, WRITING, Folders

_KEY_BYTES = 32
_ROWS = 2
_SLOTS = 1 << 18  # counters in a row
_COUNTER_BYTES = 4
SIZE = _KEY_BYTES + _ROWS * _SLOTS * _COUNTER_BYTES  # of the file, which is sparse
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

    def count_of(self, folder: str, hour: str, name: str) -> int:
        """How often a name has been counted in an hour."""
        with READING:
            try:
                fd = os.open(self._folders.path(folder, hour), _READ)
            except FileNotFoundError:
                return 0
            try:
                is_whole = os.fstat(fd).st_size == SIZE
                return _Sketch(fd).count_of(name) if is_whole else 0
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

    def hold(self, folder: str, hour: str, limits: Mapping[str, int]) -> "Held | None":
        """Hold these names, if none of them is counted and held as often as its limit
        (see `contract.Counters`)."""
        with WRITING:
            fd = self._opened(folder, hour)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)
                if _hold(fd, limits):
                    fcntl.flock(fd, fcntl.LOCK_UN)
                    return Held(self, fd, (folder, hour), tuple(limits))
                os.close(fd)
                return None
            except BaseException:
                os.close(fd)
                raise

    def _opened(self, folder: str, hour: str) -> int:
        """The file of an hour, open. With that of a new hour, those of others go."""
        path = self._folders.path(folder, hour)
        try:
            return os.open(path, _WRITE)
        except FileNotFoundError:
            self._make(folder)
            fd = os.open(path, _WRITE | os.O_CREAT, 0o600)
            self._remove_others(folder, hour)
            return fd

    def _make(self, folder: str) -> None:
        """Make a folder, which need not be durable as no count is."""
        try:
            os.mkdir(self._folders.path(folder), 0o700)
        except FileExistsError:
            return
        except FileNotFoundError:  # there is no store yet
            self._folders.make(folder)

    def is_used_up(self, folder: str, hour: str, limits: Mapping[str, int]) -> bool:
        """Whether one of these names is counted as often as its limit."""
        return any(
            self.count_of(folder, hour, name) >= most for name, most in limits.items()
        )

    def count_all(self, folder: str, hour: str, names: Iterable[str]) -> None:
        """Count these names once more."""
        with self._locked(folder, hour) as sketch:
            for name in names:
                sketch.add(name)

    @contextmanager
    def _locked(self, folder: str, hour: str) -> Iterator["_Sketch"]:
        """The counts of an hour, which nobody else changes in this block. With the
        first of an hour, those of all other hours go."""
        with WRITING:
            self._folders.make(folder)
            fd = os.open(self._folders.path(folder, hour), _WRITE | os.O_CREAT, 0o600)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)  # held for no longer than this takes
                if os.fstat(fd).st_size != SIZE:
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


class Held:
    """Names that are held in an hour's file, by the locks of a descriptor."""

    def __init__(
        self, counters: Counters, fd: int, hour: tuple[str, str], names: Sequence[str]
    ) -> None:
        self._counters = counters
        self._fd = fd
        self._hour = hour
        self._names = names

    def count(self) -> None:
        """Count the names, and hold them no more."""
        try:
            self._counters.count_all(*self._hour, self._names)
        finally:
            self.release()

    def release(self) -> None:
        """Hold the names no more. A child that another thread has begun may have the
        file open, too, so closing it would not be enough."""
        try:
            if _HAS_LOCKS:
                fcntl.fcntl(self._fd, fcntl.F_OFD_SETLK, _lock(0, 0, fcntl.F_UNLCK))
        finally:
            os.close(self._fd)


def _hold(fd: int, limits: Mapping[str, int]) -> bool:
    """Take a lock for each of these names, unless one of them is counted and held as
    often as its limit. Nobody else may do so meanwhile."""
    sketch = _Sketch(fd) if os.fstat(fd).st_size == SIZE else None
    free = []
    for name, most in limits.items():
        start = _place(name)
        places: Sequence[int] = range(start, start + most)
        if _is_held(fd, start, most):  # it is seldom so
            places = [place for place in places if not _is_held(fd, place)]
        if len(places) <= (sketch.count_of(name) if sketch else 0):
            return False
        free.append(places[0])
    for place in free if _HAS_LOCKS else ():
        fcntl.fcntl(fd, fcntl.F_OFD_SETLK, _lock(place))
    return True


# Locks on bytes that belong to a descriptor, not to a process. A system without them
# does not know what is held.
_HAS_LOCKS = hasattr(fcntl, "F_OFD_SETLK") and sys.maxsize > 1 << 32
_LOCK = "hhqqi4x"  # of Linux: the kind, from where, the byte, how many, and whose


def _place(name: str) -> int:
    """The first of the bytes that are for those who hold a name."""
    code = name.encode("utf-8", "surrogatepass")
    return 1 << 62 | int.from_bytes(blake2b(code, digest_size=5).digest(), "big") << 16


def _lock(place: int, count: int = 1, kind: int = fcntl.F_WRLCK) -> bytes:
    """A lock on a byte, or on so many; 0 are all up to the end."""
    return struct.pack(_LOCK, kind, os.SEEK_SET, place, count, 0)


def _is_held(fd: int, place: int, count: int = 1) -> bool:
    """Whether another descriptor has a lock on one of so many bytes."""
    if not _HAS_LOCKS:
        return False
    found = fcntl.fcntl(fd, fcntl.F_OFD_GETLK, _lock(place, count))
    return bool(struct.unpack(_LOCK, found)[0] != fcntl.F_UNLCK)


_READ = os.O_RDONLY | os.O_NOFOLLOW
_WRITE = os.O_RDWR | os.O_NOFOLLOW


class _Sketch:
    """An open file of counts."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._key = os.pread(fd, _KEY_BYTES, 0)

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
        return [
            _KEY_BYTES
            + _COUNTER_BYTES
            * (row * _SLOTS + int.from_bytes(code[8 * row :][:8], "big") % _SLOTS)
            for row in range(_ROWS)
        ]

    def _at(self, offset: int) -> int:
        return int.from_bytes(os.pread(self._fd, _COUNTER_BYTES, offset), "big")
