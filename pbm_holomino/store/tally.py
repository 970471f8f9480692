"""Counts of names within an hour, in one file whose size never changes.

The file is a count-min sketch (Cormode and Muthukrishnan, 2005) with conservative
update: two rows of counters, in each of which a name has one, at a place given by a
hash of the name under a random key that stands at the head of the file. A name's
count is the smaller of its two, which is never too small; it is too large only for a
name that shares both places with busier ones, and nobody who does not know the key
can choose such a name.

Nothing here is made durable: after a power cut an hour may be counted again. What
the disk refuses is raised as OSError.
"""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b

_KEY_BYTES = 32
_ROWS = 2
_PLACES = 1 << 18  # counters in a row
_COUNTER_BYTES = 4
SIZE = _KEY_BYTES + _ROWS * _PLACES * _COUNTER_BYTES  # of the file, which is sparse
_GREATEST = (1 << 8 * _COUNTER_BYTES) - 1


class Counts:
    """An open file of counts, to be changed while nobody else changes it."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._key = os.pread(fd, _KEY_BYTES, 0)

    def of(self, name: str) -> int:
        """How often a name has been counted."""
        return min(map(self._at, self._places(name)))

    def add(self, name: str) -> None:
        """Count a name once more."""
        places = self._places(name)
        more = min(min(map(self._at, places)) + 1, _GREATEST)
        for place in places:
            if self._at(place) < more:
                os.pwrite(self._fd, more.to_bytes(_COUNTER_BYTES, "big"), place)

    def claim(self, claims: Mapping[str, tuple[int, int]]) -> bool:
        """Count each of these names so many times more, the first number, unless one of
        them would be counted more often than its limit, the second; whether they were
        counted."""
        if any(self.of(name) + more > most for name, (more, most) in claims.items()):
            return False
        for name, (more, _) in claims.items():
            for _ in range(more):
                self.add(name)
        return True

    def _places(self, name: str) -> list[int]:
        """Where the counters of a name are in the file, one in each row."""
        code = blake2b(name.encode("utf-8", "surrogatepass"), key=self._key).digest()
        return [
            _KEY_BYTES
            + _COUNTER_BYTES
            * (row * _PLACES + int.from_bytes(code[8 * row :][:8], "big") % _PLACES)
            for row in range(_ROWS)
        ]

    def _at(self, place: int) -> int:
        return int.from_bytes(os.pread(self._fd, _COUNTER_BYTES, place), "big")


@contextmanager
def opened(path: str, begun: Callable[[], object]) -> Iterator[Counts]:
    """The counts in a file, locked for this block; `begun` is called if it is new."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)  # nobody holds it for longer than this takes
        if os.fstat(fd).st_size != SIZE:
            os.pwrite(fd, os.urandom(_KEY_BYTES), 0)
            os.ftruncate(fd, SIZE)
            begun()
        yield Counts(fd)
    finally:
        os.close(fd)


def count_in(path: str, name: str) -> int:
    """How often a name has been counted in a file, which may be missing or new."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return 0
    try:
        return Counts(fd).of(name) if os.fstat(fd).st_size == SIZE else 0
    finally:
        os.close(fd)
