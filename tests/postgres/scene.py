"""Machines that share a database, the game that is played on them while something
breaks, and what must hold afterwards."""

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest import mock

import psycopg

from pbm_holomino import owner
from pbm_holomino.commands import parse
from pbm_holomino.errors import TRY_LATER, PbmError
from pbm_holomino.mail.incoming import read
from pbm_holomino.mail.post import sender
from pbm_holomino.match import account
from pbm_holomino.match.account import TOKEN
from pbm_holomino.match.record import LogLine
from pbm_holomino.resident.cache import remembering
from pbm_holomino.server import inbox
from pbm_holomino.server import open as place
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.home import Home, open_store
from pbm_holomino.store.library import Library
from tests.house import CHEAP, PASSWORDS, SEED, House, home, mail_of
from tests.processes import wait_until

PLAYERS = ("alice", "bob")
BOARDS = range(1, 9)
BEGUN = 2  # lines of a log before the first move: the challenge, and its answer
CODES = {0: 250, TRY_LATER: 451}  # what LMTP says, by the exit status


class Move(NamedTuple):
    """A player's move on a board, the `line` of its log. The mail that brings it has a
    `name` of its own, if the usual one has been taken."""

    board: int
    line: int
    who: str
    text: str
    name: str = ""

    @property
    def mail(self) -> bytes:
        """The mail that brings it, which is the same however often it is sent."""
        line = f"holo move {self.board} {self.who} {PASSWORDS[self.who]} {self.text}"
        return named(line, self.who, self.name or f"{self.board}.{self.line}")

    @property
    def source(self) -> str:
        """The id that its line has in the log."""
        found = read(self.mail, "pbm@localhost")
        assert found is not None
        return found.id

    @property
    def letters(self) -> set[str]:
        """The names of its letters."""
        return {f"holo.{self.board}.{self.line}.{reader}" for reader in PLAYERS}


@cache
def game() -> tuple[tuple[str, str], ...]:
    """Who plays what in a whole game: each board of a scene has the same seed, so this
    can be played on any of them."""
    with TemporaryDirectory() as folder:
        with mock.patch.object(account, "_SCRYPT", CHEAP):
            house = House(Path(folder)).sign_up()
            house.accept(house.challenge())
            house.play()
        log = house.match().record.log
    return tuple((line.who, str(line.action)) for line in log if line.no)


def moves(board: int) -> list[Move]:
    """The moves of the whole game on a board."""
    return [Move(board, line, *move) for line, move in enumerate(game(), BEGUN)]


def all_moves() -> Iterator[Move]:
    """All moves of all games, one game after the other."""
    return (move for board in BOARDS for move in moves(board))


class Machine:
    """A machine with a home of its own, in `folder`, and its boards in a database. It
    stays, as `pbm serve` does: it remembers what it has read."""

    def __init__(self, folder: Path, url: str, **settings: object) -> None:
        self.folder = folder
        self.url = url
        folder.mkdir(exist_ok=True)
        given = {"store": url, "wait": 10, **settings}
        text = "".join(f"{key}: {value}\n" for key, value in given.items())
        (folder / "config.yaml").write_text(text)
        self._open()

    def _open(self) -> None:
        self.home = Home(str(self.folder))
        self.store = open_store(self.home)
        post = sender(self.home, self.store)
        self.server = Server(remembering(self.store), post)
        self.server.seed = lambda: SEED

    def path(self, *parts: str) -> Path:
        return self.folder.joinpath(*parts)

    # Commands

    def lay(self) -> None:
        """Let alice and bob sign up and begin eight games."""
        with mock.patch.object(account, "_SCRYPT", CHEAP):
            for who in PLAYERS:
                self.type(f"signup {who} {PASSWORDS[who]} {home(who)}")
        for board in BOARDS:
            self.type("holo challenge alice bob")
            self.type(f"holo accept {board} bob {PASSWORDS['bob']}")

    def type(self, line: str) -> None:
        """Carry out a command that is typed in the shell, and not refused."""
        answer = self.server.carry_out(parse.parse(line.split()))
        assert answer.status == 0, answer.text

    def receive(self, raw: bytes) -> int:
        """Carry out a mail in this process: 250 or 451."""
        try:
            inbox.receive(raw, self.server, self.home.config)
        except PbmError as error:
            return CODES[error.status]
        return 250

    def play(self, moves: Iterable[Move]) -> None:
        """Make moves, which must all be answered."""
        for move in moves:
            assert self.receive(move.mail) == 250

    def end_leases(self) -> None:
        """Let the time of processes that have died with letters in their hands be
        over."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("UPDATE pbm.marks SET until = clock_timestamp()")

    def type_owner(self, *words: str) -> None:
        """Carry out one of the owner's commands, which must find nothing wrong."""
        self.begin_anew()
        with mock.patch.object(
            place, "open_server", return_value=(self.server, self.home)
        ):
            answer = owner.run(words)
        assert answer.status == 0, answer.text

    def begin_anew(self) -> None:
        """Go on as a new process does, which remembers nothing."""
        self.close()
        self._open()

    def close(self) -> None:
        self.store.close()

    # What there is

    def letters(self) -> set[str]:
        """The names of the letters that have left here."""
        found = self.path("outbox").glob("*.eml")
        return {re.sub(rf"\.{TOKEN}$", "", path.stem) for path in found}

    def log(self, board: int) -> list[LogLine[Any]]:
        """The log of a board, as somebody reads it who has just come."""
        with closing(open_store(self.home)) as store:
            return list(Library(store).match("holo", board).record.log)

    def is_marked(self) -> bool:
        """Whether letters are still marked as unsent."""
        with closing(open_store(self.home)) as store:
            return bool(store.marks.unsent("holo"))


def named(line: str, who: str, name: str, text: str = "") -> bytes:
    """A mail with a command from the home address of a player."""
    return mail_of(line, home(who), text, Message_ID=f"<{name}@example.org>")


# What must hold


def assert_played(machine: Machine, moves: Iterable[Move], *others: Machine) -> None:
    """These moves, the first ones of their boards, have been made, each of them once
    and no others, and their letters leave one of the machines."""
    # a server that goes on holds what it is sending
    wait_until(lambda: _is_flushed(machine), "the last letters")
    machine.type_owner("check")
    found = list(moves)
    letters = set[str]().union(*(each.letters() for each in (machine, *others)))
    for board in {move.board for move in found}:
        wanted = [(m.source, m.who, m.text) for m in found if m.board == board]
        log = machine.log(board)[BEGUN:]
        assert [(line.source, line.who, str(line.action)) for line in log] == wanted
    assert set[str]().union(*(move.letters for move in found)) <= letters


def _is_flushed(machine: Machine) -> bool:
    machine.end_leases()
    machine.type_owner("flush")
    return not machine.is_marked()
