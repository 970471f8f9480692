"""What a robot thinks is thought in a process of its own, which can be ended.

If it comes to no result there, the owner is told.
"""

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from select import select
from time import monotonic

from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.robots.contract import Budget
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.contract import ROBOTS_FAILED

_TIMES = 10  # as long as a robot's budget it may think, before it is ended
LEAST = 2.0  # seconds: also a robot without a budget must have looked at its moves
# By the wall clock, a process of low priority may take many times as long.
_SLOWNESS = 30
PATIENCE = 60.0


class CannotThink(Exception):
    """Why a robot has come to no result: it failed, or took too long."""


class Ended(BaseException):
    """Whoever wanted the result has ended."""


class Thinking(NamedTuple):
    """Has the robots of a server think. It stops when one of the lifelines can be read:
    then this raises Ended."""

    server: Server
    lifelines: Sequence[int] = ()

    def result(self, think: Callable[[Budget], str], seconds: float) -> str:
        """What a function comes to with a budget of so many seconds of processor time.
        Raises CannotThink."""
        return thought(partial(think, Budget(seconds)), seconds, self.lifelines)

    def tell_owner(self, what: str, why: object) -> None:
        """Note that a robot has come to no result."""
        note = f"{self.server.now()} {what}: {why}"
        self.server.store.put_note(ROBOTS_FAILED, note)


def lower_priority() -> None:
    """Leave the processor to all others."""
    with suppress(OSError):
        os.nice(10)


def thought(
    think: Callable[[], str], seconds: float, lifelines: Sequence[int] = ()
) -> str:
    """What a function comes to, in a process of its own that is ended if it takes ten
    times so many seconds of processor time. Raises CannotThink; and Ended when one of
    the lifelines can be read."""
    limit = max(LEAST, _TIMES * seconds)
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        _answer(think, theirs, limit)
    os.close(theirs)
    try:
        return _heard(ours, limit, lifelines)
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(ours)


def _answer(think: Callable[[], str], channel: int, limit: float) -> None:
    """In the child: think, say the result, and end, whatever happens."""
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, limit)
        try:
            told = f"={think()}"
        except Exception as error:  # another player moves in its place
            told = f"!{type(error).__name__}"
        os.write(channel, told.encode())
    finally:
        os._exit(0)


def _heard(channel: int, limit: float, lifelines: Sequence[int]) -> str:
    """The result, when it has come whole."""
    told, end = b"", monotonic() + _SLOWNESS * limit + PATIENCE
    while True:
        ready, _, _ = select([channel, *lifelines], [], [], max(0.0, end - monotonic()))
        if not ready:
            raise CannotThink("it hung")
        if channel not in ready:
            raise Ended
        more = os.read(channel, 1 << 16)
        told += more
        if not more:
            break
    if told[:1] == b"=":
        return told[1:].decode()
    raise CannotThink(f"it failed: {told[1:].decode()}" if told else "it took too long")
