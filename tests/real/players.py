"""Players who know only what their letters say, and what every letter must be like."""

import random
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from pbm_holomino.match.account import TOKEN
from tests.mail import valid
from tests.processes import wait_until
from tests.prose import plain, text_of
from tests.real.postoffice import ADDRESS, DOMAIN

# No word of another text: where one of them stands, a password has got out.
PASSWORDS = {
    "alice": "Xanadu77",
    "bob": "Zebra-88",
    "carol": "Quokka99",
    "dave": "Jackdaw5",
    "erin": "Wombat-6",
    "frank": "Yaffle-7",
    "grace": "Ocelot-3",
    "heidi": "Numbat42",
    "ivan": "Tapir-19",
    "judy": "Walrus53",
    "kevin": "Okapi-61",
    "laura": "Kookab4r",
    "mike": "Vicuna-8",
    "nina": "Jerboa30",
}
_PICTURE = re.compile(r"[ /\\_0-9oxRGYPBend#]+")  # what a wide line may hold
_HOW = re.compile(
    r"Reply to this letter with a move in its first line, such as (\S+)\."
)
_TABLE = re.compile(r"moves are possible:\n((?: +.*\n)+)Reply to this letter")
_PLY = re.compile(r"^\w+, board \d+, (?:after move (\d+)|at the start): ", re.MULTILINE)


class Letter(NamedTuple):
    """A letter as a mail program understands it."""

    message: EmailMessage
    text: str
    raw: bytes

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @property
    def id(self) -> str:
        return str(self.message["Message-ID"])

    @property
    def references(self) -> list[str]:
        return str(self.message.get("References", "")).split()

    @property
    def asks_for(self) -> str:
        """Which kind of move the reader may send: `take`, `pairs`, or a tile."""
        found = _HOW.search(plain(self.text))
        return found[1].partition(":")[0] if found else ""

    @property
    def ply(self) -> int:
        """After which move the letter was written; -1 where it shows no board."""
        found = _PLY.search(self.text)
        return int(found[1] or 0) if found else -1


def read(raw: bytes) -> Letter:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert message.defects == []
    return Letter(message, text_of(message), raw)


def check_letter(letter: Letter, reader: str) -> None:
    """What holds of every letter to a player."""
    message = letter.message
    assert message["Auto-Submitted"] in ("auto-replied", "auto-generated")
    assert message["X-Loop"] == ADDRESS
    assert message["Return-Path"] == "<>"
    assert parseaddr(message["From"])[1] == ADDRESS
    assert parseaddr(message["To"])[1] == f"{reader}@{DOMAIN}"
    assert parsedate_to_datetime(message["Date"])
    kinds = [part.get_content_type() for part in message.walk()]
    page = ["text/html"]
    if "image/png" in kinds:  # which the page shows
        page = ["multipart/related", "text/html", "image/png"]
    both = ["multipart/alternative", "text/plain", *page]
    assert kinds in (["text/plain"], both)
    # all letters about a board belong to the first
    if found := re.fullmatch(r"<(\w+\.\d+)\.(\d+)\.(\w+)\.\w+@.*>", letter.id):
        board, line, reader = found.groups()
        answered = letter.message["In-Reply-To"]
        ours = [name for name in letter.references if name != answered]
        about = rf"<{board}\.(\d+)\.{reader}\.{TOKEN}@.*>"
        lines = [int(found[1]) for name in ours if (found := re.fullmatch(about, name))]
        assert len(lines) == len(ours) <= 9
        assert lines == sorted(set(lines))
        assert lines[:1] == [0][: int(line)]
        assert all(earlier < int(line) for earlier in lines)
    check_text(letter.text)
    assert not any(word.encode() in letter.raw for word in PASSWORDS.values())


def check_text(text: str) -> None:
    """That every mail program can show it as it is."""
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    for line in text.splitlines():
        assert len(line) <= 72 or _PICTURE.fullmatch(line), line
        assert line == line.rstrip()


class Post(Protocol):
    """What players know of their post."""

    folder: Path  # in which there is `mail`, the folder of all mailboxes

    def post(self, *mails: bytes) -> None:
        """Send mails to the robot."""


class Player:
    """Somebody with a mailbox, who signs up and plays by what they read."""

    def __init__(self, name: str, office: Post) -> None:
        self.name = name
        self.office = office
        self.letters: list[Letter] = []
        self.mails = 0
        self.known: set[str] = set()
        self.ply = -1  # up to which the present board is known to this player
        # what nobody else may read while such moves are being sent
        self.secrets: dict[str, str] = {}
        self.dice = random.Random(name)

    def mail(self, subject: str, body: str = "", **headers: str) -> bytes:
        """A mail to the robot; PASSWORD in its subject is that of this player."""
        self.mails += 1
        number = f"<{self.name}.{self.mails}@{DOMAIN}>"
        fields = {
            "From": f"{self.name.title()} <{self.name}@{DOMAIN}>",
            "To": ADDRESS,
            "Subject": subject.replace("PASSWORD", PASSWORDS[self.name]),
            "Message-ID": number,
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        self.known.add(number)
        head = "".join(f"{name}: {text}\n" for name, text in fields.items())
        return f"{head}\n{body}\n".encode()

    def send(self, subject: str, body: str = "", **headers: str) -> None:
        self.office.post(self.mail(subject, body, **headers))

    def ask(self, subject: str, body: str = "") -> Letter:
        """The letter that comes next when this has been sent."""
        self.read()
        had = len(self.letters)
        self.send(subject, body)
        wait_until(lambda: self.read() or len(self.letters) > had, subject)
        return self.letters[had]

    def sign_up(self) -> "Player":
        assert self.ask(f"signup {self.name} PASSWORD").subject == (
            f"{self.name}: welcome"
        )
        return self

    def read(self) -> list[Letter]:
        """The letters that have come since the last time."""
        return list(self._unread())

    def _unread(self) -> Iterator[Letter]:
        folder = self.office.folder / "mail" / self.name
        for path in sorted((folder / "new").glob("*")):
            raw = path.read_bytes()
            valid.check(raw)
            letter = read(raw)
            path.rename(folder / "cur" / f"{path.name}:2,S")
            check_letter(letter, self.name)
            self.known.add(letter.id)
            self.letters.append(letter)
            yield letter

    def check_threads(self) -> None:
        """Each letter refers to what this player has had or sent, if to anything."""
        for letter in self.letters:
            assert set(letter.references) <= self.known

    # A game

    def go_on(self) -> Letter | None:
        """Read what has come, and answer what asks for a move. Return the letter
        that says that the game is over."""
        for letter in self.read():
            if "The game is over" in letter.text:
                return letter
            newest, self.ply = self.ply, max(self.ply, letter.ply)
            if letter.subject.endswith("your turn") and letter.ply > newest:
                self.move(letter)
        return None

    def move(self, letter: Letter) -> None:
        """Reply with a move, or send the whole command: one as often as the other."""
        if self.dice.random() < 0.5:
            subject, headers = f"Re: {letter.subject}", {"In_Reply_To": letter.id}
            self.send(subject, self.answer_to(letter), **headers)
        else:
            self.send(self.command(letter))

    def command(self, letter: Letter) -> str:
        """The whole command that plays a move."""
        game, board = letter.subject.partition(":")[0].split()
        return f"{game} move {board} {self.name} PASSWORD {self.answer_to(letter)}"

    def answer_to(self, letter: Letter) -> str:
        """A move that the letter says is possible."""
        (move,) = _HOW.findall(plain(letter.text))
        table = _TABLE.search(letter.text)
        if table:
            move = self.dice.choice(moves_in(table[1]))
            assert move
        elif move.startswith("take:"):
            wishes = "".join(self.dice.choices("RGYPB", k=9))
            self.secrets["take"] = wishes
            move = f"take:{wishes},any"
        elif move.startswith("pairs:"):
            joined = re.sub(r"\s", "", letter.text)
            found = re.search(r"asyoulike:(pairs:[A-Z,]+)isoneway", joined)
            assert found
            move = found[1]
            self.secrets["pairs"] = move
        return f"{move}#{letter.ply + 1}"


def moves_in(table: str) -> list[str]:
    """The moves of a list, of which a tile may have several lines:

    123: 8 17 22
         23
    """
    moves, tile = [], ""
    for line in table.splitlines():
        head, colon, rest = line.rpartition(":")
        tile = head.strip() if colon else tile
        moves += [f"{tile}:{place}" for place in rest.split()]
    return moves
