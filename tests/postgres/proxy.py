"""A proxy between client and server that sees each message of PostgreSQL's protocol,
and can cut a connection at any of them or hold it up.

The format is that of "Frontend/Backend Protocol" in PostgreSQL's manual, version 3.0:
a letter, the length as four bytes, which count themselves, and the body. The first
message of a client lacks the letter. Connections are not encrypted.
"""

import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum, auto
from pathlib import Path
from threading import Event, Lock, Thread
from typing import BinaryIO, NamedTuple

from tests.postgres.cluster import PORT, short_folder
from tests.processes import PATIENCE

_ENCRYPTION = (80877103, 80877104)  # SSLRequest, GSSENCRequest


class Message(NamedTuple):
    """A message on its way: its number among all since the last `recount`, from 1;
    the letter of its kind (none for the first message of a client) and its body."""

    number: int
    from_client: bool
    kind: str
    body: bytes

    def __str__(self) -> str:
        arrow = "->" if self.from_client else "<-"
        return f"{self.number} {arrow} {self.kind or 'startup'} {self.body!r}"


class Verdict(Enum):
    """What becomes of a message, and of the connection that it is on."""

    PASS = auto()
    CUT_BEFORE = auto()  # the message is lost with the connection
    CUT_AFTER = auto()  # it arrives, and is the last
    HOLD = auto()  # it waits, and what comes after it, until `release`


Rule = Callable[[Message], Verdict]


def passing(message: Message) -> Verdict:
    return Verdict.PASS


def at(number: int, verdict: Verdict) -> Rule:
    """The verdict on one message; all others pass."""
    return lambda message: verdict if message.number == number else Verdict.PASS


class Proxy:
    """Listens in `folder` and passes on what it hears to the socket `server`."""

    def __init__(self, folder: Path, server: Path) -> None:
        self.folder = folder
        self.seen: list[Message] = []
        self.holds = Event()  # set as long as a message waits
        self.refuses = False  # whether new connections are closed at once
        self._rule: Rule = passing
        self._server = server
        self._lock = Lock()
        self._released = Event()
        self._pairs: list[_Pair] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / f".s.PGSQL.{PORT}"))
        self._listener.listen()
        Thread(target=self._accept, daemon=True).start()

    def recount(self, rule: Rule = passing) -> None:
        """Count from 1 again, and treat messages by this rule from now on."""
        with self._lock:
            self.seen = []
            self._rule = rule
            self._released.clear()

    def release(self) -> None:
        """Let go on what is held up."""
        self._released.set()

    def cut(self) -> None:
        """Cut all connections now."""
        for pair in list(self._pairs):
            pair.cut()

    def close(self) -> None:
        self.refuses = True
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.release()
        self.cut()

    def judge(self, from_client: bool, kind: str, body: bytes) -> Verdict:
        """Count a message, and say what becomes of it."""
        with self._lock:
            message = Message(len(self.seen) + 1, from_client, kind, body)
            self.seen.append(message)
            return self._rule(message)

    def hold(self) -> None:
        """Return when what is held up may go on."""
        self.holds.set()
        self._released.wait(PATIENCE)
        self.holds.clear()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # closed
            server = socket.socket(socket.AF_UNIX)
            try:
                if self.refuses:
                    raise ConnectionRefusedError
                server.connect(str(self._server))
            except OSError:
                client.close()
                server.close()
                continue
            pair = _Pair(self, client, server)
            self._pairs.append(pair)
            pair.start()


class _Pair:
    """A client's connection, and the one to the server that belongs to it."""

    def __init__(
        self, proxy: Proxy, client: socket.socket, server: socket.socket
    ) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server

    def start(self) -> None:
        for pump in (self._from_client, self._from_server):
            Thread(target=self._until_cut, args=(pump,), daemon=True).start()

    def cut(self) -> None:
        """End both connections. What has been passed on before can still be read."""
        for end in (self._client, self._server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _until_cut(self, pump: Callable[[], None]) -> None:
        with suppress(OSError):
            pump()
        self.cut()

    def _from_client(self) -> None:
        with self._client.makefile("rb") as stream:
            while code := _code_of(first := _framed(stream)):
                if code not in _ENCRYPTION:
                    break
                self._client.sendall(b"N")
            if first and self._pass_on(True, "", first):
                self._pump(True, stream)

    def _from_server(self) -> None:
        with self._server.makefile("rb") as stream:
            self._pump(False, stream)

    def _pump(self, from_client: bool, stream: BinaryIO) -> None:
        while kind := stream.read(1).decode("ascii"):
            if not self._pass_on(from_client, kind, _framed(stream)):
                break

    def _pass_on(self, from_client: bool, kind: str, framed: bytes) -> bool:
        """Whether the connection lasts."""
        verdict = self._proxy.judge(from_client, kind, framed[4:])
        if verdict is Verdict.HOLD:
            self._proxy.hold()
        if verdict is Verdict.CUT_AFTER and from_client:
            self._client.shutdown(socket.SHUT_RDWR)  # the answer could be faster
        if verdict is not Verdict.CUT_BEFORE:
            receiver = self._server if from_client else self._client
            receiver.sendall(kind.encode("ascii") + framed)
        return verdict not in (Verdict.CUT_BEFORE, Verdict.CUT_AFTER)


def _framed(stream: BinaryIO) -> bytes:
    """The length of a message and its body; nothing at the end of a connection."""
    head = stream.read(4)
    if len(head) < 4:
        return b""
    (length,) = struct.unpack("!I", head)
    return head + stream.read(length - 4)


def _code_of(first: bytes) -> int:
    """What a client's first message asks for; 0 where none has come."""
    return int.from_bytes(first[4:8])


@contextmanager
def open_proxy(server: Path) -> Iterator[Proxy]:
    """A proxy in front of the server that listens in a folder."""
    with short_folder() as folder:
        proxy = Proxy(folder, server / f".s.PGSQL.{PORT}")
        try:
            yield proxy
        finally:
            proxy.close()
