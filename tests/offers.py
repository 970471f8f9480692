"""What the tests of offers share: a board on which friends ask, answer and play."""

import json
import random
from typing import Any

from pbm_holomino import strict
from tests.robots import mail_of
from tests.tables import FRIENDS, PASSWORDS, Club

Fields = dict[str, Any]


def take_back(club: Club, who: str, *others: str) -> str:
    """What the last is answered when `who` asks for an undo and the others accept."""
    club.move(who, "undo")
    return [club.move(other, "accept") for other in others][-1]


def log_of(club: Club, board: int = 1) -> list[str]:
    """The log in the board's file, without times: `1 alice - 142:4`."""
    stored = (club.robot.folder / club.game / f"{board}.yaml").read_bytes()
    lines = [line.split(" ", 2) for line in strict.load(stored)["log"]]
    return [f"{no} {rest}" for no, _, rest in lines]


def history(club: Club) -> Fields:
    """The public record, as a program gets it."""
    return club.json("history 1")


def play_some(club: Club, moves: int, seed: int = 1) -> list[tuple[Fields, str, str]]:
    """Play so many moves by chance: how the board stood before each, who made it,
    and which it was."""
    dice, made = random.Random(seed), []
    for _ in range(moves):
        fields = club.json()
        who, move = fields["turn"][0], dice.choice(fields["legal"])
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


def result_of(club: Club, board: int = 1) -> Any:
    """The result, as a program gets it."""
    text = club.say(f"{club.game} show {board} -format=json")
    return json.loads(text)["result"]
