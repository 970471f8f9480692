"""The owner's log: one line for each mail, which holds no secret and no address.

It goes to the system's log, or to the file that `log:` in the settings names. Nothing
that goes wrong here stops a mail. What is written here is read again by `pbm log`.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC
from time import monotonic

from pbm_holomino.errors import DONE, REFUSED
from pbm_holomino.match.times import format_time, parse_time, time_at
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.config import JSON, Config
from pbm_holomino.store.contract import QUARANTINE

_SYSTEM = "/dev/log"  # where the system takes lines for its log, if it does
_MOST_BYTES = 1_000_000  # of the file; then it becomes pbm.log.1
_OLDER = 4  # of these files are kept


VERDICTS = (
    *("done", "refused", "not understood", "later"),
    *("bounce", QUARANTINE, "ignored", "unwanted"),
)
_KEYS = ("time", "id", "asked", "verdict", "ms")
_TEXT = (
    r"(?P<before>(?:[ -~]{0,200} )?)(?P<id>[0-9a-f]{16}|-) (?P<asked>[ -~]{1,200}): "
    rf"(?P<verdict>{'|'.join(VERDICTS)}), (?P<ms>[0-9]{{1,9}}) ms"
)


class Line(NamedTuple):
    """A line of the log: when the mail was dealt with, empty if that is not known; its
    id, `-` for none; what it asked, and what came of it (of VERDICTS); and the
    milliseconds that this took."""

    time: str
    id: str
    asked: str
    verdict: str
    ms: int

    def as_text(self) -> str:
        """The usual form."""
        return f"{self.time} {self.untimed()}".lstrip()

    def untimed(self) -> str:
        """The same without the time, which the system's log has anyway."""
        return f"{self.id} {self.asked}: {self.verdict}, {self.ms} ms"

    def as_json(self) -> str:
        """The form for programs: an object."""
        import json  # few settings ask for it

        return json.dumps(self._asdict())


def read(line: str) -> Line | None:
    """A line of the log in either form, also as the system's log has it, behind a time
    and a name; None for any other."""
    found = re.fullmatch(_TEXT, line)
    if found is None:
        return _read_json(line)
    id, asked, verdict, ms = found.group("id", "asked", "verdict", "ms")
    return Line(_time_in(found["before"]), id, asked, verdict, int(ms))


def _read_json(line: str) -> Line | None:
    before, brace, rest = line.partition("{")
    if not brace or not line.isascii() or not line.isprintable():
        return None
    import json  # few logs have it

    try:
        fields = json.loads(brace + rest)
        values = [fields[key] for key in _KEYS]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not all(map(isinstance, values, (str, str, str, str, int))):
        return None
    return read(Line(*values).as_text())  # held to the same form


def _time_in(before: str) -> str:
    """The time that a line begins with, in UTC if it says in which zone it is."""
    first, _, rest = before.strip().partition(" ")
    try:
        time = parse_time(first)
    except ValueError:  # such as Nov 20 04:12:33
        clock = re.match(r"\w{3} [ \d]\d [\d:]{8}\b", before)
        return clock[0] if clock else ""
    return format_time(time.astimezone(UTC)) if time.tzinfo else first


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
    begun, noted = monotonic(), Entry()
    try:
        yield noted
    finally:
        took = round((monotonic() - begun) * 1000)
        line = Line(time_at(), noted.id, noted.asked, noted.verdict, took)
        with suppress(OSError):
            _write(line, config)


def _write(line: Line, config: Config) -> None:
    """Add a line to the log that the settings name. Raises OSError."""
    is_json = config.log_form == JSON
    if config.log:
        whole = line.as_json() if is_json else line.as_text()
        _append(config.log, f"{whole}\n".encode("ascii", "replace"))
    elif os.path.exists(_SYSTEM):
        import syslog  # not every system has it

        syslog.openlog("pbm", syslog.LOG_PID, syslog.LOG_MAIL)
        syslog.syslog(syslog.LOG_INFO, line.as_json() if is_json else line.untimed())


def files(path: str) -> list[str]:
    """The files of a log that may be there: the newest first."""
    return [path, *(f"{path}.{number}" for number in range(1, _OLDER + 1))]


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
