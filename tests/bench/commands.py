"""Commands as players run them, on stores full of boards to be moved on."""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pbm_holomino.match import account
from pbm_holomino.match.board import Match
from pbm_holomino.store.library import Library
from tests.bench import positions
from tests.bench.positions import files_of
from tests.paths import ROOT

How = Callable[[str], tuple[str, ...]]

_TILES = {"holo": 20, "hextol": 20, "walomino": 12}
PASSWORD = "correct_horse"

# The usual headers of a mail that comes from another machine.
_MAIL = """\
Return-Path: <{who}@example.org>
Delivered-To: pbm@localhost
Received: from mx.example.net (mx.example.net [192.0.2.7])
\tby games.example.com (Postfix) with ESMTPS id 4C1B2D3E4F
\tfor <pbm@localhost>; Sat, 31 Jan 2026 12:00:01 +0000 (UTC)
Received: from [198.51.100.23] (client.example.org [198.51.100.23])
\tby mx.example.net (Postfix) with ESMTPSA id 1A2B3C4D5E
\tfor <pbm@localhost>; Sat, 31 Jan 2026 12:00:00 +0000 (UTC)
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=mail;
\th=from:to:subject:date:message-id;
\tbh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;
\tb=dzdVyOfAKCdLXdJOc9G2q8LoXSlEniSbav+yuU4zGeeruD00lszZVoG4ZHRNiYzR
Message-ID: <{board}.move@example.org>
Date: Sat, 31 Jan 2026 13:00:00 +0100
MIME-Version: 1.0
User-Agent: Mozilla Thunderbird
From: {who} <{who}@example.org>
To: pbm@localhost
Subject: {subject}
Content-Type: text/plain; charset=UTF-8; format=flowed
Content-Transfer-Encoding: 7bit

Your turn now!
"""


def mail_text(who: str, board: int, subject: str) -> str:
    """A mail from this player about a board."""
    return _MAIL.format(who=who, board=board, subject=subject)


def by_launcher(name: str) -> tuple[str, ...]:
    """How a command of this name is started by the script in `bin/`."""
    return (str(ROOT / "bin" / name),)


def by_python(name: str) -> tuple[str, ...]:
    """How a command is started without that script."""
    return (sys.executable, str(ROOT / "bin" / "run.py"), name)


class BenchTable(NamedTuple):
    """A store with boards of a game, the same move due on each of them.

    `unused` yields the numbers of the boards; each can be moved on once.
    """

    library: Library
    before: Match
    who: str
    move: str
    unused: Iterator[int]

    def make_move(self, how: How) -> None:
        """Make a move by the game's command."""
        self._run((*how(self.game), *self._words(next(self.unused))))

    def mail_move(self, how: How) -> None:
        """Make a move by `pbm-inbox`."""
        self._run(how("pbm-inbox"), self.mail(next(self.unused)))

    def show(self, how: How) -> None:
        """Show the first board."""
        self._run((*how(self.game), "show", "1"))

    @property
    def game(self) -> str:
        return self.before.record.game

    def mail(self, board: int) -> str:
        """The path of the mail that makes the move on a board."""
        return files_of(self.library).path(f"{board}.eml")

    def write_mails(self, boards: range) -> None:
        for board in boards:
            subject = " ".join((self.game, *self._words(board)))
            text = mail_text(self.who, board, subject)
            Path(self.mail(board)).write_text(text, encoding="ascii")

    def moves_made(self) -> int:
        """How many moves have been made on the boards."""
        boards = self.library.lists.boards_of((), "all", [self.game]).boards
        return sum(board.ply - self.before.ply for board in boards)

    def _words(self, board: int) -> tuple[str, ...]:
        return ("move", str(board), self.who, PASSWORD, self.move)

    def _run(self, words: Sequence[str], stdin: str = os.devnull) -> None:
        run(words, stdin, files_of(self.library).root)


def lay_table(
    root: str, boards: int, hashed: bool = True, game: str = positions.GAME
) -> BenchTable:
    """A store with so many boards, in a new folder. The players' password is hashed
    as the server does it, or else at the least cost that scrypt has."""
    library = positions.new_library(root, game)
    password = account.hash_password(PASSWORD) if hashed else cheap_hash()
    positions.save_players(library, password)
    board = positions.at_tiles(_TILES[game], game)
    numbers = range(1, boards + 1)
    positions.save_boards(library, board, numbers)
    move = board.view(None).legal[0]
    table = BenchTable(library, board, board.turn[0], move, iter(numbers))
    table.write_mails(numbers)
    return table


def cheap_hash() -> str:
    """A hash of PASSWORD that costs next to nothing to check."""
    salt = bytes(16)
    digest = hashlib.scrypt(PASSWORD.encode(), salt=salt, n=2, r=1, p=1, dklen=32)
    return f"scrypt:2:1:1:{salt.hex()}:{digest.hex()}"


def run(words: Sequence[str], stdin: str = os.devnull, store: str = "") -> None:
    """Run a command to its end, with no output. Raises RuntimeError where it fails.

    It is started without what subprocess does, which would count for the command.
    """
    files = [
        (os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    child = os.posix_spawn(words[0], [*words], environment(store), file_actions=files)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        raise RuntimeError(f"{' '.join(words)} ended with {status}")


def environment(store: str) -> dict[str, str]:
    """The environment of a command on this store, without variables that change how
    Python works for players."""
    own = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    return {**own, "PBM_GAMES": store}
