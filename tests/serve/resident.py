"""A server as a process, and one within the test's own process."""

import asyncio
import os
import signal
import smtplib
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from pbm_holomino.resident.lmtp import Handler, LmtpServer
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config
from tests.robots import start
from tests.servers import PASSWORDS, House, home

LONG = 60.0  # seconds after which something never comes


def mail(who: str, subject: str, name: str, body: str = "Hello!") -> bytes:
    """A mail from the home address of `who`, with `name` in its Message-ID."""
    head = f"From: {home(who)}\nTo: pbm@localhost\nSubject: {subject}\n"
    return f"{head}Message-ID: <{name}@example.org>\n\n{body}\n".encode()


def move(house: House, who: str, board: int = 1, choice: int = 0) -> str:
    """The line with one of the legal moves of `who`, whose turn it is."""
    words = f"holo move {board} {who} {PASSWORDS[who]}"
    return f"{words} {house.legal(board)[choice]}"


def eventually(holds: Callable[[], object]) -> None:
    """Wait until a condition is true."""
    end = monotonic() + LONG
    while not holds():
        assert monotonic() < end, "it never came"
        sleep(0.01)


class Resident:
    """`pbm serve` on a house's store, as a process."""

    def __init__(self, house: House, *words: str) -> None:
        self.path = str(house.path("lmtp"))
        self.process: subprocess.Popen[bytes] = start(
            "pbm", "serve", *words, PBM_GAMES=str(house.root)
        )
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline().decode()

    def send(self, raw: bytes, sender: str = home("alice")) -> tuple[int, bytes]:
        """The code and the words that the mail is answered with."""
        return send(self.path, raw, sender)

    def stop(self, sign: int = signal.SIGTERM) -> tuple[int, str]:
        """The exit status, and what was written to standard error."""
        self.process.send_signal(sign)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        _, err = self.process.communicate(timeout=LONG)
        return self.process.returncode, err.decode()


@contextmanager
def resident(house: House, *words: str) -> Iterator[Resident]:
    """A server while the block runs."""
    running = Resident(house, *words)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()


def send(path: str, raw: bytes, sender: str = home("alice")) -> tuple[int, bytes]:
    """Send a mail to the server at this socket; the code and words of the answer."""
    with smtplib.LMTP(path, timeout=LONG) as client:
        client.ehlo()
        assert client.mail(sender)[0] == 250
        assert client.rcpt("pbm@localhost")[0] == 250
        return client.data(raw.replace(b"\n", b"\r\n"))


@contextmanager
def lmtp_server(server: Server, path: Path) -> Iterator[None]:
    """An LMTP server at a socket, in threads of this process."""
    made = LmtpServer(Handler(server, Config()))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        loop = asyncio.new_event_loop()
        coming = loop.create_task(made.accept(listener))

        def listen() -> None:
            with suppress(asyncio.CancelledError):
                loop.run_until_complete(coming)

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield
        finally:
            loop.call_soon_threadsafe(coming.cancel)
            thread.join(LONG)
            made.close()
            loop.close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


class Talk:
    """A connection on which a test sends each line itself."""

    def __init__(self, path: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(LONG)
        self.socket.connect(path)
        self._lines = self.socket.makefile("rb")

    def say(self, *lines: str) -> None:
        self.socket.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def hear(self, count: int = 1) -> list[str]:
        """So many answers; of an answer of several lines the last one."""
        heard: list[str] = []
        while len(heard) < count:
            line = self._lines.readline().decode()
            assert line, "it was closed"
            if line[3] != "-":
                heard.append(line.rstrip())
        return heard

    def at_data(self, *recipients: str) -> "Talk":
        """Say all that comes before the mail itself."""
        to = [f"RCPT TO:<{name}>" for name in recipients or ("pbm@localhost",)]
        self.say("LHLO test", f"MAIL FROM:<{home('alice')}>", *to, "DATA")
        assert self.hear(4 + len(to))[-1].startswith("354")
        return self

    def end(self) -> bytes:
        """All that comes until it is closed."""
        return self._lines.read()

    def close(self) -> None:
        self._lines.close()
        self.socket.close()


class SlowPost:
    """Letters leave through a program that waits until the test lets it go on."""

    def __init__(self, house: House, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        program = folder / "sendmail"
        program.write_text(
            f"#!/bin/sh\ncd '{folder}'\ntouch begun\n"
            "until [ -e go ]; do sleep 0.02; done\ncat >>letters\n"
        )
        program.chmod(0o755)
        settings = f"send: sendmail\nsendmail: {program}\n"
        house.path("config.yaml").write_text(settings)

    def wait(self) -> None:
        """Until the first letter is about to leave."""
        eventually((self._folder / "begun").exists)

    def go(self) -> None:
        (self._folder / "go").touch()

    def letters(self) -> str:
        path = self._folder / "letters"
        return path.read_text() if path.exists() else ""


def in_outbox(house: House) -> list[str]:
    folder = house.path("outbox")
    return sorted(os.listdir(folder)) if folder.exists() else []
