"""Letters as a player sees them, in a mail program as it comes."""

import json
import re
from typing import Any

import pytest

from pbm_holomino.mail.post import sender
from pbm_holomino.match.times import time_at
from pbm_holomino.rules.grid import position_to_cell
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import Home
from tests.draw.readers import read_bitten
from tests.house import House
from tests.real.parts import MAIL, READER
from tests.real.players import PASSWORDS, Letter, Player
from tests.real.postoffice import ADDRESS, DOMAIN, PostOffice
from tests.real.reader import COLUMNS, LINES, MailReader
from tests.rules.spiral import Cell

pytestmark = [MAIL, READER]

MOVES = {"holo": 6, "hextol": 4, "walomino": 6}


class PlayedGame:
    """A game of alice against bob, some moves old, of which all letters have come."""

    def __init__(self, office: PostOffice, game: str) -> None:
        self.office, self.game = office, game
        self.alice = Player("alice", office)
        self.server = House(office.account.store)
        self.server.time = time_at()  # as for the programs beside it
        config = Config(ADDRESS, send="smtp", smtp=f"127.0.0.1:{office.port}")
        self.server.server.delivery.post = sender(
            Home(str(self.server.folder), config), self.server.store
        )
        for name in ("alice", "bob"):
            self.type(f"signup {name} {PASSWORDS[name]} {name}@{DOMAIN}")
        self.type(f"{game} challenge alice bob")
        for _ in range(MOVES[game]):
            fields = self.board()
            who, move = fields["turn"][0], fields["legal"][0]
            self.type(f"{game} move 1 {who} {PASSWORDS[who]} {move}")
        office.settle()
        self.alice.read()
        self.alice.check_threads()

    def type(self, line: str) -> str:
        answer = self.server.type(line)
        assert answer.status == 0, answer.text
        return answer.text

    def board(self) -> dict[str, Any]:
        fields: dict[str, Any] = json.loads(
            self.type(f"{self.game} show 1 -format=json")
        )
        return fields

    def last(self) -> Letter:
        return max(self.alice.letters, key=lambda letter: letter.ply)

    def open(self) -> MailReader:
        return MailReader(self.office.folder, self.office.folder / "mail/alice")


def shown(screen: list[str], letter: Letter) -> bool:
    """Whether the whole text stands on the screen, character by character."""
    text = letter.text.rstrip("\n")
    return f"\n{text}\n" in "\n".join(screen)


def open_letter(reader: MailReader, letter: Letter) -> list[str]:
    """The screen with a letter, which has it whole."""
    reader.press("l", f"~i {letter.id.strip('<>')}", "Enter", "Enter")
    return reader.see(lambda screen: shown(screen, letter), "the letter, line by line")


def picture_in(text: str) -> str:
    """What stands between the heading and the first sentence after it."""
    _, _, rest = text.partition("Holomino, board 1, ")
    lines = rest.split("\n")[1:]
    end = next(i for i, line in enumerate(lines) if re.search("[a-z]{2}", line))
    return "\n".join(lines[:end]).strip("\n")


@pytest.mark.parametrize("game", MOVES)
def test_the_letters_of_a_game(office: PostOffice, game: str) -> None:
    play = PlayedGame(office, game)
    last = play.last()
    with play.open() as reader:
        index = reader.see(
            lambda screen: last.subject in "\n".join(screen), "the index"
        )
        for letter in play.alice.letters:  # each is told by its subject alone
            assert any(line.endswith(f" {letter.subject}") for line in index)
        open_letter(reader, last)


def test_the_board_on_the_screen_is_the_board(office: PostOffice) -> None:
    play = PlayedGame(office, "holo")
    with play.open() as reader:
        screen = open_letter(reader, play.last())
    tiles = read_bitten(picture_in("\n".join(screen))).faces
    cells = play.board()["cells"]
    assert at_home(tiles) == at_home(
        {position_to_cell(int(position)): face for position, face in cells.items()}
    )


def at_home(tiles: dict[Cell, str]) -> dict[Cell, str]:
    """The same tiles, the first of them at the centre."""
    left, top = min(tiles)
    return {(col - left, row - top): face for (col, row), face in tiles.items()}


def test_the_letters_about_a_board_are_one_thread(office: PostOffice) -> None:
    play = PlayedGame(office, "holo")
    first, *rest = sorted(play.alice.letters, key=lambda letter: letter.ply)
    with play.open() as reader:
        reader.see(lambda screen: first.subject in "\n".join(screen), "the index")
        reader.press("o", "t")
        index = reader.see(lambda screen: "threads" in screen[LINES - 2], "threads")
    assert len(rest) >= 3
    (head,) = (line for line in index if line.endswith(f" {first.subject}"))
    below = index[index.index(head) + 1 :][: len(rest)]
    for line, letter, before in zip(below, rest, [first, *rest[:-1]], strict=True):
        # mutt leaves out a Subject that is its parent's
        subject = letter.subject if letter.subject != before.subject else ""
        assert re.search(rf" [\u2500-\u257f]+>{re.escape(subject)}$", line)
    assert max(map(len, index)) <= COLUMNS
