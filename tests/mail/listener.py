"""A player who has letters read to them: what they make of the sentences, and what they
write back. They see no drawing, no column and no JSON."""

import re
from collections.abc import Iterator
from pathlib import Path

from pbm_holomino.letters.letter import Letter
from pbm_holomino.resident.work import Work
from tests.house import House, home, mail_of

WHO, PASSWORD, OTHER = "alice", "xanadu", "robot1"
MOST_TURNS = 200  # of one game
# What is good to hear of a move, the best first; each move comes with one of these.
_EFFECTS = (
    re.compile(r"(\S+:\S+) connects all \d+ numbers and wins\."),
    re.compile(r"(\S+:\S+) (?:scores|adds) (\d+)[^.]*\."),
    re.compile(r"(\S+:\S+) leaves the open ends (\w) at \d+ and (\w) at \d+\."),
    re.compile(r"(\S+:\S+) (?:scores|adds) nothing[^.]*\."),
)
_TILES = re.compile(r"(\S+) fits at one place|(\S+) fits at \d+ places")


class Listener:
    """Somebody at a mail program that reads aloud, and what they have heard."""

    def __init__(self, folder: Path, game: str, seed: int) -> None:
        board = bytes([seed]) * 32
        self.house, self.game = House(folder, lambda: board), game
        self.heard: list[Letter] = []
        self._mails = 0

    def begin(self) -> None:
        """Sign up, have letters in words, and challenge a robot: all of it by mail."""
        self.write(f"signup {WHO} {PASSWORD}")
        self.write(f"change format {WHO} {PASSWORD} words")
        self.write(f"{self.game} challenge {WHO} {OTHER}")

    def write(self, subject: str, body: str = "", to: str = "") -> None:
        """Send a mail, which may answer a letter; then the robots do what is due, and
        the letters that come are heard."""
        self._mails += 1
        headers = {"Message_ID": f"<{self._mails}@x>"}
        headers |= {"In_Reply_To": to} if to else {}
        self.house.mail(mail_of(subject, home(WHO), body, **headers))
        for _ in Work(self.house.server, 0.0).do_all():
            pass
        self.heard += [letter for letter in self.house.sent if home(WHO) in letter.to]

    def reply(self, line: str) -> str:
        """Answer the last letter with a line; what is heard then."""
        last, before = self.heard[-1], len(self.heard)
        to = f"<{last.id}@{self.house.config.domain}>"
        self.write(f"Re: {last.subject}", line, to)
        assert len(self.heard) > before, f"nothing came after {line}"
        return self.last

    @property
    def last(self) -> str:
        """The last letter, without the breaks between its lines."""
        return spoken(self.heard[-1])

    def play(self) -> str:
        """Play on until the game is over; what is said of its end."""
        for turn in range(MOST_TURNS):
            if end := re.search(r"The game is over: [^.]*\.", self.last):
                return end[0]
            assert f"It is your turn, {WHO}." in self.last, self.last
            if turn % 3 == 1:
                self._ask()
            self.reply(self._choice())
        raise AssertionError("the game does not end")

    def _ask(self) -> None:
        """Ask where a tile fits and what lies at a place, and go on from there."""
        at = self.heard[-1]
        if tiles := _TILES.findall(self.last):
            one, other = tiles[len(self.heard) % len(tiles)]
            told = self.reply(f"fits {one or other}")
            assert f"{one or other} fits at " in told
            place = re.search(r"(?:\S+:|gains nothing at )(\d+)", told)
            assert place
            assert "You can play there: " in self.reply(f"look {place[1]}")
            self.heard.append(at)

    def _choice(self) -> str:
        """The move to be made: the best that was told, or else the example."""
        told = self.last.partition("It is your turn")[2] or self.last
        best = next(moves(told), "")
        example = re.search(r"such as (\S+)\.", told)
        return best or (example[1] if example else "")


def moves(told: str) -> Iterator[str]:
    """The moves of which a letter says what they do, the best first."""
    for effect in _EFFECTS:
        found = effect.finditer(told)
        for said in sorted(found, key=_worth, reverse=True):
            yield said[1]


def _worth(said: re.Match[str]) -> int:
    """What a sentence promises, where it names a number."""
    number = (said.groups()[1:] or ("",))[0]
    return int(number) if number.isdigit() else 0


def spoken(letter: Letter) -> str:
    """A letter as it is read aloud: without breaks between lines."""
    return " ".join(letter.text.split())
