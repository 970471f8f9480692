"""What the tests of moves sent ahead share: a model of what players plan, which knows
nothing of logs; friends with a clock; and what each of them can get to read."""

import random
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

import pytest

from pbm_holomino.errors import BadMove, PbmError
from pbm_holomino.letters import letters
from pbm_holomino.letters.letters import Letter
from pbm_holomino.match import account as players
from pbm_holomino.match import queue as ahead
from pbm_holomino.match import record, replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act, Line
from pbm_holomino.owner import tick
from pbm_holomino.server import open as place
from pbm_holomino.store import yaml as strict
from tests.lines import action
from tests.offers import mailed
from tests.robots import CHEAP
from tests.tables import (
    MAIL,
    PASSWORDS,
    TIME,
    Case,
    Club,
    account,
    answer,
    notations,
    opened,
)


def line_of(who: str, what: Act | str = "", mail: str = MAIL) -> Line:
    """A line of a log, as a command makes it."""
    return Line(None, TIME, who, mail, action(what))


def queue(board: Match, who: str, *moves: Act | str) -> Match:
    """The board after a player has queued these moves, and all that follows."""
    return ahead.advanced(
        ahead.queue(board, line_of(who), tuple(map(str, moves))), TIME
    )


def move(board: Match, who: str, what: Act | str) -> Match:
    """The board after a move, and the queued ones that follow."""
    return ahead.advanced(replay.after(board, line_of(who, what)), TIME)


def act(board: Match, who: str, what: Act | str) -> Match:
    """The board after an act, and the queued moves that follow."""
    return ahead.advanced(replay.after(board, line_of(who, what)), TIME)


def asked(board: Match, reader: str | None) -> str:
    """All that a player, or anybody, is answered about a board."""
    lines = [f"show 1 -format={form}" for form in ("text", "json", "bbcode")]
    lines += ["show 1#0"]
    lines += [f"history 1 -format={form}" for form in ("text", "json", "yaml")]
    if reader is not None:
        lines.append(f"showas {reader} secret 1")
    return "\n".join(answer(board, line) for line in lines)


def written_to(board: Match, reader: str, since: int = 0) -> list[Letter]:
    """The letters to a player about a board, from a line of its log on."""
    log = board.record.log
    told = [i for i in range(len(log)) if log[i].source != "queue" and i >= since]
    return [
        letters.about_board(board, i, account(reader))
        for i in told
        if reader in letters.readers(board, i)
    ]


class Planned:
    """A board on which friends play and plan by chance; beside it a plain board, on
    which each move is made when its turn comes, and the lists of what is planned."""

    def __init__(self, case: Case, seed: int) -> None:
        self.dice = random.Random(seed)
        self.board = self.plain = opened(case, seed % 250)
        self.plans: dict[str, list[str]] = {who: [] for who in self.players}
        self.drafts: dict[str, str] = {}

    @property
    def players(self) -> tuple[str, ...]:
        return self.board.record.players

    def word(self) -> str:
        """A move that may be legal some time, or never."""
        who = self.dice.choice(self.plain.turn)
        word = self.dice.choice(notations(self.plain, who))
        ply = self.plain.ply + self.dice.randrange(1, 4)
        return f"{word}#{ply}" if self.dice.random() < 0.3 else word

    def queue(self) -> None:
        """Moves for later, or for now, in place of what was planned."""
        who = self.dice.choice(self.players)
        words = [self.word() for _ in range(self.dice.randrange(1, 5))]
        if who in self.plain.turn:
            try:
                self._make(self.plain, who, words[0])
            except PbmError:
                self._refused(who, words)
                return
        try:
            self.board = queue(self.board, who, *words)
        except PbmError:
            assert who in self.plain.gone
            return
        self.plans[who] = words
        self._go_on()

    def _refused(self, who: str, words: list[str]) -> None:
        try:
            queue(self.board, who, *words)
        except PbmError:
            return
        raise AssertionError(f"{words[0]} is no move of {who} now")

    def move(self) -> None:
        """A move of somebody whose turn it is."""
        who = self.dice.choice(self.plain.turn)
        word = self.dice.choice(notations(self.plain, who))
        self.board = move(self.board, who, word)
        self.plain = self._make(self.plain, who, word)
        self.drafts.clear()
        self._go_on()

    def submit(self) -> None:
        """A move that is shown first."""
        who = self.dice.choice(self.plain.turn)
        word = self.dice.choice(notations(self.plain, who))
        self.board = ahead.submit(self.board, line_of(who), word)
        self.drafts[who] = word

    def confirm(self) -> None:
        """What was submitted is played; where nothing was, that is refused."""
        who = self.dice.choice(self.plain.turn)
        word = self.drafts.get(who)
        try:
            self.board = ahead.advanced(ahead.confirm(self.board, line_of(who)), TIME)
        except PbmError:
            assert word is None
            return
        assert word is not None
        self.plain = self._make(self.plain, who, word)
        self.drafts.clear()
        self._go_on()

    def act(self, acts: list[str]) -> None:
        """An act by chance, of a player who may or may not do it."""
        who, what = self.dice.choice(self.players), self.dice.choice(acts)
        before = self.plain
        try:
            self.plain = replay.after(before, line_of(who, what))
        except PbmError:
            return
        self.board = act(self.board, who, what)
        if self.plain.ply < before.ply:
            self.plans = {player: [] for player in self.players}
            self.drafts.clear()
        if what == "!resign":
            self.plans[who] = []
            self.drafts.clear()
        self._go_on()

    def _make(self, board: Match, who: str, word: str) -> Match:
        plain, _, no = word.partition("#")
        if no and int(no) not in board.move_numbers():
            raise BadMove("stale")
        return replay.after(board, line_of(who, plain))

    def _go_on(self) -> None:
        while waiting := [who for who in self.plain.turn if self.plans[who]]:
            who = waiting[0]
            word, *rest = self.plans[who]
            try:
                self.plain = self._make(self.plain, who, word)
                self.plans[who] = rest
                self.drafts.clear()
            except PbmError:
                self.plans[who] = []

    def check(self) -> None:
        """Both boards stand alike; the file's data make the same board again."""
        board, plain = self.board, self.plain
        assert board.state == plain.state
        assert (board.result, board.turn, board.ply) == (
            plain.result,
            plain.turn,
            plain.ply,
        )
        for who in self.players:
            assert list(ahead.queued(board, who)) == self.plans[who]
        text = strict.dump(record.to_data(board.record))
        assert replay.replay(record.from_data(strict.load(text))) == board


def day(number: int, time: str = "08:00:00") -> str:
    """A day after the game began, which was on the twentieth."""
    return f"{date(2026, 11, 20) + timedelta(days=number)}T{time}Z"


class Friends(Club):
    """A club with a clock that only a test sets, and a post that may be closed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.time = "2026-11-20T08:00:00Z"
        self.closed = False
        self.server.server.now = lambda: self.time
        self.server.server.delivery.post = self.post

    def post(self, letter: Letter) -> Mapping[str, str]:
        if self.closed:
            return dict.fromkeys(letter.to, "The post office is closed.")
        self.server.sent.append(letter)
        return {}

    def send(
        self, who: str, words: str, body: str = "", no: str = "1"
    ) -> dict[str, Letter]:
        """A mail of a player about the board, and the letters that leave."""
        self.server.mail(mailed(self, who, words, body, no))
        return self.letters()

    def queue(self, who: str, *moves: str) -> str:
        """Queue moves by shell."""
        words = " ".join(moves)
        return self.say(f"{self.game} queue 1 {who} {PASSWORDS[who]} {words}")

    def seen(self, who: str) -> str:
        """The board as only that player sees it."""
        return self.say(f"{self.game} showas {who} {PASSWORDS[who]} 1")

    def board(self) -> Match:
        return self.server.library.match(self.game, 1)

    def tick(self, time: str = "") -> list[str]:
        """What the clock brings at a time; the letters stay to be taken."""
        self.time = time or self.time
        self.server.sent.clear()
        return list(tick.do_what_is_due(self.server.server))


def open_friends(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Friends:
    """A club without a board, where the owner's commands run too."""
    monkeypatch.setattr(players, "_SCRYPT", CHEAP)
    club = Friends(folder)
    server = club.server.server, club.server.config
    monkeypatch.setattr(place, "open_server", lambda: server)
    return club
