"""The owner's log: one line for each mail, which holds no secret and no address.

It goes to the system's log, or to the file that `log:` in the settings names. Nothing
that goes wrong here stops a mail.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from pbm_holomino.errors import DONE, REFUSED
from pbm_holomino.match.times import time_at
from pbm_holomino.store.config import Config

_SYSTEM = "/dev/log"  # where the system takes lines for its log, if it does
_MOST_BYTES = 1_000_000  # of the file; then it becomes pbm.log.1
_OLDER = 4  # of these files are kept


class Entry:
    """What the line about a mail says: its id, the command and board that it asks for,
    and what came of it."""

    def __init__(self) -> None:
        self.id = self.asked = "-"
        self.verdict = "later"  # unless it comes to another end

    def answered(self, statuses: list[int]) -> None:
        """Note what came of the commands of the mail."""
        worst = max(statuses, default=DONE)
        words = {DONE: "done", REFUSED: "refused"}
        self.verdict = words.get(worst, "not understood")


@contextmanager
def entry(config: Config) -> Iterator[Entry]:
    """The line about a mail, which is written at the end of the block: `later` if an
    error passes, as the mail will come again."""
    begun, found = monotonic(), Entry()
    try:
        yield found
    finally:
        took = round((monotonic() - begun) * 1000)
        said = f"{found.id} {found.asked}: {found.verdict}, {took} ms"
        with suppress(OSError):
            if config.log:
                _append(config.log, f"{time_at()} {said}\n".encode("ascii", "replace"))
            elif os.path.exists(_SYSTEM):
                import syslog  # not every system has it

                syslog.openlog("pbm", syslog.LOG_PID, syslog.LOG_MAIL)
                syslog.syslog(syslog.LOG_INFO, said)


def _append(path: str, line: bytes) -> None:
    """Add a line to a file, which is renamed when it is long."""
    fd = _opened(path)
    try:
        if os.fstat(fd).st_size >= _MOST_BYTES:
            _rename(path, fd)
            os.close(fd)
            fd = _opened(path)
        os.write(fd, line)
    finally:
        os.close(fd)


def _opened(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)


def _rename(path: str, fd: int) -> None:
    """Rename a file that is open, and the older ones, unless another process has."""
    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        if not os.path.samestat(os.fstat(fd), os.stat(path)):
            return
    except FileNotFoundError:
        return  # renamed just now, and its successor is not there yet
    for number in range(_OLDER - 1, 0, -1):
        with suppress(FileNotFoundError):
            os.rename(f"{path}.{number}", f"{path}.{number + 1}")
    os.rename(path, f"{path}.1")
