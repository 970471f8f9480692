"""The process that plays for the robots: one on each machine, of low priority. It ends
when there is nothing left to do, or stays as long as a server does.
"""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from select import select
from time import sleep

from pbm_holomino.errors import PbmError
from pbm_holomino.mail.ways import close
from pbm_holomino.resident import garbage
from pbm_holomino.resident.lessons import Teacher
from pbm_holomino.resident.playing import Robots
from pbm_holomino.resident.report import in_words, say
from pbm_holomino.resident.signals import RELOADING
from pbm_holomino.resident.thinking import Ended
from pbm_holomino.server.open import reopened, server_of
from pbm_holomino.server.transaction import Server
from pbm_holomino.server.waking import SOCKET, holding
from pbm_holomino.store.home import Home

_LOOK_SECONDS = 60.0  # between two looks at what other machines may have left
_POLL = 1.0


def play(server: Server, home: Home) -> int:
    """Do what robots have to do, and come back: how much was done. Where another
    process of this machine does it, nothing is."""
    done = 0
    while True:
        with holding(home) as is_ours:
            if not is_ours:
                return done
            robots = Robots(server, home.config.robot_seconds)
            teacher = Teacher(server)
            while True:
                done += sum(1 for _ in _work(robots, teacher))
                if (left := _until_free(robots, teacher)) is None:
                    break
                sleep(left)
        # somebody may have left it to us when there was nothing left
        if not robots.boards() and not teacher.lessons():
            return done


def _work(robots: Robots, teacher: Teacher) -> Iterator[object]:
    """Do what can be done now. Moves come first, also while a game is reviewed, as
    somebody waits for them."""
    yield from robots.play_all()
    for done in teacher.teach_all():
        yield from robots.play_all()
        if done:
            yield done


def _until_free(robots: Robots, teacher: Teacher) -> float | None:
    """Seconds until something is free that another process has leased; None if nothing
    is leased."""
    times = [t for t in (robots.until_free, teacher.until_free) if t is not None]
    return min(times, default=None)


def lower_priority() -> None:
    """Leave the processor to all others."""
    with suppress(OSError):
        os.nice(10)


@contextmanager
def staying(home: Home) -> Iterator[Callable[[], None]]:
    """Have a process play for the robots as long as this block lasts, or this process.
    To be entered before there are threads; what it yields has the other process use the
    settings as they are now. Nobody's child is that process, so that it leaves nothing
    behind if it is killed."""
    ends, lasts = os.pipe()
    is_gone, is_here = os.pipe()
    child = os.fork()
    if not child:
        try:
            if not os.fork():
                os.close(lasts)
                _stay(home, ends)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(ends)
    os.close(is_here)

    def reload() -> None:
        with suppress(BrokenPipeError):
            os.write(lasts, b"\n")

    try:
        yield reload
    finally:
        os.close(lasts)
        os.read(is_gone, 1)
        os.close(is_gone)


def _stay(home: Home, ends: int) -> None:
    """What that process does, until `ends` is closed at its other end."""
    garbage.collect_seldom()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with the other process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(RELOADING, signal.SIG_IGN)
    lower_priority()
    while True:
        try:
            _play_alone(home, ends)
        except Ended:
            if not os.read(ends, 1):
                return
            with suppress(PbmError):
                home = reopened(home)
        except Exception as error:  # it must not be lost with the process
            say(in_words(error), "pbm play")
            sleep(_POLL)


def _play_alone(home: Home, ends: int) -> None:
    """Play for the robots of this machine when no other process does. Raises Ended when
    there is something to be read at `ends`."""
    while True:
        with holding(home) as is_ours:
            if is_ours:
                with _listening(home) as told:
                    _play_when_told(home, told, ends)
        _wait([ends], ends, _POLL)


def _play_when_told(home: Home, told: socket.socket, ends: int) -> None:
    """Play whenever somebody tells that there is something to do, and each minute."""
    while True:
        free = None
        try:
            free = _play_once(home, ends)
        except Exception as error:  # the database may be back in a minute
            say(in_words(error), "pbm play")
        _wait([told.fileno(), ends], ends, _LOOK_SECONDS if free is None else free)
        with suppress(BlockingIOError):
            while told.recv(1):
                pass


def _play_once(home: Home, ends: int) -> float | None:
    """Do what can be done now; the seconds until a board is free, if one is leased."""
    server = server_of(home)
    with closing(server.store), ExitStack() as stack:
        stack.callback(close, home)
        robots = Robots(server, home.config.robot_seconds, [ends])
        teacher = Teacher(server, [ends])
        for _ in _work(robots, teacher):
            pass
        return _until_free(robots, teacher)


def _wait(ready: list[int], ends: int, seconds: float) -> None:
    """Wait until one of these can be read, or for so many seconds. Raises Ended."""
    if ends in select(ready, [], [], seconds)[0]:
        raise Ended


@contextmanager
def _listening(home: Home) -> Iterator[socket.socket]:
    """The socket where this process is told; others find it by its path."""
    path = home.path(SOCKET)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.setblocking(False)
        mask = os.umask(0o177)
        try:
            with suppress(FileNotFoundError):
                os.unlink(path)
            told.bind(path)
        except OSError as error:  # then it looks each minute
            say(f"{path} cannot be a socket: {error}.", "pbm play")
        finally:
            os.umask(mask)
        try:
            yield told
        finally:
            with suppress(FileNotFoundError):
                os.unlink(path)
