"""A verifier of finished boards, for their public records.

It is written from what players can read: "help json", "help record", "help verify" and
the games' own pages; and it imports nothing of the package. What it says of a record
must be what the server says.
"""

import hashlib
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

import yaml

from tests.match import verified
from tests.match.verified.base import Draws, Record, VerifiedGame, must
from tests.match.verified.clocks import Clocks, moment


class Proof(NamedTuple):
    """What a record comes to: each draw as its number, its place and among how many."""

    draws: list[tuple[int, int, int]]
    moves: list[str]
    scores: dict[str, int]
    winners: list[str]
    reason: str


class Replay:
    """A record, line by line."""

    def __init__(self, record: Record) -> None:
        self.players: list[str] = record["players"]
        self.draws = Draws(bytes.fromhex(record["seed"]))
        seal = hashlib.sha256(self.draws.seed).hexdigest()
        must(seal == record["seal"], "the seal is not that of the seed")
        if record["random"] == "yes":
            self.seat()
        rules = import_module(f"{verified.__name__}.{record['game']}")
        self.table: VerifiedGame = rules.Game(record, self.draws)
        self.counting: list[tuple[str, str, Any]] = []  # who, move, how it was before
        self.offer: list[str] = []  # what, who offers it, and who has accepted it
        self.gone: list[str] = []
        self.in_tournament = "tournament" in record
        self.clocks = Clocks(record) if "clock" in record else None
        self.paused = 0  # days, as has just been agreed
        self.result: tuple[list[str], str] | None = None

    def seat(self) -> None:
        left = sorted(self.players)
        for player in self.players[:-1]:
            drawn = self.draws.take(left)
            must(drawn == player, f"the seats: {drawn} and not {player}")
            left.remove(drawn)

    def line(self, text: str) -> None:
        number, time, who, _, what, *about = text.split(" ")
        must(self.result is None or what == "!chat", f"after the end: {text}")
        if self.clocks and what == "!forfeit":
            self.clocks.forfeits(who, moment(time))
        if not what.startswith("!"):
            must(number == str(len(self.counting) + 1), f"not the next number: {text}")
            self.move(who, what)
        else:
            must(number == "-", f"not a move: {text}")
            self.act(who, what, about)
        if self.table.over and self.result is None:
            self.result = [self.players[s] for s in self.table.best()], "score"
        self.clock(who, time, what)

    def clock(self, who: str, time: str, what: str) -> None:
        """What a line does to the clocks."""
        if self.clocks is not None:
            if self.paused:
                self.clocks.pause(moment(time), self.paused)
            seats = self.table.may_move() if self.result is None else []
            turn = [self.players[seat] for seat in seats]
            self.clocks.line(who, moment(time), what, len(self.counting), turn)
        self.paused = 0

    def move(self, who: str, what: str) -> None:
        seat = self.players.index(who)
        must(seat in self.table.may_move(), f"not the turn of {who}")
        self.counting.append((who, what, self.table.snapshot()))
        self.table.play(seat, what)
        if not self.table.over:
            self.table.settle()
        self.offer = []

    def act(self, who: str, what: str, about: Sequence[str] = ()) -> None:
        if what in ("!propose", "!pause", "!undo"):
            self.offer, self.days = [what, who], int("".join(about) or "0")
        elif what == "!excused":
            must(self.clocks, f"no clock: {what}")
            assert self.clocks
            self.clocks.excuse(who, *about)
        elif what == "!accept":
            self.accept(who)
        elif what == "!join":
            must(not self.counting, f"a seat taken after a move: {who}")
        elif what == "!reject":
            self.offer = []
        elif what in ("!decline", "!lapse"):
            must(not self.in_tournament, f"nobody had to accept: {what}")
            self.result = [], "declined"
        elif what == "!void":
            self.result = [], "voided"
        elif what in ("!resign", "!forfeit"):
            self.drop_out(who, what)
        else:
            must(what == "!chat", f"an unknown act: {what}")

    def left(self) -> list[str]:
        return [player for player in self.players if player not in self.gone]

    def accept(self, who: str) -> None:
        if not self.offer or who in self.offer:
            must(not self.in_tournament, f"nobody had to accept: {who}")
            return  # the challenge is taken up
        what, asker, *_ = self.offer = [*self.offer, who]
        if set(self.left()) - {*self.offer}:
            return
        self.offer = []
        if what == "!propose":
            self.result = self.left(), "agreed"
        elif what == "!pause":
            must(not self.in_tournament and 1 <= self.days <= 30, "no such pause")
            self.paused = self.days
        else:
            self.take_back(asker)

    def take_back(self, asker: str) -> None:
        """The last move of the player that counts, and all after it."""
        must(asker in [who for who, _, _ in self.counting], f"no move of {asker}")
        while True:
            who, _, before = self.counting.pop()
            if who == asker:
                self.table.restore(before)
                return

    def drop_out(self, who: str, what: str) -> None:
        self.offer = []
        has_moved = who in [player for player, _, _ in self.counting]
        if what == "!forfeit" and not has_moved and not self.in_tournament:
            self.result = [], "declined"
            return
        self.gone.append(who)
        if len(self.left()) == 1:
            self.result = self.left(), _REASONS[what]
        else:
            self.table.drop(self.players.index(who))


_REASONS = {"!resign": "resigned", "!forfeit": "forfeit"}


def verify(text: str) -> Proof:
    """What the public record of a finished board comes to. Raises Wrong."""
    record = yaml.load(text, yaml.BaseLoader)
    replay = Replay(record)
    first, *rest = record["log"]
    openings = ("!pair",) if replay.in_tournament else ("!challenge", "!rematch")
    must(first.split(" ")[0] == "0" and first.endswith(openings), first)
    _, began, who, _, what = first.split(" ")
    replay.clock(who, began, what)
    for line in rest:
        replay.line(line)
    must(replay.result is not None, "not over")
    winners, reason = replay.result or ([], "")
    scores = dict(zip(replay.players, replay.table.scores, strict=True))
    moves = [f"{who} {what}" for who, what, _ in replay.counting]
    return Proof(replay.draws.made, moves, scores, winners, reason)
