"""Processes beside a server, which stay as long as it does: each does one thing of its
own, at low priority, and is started again when it was ended.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from select import select
from time import monotonic, sleep

from pbm_holomino.errors import PbmError
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.resident import garbage
from pbm_holomino.resident.report import in_words, say
from pbm_holomino.resident.restarts import next_pause
from pbm_holomino.resident.signals import RELOADING
from pbm_holomino.resident.thinking import Ended, lower_priority
from pbm_holomino.store.home import Home, reopened

_PAUSE = 1.0  # seconds after an error


class Companion(NamedTuple):
    """What such a process does, with the settings of a home, until it raises Ended as
    there is something to be read at one of its files; and what the owner knows it by,
    such as `pbm play`."""

    program: str
    work: Callable[[Home, Sequence[int]], object]


@contextmanager
def accompanied(home: Home, *companions: Companion) -> Iterator[Callable[[], None]]:
    """Have a process for each of these as long as this block lasts, or this process. To
    be entered before there are threads; what it yields has them use the settings as
    they are now."""
    with ExitStack() as stack:
        reloads = [stack.enter_context(_beside(home, each)) for each in companions]

        def reload() -> None:
            for each in reloads:
                each()

        yield reload


@contextmanager
def _beside(home: Home, companion: Companion) -> Iterator[Callable[[], None]]:
    """One such process. It is nobody's child, so that it leaves nothing behind if it is
    killed."""
    ends, lasts = os.pipe()
    is_gone, is_here = os.pipe()
    child = os.fork()
    if not child:
        try:
            if not os.fork():
                os.close(lasts)
                _stay(home, companion, ends)
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


def _stay(home: Home, companion: Companion, ends: int) -> None:
    """What that process does, until `ends` is closed at its other end: it has a child
    work, and starts another when that has been killed. If it is killed itself, its
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
            why = f"it was ended by {_cause(status)}, and is started again"
            say(why, companion.program)
            with suppress(Ended):
                wait([], [ends], pause)
        else:
            os.close(here)
            if _work_on(home, companion, ends, gone):
                return
            os.close(gone)
        with suppress(PbmError):
            home = reopened(home)


def _cause(status: int) -> str:
    """What has ended a process, by the status that wait has given."""
    code = os.waitstatus_to_exitcode(status)
    return f"signal {-code}" if code < 0 else f"status {code}"


def _work_on(home: Home, companion: Companion, ends: int, gone: int) -> bool:
    """Work until one of these files can be read or is closed at its other end; whether
    it was `ends`, and closed. A byte there says that there are new settings."""
    while True:
        try:
            companion.work(home, [ends, gone])
        except Ended:
            if gone in select([gone], [], [], 0)[0]:
                return False
            if not os.read(ends, 1):
                return True
            with suppress(PbmError):
                home = reopened(home)
        except Exception as error:  # it must not be lost with the process
            say(in_words(error), companion.program)
            sleep(_PAUSE)


def wait(ready: Sequence[int], ends: Sequence[int], seconds: float) -> None:
    """Wait until one of these can be read, or for so many seconds. Raises Ended."""
    if {*ends} & {*select([*ready, *ends], [], [], seconds)[0]}:
        raise Ended
