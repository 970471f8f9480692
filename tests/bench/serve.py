"""The cost of a mail in a resident server, in a bare LMTP server that only saves it,
and in a process for each mail. The client sends as Postfix does: MAIL, RCPT and DATA
together (RFC 2920), and then the mail.

The servers go on running, so their work is not in the processor's column.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from time import sleep
from typing import NamedTuple

from pbm_holomino.match.account import hash_password
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.library import Library
from tests.bench import positions
from tests.bench.commands import (
    PASSWORD,
    by_python,
    cheap_hash,
    environment,
    mail_text,
    run,
)
from tests.bench.harness import Contender, Row, race

_ROUNDS = 9
_AT_ONCE = 100  # mails that are timed together
_MAILS = (_ROUNDS + 1) * _AT_ONCE
_TILES = (19, 20, 21)  # boards that differ, so that no picture serves twice
ENVELOPE = b"MAIL FROM:<alice@example.org>\r\nRCPT TO:<pbm@localhost>\r\nDATA\r\n"

SERVE = (*by_python("pbm"), "serve")
BARE = """\
import asyncio, os, sys
from aiosmtpd.lmtp import LMTP

class Handler:
    async def handle_DATA(self, server, session, envelope):
        fd = os.open("mail.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.write(fd, envelope.content)
        os.fsync(fd)
        os.close(fd)
        os.rename("mail.new", "mail")
        fd = os.open(".", os.O_RDONLY)
        os.fsync(fd)
        os.close(fd)
        return "250 OK"

async def main():
    make = lambda: LMTP(Handler(), hostname="localhost")
    server = await asyncio.get_running_loop().create_unix_server(make, "lmtp")
    print("Serving", flush=True)
    await server.serve_forever()

os.chdir(sys.argv[1])
asyncio.run(main())
"""


class Served(NamedTuple):
    """A running server: its process, and the function that delivers a mail to it."""

    process: int
    deliver: Callable[[bytes], None]


def rates(root: str) -> list[Row]:
    """Delivering mails with a Holomino move each, every one on another board of about
    20 tiles, over one connection; in new stores in this folder."""
    boards = {"plain": _MAILS, "hashed": _MAILS, "alone": _ROUNDS + 1}
    stores = {name: f"{root}/{name}" for name in boards}
    paths = {
        name: lay(store, boards[name], hashed=name == "hashed")
        for name, store in stores.items()
    }
    mails = {
        name: iter([as_sent(Path(path).read_bytes()) for path in paths[name]])
        for name in ("plain", "hashed")
    }
    alone = iter(paths["alone"])
    any_mail = repeat(as_sent(mail_text("alice", 1, "help").encode()))
    with ExitStack() as stack:
        enter = stack.enter_context
        bare = enter(served(f"{root}/bare", [sys.executable, "-c", BARE])).deliver
        plain, hashed = (enter(served(stores[name])).deliver for name in mails)
        inbox = partial(run, by_python("pbm-inbox"), store=stores["alone"])
        at_once = partial(Contender, calls=_AT_ONCE)
        rows = race(
            _ROUNDS,
            at_once("a bare LMTP server that saves", lambda: bare(next(any_mail))),
            at_once("pbm serve, a move, no hash", lambda: plain(next(mails["plain"]))),
            at_once("pbm serve, a move", lambda: hashed(next(mails["hashed"]))),
            Contender("run.py pbm-inbox, a move, no hash", lambda: inbox(next(alone))),
        )
    for name, left in {**mails, "alone": alone}.items():
        _check(stores[name], boards[name] - len(list(left)))
    return rows


def lay(root: str, boards: int, hashed: bool) -> list[str]:
    """A new store in this folder with so many boards; the paths of mails with a move on
    each."""
    paths = []
    library = positions.new_library(root)
    positions.save_players(library, hash_password(PASSWORD) if hashed else cheap_hash())
    mails = lay_boards(library, range(1, boards + 1))
    for number, text in enumerate(mails, start=1):
        paths.append(f"{root}/{number}.eml")
        Path(paths[-1]).write_text(text, encoding="ascii")
    return paths


def lay_boards(library: Library, numbers: range) -> Iterator[str]:
    """Put boards into a store, no two that follow each other alike; mails with a move
    on each."""
    kinds = [positions.at_tiles(tiles) for tiles in _TILES]
    for number in numbers:
        board = kinds[number % len(kinds)]
        positions.save_boards(library, board, range(number, number + 1))
        who, move = board.turn[0], board.view(None).legal[0]
        line = f"{positions.GAME} move {number} {who} {PASSWORD} {move}"
        yield mail_text(who, number, line)


def _check(root: str, mails: int) -> None:
    """Make sure that every mail has made its move."""
    found = Library(FileStore(root)).lists.boards_of((), "all", [positions.GAME]).boards
    moved = [board for board in found if board.last_change != positions.TIME]
    if len(moved) != mails:
        raise RuntimeError(f"{len(moved)} moves were made by {mails} mails")


@contextmanager
def served(folder: str, command: Sequence[str] = SERVE) -> Iterator[Served]:
    """A server on its socket in a folder, and a connection by which mails go to it."""
    with running(folder, command) as process, socket.socket(socket.AF_UNIX) as client:
        client.connect(os.path.join(folder, "lmtp"))
        with client.makefile("rb") as answers:
            tell = partial(_tell, client, answers)
            tell(b"", b"220")
            tell(b"LHLO bench\r\n", b"250")
            yield Served(process, partial(_deliver, tell))


@contextmanager
def running(folder: str, command: Sequence[str] = SERVE) -> Iterator[int]:
    """The process of a server on its socket in a folder, when it has started."""
    os.makedirs(folder, exist_ok=True)
    server = subprocess.Popen(
        [*command, folder] if command[1] == "-c" else command,
        stdout=subprocess.PIPE,
        env=environment(folder),
    )
    assert server.stdout is not None
    server.stdout.readline()
    _wait_until_idle(server.pid)
    try:
        yield server.pid
    finally:
        server.terminate()
        server.communicate()


def _wait_until_idle(process: int) -> None:
    """Wait until a process has finished starting."""
    used = -1.0
    while used != (used := seconds_used(process)):
        sleep(0.5)


def seconds_used(process: int) -> float:
    """How many seconds of the processor a process has used, together with those that
    it has started."""
    folder = Path(f"/proc/{process}")
    try:
        words = (folder / "stat").read_text().rpartition(")")[2].split()
        children = [path.read_text().split() for path in folder.glob("task/*/children")]
    except (FileNotFoundError, ProcessLookupError):
        return 0.0  # it has just ended, and counts for its parent
    own = sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")  # and those that ended
    return own + sum(seconds_used(int(child)) for child in chain(*children))


def machine_used() -> float:
    """How many seconds of its processors the machine has used since it started."""
    first = Path("/proc/stat").read_text().partition("\n")[0].split()[1:]
    user, nice, system, _, _, irq, softirq, steal = map(int, first[:8])
    used = user + nice + system + irq + softirq + steal
    return used / os.sysconf("SC_CLK_TCK")


def as_sent(raw: bytes) -> bytes:
    """A mail as LMTP carries it."""
    return raw.replace(b"\n", b"\r\n") + b".\r\n"


def _deliver(tell: Callable[..., None], mail: bytes) -> None:
    tell(ENVELOPE, b"250", b"250", b"354")
    tell(mail, b"250")


def _tell(
    client: socket.socket, answers: Iterator[bytes], words: bytes, *codes: bytes
) -> None:
    client.sendall(words)
    for code in codes:
        last = next(line for line in answers if line[3:4] == b" ")
        if not last.startswith(code):
            raise RuntimeError(last.decode())
