"""The process that plays for the robots: one on each machine, of low priority. It ends
when there is nothing left to do, or stays as long as a server does.
"""

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import (
    AbstractContextManager,
    ExitStack,
    closing,
    contextmanager,
    suppress,
)
from time import sleep

from pbm_holomino.mail.transports import close
from pbm_holomino.resident.companions import Companion, accompanied, wait
from pbm_holomino.resident.report import in_words, say
from pbm_holomino.resident.work import Work
from pbm_holomino.server.open import server_of
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


def _play_alone(home: Home, ends: Sequence[int]) -> None:
    """Play for the robots of this machine when no other process does. Raises Ended when
    there is something to be read at one of `ends`."""
    while True:
        with holding(home) as is_ours:
            if is_ours:
                with _listening(home) as told:
                    _play_when_told(home, told, ends)
        wait([], ends, _POLL)


def _play_when_told(home: Home, told: socket.socket, ends: Sequence[int]) -> None:
    """Play whenever somebody tells that there is something to do, and each minute."""
    while True:
        free = None
        try:
            free = _play_once(home, ends)
        except Exception as error:  # the database may be back in a minute
            say(in_words(error), "pbm play")
        wait([told.fileno()], ends, _LOOK_SECONDS if free is None else free)
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


PLAYING = Companion("pbm play", _play_alone)


def staying(home: Home) -> AbstractContextManager[Callable[[], None]]:
    """Have a process play for the robots as long as this block lasts."""
    return accompanied(home, PLAYING)
