"""Has somebody play for the robots: the process of this machine that does it, or a new
one. A mail pays for none of this unless a robot is to act.
"""

import _socket
import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep

from pbm_holomino.errors import CorruptFile, NotFound, StoreTrouble
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import ROBOT
from pbm_holomino.store.files.disk import close_lock, open_lock, take
from pbm_holomino.store.home import Home
from pbm_holomino.store.library import Library
from pbm_holomino.store.summary import Summary

LOCK = "robots.lock"  # held by the process that plays for the robots of this machine
SOCKET = "robots.socket"  # where one that stays is told that there is something to do
PATIENCE = 2.0  # seconds for which a letter waits for a robot's move
_POLL = 0.05


def wake(home: Home) -> bool:
    """Have the robots of this machine look at their boards; whether they will."""
    try:
        return _is_heard(home) or _is_held(home) or _started(home)
    except (NotImplementedError, OSError):  # setsid is not everywhere
        return False  # pbm tick will do it


def waiting(library: Library) -> list[tuple[str, Summary]]:
    """The boards that wait for a robot, and since when, the longest first."""
    ours = library.robots
    found = library.lists.boards_of(ours, "active").boards
    times = ((_since(board, ours), board) for board in found)
    return sorted(((time, b) for time, b in times if time), key=lambda each: each[0])


def _since(board: Summary, ours: Collection[str]) -> str:
    return min((w.since for who, w in board.waits.items() if who in ours), default="")


def awaited(match: Match, library: Library, end: float) -> Match:
    """The match when its robots have done what they have to do, and the letters about
    it are left to us; or as it is at this time of the monotonic clock."""
    folder, name = match.record.game, str(match.record.board)
    known = None
    with suppress(CorruptFile, NotFound, StoreTrouble):
        while not _is_ours_to_tell(match, library) and monotonic() < end:
            found = library.store.find(folder, name, known)
            if found is not None and found.text is not None:
                known = found.revision
                match = library.match(folder, match.record.board)
            else:
                sleep(_POLL)
    return match


def _is_ours_to_tell(match: Match, library: Library) -> bool:
    """Whether robots have done what they have to do, and nobody holds the mark of what
    they did last, as their process does for a moment when it has saved."""
    if match.robots_due:
        return False
    folder, name = match.key
    marks, log = library.store.marks, match.record.log
    line = max((no for no, line in enumerate(log) if line.source == ROBOT), default=0)
    if not marks.is_unsent(folder, name, line):
        return True
    with marks.sending(folder, name, line) as mark:
        if mark is not None:
            mark.kept = True
        return mark is not None


def _is_heard(home: Home) -> bool:
    """Whether a process that stays has been told."""
    teller = _socket.socket(_socket.AF_UNIX, _socket.SOCK_DGRAM)
    teller.setblocking(False)
    try:
        teller.sendto(b"\0", home.path(SOCKET))
    except BlockingIOError:
        pass  # it has been told more often than it could listen
    except OSError:
        return False
    finally:
        teller.close()
    return True


def _is_held(home: Home) -> bool:
    """Whether a process is at work. One that ends looks at the boards once more after
    that."""
    with holding(home) as is_ours:
        return not is_ours


@contextmanager
def holding(home: Home) -> Iterator[bool]:
    """Be the one process of this machine that plays for robots; whether it is."""
    fd = open_lock(home.path(LOCK))
    try:
        yield take(fd)
    finally:
        close_lock(fd)


# Whatever the present folder holds, this package is the one that is imported.
_PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv.pop()); "
    "from pbm_holomino import cli; sys.exit(cli.main(['pbm', 'play']))"
)


def _started(home: Home) -> bool:
    """Start a process that nobody waits for, which plays and ends. The shell in between
    makes it nobody's child."""
    place = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
    shell = os.posix_spawn(
        "/bin/sh",
        ["sh", "-c", '"$@" &', "sh", sys.executable, "-P", "-c", _PROGRAM, place],
        {**os.environ, "PBM_GAMES": os.path.abspath(home.root)},
        file_actions=null,
        setsid=True,
    )
    return os.waitpid(shell, 0)[1] == 0
