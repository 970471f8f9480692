"""Who works when in a process that serves many clients: one thread speaks with all of
them, and others carry out what they ask, one after the other.

Threads of Python that compute at the same time only hold each other up. So one thing is
done at a time; but what takes longer than a moment, as it computes for long or waits
for a lock, the disk or somebody to type, goes on beside the next.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_MOMENT = 0.005  # seconds: what takes longer mostly waits for the disk

_Result = TypeVar("_Result")


class Turns:
    """Has things done in turns, by at most so many threads. It belongs to one loop, and
    is to be closed in the end."""

    def __init__(self, most: int) -> None:
        self._threads = ThreadPoolExecutor(most, "turn")
        self._turn = asyncio.Lock()

    async def do(self, work: Callable[[], _Result]) -> _Result:
        """What this returns, when its turn has come and it is done. Once begun it is
        finished, even if nobody awaits it any more."""
        loop = asyncio.get_running_loop()
        async with self._turn:
            doing = loop.run_in_executor(self._threads, work)
            await asyncio.wait([doing], timeout=_MOMENT)
        return await doing

    def close(self) -> None:
        """Wait until all that was begun is done."""
        self._threads.shutdown()
