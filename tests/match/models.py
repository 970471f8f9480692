"""Models of a board that know nothing of its log: the same players play, take moves
back and plan ahead, and the board must come out alike."""

import random

from pbm_holomino.errors import BadMove, PbmError
from pbm_holomino.match import queue as ahead
from pbm_holomino.match import record, replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Line
from pbm_holomino.store import yaml as strict
from tests.boards import (
    ENDS,
    MAIL,
    TIME,
    Case,
    act,
    line_of,
    move,
    notations,
    opened,
    queue,
    sent,
    written,
)


class UndoModel:
    """A board, and beside it a stack of what was before each move that counts."""

    def __init__(self, case: Case, seed: int) -> None:
        self.board = opened(case, seed)
        self.dice = random.Random(seed)
        self.stack: list[tuple[str, Match]] = []

    def move(self) -> None:
        """A move by chance."""
        who = self.dice.choice(self.board.turn)
        what = self.dice.choice(written(self.board, who))
        self.stack.append((who, self.board))
        self.board = sent(self.board, who, what)

    def act(self, acts: list[str]) -> None:
        """An act by chance, of a player who may or may not do it."""
        before, what = self.board, self.dice.choice(acts)
        who = self.dice.choice(before.record.players)
        gone = {line.who for line in before.record.log if line.action == "!resign"}
        try:
            self.board = replay.after(before, Line(None, TIME, who, MAIL, what))
        except PbmError:
            return
        assert who not in gone or what in ("!chat", "!void")
        offer = before.offer
        accepted = what == "!accept" and self.board.offer is None
        if accepted and offer is not None and offer.kind == "undo":
            asker = ""
            while asker != offer.who:
                asker, then = self.stack.pop()
            assert self.board.state == then.state
        elif what not in ENDS:
            assert self.board.state == before.state

    def check(self) -> None:
        """The file's data make the same board, and the moves are those that count."""
        text = strict.dump(record.to_data(self.board.record))
        again = replay.replay(record.from_data(strict.load(text)))
        assert again == self.board
        log = self.board.record.log
        assert [log[i].who for i in again.moves] == [who for who, _ in self.stack]
        assert again.ply == len(self.stack)


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
