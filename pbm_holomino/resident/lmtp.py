"""The LMTP server (RFC 2033) of a resident server: mails come in and are carried out.

A sender is told 250 once everything is done: what the mail changes is on the disk, and
its letters have left or are marked there. 451 means that the mail must come again.
"""

import asyncio
import logging
import re
import socket
import threading
from collections.abc import Callable
from functools import partial, wraps
from math import inf
from time import monotonic
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session

from pbm_holomino.mail.intake import MOST_MAIL
from pbm_holomino.resident.report import report
from pbm_holomino.resident.turns import Turns
from pbm_holomino.server.inbox import receive
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config

MOST_CONNECTIONS = 50  # at once at each listener, for each worker; more wait
SILENCE = 60.0  # seconds after which a silent connection is closed
_NEVER = 1e9  # seconds until aiosmtpd, which knows of no work, would close one
_GRACE = 5.0  # seconds for a client that does not read its answers
# Where the next server takes those who wait, this one ends a connection between two
# mails: after so many seconds of silence, or of closing.
_MOMENT, _LONGEST_CLOSING = 1.0, 20.0
_OK = "250 OK"
_DONE = "250 2.0.0 Done"
_LATER = "451 4.3.0 Not now: please send it again later"
_MALFORMED = "553 5.1.3 Error: malformed address"
_CLOSING = b"421 4.3.2 This server is closing\r\n"
# The envelope of nearly all mails (RFC 5321, 4.1.2; RFC 1870 and 6152): addresses
# without quotes, comments or blanks
_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_ADDRESS = rf"<({_ATOM}(?:\.{_ATOM})*@[a-z0-9-]+(?:\.[a-z0-9-]+)*)>"
_SENDER = re.compile(
    rf"(?ai)from:{_ADDRESS}(?: size=([0-9]{{1,9}}))?(?: body=8bitmime)?"
)
_RECIPIENT = re.compile(rf"(?ai)to:{_ADDRESS}")


class Handler:
    """What is done with a mail, in turns with all else, and `then`, when its sender has
    been answered; the names of the hooks are aiosmtpd's."""

    def __init__(
        self,
        server: Server,
        config: Config,
        turns: Turns,
        then: Callable[[], object] = lambda: None,
    ) -> None:
        self._server = server
        self._turns = turns
        self.config = config
        self.then = then

    async def handle_EHLO(
        self,
        connection: LMTP,
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        session.host_name = hostname
        return [*responses[:1], "250-PIPELINING", *responses[1:]]

    async def handle_DATA(
        self, connection: LMTP, session: Session, envelope: Envelope
    ) -> str:
        assert isinstance(envelope.content, bytes)
        raw = envelope.content.replace(b"\r\n", b"\n")
        # whoever delivers a mail says so in it (RFC 5321, 4.4)
        if envelope.mail_from == "<>":
            raw = b"Return-Path: <>\n" + raw
        assert isinstance(connection, Connection)
        return await connection.wait_for(self._turns.do(partial(self.verdict, raw)))

    async def handle_exception(self, error: Exception) -> str:
        if isinstance(error, LookupError | AttributeError):
            return _MALFORMED  # email's parser, which aiosmtpd asks, has broken on it
        report(error)
        return _LATER

    def verdict(self, raw: bytes) -> str:
        """Carry out a mail; the answer to its sender."""
        try:
            receive(raw, self._server, self.config)
        except Exception as error:  # whatever it is, the next mail must not feel it
            report(error)
            return _LATER
        return _DONE


class Connection(LMTP):
    """A client that brings mails, one after the other, on the loop that runs."""

    # pbm-inbox may send lines of any length
    line_length_limit = MOST_MAIL

    def __init__(self, handler: Handler, is_over: Callable[[], bool]) -> None:
        super().__init__(
            handler,
            timeout=_NEVER,
            data_size_limit=MOST_MAIL,
            enable_SMTPUTF8=True,
            hostname=handler.config.domain,
            ident="pbm_holomino",
            loop=asyncio.get_running_loop(),
        )
        self.closed = asyncio.Event()
        self._then = handler.then
        self._is_over = is_over  # for the whole server: no mail may begin
        self._heard = self.loop.time()
        self._recipients = 0  # of the mail that is coming
        self._work: asyncio.Future[str] | None = None  # on the mail that came last
        self._is_working = False  # on a mail that is not answered yet
        self._is_last = False  # no mail will come after the one that is carried out
        self._close_if_silent()

    def data_received(self, data: bytes) -> None:
        self._heard = self.loop.time()
        super().data_received(data)

    def eof_received(self) -> bool:
        # aiosmtpd first goes on with what has come just before
        self.loop.call_soon(self._hear_no_more)
        return True  # the client may still listen

    def _hear_no_more(self) -> None:
        """End after the answer to the mail that is carried out, or at once."""
        if self._is_working:
            self._is_last = True
        elif not self.closed.is_set():
            super().eof_received()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self.closed.set()

    # aiosmtpd reads an address as if it were in a header, which takes longer than all
    # lines of the mail. What is not as usual is left to it.

    @wraps(LMTP.smtp_MAIL)
    async def smtp_MAIL(self, arg: str | None) -> None:
        found, envelope = _SENDER.fullmatch(arg or ""), self._begun
        is_small = found is not None and int(found[2] or 0) <= MOST_MAIL
        if found and is_small and envelope and not envelope.mail_from:
            envelope.mail_from = found[1]
            await self.push(_OK)
        else:
            await super().smtp_MAIL(arg)

    @wraps(LMTP.smtp_RCPT)
    async def smtp_RCPT(self, arg: str | None) -> None:
        found, envelope = _RECIPIENT.fullmatch(arg or ""), self._begun
        if found and envelope and envelope.mail_from:
            envelope.rcpt_tos.append(found[1])
            await self.push(_OK)
        else:
            await super().smtp_RCPT(arg)

    @property
    def _begun(self) -> Envelope | None:
        """The envelope of the mail that is coming, once the client has greeted us."""
        is_greeted = self.session is not None and self.session.host_name
        return self.envelope if is_greeted else None

    async def wait_for(self, work: "asyncio.Future[str]") -> str:
        """The verdict on a mail. The client waits for it; if it goes, aiosmtpd awaits
        nothing any more, but the work goes on."""
        self._work, self._is_working = work, True
        answer = asyncio.shield(work)
        # the loop first goes on with whoever has awaited the work: they send the answer
        work.add_done_callback(lambda _: self.loop.call_soon(self._then))
        try:
            return await answer
        finally:  # it is answered in this turn of the loop
            self._is_working = False
            self._heard = self.loop.time()

    async def ended(self) -> None:
        """Wait until the client has left, and its last mail has been carried out."""
        await self.closed.wait()
        if self._work is not None:
            await asyncio.wait([self._work])

    def _close_if_silent(self) -> None:
        """Close the connection when nothing has come for a while."""
        left = self._heard + SILENCE - self.loop.time()
        if self.closed.is_set():
            return
        if left > 0 or self._is_working:
            self.loop.call_later(max(left, SILENCE / 2), self._close_if_silent)
        elif self.transport is not None:
            self.transport.close()

    async def push(self, status: Any) -> None:
        """Send an answer: the one to a mail once for each recipient (RFC 2033, 4.2)."""
        recipients, self._recipients = self._recipients, 0
        if status.startswith("354"):
            assert self.envelope is not None
            self._recipients = len(self.envelope.rcpt_tos)
        await super().push("\r\n".join([status] * max(recipients, 1)))
        is_last = self._is_last or self._is_over()
        if recipients and is_last and self.transport is not None:
            self.transport.close()  # without a 421 that nobody waits for

    def leave(self) -> None:
        """Say so and close, soon even if the client does not read it; or close after
        the answer to the mail that is carried out."""
        transport = self.transport
        if isinstance(transport, asyncio.Transport) and not self._is_working:
            if not transport.is_closing():
                transport.write(_CLOSING)
                transport.close()
            self.loop.call_later(_GRACE, transport.abort)

    def leave_between_mails(self) -> None:
        """Leave when no mail is coming, and the client seems to have no more."""
        is_coming = self.envelope is not None and self.envelope.mail_from is not None
        is_silent = self.loop.time() - self._heard >= _MOMENT
        if not is_coming and (is_silent or self._is_over()):
            self.leave()
        elif not self.closed.is_set():
            self.loop.call_later(_MOMENT / 10, self.leave_between_mails)


class LmtpServer:
    """All connections of a process, on the loop that runs."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._connections: set[Connection] = set()
        self.closing = threading.Event()
        self._leave = Connection.leave
        self._end = inf  # when no more mails may begin, by the monotonic clock

    def _is_over(self) -> bool:
        return monotonic() >= self._end

    async def speak(self, client: socket.socket) -> None:
        """Speak with a client until it leaves."""
        loop = asyncio.get_running_loop()
        _, connection = await loop.connect_accepted_socket(
            lambda: Connection(self._handler, self._is_over), client
        )
        self._connections.add(connection)
        if self.closing.is_set():
            self._leave(connection)
        await connection.ended()
        self._connections.discard(connection)

    def close(self, gently: bool = False) -> None:
        """Finish the mails that have come whole, and begin no other; or `gently`, let
        clients finish what they have begun."""
        self._end = monotonic()
        if gently:
            self._end += _LONGEST_CLOSING
            self._leave = Connection.leave_between_mails
        self.closing.set()
        for connection in self._connections:
            loop = connection.loop
            # what has come is read first, or else the system resets all
            loop.call_soon(loop.call_soon, self._leave, connection)


# what aiosmtpd says of connections may quote mails
logging.getLogger("mail.log").disabled = True
