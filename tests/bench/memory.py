"""How much memory a resident server uses, as mails keep coming in."""

import os
import random
from contextlib import suppress
from pathlib import Path

from tests.bench.commands import PASSWORD, mail_text
from tests.bench.serve import as_sent, lay, served

_BOARDS = 1500  # more than it remembers
_TOLD = (1_000, 10_000, 100_000)  # after so many mails


def report(root: str) -> str:
    """The memory it uses while it processes moves, questions and mistakes, in a new
    store in this folder, whose letters are collected."""
    store = os.path.join(root, "served")
    moves = [Path(path).read_bytes() for path in lay(store, _BOARDS, hashed=True)]
    chance = random.Random(0)
    lines = ["The memory of pbm serve, as mails come in", "", "  mails  memory"]
    with served(store) as server:
        for number in range(1, max(_TOLD) + 1):
            server.deliver(as_sent(_mail(number, moves, chance)))
            if number % 1000 == 0:
                _collect(os.path.join(store, "outbox"))
            if number in _TOLD:
                lines.append(f"{number:>7}  {_resident(server.process):>3} MB")
    return "".join(f"{line}\n" for line in lines)


def _mail(number: int, moves: list[bytes], chance: random.Random) -> bytes:
    """A move, which may have come before, or a line that changes nothing."""
    board = chance.randrange(len(moves))
    if chance.random() < 0.4:
        return moves[board]
    kinds = ["show {}", "history {}", "moove {}", f"move {{}} bob {PASSWORD} 111:999"]
    line = chance.choice(kinds).format(board + 1)
    return mail_text("alice", number, f"holo {line}").encode("ascii")


def _collect(folder: str) -> None:
    for name in os.listdir(folder):
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, name))


def _resident(process: int) -> int:
    """The memory of a process, in millions of bytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1_000_000
