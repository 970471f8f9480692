"""Mails as people write them to answer a letter about a board, and what each does.

In `mails/`, a section is about a game and its phase. A line is a mail, with ⏎ where a
line ends, and what it does: `126:9` (that move is played), `126:9 "…"` (and these words
are passed on), `126:9 *` (one word beside it is kept back, as it may be a password),
`? 126:9 resign` (nothing is done, and these are offered), `queue 126:9` (another
command), `said` (the words go to the player whose words the letter brought), or `-`.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import pytest

from pbm_holomino.commands.known_names import known_to
from pbm_holomino.match import letter_ids
from pbm_holomino.rules import names
from pbm_holomino.server import answered as letters
from pbm_holomino.server import replies
from pbm_holomino.server.answered import Answered
from pbm_holomino.server.replies import Doubt
from pbm_holomino.store.people import People
from tests.house import House, home
from tests.server.test_replies import id_of, letter_to

MAILS = Path(__file__).parent / "mails"


class Mail(NamedTuple):
    """A mail, what it is about, and what it does."""

    about: str
    text: str
    does: str


def mails(name: str) -> Iterator[Mail]:
    """Those about the games that there are."""
    about = ""
    for line in (MAILS / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            about = line[1:-1]
        elif about.split()[0] in names():
            text, _, does = line.rpartition(" => ")
            yield Mail(about, text.replace("⏎", "\n"), does.replace("⏎", "\n"))


def answered(house: House, about: str) -> Answered:
    """The last letter to alice about a new board of this game in this phase, on which
    it is her turn, or with words."""
    game, _, phase = about.partition(" ")
    options = "-draft=random" if phase in ("pair", "play") else ""
    board = house.challenge(options, game=game)
    house.accept(board, game)
    if phase == "play":
        for who in ("alice", "bob"):
            house.type(f"{game} move {board} {who} {{{who}}} pairs:any")
        while house.library.match(game, board).turn != ("alice",):
            match = house.library.match(game, board)
            (who,) = match.turn
            house.type(
                f"{game} move {board} {who} {{{who}}} {match.view(None).legal[0]}"
            )
    if phase == "words":
        house.type(f"{game} chat {board} bob {{bob}}", "-m=What a game!")
    letter = letter_to(house.taken(), "alice")
    known = letter_ids.find((id_of(letter),), "localhost")
    assert known is not None
    people = People(house.library)
    found = letters.letter_of(known, house.library, people, house.time)
    assert found is not None
    return found


def done(letter: Answered, text: str, house: House) -> str:
    """What a reply to a letter does, as the lines of `mails/` say it."""
    known = known_to(lambda: house.library, home("alice"))
    asked = replies.read(letter, letter.own_lines(text), known)
    if isinstance(asked, Doubt):
        return f"? {' '.join(asked.offers)}" if asked.offers else "-"
    words = " ".join(asked.words)
    if asked.command in ("chat", "message") and not text.startswith("chat"):
        return "said"
    if asked.command != "move":
        return f"{asked.command} {words}".strip()
    if asked.move_no is not None:
        words += f"#{asked.move_no}"
    said = "\n".join(filter(None, asked.origin.text.splitlines()))
    return " ".join(filter(None, (words, "*" * asked.keeps_back, said and f'"{said}"')))


def read_all(name: str, house: House) -> Iterator[tuple[Mail, str]]:
    """Each mail, with what it does."""
    for about, those in groupby(mails(name), attrgetter("about")):
        letter = answered(house, about)
        for mail in those:
            yield mail, done(letter, mail.text, house)


def test_each_does_what_its_writer_meant(server: House) -> None:
    found = list(read_all("mails", server))
    assert len(found) >= 300
    assert [f"{mail} {does}" for mail, does in found if does != mail.does] == []


@pytest.mark.parametrize(
    ("name", "fewest", "share"), [("apart", 150, 20), ("further", 75, 15)]
)
def test_mails_that_were_kept_apart_are_understood_as_well(
    server: House, name: str, fewest: int, share: int
) -> None:
    """All but one of twenty, or of fifteen; and what is doubtful in them is not
    done."""
    found = list(read_all(name, server))
    wrong = [(mail, does) for mail, does in found if does != mail.does]
    assert len(found) >= fewest
    assert len(wrong) <= len(found) // share
    assert all(does[0] in "?-" for mail, does in wrong if mail.does[0] in "?-")
