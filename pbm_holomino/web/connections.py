"""Connections of browsers: how many there are, and how long each may take.

A connection that says nothing, sends its request a byte at a time, or does not read its
answer is given up; and where there is no room, the network that has most of them gives
up its oldest. So silent ones keep nobody out, with a proxy in front or without.
"""

import asyncio
import socket
import ssl
from collections.abc import Callable, Sequence

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from pbm_holomino.web.clients import Client, state_of
from pbm_holomino.web.networks import network
from pbm_holomino.web.shares import Shares

MOST = 500  # connections that are not streams
REQUEST_SECONDS = 20.0  # until a request is complete
ANSWER_SECONDS = 30.0  # in which a client reads some of its answer
MOST_HEADERS = 16 << 10  # bytes of the first line of a request and its headers
_BUFFER = 64 << 10  # bytes that the system keeps until they are read
_QUEUE = 2048  # connections that the system keeps until they are let in
_BATCH = 32  # that are let in before others are served
_PAUSE = 1.0  # seconds until the next try, where the system lets none in


class Talk(h11.Connection):
    """What is said on a connection: the head of an answer leaves with the first of its
    body, in one packet if both are small."""

    _head: Sequence[bytes] = ()

    def send_with_data_passthrough(self, event: h11.Event) -> list[bytes] | None:
        written = super().send_with_data_passthrough(event)
        if written is None:  # a connection ends
            return None
        if isinstance(event, h11.Response):
            self._head = written
            return []
        head, self._head = self._head, ()
        return [*head, *written]


class Connection(H11Protocol, Client):
    """A connection that has been let in."""

    def __init__(
        self, config: uvicorn.Config, state: ServerState, shares: Shares[Client]
    ) -> None:
        H11Protocol.__init__(self, config, state, dict(state_of(self)))
        Client.__init__(self)
        self.conn = Talk(h11.SERVER, MOST_HEADERS)
        self._shares = shares
        self._entering: asyncio.Task[object] | None = None
        self._request = Limit(self.loop, REQUEST_SECONDS, self.hang_up)
        self._answer = Limit(self.loop, ANSWER_SECONDS, self.hang_up)

    def enter(self, at: socket.socket, tls: ssl.SSLContext | None) -> None:
        """Begin to talk at this socket."""
        patience = REQUEST_SECONDS if tls else None
        come = self.loop.connect_accepted_socket(
            lambda: self, at, ssl=tls, ssl_handshake_timeout=patience
        )
        self._entering = self.loop.create_task(come)
        self._entering.add_done_callback(lambda done: self._entered(done, at))

    def _entered(self, done: asyncio.Task[object], at: socket.socket) -> None:
        self._entering = None
        if done.cancelled() or done.exception():  # it has left, or knows no TLS
            at.close()
            self._shares.leave(self)

    # What uvicorn calls

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._answer.begin()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._answer.end()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._request.end()
        self._answer.end()
        self._shares.leave(self)
        self.leave()

    def _watch(self) -> None:
        """Wait for a request to be complete, but not for ever."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete or cycle.more_body:
            self._request.begin()
        else:
            self._request.end()

    # What those who share call

    def belongs_to(self, network: str) -> None:
        if not self.has_left:
            for other in self._shares.take(network, self):
                other.hang_up()

    def streams(self) -> None:
        self._shares.leave(self)

    def hang_up(self) -> None:
        if self._entering is not None:
            self._entering.cancel()
        if self.transport is not None:
            self.transport.abort()


class Limit:
    """Does something unless what it limits ends in so many seconds."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, seconds: float, late: Callable[[], None]
    ) -> None:
        self._loop = loop
        self._seconds = seconds
        self._late = late
        self._timer: asyncio.TimerHandle | None = None

    @property
    def until(self) -> float | None:
        """When it ends, by the clock of the loop; None while nothing is limited."""
        return self._timer.when() if self._timer else None

    def begin(self) -> None:
        """Begin, if it has not begun."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, self._late)

    def end(self) -> None:
        """End in time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Doors:
    """Where connections come in, at these listeners, on the loop that runs. `make`
    makes one; `say` hears when the system lets none in. Whoever is at an address that
    is not to be `served` finds the door closed."""

    def __init__(
        self,
        listeners: Sequence[socket.socket],
        make: Callable[[], Connection],
        tls: ssl.SSLContext | None,
        say: Callable[[str], None],
        served: Callable[[str], bool],
    ) -> None:
        self._make = make
        self._served = served
        self._tls = tls
        self._say = say
        self._loop = asyncio.get_running_loop()
        self._listeners = [*listeners]
        for listener in self._listeners:
            listener.setblocking(False)
            if listener.family != socket.AF_UNIX:  # what is accepted has the same
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
            listener.listen(_QUEUE)
            self._open(listener)

    def close(self) -> None:
        """Let nobody in any more."""
        for listener in self._listeners:
            self._loop.remove_reader(listener)
        self._listeners.clear()

    def _open(self, listener: socket.socket) -> None:
        if listener in self._listeners:
            self._loop.add_reader(listener, self._let_in, listener)

    def _let_in(self, listener: socket.socket) -> None:
        for _ in range(_BATCH):
            try:
                at, peer = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:  # too many files
                self._say(f"no page can be asked for: {error.strerror}")
                self._loop.remove_reader(listener)
                self._loop.call_later(_PAUSE, self._open, listener)
                return
            self._begin(at, peer[0] if listener.family != socket.AF_UNIX else "")

    def _begin(self, at: socket.socket, peer: str) -> None:
        if peer and not self._served(peer):
            at.close()
            return
        at.setblocking(False)
        connection = self._make()
        connection.enter(at, self._tls)
        connection.belongs_to(network(peer))
