"""Anything that players, strangers, robots, the owner and time may do to a server: it
follows from a seed, and is written down with all that comes of it, a line a command.

    python -P tests/bench/anything.py STORE SEED COUNT LENGTH

is run by beside.py, in a checkout of this program that need not be this one. All that
it takes from there are the harness of its tests and few names more, so it can be asked
whatever has become of the inside. Each `LENGTH` commands have a new server.

What is asked is chosen from what this server has shown, with its own tokens: a move
that is legal there, a link in one of its letters, a form on one of its pages. So two
servers that say the same are asked the same.
"""

import hashlib
import html
import json
import os
import random
import re
import sys
import time
from calendar import timegm
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from io import StringIO
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.draw import png
from pbm_holomino.errors import PbmError
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.resident import advising, robots
from pbm_holomino.store.home import Home
from pbm_holomino.web import visit
from tests import storage
from tests.house import FRIENDS, PASSWORDS, House, Seeds, home, make_cheap, own
from tests.web.browser import LOCAL, Browser, Came, Form, Page

BEGINNING = datetime(2026, 11, 20, 8)
LOOK = 0.05  # seconds of processor time that pass whenever somebody looks at that clock


class Machine:
    """What a computer has of its own: clocks and chance. They follow from the commands
    alone.

    Whoever asks for random bytes gets those of the part of the program that they belong
    to: one that asks more often changes no others.
    """

    def __init__(self) -> None:
        self.time = BEGINNING
        self._command = ""
        self._asked = Counter[tuple[str, int]]()
        self._looks = 0
        self._gmtime = time.gmtime

    def begin(self, command: str) -> None:
        """A command begins, before which nothing has been asked."""
        self._command, self._looks = command, 0
        self._asked.clear()

    @property
    def now(self) -> str:
        return f"{self.time:%Y-%m-%dT%H:%M:%SZ}"

    def take_over(self) -> None:
        """From now on all modules have these clocks and this chance, under whatever
        names they know those of the system."""
        ours = {
            id(os.urandom): self.random_bytes,
            id(time.time): self.seconds,
            id(time.gmtime): self.gmtime,
            id(time.thread_time): self.thread_time,
        }
        for module in [*sys.modules.values()]:
            for name, value in [*vars(module).items()]:
                if id(value) in ours:
                    setattr(module, name, ours[id(value)])

    def random_bytes(self, size: int) -> bytes:
        asks = sys._getframe(1).f_globals["__name__"].split(".")[:2]
        key = ".".join(asks), size
        self._asked[key] += 1
        words = f"{self._command} {key} {self._asked[key]}".encode()
        return hashlib.shake_256(words).digest(size)

    def seconds(self) -> float:
        return float(timegm(self.time.timetuple()))

    def gmtime(self, seconds: float | None = None) -> time.struct_time:
        return self._gmtime(self.seconds() if seconds is None else seconds)

    def thread_time(self) -> float:
        self._looks += 1
        return self._looks * LOOK


# What is chosen from

WEB = "https://games.example.org"
SETTINGS: Sequence[Mapping[str, Any]] = (
    {"web": WEB},
    {},
    {"web": WEB, "web_public": "no", "reply_token": "text"},
    {"rated_robots": "yes", "reply_token": "reply-to", "envelope": "pbm+@localhost"},
    {"trust": "mx.example.org", "answers_per_hour": 12, "signups_per_hour": 2},
)
OPTIONS = {
    "holo": ("", "-num_digits=4 -pool_size=1", "-random -nag=1 -forfeit=3"),
    "hextol": ("", "-min_pips=8 -max_pips=9 -pool_size=1", "-rated=no -board_size=6"),
    "walomino": ("", "-rounds=1 -draft=random", "-draft=die -nag=0", "-draft=pot"),
}
OTHER_OPTIONS = ("", "-forfeit=0", "-pool_size=2 -max_pips=4", "-nonsense=3")
MOVES = "{game} move {board} {mover} {move}"
ON_BOARDS = (
    *[MOVES] * 9,
    "{game} move {board} {mover} {move}#{number}",
    *["{game} queue {board} {who} {move} {move}"] * 2,
    "{game} queue {board} {who} none",
    "{game} submit {board} {mover} {move}",
    "{game} confirm {board} {mover}",
    "{game} {act} {board} {who}",
    *["{game} move {board} {who} {act}"] * 3,
    *["{game} accept {board} {who}"] * 3,
    "{game} decline {board} {who}",
    "{game} resign {board} {who}",
    *["{game} rematch {board} {who}"] * 2,
    *["{game} chat {board} {who}"] * 2,
    "{game} hint {board} {who}",
    "{game} review {board} {who}",
    "{game} preview {board} {move}",
    "{game} previewas {board} {who} {move} {move} -format={form}",
    "{game} analyse {board}#{number} {who} {move} {move} -sample",
    "{game} analyse {who} {move} -format={form}",
    "{game} analyse {board} {who} {move} {move} -keep -format={form}",
    *["{game} note {board} {who} {move}"] * 2,
    "{game} notes {board} {who}",
    "{game} publish {board} {who}",
    "{game} history {board} {who}",
    *["{game} show {board} -format={form}"] * 2,
    "{game} show {board}#{number}",
    "{game} look {board} {number}",
    "{game} fits {board} 0{number}",
    "{game} showas {who} {board} -format={form}",
    "{game} showas {who}",
    "{game} history {board} -format={form}",
    "{game} verify {board}",
)
ON_LISTS = (
    "{game} games",
    "{game} games {name} {other} all",
    "{game} show {name} next",
    "all show {name} active",
    "{game} standings",
    "{game} ratings",
    "{game} history",
    "list",
    "list open",
    "list open {game} 2",
    "list {game}",
    "help {page}",
    "{game} help",
    "tournament",
    "tournament {number} -format={form}",
)
ON_ACCOUNTS = (
    "change digest {who} {switch}",
    "change broadcasts {who} {switch}",
    "change threads {who} {switch}",
    "change letters {who} {letters}",
    "change format {who} {format}",
    "change vacation {who} {number}",
    "change address {who} {name}@example.org",
    "change password {who} fresh{number}",
    "add {who} {name}@example.org {name}+{number}@example.net",
    "message {who} {other}",
    "message {who} {other} {name}",
    "broadcast {who}",
    "block {who} {other}",
    "unblock {who} {other}",
    "decline all {who}",
    "forgot {name}",
    "signoff {who}",
    "unsubscribe {who}",
    *["signup {who} {name}@example.org"] * 2,
    "signup guest{number} secret guest{number}@example.com",
    "delete guest{number} secret",
    *["tournament join {number} {who}"] * 3,
    "tournament leave {number} {who}",
    "nonsense {who}",
)
CHALLENGES = (
    *["{game} challenge {names} {options}"] * 3,
    "{game} challenge {name} {robot} {options}",
    "{game} challenge {name} anyone {options}",
    "{game} challenge {other} anyone anyone {options}",
    "{game} challenge {name} {name}",
)
OWNERS = (
    *["tick"] * 3,
    *["flush"] * 2,
    "check",
    "status",
    "players",
    "void {game} {board}",
    "tournament open {game} swiss --rounds 2 --days 1",
    "tournament open {game} robin --days 2 --at-once",
    "tournament cancel {number}",
    "help",
)
# What comes about only if several things are done one after the other: `+2` are days
# that pass, `play` is some moves on the board, and the rest is typed, or the owner's.
STORIES = (
    (
        "pbm tournament open {game} {system} --days 1",
        *["tournament join {latest} {each}"] * 4,
        *("+1", "pbm tick", "play", "play", "pbm tick", "tournament {latest}", "play"),
        *("+22", "pbm tick", "tournament {latest} -format=json"),
    ),
    (
        "pbm tournament open {game} robin --days 2 --at-once",
        *["tournament join {latest} {each}"] * 2,
        *("tournament leave {latest} {who}", "+2", "pbm tick"),
        *("{game} resign {board} {mover}", "pbm tick", "+8", "pbm tick"),
    ),
    (
        "{game} challenge {name} anyone {options}",
        *("list open", *["{game} accept {board} {each}"] * 4, "play"),
        *("{game} move {board} {mover} propose", *["{game} accept {board} {each}"] * 4),
        "{game} rematch {board} {who}",
    ),
    ("{game} challenge {name} anyone", "{game} decline {board} {who}", "list open"),
    ("{game} challenge {name} anyone anyone", "+22", "pbm tick", "list open"),
    (
        "{game} challenge {names} -rated=no",
        *["{game} accept {board} {each}"] * 4,
        *("play", "{game} hint {board} {mover}", "robots", "pbm flush"),
        *("{game} move {board} {mover} undo", *["{game} accept {board} {each}"] * 4),
        *("play", "play", "play", *["{game} resign {board} {mover}"] * 3),
        *("{game} review {board} {seated}", "robots", "{game} verify {board}"),
    ),
    (
        "{game} challenge {name} robot1 -rated=no",
        *("play", "robots", "{game} hint {board} {who}", "robots"),
        *("{game} resign {board} {who}", "{game} review {board} {who}", "robots"),
    ),
    (
        "change digest {who} on",
        *("change letters {who} digest", "{game} challenge {names}"),
        *("+1", "pbm tick", "+1", "pbm tick", "change letters {who} all"),
    ),
    (
        "{game} challenge {names} -nag=1 -forfeit=3",
        *["{game} accept {board} {each}"] * 4,
        *("play", "+1", "pbm tick", "{game} move {board} {mover} pass", "+2"),
        *("pbm tick", "+2", "pbm tick", "{game} show {board}"),
    ),
    (
        "signup guest{number} secret guest{number}@example.com",
        *("message {who} guest{number}", "broadcast {who}"),
        *("{game} challenge {name} guest{number}", "signoff guest{number} secret"),
        *("{game} decline {board} guest{number} secret", "delete guest{number} secret"),
        *("signup guest{number} secret guest{number}@example.com", "list"),
    ),
)
PATHS = (
    *("/", "/open", "/players", "/tournaments", "/tournaments/1", "/settings"),
    *("/signin", "/signup", "/forgot", "/players/{name}", "/challenge/{game}"),
    *("/{game}", "/{game}/standings", "/{game}/ratings", "/help/{page}"),
    *("/{game}/{board}",) * 6,
    *("/{game}/{board}/{number}", "/{game}/{board}/record", "/{game}/{board}/verify"),
    *("/{game}/{board}/review", "/{game}/{board}/moves?ahead="),
    *("/{game}/{board}/preview?move={move}",) * 2,
    *("/{game}/{board}/preview?ahead={move}&move={move}", "/nothing/{number}"),
)
ACTS = ("undo", "propose", "accept", "reject", "pass", "swap")
LETTERS = ("all", "turns", "digest", "nonsense")
FORMATS = ("text", "small", "html", "picture", "words", "nonsense")
FORMS = (
    "json",
    "yaml",
    "bbcode",
    "markdown",
    "html",
    "svg",
    "png",
    "small",
    "words",
    "text",
)
HELP = ("commands", "move", "challenge", "json", "letters", "robots", "holo", "webs")
REPLIES = (
    *["{move}"] * 6,
    *ACTS,
    *("show", "help", "accept", "decline", "resign", "rematch", "queue {move} {move}"),
    *("preview {move}", "submit {move}", "confirm", "chat", "hint", "review"),
    *("chat What a move!", "Thanks, that was fun.", "move {board} {move}", "123:45"),
)
TEXTS = (
    "",
    "Well played!",
    "Grüße aus Köln, schöne Züge!\n\n> Well played!\n> See you.",
    "My word is xanadu.\npassword: better4\n",
    "holo move 1 alice xanadu 123:4 is what I typed",
    "A long line " + "that goes on and on " * 30,
    "-- \nalice\nhttps://example.com/ <b>bold</b> & more",
)
HEADERS: Sequence[Mapping[str, str]] = (
    {"Auto-Submitted": "auto-replied"},
    {"X-Spam-Flag": "YES"},
    {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.org"},
    {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.org"},
    {"List-Id": "<players.example.org>"},
)


_Thing = TypeVar("_Thing")


class Dice:
    """What is left to chance in one command. What a server has shown is chosen by its
    words, without tokens, and not by its place: where one server shows more than
    another, both mostly choose the same."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._random = random.Random(seed)

    def happens(self, share: float) -> bool:
        return self._random.random() < share

    def number(self, least: int, most: int) -> int:
        return self._random.randint(least, most)

    def any(self, things: Sequence[_Thing]) -> _Thing:
        """One of things that are always the same."""
        return self._random.choice(things)

    def sample(self, things: Sequence[str], count: int) -> list[str]:
        return self._random.sample(things, count)

    def shown(
        self, things: Sequence[_Thing], words: Callable[[_Thing], str] = str
    ) -> _Thing | None:
        """One of the things that a server has shown; None if there are none."""
        rolled = self._random.random()
        return min(
            things,
            key=lambda one: hashlib.sha256(
                f"{self._seed} {rolled} {_without_tokens(words(one))}".encode()
            ).digest(),
            default=None,
        )


def _without_tokens(words: str) -> str:
    return re.sub(r"[a-z2-7]{16}|[0-9a-f]{12,}|[\w-]{40,}", "", words)


class Told(NamedTuple):
    """What came of a command: what it is, and its text."""

    what: str
    text: str


def _letter_of(one: Told) -> tuple[str, str]:
    """What puts letters in order, behind all else, which stays as it came."""
    return one if one.what.startswith("letter") else ("", "")


class RecordingHouse(House):
    """A server that tells of all letters that leave, as bytes."""

    tell: Callable[[str, str], None]
    letters: list[bytes]

    def keep(self, letter: Letter) -> Mapping[str, str]:
        raw = message(letter, self.config)
        self.sent.append(letter)
        self.letters.append(raw)
        self.tell(f"letter to {', '.join(letter.to)}", raw.decode("latin-1"))
        return {}


class RecordingBrowser(Browser):
    """A browser that tells of all pages that come."""

    tell: Callable[[str, str], None]
    page: Page | None = None
    tag = ""

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Came:
        came = super().ask(method, path, body, **headers)
        head = "".join(f"{k}: {v}\n" for k, v in came.headers.items())
        self.tell(f"{method} {path}", f"{came.status}\n{head}\n{_text_of(came)}")
        self.tag = came.headers.get("ETag", "")
        return came


def _text_of(came: Came) -> str:
    try:
        return came.text
    except UnicodeDecodeError:
        return came.sent.decode("latin-1")


class Scene:
    """A server, and those who use it. What comes of their commands is told."""

    def __init__(
        self, folder: Path, settings: Mapping[str, Any], machine: Machine
    ) -> None:
        self.machine = machine
        self.told: list[Told] = []
        self.seed = ""
        self.dice = Dice("")
        self._files: dict[str, bytes] = {}
        self._folder = str(folder)
        house = RecordingHouse(folder, Seeds())
        house.tell, house.letters = self.tell, []
        house.config = house.config._replace(**settings)
        house.server.web = house.config.web
        self.house = house
        self.passwords = dict(PASSWORDS)
        self.mails: list[bytes] = []
        self.browsers: dict[str, RecordingBrowser] = {}
        self.fields: dict[str, Any] = {}  # of the board that is looked at

    def tell(self, what: str, text: str) -> None:
        self.told.append(Told(what, text.replace(self._folder, "FOLDER")))

    def do(self, command: str) -> list[Told]:
        """Do something that follows from this name and from what has been shown; what
        came of it."""
        self.dice, self.seed, self.told = Dice(command), command, []
        sent = len(self.house.letters)
        self.machine.begin(command)
        days = self.dice.any((1, 1, 2, 4, 8, 22)) if self.dice.happens(0.04) else 0
        self._pass_time(timedelta(days, minutes=self.dice.number(1, 40)))
        said = StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            try:
                self._something()()
            except Exception as error:  # is to be the same in the other program
                self.tell("error", f"{type(error).__name__}: {error}")
        if said.getvalue():
            self.tell("printed", said.getvalue())
        # In which order they leave is no matter of what is said.
        self.house.letters[sent:] = sorted(self.house.letters[sent:])
        self.told.sort(key=_letter_of)
        self._compare_files()
        return self.told

    def _pass_time(self, time: timedelta) -> None:
        self.machine.time += time
        self.house.time = self.machine.now

    def _something(self) -> Callable[[], None]:
        often = (self._type, self._mail, self._reply, self._look_at_pages)
        together = (self._several, self._play_on, self._tell_story)
        now_and_then = (self._tap, *together, self._let_robots_play)
        seldom = (self._repeat, self._bounce, self._close_post)
        return self.dice.any(
            (*often * 9, *now_and_then * 3, *[self._be_owner] * 3, *seldom)
        )

    def begin(self, seed: str) -> None:
        """Four players, a board of each game, and one on which a robot plays."""
        self.house.sign_up(*FRIENDS)
        self.dice = Dice(seed)
        for game in rules.names():
            most = min(rules.load(game).SEATS[1], 3)
            options = self.dice.any(OPTIONS.get(game, OTHER_OPTIONS[:-1]))
            self.house.challenge(options, " ".join(FRIENDS[:most]), game)
            self.house.accept(game=game)
        self.house.challenge(names="alice robot1", game=self.dice.any(rules.names()))

    # Files

    def all_files(self) -> list[Told]:
        """All that the server holds."""
        return [
            Told(f"file {name}", content.decode("latin-1"))
            for name, content in sorted(storage.over.files(self.house.folder).items())
        ]

    def _compare_files(self) -> None:
        """Tell of the documents that have changed."""
        before, self._files = self._files, storage.over.records(self.house.folder)
        for name in sorted(before.keys() | self._files.keys()):
            if before.get(name) != self._files.get(name):
                text = self._files.get(name, b"(removed)")
                self.tell(f"document {name}", text.decode("utf-8", "replace"))

    # Words

    def _boards(self, game: str) -> list[int]:
        return sorted(self.house.library.lists.boards(game))

    def _filled(self, template: str) -> str:
        """A command, or a path, with all its words."""
        game = self.dice.any(rules.names())
        board = self.dice.shown(self._boards(game)[-12:]) or 1
        if self.dice.happens(0.04):
            board = 99
        return self._filled_of(template, game, board)

    def _filled_of(self, template: str, game: str, board: int, **given: Any) -> str:
        """The same about this board, if it is about one, with these words given."""
        dice = self.dice
        self.fields = self._json(game, board) if "{board}" in template else {}
        seated = [n for n in self.fields.get("players", ()) if n in self.passwords]
        name = dice.any(seated if seated and dice.happens(0.9) else FRIENDS)
        turn = [n for n in self.fields.get("turn", ()) if n in self.passwords]
        seats = rules.load(game).SEATS
        names = dice.sample(FRIENDS, dice.number(*seats))
        words = {
            "game": game,
            "board": board,
            "name": name,
            "who": self._proved(name),
            "seated": self._proved(name),
            "mover": self._proved(turn[0] if turn and dice.happens(0.9) else name),
            "other": dice.any(FRIENDS),
            "names": " ".join(names),
            "robot": dice.any(("robot1", "robot2", "robot", "robot9")),
            "options": dice.any(OPTIONS.get(game, OTHER_OPTIONS)),
            "number": dice.number(0, 4),
            "act": dice.any(ACTS),
            "form": dice.any(FORMS),
            "page": dice.any(HELP),
            "letters": dice.any(LETTERS),
            "format": dice.any(FORMATS),
            "switch": dice.any(("on", "off")),
        }
        while "{move}" in template:
            template = template.replace("{move}", self._move(), 1)
        return template.format(**{**words, **given})

    def _proved(self, name: str) -> str:
        password = "wrong" if self.dice.happens(0.04) else self.passwords[name]
        return f"{name} {password}"

    def _json(self, game: str, board: int) -> dict[str, Any]:
        """What the board shows to programs."""
        answer = self.house.type(f"{game} show {board} -format=json")
        try:
            return dict(json.loads(answer.text))
        except ValueError:
            return {}

    def _move(self) -> str:
        legal: list[str] = self.fields.get("legal", [])
        wrong = self.dice.any(("123:4", "pass", "0:0", "take:any", "16:0,1"))
        move = self.dice.shown(legal)
        return wrong if move is None or self.dice.happens(0.05) else move

    def _line(self) -> str:
        """A command, which may have mistakes."""
        kinds = (*[ON_BOARDS] * 6, ON_LISTS, *[ON_ACCOUNTS] * 2, *[CHALLENGES] * 2)
        line = self._filled(self.dice.any(self.dice.any(kinds)))
        if not self.dice.happens(0.08):
            return line
        words = line.split()
        at = self.dice.number(0, len(words) - 1)
        wrong = self.dice.any(
            ([], [words[at].upper()], [words[at]] * 2, [words[at][:-1] + "x"], ["-x=1"])
        )
        return " ".join([*words[:at], *wrong, *words[at + 1 :]])

    # What players do

    def _type(self) -> None:
        self._typed(self._line())

    def _typed(self, line: str) -> None:
        text = self.dice.any(TEXTS)
        more = [f"-m={text}"] if " chat " in line or line.startswith("message") else []
        self.tell("typed", line)
        answer = self.house.type(line, *more)
        self.tell("answer", f"{answer.status}\n{answer.text}")
        self._note_password(line, answer.status == 0)

    def _note_password(self, line: str, is_done: bool) -> None:
        found = re.fullmatch(r"change password (\w+) \S+ (fresh\d)", line)
        if found and is_done:
            self.passwords[found[1]] = found[2]

    def _mail(self) -> None:
        line = self._line()
        while line.startswith("change password"):  # whether that is done is not seen
            line = self._line()
        names = [name for name in FRIENDS if name in line.split()]
        self._send(line, self.dice.any(TEXTS), names[0] if names else FRIENDS[0])

    def _send(self, subject: str, text: str, who: str, **headers: str) -> None:
        """A mail, mostly from the address of its player."""
        mail = EmailMessage(default.clone(linesep="\n"))
        mail["From"] = home(who) if self.dice.happens(0.92) else "eve@example.com"
        mail["To"] = "pbm@localhost"
        mail["Subject"] = re.sub(r"\s+", " ", subject).strip()
        mail["Message-ID"] = f"<{self.seed.replace(' ', '.')}@example.org>"
        for name, words in headers.items():
            mail[name.replace("_", "-")] = words
        if self.dice.happens(0.05):
            for name, words in self.dice.any(HEADERS).items():
                mail[name] = words
        if self.dice.happens(0.15):
            lines = "<br>".join(html.escape(text).split("\n"))
            mail.set_content(f"<div>{lines}</div>", subtype="html")
        else:
            mail.set_content(text)
        self._bring(mail.as_bytes())

    def _bring(self, raw: bytes) -> None:
        self.mails.append(raw)
        self.tell("mail", raw.decode("latin-1"))
        self.house.mail(raw)

    def _letter(self) -> EmailMessage | None:
        """One of the last letters."""
        raw = self.dice.shown(
            [*enumerate(self.house.letters[-self.dice.any((2, 4, 12)) :])],
            lambda pair: f"{pair[0]} {_to_of(pair[1])}",
        )
        if raw is None:
            return None
        found = message_from_bytes(raw[1], policy=default)
        assert isinstance(found, EmailMessage)
        return found

    def _reply(self) -> None:
        """Somebody presses Reply, and writes a line or two."""
        letter = self._letter()
        if letter is None:
            return
        subject = str(letter["Subject"])
        about = re.search(rf"\b({'|'.join(rules.names())}) (\d+)", subject)
        self.fields = self._json(about[1], int(about[2])) if about else {}
        line = self.dice.any(REPLIES)
        while "{move}" in line:
            line = line.replace("{move}", self._move(), 1)
        text = f"{line.format(board=about[2] if about else 1)}\n{self.dice.any(TEXTS)}"
        headers = {}
        if not self.dice.happens(0.15):
            headers["In_Reply_To"] = str(letter["Message-ID"])
        if self.dice.happens(0.4):
            quoted = _body_of(letter, "plain").splitlines()
            text += "\nOn Friday somebody wrote:\n" + "\n".join(
                f"> {line}" for line in quoted[:60]
            )
        who = str(letter["To"]).partition("@")[0].partition("+")[0]
        self._send(f"Re: {subject}", text, who, **headers)

    def _tap(self) -> None:
        """Somebody taps on a link in a letter."""
        letter = self._letter()
        if letter is None:
            return
        page = _body_of(letter, "html") or _body_of(letter, "plain")
        found = re.findall(
            rf"mailto:[^\"'<>\s]+|{WEB}/[^\"'<>\s]+", html.unescape(page)
        )
        found += re.findall(r"mailto:[^>]+", str(letter["List-Unsubscribe"] or ""))
        link = self.dice.shown(found)
        if link is None:
            return
        who = str(letter["To"]).partition("@")[0].partition("+")[0]
        if link.startswith("mailto:"):
            query = parse_qs(urlsplit(link).query)
            subject, text = (query.get(k, [""])[0] for k in ("subject", "body"))
            self._send(subject, text, who)
        else:
            self._follow(self._browser("a stranger"), link.removeprefix(WEB))

    def _several(self) -> None:
        lines = [self._line() for _ in range(self.dice.number(1, 5))]
        lines = [line for line in lines if not line.startswith("change password")]
        self._send("multiple", "\n".join(lines), self.dice.any(FRIENDS))

    def _play_on(self) -> None:
        """A game goes on for some moves, so that it comes to its end."""
        line = self._filled(MOVES).split()
        game, board = line[0], int(line[2])
        for _ in range(self.dice.number(3, 20)):
            self.fields = self._json(game, board)
            turn = self.fields.get("turn", [])
            people = [name for name in turn if name in self.passwords]
            if people:
                who = f"{people[0]} {self.passwords[people[0]]}"
                self._typed(f"{game} move {board} {who} {self._move()}")
            elif turn:
                self._let_robots_play()

    def _tell_story(self) -> None:
        """Something that takes several steps, which belong together."""
        dice, each = self.dice, cycle(FRIENDS)
        game, name = dice.any(rules.names()), dice.any(FRIENDS)
        board = 1 + max(self._boards(game), default=0)
        same = {
            "name": name,
            "who": self._proved(name),
            "number": dice.number(0, 4),
            "latest": 1 + len(self.house.store.names("tournaments")),
            "system": dice.any(("swiss --rounds 2", "robin")),
        }
        for step in dice.any(STORIES):
            if step.startswith("+"):
                self._pass_time(timedelta(int(step)))
            elif step == "robots":
                self._let_robots_play()
            else:
                for line in [MOVES] * dice.number(2, 8) if step == "play" else [step]:
                    words = {**same, "each": self._proved(next(each))}
                    filled = self._filled_of(line, game, board, **words)
                    first, _, rest = filled.partition(" ")
                    if first == "pbm":
                        self._own(rest)
                    else:
                        self._typed(filled)

    def _repeat(self) -> None:
        if self.mails:
            self._bring(self.mails[-self.dice.number(1, min(9, len(self.mails)))])

    def _bounce(self) -> None:
        """A letter comes back, or what nobody can read."""
        letter = self._letter()
        if letter is None or self.dice.happens(0.2):
            self._bring(b"\xff\xfe no mail " + self.seed.encode())
            return
        report = (
            "From: MAILER-DAEMON@example.net\nTo: pbm@localhost\nSubject: Undelivered\n"
            "Auto-Submitted: auto-replied\nMIME-Version: 1.0\nContent-Type: multipart/"
            'report; report-type=delivery-status; boundary="x"\n\n--x\n\nNo such user.'
            "\n--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n"
            f"Final-Recipient: rfc822; {letter['To']}\nAction: failed\nStatus: 5.1.1\n"
            f"\n--x\nContent-Type: message/rfc822\n\n{letter.as_string()}\n--x--\n"
        )
        self._bring(report.encode("utf-8", "replace"))

    def _close_post(self) -> None:
        """No letter leaves while something happens; then they do."""
        self.house.cannot_send()
        try:
            self.dice.any((self._type, self._mail))()
        finally:
            self.house.trouble = None
        self._own("flush")

    # Pages

    def _browser(self, who: str) -> RecordingBrowser:
        """The browser of a player, who is signed in, or that of a stranger."""
        if who not in self.browsers:
            number = len(self.browsers) + 1
            found = RecordingBrowser(
                self.house, self.house.config.web or LOCAL, f"192.0.{number}.1"
            )
            found.tell = self.tell
            self.browsers[who] = found
        found = self.browsers[who]
        if who in self.passwords and not any(c.endswith("pbm") for c in found.cookies):
            form = found.get("/signin").form("/signin")
            found.send(form, userid=who, password=self.passwords[who])
        return found

    def _look_at_pages(self) -> None:
        """Somebody goes to a page, follows links, and presses buttons there."""
        browser = self._browser(self.dice.any((*FRIENDS, *FRIENDS, "a stranger")))
        path = quote(self._filled(self.dice.any(PATHS)), safe="/?=&:,#")
        self._follow(browser, path)
        for _ in range(self.dice.number(0, 3)):
            page = browser.page
            forms = page.forms if page else []
            if not self.dice.happens(0.05):
                forms = [form for form in forms if "signout" not in form.action]
            links = [link for link in page.links if link[:1] == "/"] if page else []
            form = self.dice.shown(forms, lambda form: form.action)
            link = self.dice.shown(links)
            if page and form and self.dice.happens(0.7):
                browser.page = browser.send(form, **self._entries(form))
            elif link:
                self._follow(browser, link)

    def _follow(self, browser: RecordingBrowser, path: str) -> None:
        headers = dict[str, str]()
        if browser.tag and self.dice.happens(0.2):
            headers["If_None_Match"] = browser.tag
        if self.dice.happens(0.03):
            browser.ask("HEAD", path)
        came = browser.ask("GET", path.partition("#")[0] or "/", b"", **headers)
        while came.status == 303:
            came = browser.ask("GET", came.headers["Location"])
        is_page = came.headers.get("Content-Type", "").startswith("text/html")
        browser.page = Page(came) if is_page else None

    def _entries(self, form: Form) -> dict[str, str]:
        """What somebody enters in a form."""
        entries, dice = dict[str, str](), self.dice
        name = dice.any(FRIENDS)
        given = {
            "userid": name,
            "others": " ".join(dice.sample(FRIENDS, 2)),
            "password": self.passwords[name],
            "current": self.passwords[name],
            "new": self.passwords[name],
            "address": f"{name}+{dice.number(1, 3)}@example.org",
            "text": dice.any(TEXTS),
            "word": dice.any(TEXTS)[:20],
            "move": self._move(),
            "moves": f"{self._move()} {self._move()}",
        }
        for field in form.fields:
            if field in given and not (form.fields[field] and dice.happens(0.6)):
                entries[field] = given[field]
            elif field == "token" and dice.happens(0.03):
                entries[field] = "a" * 16
        return entries

    # The owner, and robots

    def _be_owner(self) -> None:
        self._own(self._filled(self.dice.any(OWNERS)))

    def _own(self, line: str) -> None:
        self.tell("owner", line)
        try:
            answer = owner.run(line.split())
        except PbmError as error:
            self.tell("refused", str(error))
        else:
            self.tell("answer", f"{answer.status}\n{answer.text}")

    def _let_robots_play(self) -> None:
        """They begin in another minute than before: what has failed is leased still."""
        self._pass_time(timedelta(minutes=1))
        config = self.house.config._replace(robot_seconds=8 * LOOK)
        done = robots.play(self.house.server, Home(str(self.house.folder), config))
        self.tell("robots", str(done))


def _to_of(raw: bytes) -> str:
    found = re.search(rb"^To: (.*)$", raw, re.MULTILINE)
    return found[1].decode("latin-1") if found else ""


def _body_of(letter: EmailMessage, kind: str) -> str:
    body = letter.get_body((kind,))
    return str(body.get_content()) if body is not None else ""


# The list


def commands(seed: str, count: int, length: int) -> Iterator[tuple[str, list[Told]]]:
    """What comes of so many commands, by their names; that of the server's beginning is
    told first, and what it holds in the end is told last."""
    machine = Machine()
    with pytest.MonkeyPatch.context() as patch:
        make_cheap(patch)
        patch.setattr(visit, "to_thread", _here)
        patch.setattr(png, "render", _undrawn)
        for name in ("HINT_SECONDS", "MOVE_SECONDS"):
            patch.setattr(advising, name, 4 * LOOK)
        machine.take_over()
        for number in range(0, count, length):
            name = f"{seed} {number // length}"
            settings = SETTINGS[number // length % len(SETTINGS)]
            machine.time = BEGINNING
            machine.begin(name)
            with storage.over.clearing(), TemporaryDirectory() as folder:
                scene = Scene(Path(folder, "games"), settings, machine)
                own(scene.house, patch)
                scene.begin(name)
                yield f"{name} begins", scene.told
                for step in range(number, min(number + length, count)):
                    yield f"{name} {step}", scene.do(f"{name} {step}")
                yield f"{name} ends", scene.all_files()


def _undrawn(*words: Any, **names: Any) -> bytes:
    """What stands for a picture: drawing them takes longer than all else."""
    return hashlib.sha256(f"{words} {names}".encode()).digest()


async def _here(call: Callable[..., Any], *words: Any) -> Any:
    return call(*words)


def main() -> None:
    store, seed, count, length = sys.argv[1:]
    with ExitStack() as stack:
        if store == "postgresql":
            from tests.postgres.cluster import open_cluster
            from tests.postgres.databases import databases

            cluster = stack.enter_context(open_cluster(fsync=False))
            stack.enter_context(databases(cluster))
        for name, told in commands(seed, int(count), int(length)):
            print(json.dumps([name, told]), flush=True)


if __name__ == "__main__":
    main()
