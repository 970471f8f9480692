"""A server that stays: mail by LMTP (RFC 2033), on a socket in the store and, for
other programs, on a port.

Whoever sends a mail is told 250 once all is done: what it changes is on the disk,
and its letters have left or are marked there. 451 means that it must come again.
"""

import asyncio
import gc
import logging
import os
import re
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session

from pbm_holomino.batch import BatchStore
from pbm_holomino.config import Config
from pbm_holomino.errors import BadCommand, Busy, NotAllowed, PbmError, StoreTrouble
from pbm_holomino.inbox import receive
from pbm_holomino.memory import Memory, Passwords
from pbm_holomino.place import settings
from pbm_holomino.post import sender
from pbm_holomino.request import Answer
from pbm_holomino.server import Server
from pbm_holomino.where import SOCKET

MOST_BYTES = 32 << 20  # of a mail
_READ_BYTES = 1 << 16  # at once: memory for asyncio's 256 KiB is mapped anew each time
_WORKERS = 4  # mails that are carried out at once, at most
_DONE = "250 2.0.0 Done"
_LATER = "451 4.3.0 Not now: please send it again later"
_CLOSING = b"421 4.3.2 This server is closing\r\n"


def serve(words: Sequence[str]) -> Answer:
    """Serve the store until SIGTERM or SIGINT, on its socket and, where one is named,
    on a port. Raises PbmError where that cannot be."""
    address = _address(words)
    gc.enable()  # a command does without, but this stays
    root, config = settings()
    with closing(BatchStore(root, config.wait)) as store:
        letters = sender(config, store)
        robot = Server(Memory(store), letters, fits=Passwords().fits)
        asyncio.run(_serve(robot, config, address))
    return Answer("Served, and stopped.\n")


def _address(words: Sequence[str]) -> tuple[str, int] | None:
    if not words:
        return None
    found = re.fullmatch(r"(?:(\[[0-9a-f:.]+\]|[^:\s]+):)?([0-9]{1,5})", words[0])
    if len(words) > 1 or found is None or not 0 < int(found[2]) < 1 << 16:
        raise BadCommand("Please write: pbm serve [[host:]port]", "owner")
    return (found[1] or "localhost").strip("[]"), int(found[2])


async def _serve(
    robot: Server, config: Config, address: tuple[str, int] | None
) -> None:
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    desk = Desk(robot, config)
    path = robot.store.path(SOCKET)
    with _alone(robot):
        listeners = [await _at_socket(desk, path)]
        with _listening(path):
            if address is not None:
                listeners.append(await _at_port(desk, *address))
            desk.begin()
            where = path if address is None else f"{path} and {address[0]}:{address[1]}"
            print(f"Serving on {where}.", flush=True)
            await stopped.wait()
            for listener in listeners:
                listener.close()
    await desk.close()


@contextmanager
def _alone(robot: Server) -> Iterator[None]:
    """While this is the only server that runs on the store."""
    with ExitStack() as stack:
        try:
            stack.enter_context(robot.store.lock("", SOCKET))
        except Busy:
            raise NotAllowed("A server runs on this store already.") from None
        yield


@contextmanager
def _listening(path: str) -> Iterator[None]:
    """While there is a socket: who finds none does the work without a server."""
    try:
        yield
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)


async def _at_socket(desk: "Desk", path: str) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    mask = os.umask(0o177)
    try:
        return await loop.create_unix_server(desk.door, path)
    except OSError as error:
        raise StoreTrouble(f"{path} cannot be a socket: {error}.") from None
    finally:
        os.umask(mask)


async def _at_port(desk: "Desk", host: str, port: int) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    try:
        return await loop.create_server(desk.door, host, port)
    except OSError as error:
        words = f"{host}:{port} cannot be listened on: {error.strerror}."
        raise NotAllowed(words) from None


class Desk:
    """Where all connections bring their mails. The names of its hooks are
    aiosmtpd's."""

    def __init__(self, robot: Server, config: Config) -> None:
        self._robot = robot
        self._config = config
        self._workers = ThreadPoolExecutor(_WORKERS, "pbm")
        self._doors: set[Door] = set()
        self._left = asyncio.Event()
        self.closing = False

    def door(self) -> "Door":
        """What speaks with a new connection."""
        return Door(self, self._config.domain)

    def opened(self, door: "Door") -> None:
        self._doors.add(door)
        if self.closing:
            door.leave()

    def closed(self, door: "Door") -> None:
        self._doors.discard(door)
        self._left.set()

    def begin(self) -> None:
        """Read what is likely to be asked for, beside what comes in."""
        gc.freeze()
        gc.set_threshold(10_000, 20, 50)  # boards are many objects, and no garbage
        library = self._robot.library
        if isinstance(library, Memory):
            self._workers.submit(library.read_ahead, lambda: self.closing)

    async def close(self) -> None:
        """Finish what has been begun, and begin nothing more."""
        self.closing = True
        for door in list(self._doors):
            door.leave()
        while self._doors:
            self._left.clear()
            await self._left.wait()
        self._workers.shutdown()

    async def handle_EHLO(
        self,
        door: "Door",
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        session.host_name = hostname
        return [*responses[:1], "250-PIPELINING", *responses[1:]]

    async def handle_DATA(
        self, door: "Door", session: Session, envelope: Envelope
    ) -> str:
        """Carry out a mail; its verdict, as LMTP says it."""
        if envelope.mail_from == "<>":
            return _DONE  # a bounce: neither executed nor answered
        door.at_work = True
        assert isinstance(envelope.content, bytes)
        raw = envelope.content.replace(b"\r\n", b"\n")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._workers, self._verdict, raw)

    async def handle_exception(self, error: Exception) -> str:
        _report(error)
        return _LATER

    def _verdict(self, raw: bytes) -> str:
        try:
            receive(raw, self._robot, self._config)
        except Exception as error:  # whatever it is, the next mail must not feel it
            _report(error)
            return _LATER
        return _DONE


class Door(LMTP):
    """A connection."""

    line_length_limit = MOST_BYTES  # by pbm-inbox lines may be of any length, too

    def __init__(self, desk: Desk, domain: str) -> None:
        super().__init__(
            desk,
            data_size_limit=MOST_BYTES,
            enable_SMTPUTF8=True,
            hostname=domain,
            ident="pbm_holomino",
            loop=asyncio.get_running_loop(),
        )
        self.at_work = False
        self._desk = desk
        self._owed = 0  # verdicts on the mail that is coming: one for each recipient
        self._leaving = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        transport.max_size = _READ_BYTES  # type: ignore[attr-defined]
        self._desk.opened(self)

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._desk.closed(self)

    def leave(self) -> None:
        """Close, after the verdict where a mail is being carried out."""
        self._leaving = True
        if not self.at_work and isinstance(self.transport, asyncio.Transport):
            self.transport.write(_CLOSING)
            self.transport.close()

    async def push(self, status: Any) -> None:
        owed, self._owed = self._owed, 0
        if status.startswith("354"):
            assert self.envelope is not None
            self._owed = len(self.envelope.rcpt_tos)
        await super().push("\r\n".join([status] * (owed or 1)))
        if owed:
            self.at_work = False
            if self._leaving and self.transport is not None:
                self.transport.close()


def _report(error: Exception) -> None:
    """Tell the owner of a fault. Only our own errors are quoted: others might quote
    the mail."""
    told = str(error)
    if not isinstance(error, PbmError):
        last = traceback.extract_tb(error.__traceback__)[-1]
        told = f"{type(error).__name__} in {last.filename}, line {last.lineno}"
    print(f"pbm serve: {told}", file=sys.stderr, flush=True)


# what it says of connections may quote mails
logging.getLogger("mail.log").disabled = True
