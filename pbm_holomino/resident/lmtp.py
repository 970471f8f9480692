"""Where the mails of a server that stays come in, and are carried out.

Whoever sends a mail is told 250 once all is done: what it changes is on the disk,
and its letters have left or are marked there. 451 means that it must come again.
"""

import asyncio
import logging
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session

from pbm_holomino.mail.intake import MOST_MAIL
from pbm_holomino.resident.cache import Memory
from pbm_holomino.resident.report import report
from pbm_holomino.server.inbox import receive
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config

_READ_BYTES = 1 << 16  # at once: memory for asyncio's 256 KiB is mapped anew each time
MOST_CONNECTIONS = 50  # that it has at once at each of its listeners; more wait
SILENCE = 60.0  # seconds after which a connection that says nothing is closed
_GRACE = 5.0  # seconds for who does not read what they are answered
_MOST_KEPT = 100  # answers: who asks without end must read, too
_DONE = "250 2.0.0 Done"
_LATER = "451 4.3.0 Not now: please send it again later"
_CLOSING = b"421 4.3.2 This server is closing\r\n"


class Desk:
    """Where all connections bring their mails. Each has a thread that speaks with it,
    in a loop of its own, and carries out its mails: to hand these to another takes
    longer than to read them, and a mail that waits or works keeps no other waiting.
    The names of its hooks are aiosmtpd's."""

    def __init__(self, server: Server, config: Config) -> None:
        self._robot = server
        self._config = config
        self._pools: list[ThreadPoolExecutor] = []
        self._connections: set[Connection] = set()
        self.closing = threading.Event()

    def begin(self) -> None:
        """Read what is likely to be asked for, beside what comes in."""
        library = self._robot.library
        if isinstance(library, Memory):
            self._pool(1).submit(self._read_ahead, library)

    def _read_ahead(self, library: Memory) -> None:
        try:
            library.read_ahead(self.closing.is_set)
        except Exception as error:  # it must not be lost with the thread
            report(error)

    def _pool(self, most: int) -> ThreadPoolExecutor:
        """So many threads at most, which end with the desk."""
        self._pools.append(ThreadPoolExecutor(most, "pbm"))
        return self._pools[-1]

    async def let_in(self, listener: socket.socket) -> None:
        """Speak with all who come, until this is cancelled. Those for whom there is
        no room wait where the system keeps them, or are told by it to come again."""
        loop = asyncio.get_running_loop()
        threads = self._pool(MOST_CONNECTIONS)
        room = asyncio.Semaphore(MOST_CONNECTIONS)
        release = partial(loop.call_soon_threadsafe, room.release)
        listener.setblocking(False)
        while await room.acquire():
            try:
                client, _ = await loop.sock_accept(listener)
            except OSError as error:  # too many files
                report(error)
                room.release()
                await asyncio.sleep(1)
                continue
            try:
                threads.submit(self._in_thread, client, release)
            except RuntimeError as error:  # too many threads: it waits for one of ours
                report(error)

    def _in_thread(self, client: socket.socket, release: Callable[[], object]) -> None:
        try:
            with client, asyncio.Runner() as runner:
                runner.run(self._speak(client))
        except Exception as error:  # it must not be lost with the thread
            report(error)
        finally:
            release()

    async def _speak(self, client: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        _, connection = await loop.connect_accepted_socket(
            lambda: Connection(self, self._config.domain), client
        )
        self._connections.add(connection)
        if self.closing.is_set():
            connection.leave()
        await connection.left.wait()
        self._connections.discard(connection)

    def close(self) -> None:
        """Finish what has been begun, and begin nothing more."""
        self.closing.set()
        for connection in list(self._connections):
            loop = connection.loop
            with suppress(RuntimeError):  # it has left meanwhile
                # what has come is read first, or else the system resets all
                loop.call_soon_threadsafe(loop.call_soon, connection.leave)
        for pool in self._pools:
            pool.shutdown()

    async def handle_EHLO(
        self,
        connection: "Connection",
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        session.host_name = hostname
        return [*responses[:1], "250-PIPELINING", *responses[1:]]

    async def handle_DATA(
        self, connection: "Connection", session: Session, envelope: Envelope
    ) -> str:
        """Carry out a mail; its verdict, as LMTP says it."""
        if envelope.mail_from == "<>":
            return _DONE  # a bounce: neither executed nor answered
        assert isinstance(envelope.content, bytes)
        return self._verdict(envelope.content.replace(b"\r\n", b"\n"))

    async def handle_exception(self, error: Exception) -> str:
        report(error)
        return _LATER

    def _verdict(self, raw: bytes) -> str:
        try:
            receive(raw, self._robot, self._config)
        except Exception as error:  # whatever it is, the next mail must not feel it
            report(error)
            return _LATER
        return _DONE


class Connection(LMTP):
    """Somebody who brings mails, one after the other."""

    # by pbm-inbox lines may be of any length, too, and several count as one here
    line_length_limit = MOST_MAIL

    def __init__(self, desk: Desk, domain: str) -> None:
        super().__init__(
            desk,
            timeout=SILENCE,
            data_size_limit=MOST_MAIL,
            enable_SMTPUTF8=True,
            hostname=domain,
            ident="pbm_holomino",
            loop=asyncio.get_running_loop(),
        )
        self.left = asyncio.Event()
        self._desk = desk
        self._owed = 0  # verdicts on the mail that is coming: one for each recipient
        self._kept: list[str] = []  # answers to what is asked in one go (RFC 2920)

    def _cb_client_connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        super()._cb_client_connected(_Reader(reader), writer)  # type: ignore[arg-type]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        transport.max_size = _READ_BYTES  # type: ignore[attr-defined]

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self.left.set()

    def leave(self) -> None:
        """Close, soon even if nobody reads what was said."""
        self._say()
        transport = self.transport
        if isinstance(transport, asyncio.Transport):
            if not transport.is_closing():
                transport.write(_CLOSING)
                transport.close()
            self.loop.call_later(_GRACE, transport.abort)

    @staticmethod
    @lru_cache(maxsize=1000)
    def _getaddr(arg: str) -> tuple[str | None, str | None]:
        # aiosmtpd makes a class for each, which takes as long as to read a mail
        try:
            return LMTP._getaddr(LMTP, arg)  # type: ignore[arg-type]
        except (LookupError, AttributeError):  # of email's parser
            return None, None

    def _say(self) -> None:
        """Send the answers that were kept back."""
        if self._kept and self.transport is not None:
            lines = "".join([f"{answer}\r\n" for answer in self._kept])
            self.transport.write(lines.encode("utf-8"))  # type: ignore[attr-defined]
            self._kept = []

    async def push(self, status: Any) -> None:
        owed, self._owed = self._owed, 0
        if status.startswith("354"):
            assert self.envelope is not None
            self._owed = len(self.envelope.rcpt_tos)
        self._kept += [status] * (owed or 1)
        if status.startswith("250") and not owed and len(self._kept) < _MOST_KEPT:
            self.loop.call_soon(self._say)  # after what has come with it
            return
        self._say()
        await self._writer.drain()
        if owed and self._desk.closing.is_set() and self.transport is not None:
            self.transport.close()


class _Reader:
    """What aiosmtpd reads from. It asks for a command up to a newline, and for a mail
    line by line, up to CRLF. Of each line it looks only at the first byte, for a dot,
    and joins them: so several serve as well as one, if no later one has a dot there."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    async def readuntil(self, end: bytes = b"\n") -> bytes:
        """The next line; of a mail also those that have come with it, up to one that
        begins with a dot."""
        line = await self._reader.readuntil(end)
        come = self._reader._buffer  # type: ignore[attr-defined]
        if end == b"\n" or line == b".\r\n" or come.startswith(b"."):
            return line
        last = come.find(b"\r\n.")
        if last < 0:
            last = come.rfind(end)
        if last < 0:
            return line
        return line + await self._reader.readexactly(last + len(end))


# what aiosmtpd says of connections may quote mails
logging.getLogger("mail.log").disabled = True
