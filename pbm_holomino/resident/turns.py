"""Who works when in a process that serves many clients: one thread speaks with all of
them, and others carry out what they ask, one after the other.

Threads of Python that compute at the same time only hold each other up. So one thing is
done at a time; but what takes longer than a moment, as it computes for long or waits
for a lock, the disk or somebody to type, goes on beside the next.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from pbm_holomino.resident.crew import Crew

_MOMENT = 0.005  # seconds: what takes longer mostly waits for the disk

_Result = TypeVar("_Result")
_Done = asyncio.Future[Any]


class Turns:
    """Has things done in turns, by at most so many threads. It belongs to one loop, and
    is to be closed in the end."""

    def __init__(self, most: int) -> None:
        self._crew = Crew(most, "turn")
        self._waiting = deque[tuple[Callable[[], object], _Done]]()
        self._present: _Done | None = None  # whose turn it is
        self._until: asyncio.TimerHandle | None = None

    def do(self, work: Callable[[], _Result]) -> "asyncio.Future[_Result]":
        """What this returns, when its turn has come and it is done. Once begun it is
        finished, even if nobody awaits it any more."""
        done: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        self._begin_next()
        return done

    def _begin_next(self) -> None:
        while self._present is None and self._waiting:
            work, done = self._waiting.popleft()
            if not done.cancelled():
                self._present = done
                loop = done.get_loop()
                self._until = loop.call_later(_MOMENT, self._end_turn, done)
                self._crew.do(partial(_carry_out, work, done, self._end_turn))

    def _end_turn(self, done: _Done) -> None:
        """Let the next one begin, if this one has the turn still."""
        if self._present is done:
            if self._until is not None:
                self._until.cancel()
            self._present = self._until = None
            self._begin_next()

    def close(self) -> None:
        """Wait until all that was begun is done."""
        self._crew.close()


def _carry_out(
    work: Callable[[], object], done: _Done, then: Callable[[_Done], object]
) -> None:
    """Do this, and say so on the loop to which it belongs."""
    result, error = None, None
    try:
        result = work()
    except BaseException as raised:  # it is raised where the result is awaited
        error = raised

    def tell() -> None:
        if done.cancelled():
            pass  # nobody awaits it any more
        elif error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)
        then(done)

    done.get_loop().call_soon_threadsafe(tell)
