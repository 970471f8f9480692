"""A cheap client with several connections at once, and what it costs all who take part.

It sends as Postfix does: MAIL, RCPT and DATA together (RFC 2920), and then the mail.
One loop drives all connections, with bytes that were prepared, so that it leaves as
much as possible of the processor to those who are measured.
"""

import socket
from collections.abc import Callable, Iterator
from selectors import EVENT_READ, DefaultSelector
from time import perf_counter, process_time
from typing import NamedTuple

from tests.bench.serve import ENVELOPE, machine_used

_GO_ON, _DONE = b"354", b"250"


class Cost(NamedTuple):
    """What so many mails took: seconds by the clock, and seconds of the processor by
    the client, the server, the database, and all that ran on the machine."""

    mails: int
    clock: float
    client: float
    server: float
    database: float
    machine: float


def deliver(
    path: str,
    mails: list[bytes],
    connections: int,
    server: Callable[[], float],
    database: Callable[[], float],
) -> Cost:
    """Deliver mails, as LMTP carries them, to the server at this socket. Server and
    database say how many seconds of the processor they have used. Raises RuntimeError
    if a mail is not accepted."""
    queue = iter(mails)
    with DefaultSelector() as selector:
        crowd = [_Connection(path) for _ in range(connections)]
        for each in crowd:
            selector.register(each.socket, EVENT_READ, each)
        clocks = (perf_counter, process_time, server, database, machine_used)
        before = [clock() for clock in clocks]
        busy = {each for each in crowd if each.begin(queue)}
        while busy:
            for key, _ in selector.select():
                if not key.data.go_on(queue):
                    busy.discard(key.data)
        took = (clock() - early for clock, early in zip(clocks, before, strict=True))
        cost = Cost(len(mails), *took)
        for each in crowd:
            each.socket.close()
    return cost


class _Connection:
    """One of the connections, and the mail that it is about to send."""

    def __init__(self, path: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self._mail = b""
        self._hear(b"220")
        self.socket.sendall(b"LHLO bench\r\n")
        self._hear(_DONE)

    def _hear(self, code: bytes) -> None:
        heard = b""
        while not (heard.endswith(b"\r\n") and heard.split(b"\r\n")[-2][3:4] == b" "):
            heard += self.socket.recv(1 << 12)
        if not heard.startswith(code):
            raise RuntimeError(heard.decode())

    def begin(self, queue: Iterator[bytes]) -> bool:
        """Begin the next mail, if there is one."""
        self._mail = next(queue, b"")
        if self._mail:
            self.socket.sendall(ENVELOPE)
        return bool(self._mail)

    def go_on(self, queue: Iterator[bytes]) -> bool:
        """React to what has come; whether there is more to do."""
        heard = self.socket.recv(1 << 12)
        last = heard[heard.rfind(b"\n", 0, -1) + 1 :]
        if last.startswith(_GO_ON):
            self.socket.sendall(self._mail)
            self._mail = b""
        elif not last.startswith(_DONE):
            raise RuntimeError(heard.decode() or "the connection was lost")
        elif not self._mail:
            return self.begin(queue)
        return True
