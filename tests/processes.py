"""The harness of real processes: the programs as they are run, and `pbm serve` while a
test talks to it."""

import os
import random
import resource
import signal
import smtplib
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import NamedTuple, Protocol

from tests.house import home
from tests.paths import ROOT

PATIENCE = 600.0  # seconds after which a test gives up on what it waits for

_PORTS = (20_000, 32_000)  # below Linux's ip_local_port_range

_CLI = """\
import sys
from pbm_holomino.cli import main
sys.argv[0] = sys.argv.pop(1)
sys.exit(main())
"""
_INBOX = "import sys; from pbm_holomino.server.inbox import main; sys.exit(main())"
INBOX = (sys.executable, "-c", _INBOX)  # what procmail runs, without the launcher


class Done(NamedTuple):
    """How a process has ended: its exit status, and what it has printed."""

    status: int
    out: str
    err: str

    @property
    def printed(self) -> str:
        return self.out + self.err


def _read(status: int, out: bytes, err: bytes) -> Done:
    return Done(status, out.decode("utf-8"), err.decode("utf-8"))


def surroundings(**more: str) -> dict[str, str]:
    """The environment without what a developer has set for themselves; a script that
    looks for a Python finds this one, which has all that it needs."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("PBM_")}
    path = f"{os.path.dirname(sys.executable)}:{inherited.get('PATH', os.defpath)}"
    return {**inherited, "PATH": path, **more}


def start(
    program: str, *words: str | bytes, **environment: str
) -> "subprocess.Popen[bytes]":
    """The command `program` as it begins: done by itself even if a server runs, without
    a terminal, and with nobody to ask."""
    return subprocess.Popen(
        [sys.executable, "-c", _CLI, program, *words],
        env=surroundings(**{"PYTHONPATH": str(ROOT), **environment}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def run(folder: Path, program: str, *words: str | bytes, **environment: str) -> Done:
    """Run a command on the store in a folder."""
    process = start(program, *words, PBM_GAMES=str(folder), **environment)
    out, err = process.communicate(timeout=PATIENCE)
    done = _read(process.returncode, out, err)
    assert "Traceback" not in done.err, done
    return done


def deliver(
    folder: Path,
    raw: bytes,
    *before: str,
    limits: Sequence[tuple[int, int]] = (),
    program: Sequence[str] = INBOX,
    environment: Mapping[str, str] | None = None,
) -> Done:
    """Hand a mail over to what procmail runs, or to another program. `before` are
    words that run it, such as strace's; `limits` what the system grants it."""

    def restrict() -> None:
        for what, most in limits:
            resource.setrlimit(what, (most, most))

    store = {"PBM_GAMES": str(folder), "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
    ended = subprocess.run(
        [*before, *program],
        input=raw,
        capture_output=True,
        env=surroundings(**{**store, **(environment or {})}),
        timeout=PATIENCE,
        check=False,
        preexec_fn=restrict if limits else None,
    )
    done = _read(ended.returncode, ended.stdout, ended.stderr)
    # Python itself shows one where it is not given what it needs to begin
    assert limits or "Traceback" not in done.err, done
    return done


@contextmanager
def begin_delivery(folder: Path, raw: bytes) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that has been handed a mail, as `deliver` does it; it has ended after
    the block."""
    store = {"PBM_GAMES": str(folder), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        INBOX,
        env=surroundings(**store),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(raw)
        process.stdin.close()
        yield process


def at_once(*acts: Callable[[], object]) -> None:
    """Do things in threads of their own, and wait for their end."""
    threads = [Thread(target=act) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def wait_until(
    holds: Callable[[], object],
    what: str = "what the test waits for",
    instead: Callable[[], str] = str,
    so_far: Callable[[], object] = bool,
) -> None:
    """Return as soon as it holds; where it never does, fail and say what there is
    instead. What takes many steps may take long, as long as `so_far` changes."""
    reached, end = so_far(), monotonic() + PATIENCE
    while not holds():
        if (now := so_far()) != reached:
            reached, end = now, monotonic() + PATIENCE
        assert monotonic() < end, f"never came: {what}\n{instead()}"
        sleep(0.01)


def until_sent(house: "HasMarks") -> None:
    """Wait until every letter has left that a server has marked."""
    wait_until(lambda: not house.has_marks(), "the end of all marks")


def free_port() -> int:
    """A port that nobody listens on. It is none of those that the system gives to
    connections: one of these may be taken before a server has begun."""
    while True:
        port = random.SystemRandom().randrange(*_PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


# pbm serve


class HasMarks(Protocol):
    """What has a store, such as a House."""

    def has_marks(self) -> bool:
        """Whether letters are marked as unsent."""


class HasHome(Protocol):
    """What has a home folder, such as a House."""

    folder: Path

    def path(self, *parts: str) -> Path:
        """Where a file of that folder is."""


class Resident:
    """`pbm serve` in the home of a house, as a process."""

    def __init__(self, house: HasHome, *words: str, **environment: str) -> None:
        self.path = str(house.path("lmtp"))
        folder = str(house.folder)
        self.process = start("pbm", "serve", *words, PBM_GAMES=folder, **environment)
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline().decode()

    def send(self, raw: bytes, sender: str = home("alice")) -> tuple[int, bytes]:
        """The code and the words that the mail is answered with."""
        return send(self.path, raw, sender)

    def stop(self, sign: int = signal.SIGTERM) -> tuple[int, str]:
        """The exit status, and what was said on standard error."""
        self.process.send_signal(sign)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err.decode()


@contextmanager
def resident(house: HasHome, *words: str, **environment: str) -> Iterator[Resident]:
    """A server while the block runs. What it says is shown where a test fails."""
    running = Resident(house, *words, **environment)
    try:
        yield running
    finally:
        running.process.kill()
        print(running.process.communicate()[1].decode())


def send(path: str, raw: bytes, sender: str = home("alice")) -> tuple[int, bytes]:
    """Bring a mail to the server at this socket: its verdict."""
    with smtplib.LMTP(path, timeout=PATIENCE) as client:
        client.ehlo()
        assert client.mail(sender)[0] == 250
        assert client.rcpt("pbm@localhost")[0] == 250
        return client.data(raw.replace(b"\n", b"\r\n"))


class Talk:
    """A connection on which a test says each line."""

    def __init__(self, path: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
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
