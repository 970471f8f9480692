"""A desk in the test's own process, whose disk can be held; and what mails bring to a
server."""

import asyncio
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbm_holomino.resident import lmtp
from pbm_holomino.resident.clients import Clients, Entrance
from pbm_holomino.resident.lmtp import Handler, LmtpServer
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config
from tests.house import PASSWORDS, House, home
from tests.processes import PATIENCE


def mail(who: str, subject: str, name: str, body: str = "Hello!") -> bytes:
    """A mail from the home address of `who`, with `name` in its Message-ID."""
    head = f"From: {home(who)}\nTo: pbm@localhost\nSubject: {subject}\n"
    return f"{head}Message-ID: <{name}@example.org>\n\n{body}\n".encode()


def move(house: House, who: str, board: int = 1, choice: int = 0) -> str:
    """The line with one of the legal moves of `who`, whose turn it is."""
    words = f"holo move {board} {who} {PASSWORDS[who]}"
    return f"{words} {house.legal(board)[choice]}"


@contextmanager
def lmtp_server(server: Server, path: Path) -> Iterator[None]:
    """An LMTP server at a socket, in threads of this process."""
    made = LmtpServer(Handler(server, Config()))
    clients = Clients(made.speak, lmtp.MOST_CONNECTIONS)
    ended = asyncio.Event()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        async def serve() -> None:
            entrance = Entrance(listener, clients.take, lmtp.MOST_CONNECTIONS)
            await ended.wait()
            entrance.close()
            made.close()
            clients.finish()

        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
        thread.start()
        try:
            yield
        finally:
            loop.call_soon_threadsafe(ended.set)
            thread.join(PATIENCE)
            loop.close()


def in_outbox(house: House) -> list[str]:
    folder = house.path("outbox")
    return sorted(os.listdir(folder)) if folder.exists() else []


def of_the_move(house: House) -> list[str]:
    """The names of the files with the letters about the line after the challenge of
    board 1, as they are listed: to alice and to bob."""
    return [f"{house.letter_id(1, who)}.eml" for who in ("alice", "bob")]
