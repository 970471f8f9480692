"""The clients of one process: each has a thread of its own, in which its commands are
carried out, too, so that one that waits or works keeps no other waiting.
"""

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from pbm_holomino.resident.report import report


class Clients:
    """The clients that `speak` serves, each in its thread, at most so many at once."""

    def __init__(self, speak: Callable[[socket.socket], None], most: int) -> None:
        self._speak = speak
        self._most = most
        self._threads = ThreadPoolExecutor(most, "client")

    async def accept(self, listener: socket.socket) -> None:
        """Take every client that comes, until this is cancelled. Clients for whom there
        is no room wait in the system's queue, or are refused by it."""
        loop = asyncio.get_running_loop()
        room = asyncio.Semaphore(self._most)
        leave = partial(loop.call_soon_threadsafe, room.release)
        listener.setblocking(False)
        while await room.acquire():
            try:
                client, _ = await loop.sock_accept(listener)
            except OSError as error:  # too many files
                report(error)
                room.release()
                await asyncio.sleep(1)
                continue
            self.take(client, leave)

    def take(self, client: socket.socket, leave: Callable[[], object]) -> None:
        """Serve a client, or let it wait for a thread; `leave` is called when it has
        left."""
        try:
            self._threads.submit(self._in_thread, client, leave)
        except RuntimeError as error:  # too many threads: it waits for one of ours
            report(error)

    def _in_thread(self, client: socket.socket, leave: Callable[[], object]) -> None:
        try:
            with client:
                self._speak(client)
        except Exception as error:  # it must not be lost with the thread
            report(error)
        finally:
            leave()

    def finish(self) -> None:
        """Wait until all have left."""
        self._threads.shutdown()
