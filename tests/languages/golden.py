"""A letter of each kind in each language, written down to be read whole.

    python -m tests.languages.golden FOLDER [CODE...]

writes what readers of these languages get in each scene, a file each: as text, and
below it what the HTML says in other words, where that is new. `bin/check --languages`
does so in the folder `golden`. Each scene is played with clocks and chance of its own,
for which the modules of this process have others than the system's.
"""

import re
import shutil
import sys
from contextlib import redirect_stdout
from datetime import timedelta
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbm_holomino import owner
from pbm_holomino.languages import ENGLISH_CODE
from pbm_holomino.letters.content import Lines, Picture, content, plain, with_page
from pbm_holomino.letters.html import Links, html
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match import ledgers, replay
from pbm_holomino.match.board import Match
from pbm_holomino.resident import advising, robots
from pbm_holomino.sentences import WIDTH
from pbm_holomino.store.home import Home
from tests.bench.anything import BEGINNING, LOOK, WEB, Machine
from tests.boards import line_of
from tests.house import (
    FRIENDS,
    PASSWORDS,
    House,
    Seeds,
    fill_in,
    home,
    mail_of,
    make_cheap,
    own,
)
from tests.languages import catalogues
from tests.languages.alone import english_alone
from tests.languages.english import everybody_reads
from tests.languages.scenes import SCENES
from tests.letters.pages import SERVER, Page

FOLDER = Path(__file__).parent / "golden"
CODES = (ENGLISH_CODE, *(Path(path).name for path in catalogues.languages()))
TO_THE_END = 999  # moves: a game that has not ended by then has gone wrong
_NO_PICTURE = Lines("[the board]\n")
_WORD = r"\w+"
_TOKEN = re.compile(r"~[a-z2-7]{16}\b")


class Scene:
    """A server, and what its players are told while a scene is played there."""

    def __init__(self, folder: Path, machine: Machine) -> None:
        self.house = House(folder, Seeds())
        self.house.config = self.house.config._replace(web=WEB)
        self.house.server.web = WEB
        self.machine = machine
        self.board = ("", 0)
        self.kinds = set[str]()  # of lines of logs about which there were letters
        self.last: dict[str, Letter] = {}  # by their readers' addresses
        self._in_html = set[str]()  # what has been told of it
        self.mails = 0  # each is one of its own, though its words may have come before
        self._pass(timedelta())
        self.house.sign_up(*FRIENDS)
        for name in FRIENDS:  # pictures take long to make, and have no words
            self.house.type(f"change format {name} {{{name}}} html")
        self.house.taken()

    def _pass(self, time: timedelta) -> None:
        self.machine.time += time
        self.house.time = self.machine.now

    def play(self, line: str) -> str:
        """Do what a line says; the letters that it brings."""
        self.machine.begin(line)
        self._pass(timedelta(minutes=1))
        if line.startswith("quietly "):
            self.play(line.removeprefix("quietly "))
            return ""
        self.house.taken()
        letters = self._done(line)
        self.kinds |= {*map(self._kind, letters)}
        self.last |= {letter.to[0]: letter for letter in letters}
        told = "".join(map(self._shown, letters))
        return told and f"{'-' * WIDTH}\n{line}\n\n{told}"

    def _kind(self, letter: Letter) -> str:
        """What the line of a log does that a letter is about, such as `!resign`; empty
        for an answer that is about none, or about a move."""
        folder, _, rest = letter.key.partition(".")
        if folder not in ledgers.folders():
            return ""
        name, line, *_ = rest.split(".")
        if not line.isdigit():
            return ""
        ledger = self.house.library.ledger(folder, name)
        action = str(ledgers.kind_of(ledger).line(ledger, int(line)).action)
        return action.split()[0] if action.startswith("!") else ""

    def _done(self, line: str) -> list[Letter]:
        word, *rest = line.split()
        if word == "play":
            return self._played(int(rest[0]))
        if word.startswith("+"):
            self._pass(timedelta(int(word)))
        elif word == "pbm":
            with redirect_stdout(StringIO()):
                owner.run(rest)
        elif word == "robots":
            config = self.house.config._replace(robot_seconds=8 * LOOK)
            robots.play(self.house.server, Home(str(self.house.folder), config))
        elif re.fullmatch(r"\w+ \d+", line):
            self.board = (word, int(rest[0]))
            return []
        else:
            return self._written(self._filled(line))
        return self.house.taken()

    def _match(self) -> Match:
        return self.house.library.match(*self.board)

    def _filled(self, line: str, match: Match | None = None) -> str:
        """A line with its places filled in, from a board as it is."""
        game, board = self.board
        words = {"game": game, "board": str(board)}
        if game and "{" in line:
            match = match or self._match()
            moves = (*match.view(None).legal, "")
            who = (*match.turn, "")[0]
            password = PASSWORDS.get(who, "")
            words |= {"move": moves[0], "who": who, "password": password}
        for place, word in words.items():
            line = line.replace(f"{{{place}}}", word)
        return fill_in(line)

    def _written(self, line: str) -> list[Letter]:
        """What comes of a mail or a reply."""
        found = re.fullmatch(r"(\w+)([:>]) (.*)", line)
        assert found, line
        who, how, words = found.groups()
        address = home(who) if who in FRIENDS else f"{who}@example.net"
        if how == ">":
            return self.house.reply(self.last[address], words)
        subject, _, body = words.partition(" | ")
        text, self.mails = body.replace("\\n", "\n"), self.mails + 1
        name = f"<{self.mails}@example.org>"
        return self.house.mail(mail_of(subject, address, text, Message_ID=name))

    def _played(self, most: int) -> list[Letter]:
        """The letters of the last of so many moves: nobody hears of those before it."""
        matches = [self._match()]
        while matches[-1].turn and len(matches) <= most:
            matches.append(_moved(matches[-1], self.house.time))
        assert most < TO_THE_END or matches[-1].result
        *_, before = [None, *matches[:-1]]
        if before is None:  # it had ended
            return []
        self.house.library.save(before)
        line = "{who}: {game} move {board} {who} {password} {move}"
        return self._written(self._filled(line, before))

    def _shown(self, letter: Letter) -> str:
        """A letter as it is kept here: its reader, its Subject and its text, and what
        only its HTML says, if no letter has said it before."""
        text = letter.text if letter.form == "words" else _without_pictures(letter)
        text = re.sub(r" +$", "", text, flags=re.MULTILINE)
        if letter.form in ("html", "picture"):
            more = [w for w in _in_html(letter, text) if w not in self._in_html]
            self._in_html |= {*more}
            text += "".join(f"\nIn HTML: {' | '.join(more)}\n" if more else "")
        head = f"== {letter.to[0]}: {letter.subject}"
        return _TOKEN.sub("~TOKEN", f"{head}\n\n{text}\n")


def _moved(match: Match, time: str) -> Match:
    """A board after the first of the legal moves."""
    line = line_of(match.turn[0], match.view(None).legal[0])
    return replay.after(match, line._replace(time=time))


def _without_pictures(letter: Letter) -> str:
    """The text of a letter, but for the pictures, which have no words."""
    parts = [
        [_NO_PICTURE if isinstance(b, Picture) else b for b in part]
        for part in letter.content
    ]
    return plain(content(*parts))


class _Words(Page):
    """The words of a page: those that are shown, and those that are read aloud."""

    def __init__(self, text: str) -> None:
        self.said: dict[str, None] = {}
        super().__init__(text)
        for _, attributes in self.elements:
            for name in ("alt", "aria-label", "title"):
                self._say(attributes.get(name, ""))

    def _say(self, words: str) -> None:
        self.said[" ".join(words.split())] = None

    def handle_data(self, data: str) -> None:
        super().handle_data(data)
        if not any(t == "style" or a.get("role") == "img" for t, a in self._open):
            self._say(data)


def _in_html(letter: Letter, text: str) -> list[str]:
    """What a letter's HTML says in words that its text does not have."""
    said = letter.content
    if letter.page:
        said = with_page(said, f"{WEB}{letter.page}", letter.language)
    page = html(said, Links(SERVER, letter.token), (), letter.language)
    as_text = {*re.findall(_WORD, text)}
    return [
        w for w in _Words(page).said if not as_text.issuperset(re.findall(_WORD, w))
    ]


def _without_repeated(told: str) -> str:
    """A text in which what has been said above is left out, for a reader's sake."""
    had, kept = set[str](), list[str]()
    for part in told.split("\n\n"):
        is_again = part in had and "\n" in part and not part.startswith("---")
        kept.append(f"{part.splitlines()[0]} [...]" if is_again else part)
        had.add(part)
    return "\n\n".join(kept)


def played(scene: str, code: str, machine: Machine) -> tuple[str, set[str]]:
    """What readers of a language are told in a scene, and of which kinds of lines."""
    reading = english_alone() if code == ENGLISH_CODE else everybody_reads(code)
    machine.time = BEGINNING
    machine.begin(scene)
    with reading, pytest.MonkeyPatch.context() as patched, TemporaryDirectory() as made:
        found = Scene(Path(made, "games"), machine)
        own(found.house, patched)
        told = [found.play(line) for line in SCENES[scene].split("\n") if line]
        return _without_repeated("".join(told)), found.kinds


def main(folder: str, *codes: str) -> set[str]:
    """Write the files of these languages, or of all, and say where they are. About
    which kinds of lines there were letters."""
    machine, kinds = Machine(), set[str]()
    with pytest.MonkeyPatch.context() as patched:
        make_cheap(patched)
        for name in ("HINT_SECONDS", "MOVE_SECONDS"):
            patched.setattr(advising, name, 4 * LOOK)
        machine.take_over()
        for code in codes or CODES:
            there = Path(folder, code)
            shutil.rmtree(there, ignore_errors=True)
            there.mkdir(parents=True)
            for scene in SCENES:
                told, about = played(scene, code, machine)
                (there / f"{scene}.txt").write_text(told, encoding="utf-8")
                kinds |= about
            print(f"The letters in this language: {there}", flush=True)
    return kinds


if __name__ == "__main__":
    main(*sys.argv[1:])
