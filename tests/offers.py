"""What the tests of offers share: a board on which friends ask, answer and play."""

import json
import random
from typing import Any

from pbm_holomino.errors import PbmError
from pbm_holomino.letters.letters import Letter
from pbm_holomino.match import record, replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act, Line
from pbm_holomino.store import yaml as strict
from tests.lines import action
from tests.robots import mail_of
from tests.tables import (
    FRIENDS,
    MAIL,
    PASSWORDS,
    TIME,
    Case,
    Club,
    opened,
    sent,
    written,
)

Fields = dict[str, Any]


def take_back(club: Club, who: str, *others: str) -> str:
    """What the last is answered when `who` asks for an undo and the others accept."""
    club.move(who, "undo")
    return [club.move(other, "accept") for other in others][-1]


def log_of(club: Club, board: int = 1) -> list[str]:
    """The log in the board's file, without times: `1 alice - 142:4`."""
    stored = (club.server.folder / club.game / f"{board}.yaml").read_bytes()
    lines = [line.split(" ", 2) for line in strict.load(stored)["log"]]
    return [f"{no} {rest}" for no, _, rest in lines]


def history(club: Club) -> Fields:
    """The public record, as a program gets it."""
    return club.json("history 1")


def play_some(club: Club, moves: int, seed: int = 1) -> list[tuple[Fields, str, str]]:
    """Play so many moves by chance, but leave none to it: how the board stood before
    each, who made it, and which it was."""
    dice, made = random.Random(seed), []
    for _ in range(moves):
        fields = club.json()
        legal = [move for move in fields["legal"] if not move.endswith(":any")]
        who, move = fields["turn"][0], dice.choice(legal)
        club.move(who, move)
        made.append((fields, who, move))
    return made


def to_the_pairs(club: Club, seats: int) -> Club:
    """A board of Walomino on which all walongs have been taken."""
    club.open("walomino", seats, "-draft=random")
    assert club.json()["phase"] == "pair"
    return club


def to_the_chain(club: Club, seats: int) -> Club:
    """A board of Walomino on which the pairs have been opened."""
    for who in to_the_pairs(club, seats).json()["turn"]:
        club.move(who, "pairs:any")
    assert club.json()["phase"] == "play"
    return club


def others_of(who: str, seats: int) -> list[str]:
    """The other players, in the order of their seats."""
    return [name for name in FRIENDS[:seats] if name != who]


def mailed(club: Club, who: str, words: str, body: str = "", no: str = "1") -> bytes:
    """A mail with a command about the board; `PASSWORD` in it is that of `who`."""
    subject = f"{club.game} {words.replace('PASSWORD', PASSWORDS[who])}"
    sender = f"{who}@example.org"
    return mail_of(subject, sender, body, Message_ID=f"<{who}.{no}@example.org>")


def files_of(club: Club) -> dict[str, bytes]:
    """What the store holds."""
    found = club.server.folder.rglob("*.yaml")
    return {str(path): path.read_bytes() for path in found}


def subjects(letters: dict[str, Letter]) -> dict[str, str]:
    """The subjects, by reader."""
    return {reader: letter.subject for reader, letter in letters.items()}


def result_of(club: Club, board: int = 1) -> Any:
    """The result, as a program gets it."""
    text = club.say(f"{club.game} show {board} -format=json")
    return json.loads(text)["result"]


# Boards on which anything is tried

ACTS = ["!propose", "!undo", "!undo"] + ["!accept"] * 6 + ["!reject", "!chat"]
ENDS = ["!resign", "!decline", "!void"]
CASES = [Case("holo", 2, {}), Case("hextol", 2, {}), Case("walomino", 3, {})]
CASES += [Case("walomino", seats, {"draft": "random"}) for seats in (2, 3, 4)]


def undone(board: Match, who: str) -> Match:
    """The board when all have agreed to take back a player's last move."""
    board = replay.after(board, Line(None, TIME, who, MAIL, Act.UNDO))
    for other in board.record.players:
        if other != who:
            board = replay.after(board, Line(None, TIME, other, MAIL, Act.ACCEPT))
    return board


class Model:
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
        gone = {line.who for line in before.record.log if line.action is Act.RESIGN}
        try:
            self.board = replay.after(before, Line(None, TIME, who, MAIL, action(what)))
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
