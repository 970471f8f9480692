"""The harness of attacks on servers of pages: clients that say nothing, speak slowly,
break off, do not read, or ask again and again, from a network that a test chooses.

All of it stays on this machine, whose networks 127.0.0.0/24 and 127.0.1.0/24 are two:
the attackers come from the first, and the player who waits from the second.
"""

import asyncio
import http.client
import multiprocessing
import os
import resource
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from time import perf_counter
from typing import IO, NamedTuple

from pbm_holomino.web import sessions
from tests.house import House
from tests.paths import ROOT
from tests.processes import PATIENCE, free_port, surroundings, wait_until

ATTACKER, PLAYER = "127.0.0.1", "127.0.1.1"  # addresses of two networks
FIFTY = 50  # connections of an attacker
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER, by which closing breaks a connection off


class Pages(NamedTuple):
    """A server of pages, in a process of its own, and the file of what it says."""

    process: "subprocess.Popen[bytes]"
    port: int
    said: Path

    @property
    def log(self) -> str:
        """What it has said to its owner."""
        return self.said.read_text()

    @property
    def memory(self) -> int:
        """The bytes that it has in memory."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    @property
    def files(self) -> int:
        """How many files it has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def connect(self, source: str = ATTACKER) -> socket.socket:
        """A connection from an address."""
        return socket.create_connection(
            ("127.0.0.1", self.port), PATIENCE, source_address=(source, 0)
        )

    def ask(
        self,
        path: str,
        source: str = PLAYER,
        headers: Mapping[str, str] = {},
        method: str = "GET",
        body: bytes = b"",
    ) -> http.client.HTTPResponse:
        """The answer to one request, over a connection of its own, read to its end."""
        client = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=PATIENCE, source_address=(source, 0)
        )
        client.request(method, path, body, {**headers, "Connection": "close"})
        answer = client.getresponse()
        answer.content = answer.read()  # type: ignore[attr-defined]
        client.close()
        return answer

    def seconds(self, path: str, headers: Mapping[str, str] = {}) -> float:
        """For how long a player waits for a page."""
        begun = perf_counter()
        answer = self.ask(path, PLAYER, headers)
        assert answer.status == 200, answer.status
        return perf_counter() - begun


@contextmanager
def pages(folder: Path, command: str = "web", files: int = 0) -> Iterator[Pages]:
    """A command that serves pages, on a port of this machine, in a process that may
    have so many files open, if that is limited."""
    port, said = free_port(), folder.parent / f"{folder.name}.said"
    words = [command, f"127.0.0.1:{port}"]
    with said.open("wb") as error, _started(folder, words, error, files) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield Pages(process, port, said)


@contextmanager
def _started(
    folder: Path, words: list[str], error: IO[bytes], files: int
) -> Iterator["subprocess.Popen[bytes]"]:
    def restrict() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    process = subprocess.Popen(
        [sys.executable, "-m", "pbm_holomino", *words],
        env=surroundings(PBM_GAMES=str(folder), PYTHONPATH=str(ROOT)),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=error,
        preexec_fn=restrict if files else None,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def signed_in(house: House, name: str) -> dict[str, str]:
    """What a browser sends in which a player is signed in."""
    player = house.library.player(name)
    assert player is not None
    return {"Cookie": f"pbm={sessions.begin(house.library, player, house.store.now())}"}


def request(path: str, method: str = "GET", headers: str = "") -> bytes:
    """A request that is complete."""
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode()


def post(path: str, body: bytes, length: int) -> bytes:
    """A form that claims to be so long."""
    kind = "Content-Type: application/x-www-form-urlencoded\r\n"
    return request(path, "POST", f"{kind}Content-Length: {length}\r\n") + body


# Clients that wait


@contextmanager
def waiting(
    target: Pages, count: int, said: bytes = b"", source: str = ATTACKER
) -> Iterator[list[socket.socket]]:
    """So many connections that say this, perhaps nothing, and then neither speak nor
    read."""
    with ExitStack() as opened:
        found = []
        for _ in range(count):
            found.append(opened.enter_context(target.connect(source)))
            with suppress(OSError):  # it has been closed already
                found[-1].sendall(said)
        yield found


@contextmanager
def stream(target: Pages, path: str, source: str = PLAYER) -> Iterator[IO[bytes]]:
    """What a stream says from its first event on."""
    with target.connect(source) as client, client.makefile("rb") as said:
        client.sendall(request(path))
        assert b" 200 " in said.readline()
        while said.readline() != b"\r\n":
            pass
        said.readline()  # the size of the first piece
        yield said


def is_over(client: socket.socket) -> bool:
    """Whether the server has ended a connection; what it has said is lost."""
    client.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            try:
                if not client.recv(1 << 16):
                    return True
            except ConnectionError:
                return True
    return False


def break_off(target: Pages, said: bytes, source: str = ATTACKER) -> None:
    """Say this, and hang up without a word."""
    with target.connect(source) as client:
        client.sendall(said)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)


# Clients that ask


class Crowd(NamedTuple):
    """Clients that ask, in a process of their own."""

    answered: "Synchronized[int]"

    @property
    def answers(self) -> int:
        """How many answers have come whole."""
        return self.answered.value

    def has_answers(self, count: int) -> bool:
        return self.answers >= count


@contextmanager
def asking(
    target: Pages,
    *requests: bytes,
    count: int = FIFTY,
    source: str = ATTACKER,
) -> Iterator[Crowd]:
    """So many connections that ask for these things again and again, as fast as they
    are answered, until the block ends."""
    context = multiprocessing.get_context("spawn")
    crowd = Crowd(context.Value("q", 0))
    process = context.Process(
        target=_ask_for_ever,
        args=(target.port, source, requests, count, crowd.answered),
        daemon=True,
    )
    process.start()
    try:
        wait_until(lambda: crowd.has_answers(min(count, 5)), "an answer to the crowd")
        yield crowd
    finally:
        process.kill()
        process.join()


def _ask_for_ever(
    port: int,
    source: str,
    requests: tuple[bytes, ...],
    count: int,
    answered: "Synchronized[int]",
) -> None:
    async def run() -> None:
        asked = (
            _ask(port, source, requests[no % len(requests)], answered)
            for no in range(count)
        )
        await asyncio.gather(*asked)

    asyncio.run(run())


async def _ask(
    port: int, source: str, said: bytes, answered: "Synchronized[int]"
) -> None:
    """Ask again and again, over a new connection whenever one has been ended."""
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(source, 0)
            )
            with closing(writer):
                while True:
                    writer.write(said)
                    await _read(reader)
                    with answered.get_lock():
                        answered.value += 1
        await asyncio.sleep(0.01)


async def _read(reader: asyncio.StreamReader) -> None:
    """Read an answer to its end."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    _, found, length = head.partition(b"content-length: ")
    if found:
        await reader.readexactly(int(length.split(b"\r\n")[0]))
    elif b"chunked" in head:
        raise OSError  # a stream, which has no end
