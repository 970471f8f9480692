"""The process that plays for the robots: one on each machine, of low priority. It ends
when there is nothing left to do, or stays as long as a server does.
"""

import os
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from select import select
from time import monotonic, sleep

from pbm_holomino.errors import PbmError
from pbm_holomino.mail.ways import close
from pbm_holomino.resident import garbage
from pbm_holomino.resident.report import in_words, say
from pbm_holomino.resident.restarts import next_pause
from pbm_holomino.resident.signals import RELOADING
from pbm_holomino.resident.thinking import Ended, lower_priority
from pbm_holomino.resident.work import Work
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
            work = Work(server, home.config.robot_seconds)
            while True:
                done += sum(1 for each in work.do_all() if each)
                if (left := work.until_free) is None:
                    break
                sleep(left)
        # somebody may have left it to us when there was nothing left
        if not work.tasks():
            return done


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
    """What that process does, until `ends` is closed at its other end: it has a child
    play, and starts another when that has been killed. If it is killed itself, its
    child takes its place."""
    garbage.collect_seldom()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with the other process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(RELOADING, signal.SIG_IGN)
    lower_priority()
    pause = 0.0
    while True:
        began = monotonic()
        gone, here = os.pipe()
        child = os.fork()
        if child:
            os.close(gone)
            _, status = os.waitpid(child, 0)
            os.close(here)
            if not status:
                return
            pause = next_pause(pause, monotonic() - began)
            say(f"it was ended by {_cause(status)}, and is started again", "pbm play")
            with suppress(Ended):
                _wait([], [ends], pause)
        else:
            os.close(here)
            if _play_on(home, ends, gone):
                return
            os.close(gone)
        with suppress(PbmError):
            home = reopened(home)


def _cause(status: int) -> str:
    """What has ended a process, by the status that wait has given."""
    code = os.waitstatus_to_exitcode(status)
    return f"signal {-code}" if code < 0 else f"status {code}"


def _play_on(home: Home, ends: int, gone: int) -> bool:
    """Play until one of these files can be read or is closed at its other end; whether
    it was `ends`, and closed. A byte there says that there are new settings."""
    while True:
        try:
            _play_alone(home, [ends, gone])
        except Ended:
            if gone in select([gone], [], [], 0)[0]:
                return False
            if not os.read(ends, 1):
                return True
            with suppress(PbmError):
                home = reopened(home)
        except Exception as error:  # it must not be lost with the process
            say(in_words(error), "pbm play")
            sleep(_POLL)


def _play_alone(home: Home, ends: Sequence[int]) -> None:
    """Play for the robots of this machine when no other process does. Raises Ended when
    there is something to be read at one of `ends`."""
    while True:
        with holding(home) as is_ours:
            if is_ours:
                with _listening(home) as told:
                    _play_when_told(home, told, ends)
        _wait([], ends, _POLL)


def _play_when_told(home: Home, told: socket.socket, ends: Sequence[int]) -> None:
    """Play whenever somebody tells that there is something to do, and each minute."""
    while True:
        free = None
        try:
            free = _play_once(home, ends)
        except Exception as error:  # the database may be back in a minute
            say(in_words(error), "pbm play")
        _wait([told.fileno()], ends, _LOOK_SECONDS if free is None else free)
        with suppress(BlockingIOError):
            while told.recv(1):
                pass


def _play_once(home: Home, ends: Sequence[int]) -> float | None:
    """Do what can be done now; the seconds until a board is free, if one is leased."""
    server = server_of(home)
    with closing(server.store), ExitStack() as stack:
        stack.callback(close, home)
        work = Work(server, home.config.robot_seconds, ends)
        for _ in work.do_all():
            pass
        return work.until_free


def _wait(ready: Sequence[int], ends: Sequence[int], seconds: float) -> None:
    """Wait until one of these can be read, or for so many seconds. Raises Ended."""
    if {*ends} & {*select([*ready, *ends], [], [], seconds)[0]}:
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
