"""Files by system calls: written whole, made durable, locked. What the disk refuses is
raised as OSError."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic, sleep

_POLL_SECONDS = 0.01  # from one look at a lock that is held to the next

_LOCKS = set[int]()  # files that are open to be locked by this process alone


_NEW = os.O_RDWR | os.O_CREAT  # how a file is opened that may not be there


def open_lock(path: str, how: int = _NEW) -> int:
    """Open a file that is there to be locked. No child has it open: a lock is held as
    long as its file is open anywhere, and so would outlast a process that is killed."""
    fd = os.open(path, how | os.O_NOFOLLOW, 0o600)
    _LOCKS.add(fd)
    return fd


def close_lock(fd: int) -> None:
    """Close such a file, which unlocks it."""
    _LOCKS.discard(fd)
    os.close(fd)


def _close_locks() -> None:
    for fd in _LOCKS:
        with suppress(OSError):
            os.close(fd)
    _LOCKS.clear()


os.register_at_fork(after_in_child=_close_locks)


def take(fd: int) -> bool:
    """Lock an open file; False if somebody holds it, or has just removed it."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(fd).st_nlink > 0


def lock_file(path: str, patience: float) -> Callable[[], object] | None:
    """Lock the file at a path, waiting so many seconds at most: the function that lets
    go of it, or None after waiting in vain."""
    end = monotonic() + patience
    while (release := _locked(path)) is None and monotonic() < end:
        sleep(_POLL_SECONDS)
    return release


def _locked(path: str) -> Callable[[], object] | None:
    """Lock a file; None while somebody holds it."""
    with ExitStack() as held:
        fd = open_lock(path)
        held.callback(close_lock, fd)
        if not take(fd):
            return None
        # a child that another thread begins has the file open, too, for a moment
        held.callback(fcntl.flock, fd, fcntl.LOCK_UN)
        return held.pop_all().close


def write(path: str, content: bytes, durably: bool = False) -> None:
    """Write a file with this content."""
    with written(path, content) as fd:
        if durably:
            os.fsync(fd)


@contextmanager
def written(path: str, content: bytes) -> Iterator[int]:
    """A file with this content, open in this block."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        left = memoryview(content)
        while left:  # one call may write less
            left = left[os.write(fd, left) :]
        yield fd
    finally:
        os.close(fd)


def begin_to_write_out(fd: int) -> None:
    """Have the disk begin to write a file, so that a later fsync finds half of its work
    done. Linux begins when it is told that nobody will read the file again."""
    with suppress(AttributeError, OSError):  # not every system has this call
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)


def sync(path: str) -> None:
    """Make a file's content durable, or the names in a folder."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
