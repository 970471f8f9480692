"""The clients of one process: each has a thread of its own, in which its commands are
carried out, too, so that one that waits or works keeps no other waiting.
"""

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from pbm_holomino.resident.report import report

_PAUSE = 1.0  # seconds until the next try, where the system lets no client in
# serves a client; the function is to be called when it has left
Take = Callable[[socket.socket, Callable[[], object]], None]


class Clients:
    """The clients that `speak` serves, each in its thread, at most so many at once."""

    def __init__(self, speak: Callable[[socket.socket], None], most: int) -> None:
        self._speak = speak
        self._threads = ThreadPoolExecutor(most, "client")

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


class Entrance:
    """Where clients come in, on the loop that runs: at a listener, at most so many at
    once. Those for whom there is no room wait in the system's queue, or are refused by
    it."""

    def __init__(self, listener: socket.socket, take: Take, most: int) -> None:
        self._listener = listener
        self._take = take
        self._room = most
        self._is_open = True
        self._loop = asyncio.get_running_loop()
        listener.setblocking(False)
        self._listen()

    def close(self) -> None:
        """Let nobody in any more."""
        self._is_open = False
        self._loop.remove_reader(self._listener)

    def _listen(self) -> None:
        if self._is_open and self._room:
            self._loop.add_reader(self._listener, self._let_in)

    def _let_in(self) -> None:
        """Let one client in. Nothing can come in between, so that none is lost."""
        try:
            client, _ = self._listener.accept()
        except BlockingIOError:  # it has left meanwhile
            return
        except OSError as error:  # too many files
            report(error)
            self._loop.remove_reader(self._listener)
            self._loop.call_later(_PAUSE, self._listen)
            return
        self._room -= 1
        if not self._room:
            self._loop.remove_reader(self._listener)
        self._take(client, partial(self._loop.call_soon_threadsafe, self._leave))

    def _leave(self) -> None:
        self._room += 1
        self._listen()
