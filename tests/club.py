"""Four friends on a server of their own, and what they write and read about the first
board of a game."""

import json
import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.board import Match
from pbm_holomino.owner import tick
from pbm_holomino.rules import load
from tests.boards import reader_of
from tests.house import FRIENDS, PASSWORDS, House, home, mail_of
from tests.prose import plain

Fields = dict[str, Any]


class Club:
    """Four friends, their server, and the board on which they play: the first of its
    game."""

    def __init__(self, folder: Path) -> None:
        self.server = House(folder).sign_up(*FRIENDS)
        self.game = ""

    def say(self, line: str) -> str:
        """The answer to a command, which is carried out."""
        answer = self.server.type(line)
        assert answer.status == 0, answer.text
        return answer.text

    def open(self, game: str, seats: int = 2, options: str = "") -> "Club":
        """A new board; its letters are thrown away."""
        self.game = game
        self.server.challenge(options, " ".join(FRIENDS[:seats]), game)
        self.server.sent.clear()
        return self

    def accept(self, board: int = 1) -> "Club":
        """Every player who has not answered this challenge accepts it; the letters are
        thrown away."""
        self.server.accept(board, self.game)
        self.server.sent.clear()
        return self

    def json(self, command: str = "show 1") -> Fields:
        fields: Fields = json.loads(self.say(f"{self.game} {command} -format=json"))
        return fields

    def board(self) -> Match:
        return self.server.library.match(self.game, 1)

    def line(self, who: str, move: str) -> str:
        return f"{self.game} move 1 {who} {PASSWORDS[who]} {move}"

    def move(self, who: str, move: str) -> str:
        return self.say(self.line(who, move))

    def queue(self, who: str, *moves: str) -> str:
        """Queue moves by shell."""
        return self.say(f"{self.game} queue 1 {who} {{{who}}} {' '.join(moves)}")

    def resign(self, who: str) -> str:
        return self.say(f"{self.game} resign 1 {who} {{{who}}}")

    def seen(self, who: str) -> str:
        """The board as only that player sees it."""
        return self.say(f"{self.game} showas {who} {{{who}}} 1")

    def refused(self, who: str, move: str) -> str:
        """What a player is told whose move is refused, before the board."""
        said, board = self.refused_line(self.line(who, move))
        assert f"\n{load(self.game).TITLE}, board 1, " in board
        return said

    def refused_line(self, line: str) -> tuple[str, str]:
        """What is said first about a command that is refused, and the rest; nothing
        has changed."""
        before = self.server.records()
        self.server.sent.clear()
        answer = self.server.type(line)
        assert answer.status in (1, 2), answer.text
        assert self.server.records() == before
        assert not self.server.sent
        said, _, rest = answer.text.partition("\n\n")
        return plain(said), rest

    def send(
        self, who: str, words: str, body: str = "", no: str = "1"
    ) -> dict[str, Letter]:
        """A mail of a player about the board, and the letters that leave."""
        self.server.mail(mailed(self, who, words, body, no))
        return self.letters()

    def letters(self) -> dict[str, Letter]:
        """The letters since this was last asked, by reader."""
        letters = {reader_of(letter): letter for letter in self.server.sent}
        assert len(letters) == len(self.server.sent)
        self.server.sent.clear()
        return letters

    def play(self, seed: int = 0, most: int = 999) -> Fields:
        """Play on by chance, at most so many moves; the board as it is then."""
        dice = random.Random(seed)
        while (fields := self.json())["turn"] and most:
            self.move(fields["turn"][0], dice.choice(fields["legal"]))
            most -= 1
        self.server.sent.clear()
        return fields

    def tick(self, time: str = "") -> list[str]:
        """What the clock brings at a time; the letters stay to be taken."""
        self.server.time = time or self.server.time
        self.server.sent.clear()
        return list(tick.do_what_is_due(self.server.server))


def day(number: int, time: str = "08:00:00") -> str:
    """A day after the game began, which was on the twentieth."""
    return f"{date(2026, 11, 20) + timedelta(days=number)}T{time}Z"


def mailed(club: Club, who: str, words: str, body: str = "", no: str = "1") -> bytes:
    """A mail with a command about the board; `PASSWORD` in it is that of `who`."""
    subject = f"{club.game} {words.replace('PASSWORD', PASSWORDS[who])}"
    return mail_of(subject, home(who), body, Message_ID=f"<{who}.{no}@example.org>")


def subjects(letters: dict[str, Letter]) -> dict[str, str]:
    """The subjects, by reader."""
    return {reader: letter.subject for reader, letter in letters.items()}


def take_back(club: Club, who: str, *others: str) -> str:
    """What the last is answered when `who` asks for an undo and the others accept."""
    club.move(who, "undo")
    return [club.move(other, "accept") for other in others][-1]


def log_of(club: Club, board: int = 1) -> list[str]:
    """The log in the board's file, without times: `1 alice - 142:4`."""
    stored = club.server.data(club.game, str(board))["log"]
    lines = [line.split(" ", 2) for line in stored]
    return [f"{no} {rest}" for no, _, rest in lines]


def result_of(club: Club, board: int = 1) -> Any:
    """The result, as a program gets it."""
    return club.json(f"show {board}")["result"]


def history(club: Club) -> Fields:
    """The public record, as a program gets it."""
    return club.json("history 1")


def others_of(who: str, seats: int) -> list[str]:
    """The other players, in the order of their seats."""
    return [name for name in FRIENDS[:seats] if name != who]


def play_some(club: Club, moves: int, seed: int = 1) -> list[tuple[Fields, str, str]]:
    """Play so many moves by chance, but leave none to it: the board before each, who
    made it, and which it was."""
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
