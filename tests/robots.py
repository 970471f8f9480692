"""A server whose clock, seeds and passwords the tests know, and which keeps the
letters that it sends; and the programs, as processes."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pbm_holomino.commands import parse
from pbm_holomino.commands.request import Answer
from pbm_holomino.letters.letters import Letter
from pbm_holomino.match.board import Match
from pbm_holomino.server import inbox
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config
from pbm_holomino.store.files import Store
from pbm_holomino.store.library import Library
from tests.rules import naive

ROOT = Path(__file__).resolve().parents[1]
CHEAP = (2, 1, 1)  # scrypt's costs, where hashing is not the point
NOW = "2026-11-20T08:00:00Z"
SEED = bytes([2]) * 32
PASSWORDS = {"alice": "secret", "bob": "better4"}
ADDRESSES = {"alice": "alice@example.org", "bob": "bob@example.com"}


class Robot:
    """A server in a folder. Passwords that it hashes are cheap if the test has
    patched `players._SCRYPT`; `sent` are the letters that have left."""

    def __init__(self, folder: Path, seed: bytes = SEED) -> None:
        self.folder = folder
        self.config = Config()
        self.library = Library(Store(str(folder)))
        self.sent: list[Letter] = []
        self.server = Server(self.library, self.post, lambda: NOW, lambda: seed)

    def post(self, letter: Letter) -> Mapping[str, str]:
        self.sent.append(letter)
        return {}

    def type(self, line: str, *more: str) -> Answer:
        """What the terminal answers to a command."""
        return self.server.run(parse.parse([*line.split(), *more]))

    def mail(self, raw: bytes) -> list[Letter]:
        """The letters that leave because a mail has come."""
        self.sent.clear()
        inbox.receive(raw, self.server, self.config)
        return list(self.sent)

    def sign_up(self, **players: str) -> "Robot":
        """Make accounts, by userid and password: alice and bob unless told."""
        for userid, password in (players or PASSWORDS).items():
            address = ADDRESSES.get(userid, f"{userid}@example.org")
            assert self.type(f"signup {userid} {password} {address}").status == 0
        return self

    def challenge(
        self, options: str = "", names: str = "alice bob", game: str = "holo"
    ) -> int:
        """The number of a new board."""
        assert self.type(f"{game} challenge {names} {options}").status == 0
        return max(self.library.lists.boards(game))

    def accept(self, board: int = 1, game: str = "holo") -> None:
        """All who have not answered this challenge accept it."""
        for who in self.library.match(game, board).record.unanswered:
            line = f"{game} accept {board} {who} {PASSWORDS.get(who, 'secret')}"
            assert self.type(line).status == 0

    def match(self, board: int = 1) -> Match:
        return self.library.match("holo", board)

    def json(self, board: int = 1) -> dict[str, Any]:
        """The board as the public interface shows it."""
        shown = self.type(f"holo show {board} -format=json")
        fields: dict[str, Any] = json.loads(shown.text)
        return fields

    def play(
        self,
        board: int = 1,
        moves: int = 999,
        choose: Callable[[list[str]], str] = lambda legal: legal[0],
    ) -> dict[str, Any]:
        """Play on, at most so many moves, and tell how the board stands then."""
        for _ in range(moves):
            fields = self.json(board)
            if fields["status"] != "active":
                break
            (who,) = fields["turn"]
            move = choose(fields["legal"])
            played = self.type(f"holo move {board} {who} {PASSWORDS[who]} {move}")
            assert played.status == 0, played.text
        return self.json(board)


class Played:
    """A board of a robot, and the same game in the slow engine, played alike by
    chance."""

    def __init__(self, server: Robot, options: dict[str, Any], choice: int) -> None:
        words = " ".join(
            f"-{name}={'yes' if value is True else value}"
            for name, value in options.items()
            if value not in (None, False)
        )
        self.server, self.board = server, server.challenge(words)
        self.game = naive.begin(options, SEED)
        self.options = options
        self.chance = random.Random(choice)
        self.moves: list[str] = []

    def move(self) -> None:
        move = self.chance.choice(sorted(self.game.moves()))
        self.moves.append(f"{self.who} {move}")
        words = f"holo move {self.board} {self.who} {PASSWORDS[self.who]} {move}"
        assert self.server.type(words).status == 0
        self.game = self.game.after(self.game.moves()[move])

    @property
    def who(self) -> str:
        return ("alice", "bob")[self.game.turn]

    def play(self, plies: int) -> "Played":
        while len(self.moves) < plies and not self.game.over:
            self.move()
        return self


def mail_of(
    subject: str, sender: str = "alice@example.org", body: str = "", **headers: str
) -> bytes:
    """A plain mail; underscores in the names of further headers are dashes."""
    lines = [f"From: {sender}", "To: pbm@localhost", f"Subject: {subject}"]
    lines += [f"{name.replace('_', '-')}: {text}" for name, text in headers.items()]
    return ("\n".join(lines) + f"\n\n{body}\n").encode("utf-8")


# The programs

_CLI = """\
import sys
from pbm_holomino.cli import main
sys.argv[0] = sys.argv.pop(1)
sys.exit(main())
"""
_INBOX = "import sys\nfrom pbm_holomino.server.inbox import main\nsys.exit(main())\n"


class Done:
    """A program that has ended."""

    def __init__(self, status: int, out: bytes, err: bytes) -> None:
        self.status = status
        self.out = out.decode("utf-8")
        self.err = err.decode("utf-8")
        assert "Traceback" not in self.err

    def __repr__(self) -> str:
        return f"Done({self.status}, {self.out!r}, {self.err!r})"


def surroundings(**more: str) -> dict[str, str]:
    """The environment without what a developer has set for themselves; a script that
    looks for a Python finds this one, which has all that it needs."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("PBM_")}
    path = f"{os.path.dirname(sys.executable)}:{inherited.get('PATH', os.defpath)}"
    return {**inherited, "PATH": path, **more}


def start(program: str, *words: str | bytes, **environment: str) -> Any:
    """The command `program`, a console script of cli.main, as it begins: without a
    terminal, and with nobody to ask."""
    return subprocess.Popen(
        [sys.executable, "-c", _CLI, program, *words],
        env=surroundings(PYTHONPATH=str(ROOT), **environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def run(folder: Path, program: str, *words: str | bytes, **environment: str) -> Done:
    """Run a command on the store in a folder."""
    process = start(program, *words, PBM_GAMES=str(folder), **environment)
    out, err = process.communicate(timeout=60)
    return Done(process.returncode, out, err)


def run_inbox(folder: Path, raw: bytes) -> Done:
    """Hand a mail over as procmail does."""
    done = subprocess.run(
        [sys.executable, "-c", _INBOX],
        input=raw,
        capture_output=True,
        env=surroundings(PYTHONPATH=str(ROOT), PBM_GAMES=str(folder)),
        timeout=60,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)
