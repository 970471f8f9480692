"""The clients of one process, all of which one thread speaks with, on its loop."""

import asyncio
import socket
from collections.abc import Awaitable, Callable

from pbm_holomino.resident.report import report

_PAUSE = 1.0  # seconds until the next try, where the system lets no client in
# serves a client; the function is to be called when it has left
Take = Callable[[socket.socket, Callable[[], object]], None]


class Clients:
    """The clients that `speak` serves."""

    def __init__(self, speak: Callable[[socket.socket], Awaitable[object]]) -> None:
        self._speak = speak
        self._here = set[asyncio.Task[None]]()

    def take(self, client: socket.socket, leave: Callable[[], object]) -> None:
        """Serve a client; `leave` is called when it has left."""
        task = asyncio.get_running_loop().create_task(self._served(client, leave))
        self._here.add(task)
        task.add_done_callback(self._here.discard)

    async def _served(self, client: socket.socket, leave: Callable[[], object]) -> None:
        try:
            with client:
                await self._speak(client)
        except Exception as error:  # it must not be lost with the task
            report(error)
        finally:
            leave()

    async def finish(self) -> None:
        """Wait until all have left."""
        while self._here:
            await asyncio.wait(self._here)


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
        self._take(client, self._leave)

    def _leave(self) -> None:
        self._room += 1
        self._listen()
