"""A desk in the test's own process, whose disk can be held; and what mails bring to a
server."""

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from pbm_holomino.resident import lmtp
from pbm_holomino.resident.clients import Clients, Entrance
from pbm_holomino.resident.lmtp import Handler, LmtpServer
from pbm_holomino.resident.turns import Turns
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config
from tests.house import PASSWORDS, House, home
from tests.processes import PATIENCE

_Result = TypeVar("_Result")


def mail(who: str, subject: str, name: str, body: str = "Hello!") -> bytes:
    """A mail from the home address of `who`, with `name` in its Message-ID."""
    head = f"From: {home(who)}\nTo: pbm@localhost\nSubject: {subject}\n"
    return f"{head}Message-ID: <{name}@example.org>\n\n{body}\n".encode()


def move(house: House, who: str, board: int = 1, choice: int = 0) -> str:
    """The line with one of the legal moves of `who`, whose turn it is."""
    words = f"holo move {board} {who} {PASSWORDS[who]}"
    return f"{words} {house.legal(board)[choice]}"


class Desk:
    """An LMTP server on a loop in a thread of this process, and its clients."""

    def __init__(self, server: Server) -> None:
        self.loop = asyncio.new_event_loop()
        self._turns = Turns(lmtp.MOST_CONNECTIONS)
        self.server = LmtpServer(Handler(server, Config(), self._turns))
        self.clients = Clients(self.server.speak)
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()

    def do(self, act: Callable[[], _Result]) -> _Result:
        """Have something done on the loop."""

        async def done() -> _Result:
            return act()

        return asyncio.run_coroutine_threadsafe(done(), self.loop).result(PATIENCE)

    def close(self) -> None:
        """Wait until the clients have left, and end."""
        left = asyncio.run_coroutine_threadsafe(self.clients.finish(), self.loop)
        left.result(PATIENCE)
        self._turns.close()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE)
        self.loop.close()


@contextmanager
def lmtp_server(server: Server, path: Path) -> Iterator[None]:
    """An LMTP server at a socket, in threads of this process."""
    most = lmtp.MOST_CONNECTIONS
    with closing(Desk(server)) as desk, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        entrance = desk.do(lambda: Entrance(listener, desk.clients.take, most))
        try:
            yield
        finally:
            desk.do(entrance.close)
            desk.do(desk.server.close)


def in_outbox(house: House) -> list[str]:
    """The names of the letters, but for those that are being written."""
    folder = house.path("outbox")
    names = os.listdir(folder) if folder.exists() else []
    return sorted(name for name in names if not name.startswith("."))


def of_the_move(house: House) -> list[str]:
    """The names of the files with the letters about the line after the challenge of
    board 1, as they are listed: to alice and to bob."""
    return [f"{house.letter_id(1, who)}.eml" for who in ("alice", "bob")]
