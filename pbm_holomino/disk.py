"""Files by the system's own calls: written whole, made durable, taken alone."""

import fcntl
import os

from pbm_holomino.errors import StoreTrouble


class _Trouble:
    """What the disk refuses in this block is StoreTrouble."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, OSError):
            file = os.path.normpath(error.filename) if error.filename else "The store"
            raise StoreTrouble(
                f"{file} cannot be {self._what} "
                f"({error.strerror}): please try again later, or set PBM_GAMES to a "
                "folder of your own."
            ) from None


READING, WRITING = _Trouble("read"), _Trouble("written")


def exists(path: str) -> bool:
    """os.path.exists would take a folder that cannot be read for one without it."""
    with READING:
        try:
            os.stat(path)
        except FileNotFoundError:
            return False
        return True


def take(fd: int) -> bool:
    """Lock an open file, unless somebody holds it or has just removed it."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(fd).st_nlink > 0


def write(path: str, content: bytes, durably: bool = False) -> None:
    fd = written(path, content)
    try:
        if durably:
            os.fsync(fd)
    finally:
        os.close(fd)


def written(path: str, content: bytes) -> int:
    """A file, open, with this as all that it holds."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        left = memoryview(content)
        while left:  # one call may write less
            left = left[os.write(fd, left) :]
    except OSError:
        os.close(fd)
        raise
    return fd


def begin_to_write_out(fd: int) -> None:
    """Have the disk begin with a file, so that a fsync soon after finds half of its
    work done. Linux does so where one will not read it again."""
    if hasattr(os, "posix_fadvise"):  # not everywhere
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)


def sync(path: str) -> None:
    """Make a file durable, or the names in a folder."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
