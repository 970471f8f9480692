"""The process that plays for the robots: one on each machine, of low priority. It ends
when there is nothing left to do, or stays as long as a server does.
"""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from multiprocessing import get_context
from select import select
from time import sleep

from pbm_holomino.mail.ways import close
from pbm_holomino.resident.playing import Player
from pbm_holomino.resident.report import in_words, say
from pbm_holomino.resident.signals import RELOADING
from pbm_holomino.resident.thinking import Ended
from pbm_holomino.server.open import server_of
from pbm_holomino.server.transaction import Server
from pbm_holomino.server.waking import SOCKET, holding
from pbm_holomino.store.home import Home

_LOOK_SECONDS = 60.0  # between two looks at what other machines may have left
_POLL = 1.0
_fork = get_context("fork")


def play(server: Server, home: Home) -> int:
    """Do what robots have to do, and come back: how much was done. Where another
    process of this machine does it, nothing is."""
    done = 0
    while True:
        with holding(home) as is_ours:
            if not is_ours:
                return done
            player = Player(server, home.config.robot_seconds)
            while True:
                done += sum(1 for _ in player.play_all())
                if (left := player.until_free) is None:
                    break
                sleep(left)
        # somebody may have left it to us when there was nothing left
        if not player.boards():
            return done


def lower_priority() -> None:
    """Leave the processor to all others."""
    with suppress(OSError):
        os.nice(10)


@contextmanager
def staying(home: Home) -> Iterator[None]:
    """Have a process play for the robots as long as this block lasts, or this process.
    To be entered before there are threads."""
    ends, lasts = os.pipe()
    child = _fork.Process(target=_stay, args=(home.root, ends, lasts))
    child.start()
    os.close(ends)
    try:
        yield
    finally:
        os.close(lasts)
        child.join()


def _stay(root: str, ends: int, lasts: int) -> None:
    """What that process does, until `ends` can be read."""
    os.close(lasts)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with the other process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(RELOADING, signal.SIG_IGN)  # settings are read each time
    lower_priority()
    with suppress(Ended):
        stay(Home(root), ends)


def stay(home: Home, ends: int) -> None:
    """Play for the robots of this machine. Raises Ended when `ends` can be read."""
    while True:
        with holding(home) as is_ours:
            if is_ours:
                with _listening(home) as told:
                    _stay_listening(home, told, ends)
        _wait([ends], ends, _POLL)


def _stay_listening(home: Home, told: socket.socket, ends: int) -> None:
    """Play whenever somebody tells that there is something to do, and each minute, with
    the settings of that time."""
    while True:
        free = None
        try:
            free = _play_once(Home(home.root), ends)
        except Exception as error:  # it must not be lost with the process
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
        player = Player(server, home.config.robot_seconds, [ends])
        for _ in player.play_all():
            pass
        return player.until_free


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
