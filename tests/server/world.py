"""A server that may fail at any moment, and what must hold of it after every command:
nothing is lost, and no secret leaks."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.commands import parse, table
from pbm_holomino.commands.refusals import refusal
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import DONE, MISUSED, TRY_LATER, CannotSend, PbmError
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.match import account, record, replay
from pbm_holomino.match.account import LISTS, TOKEN
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import (
    PRIVATE,
    QUEUED,
    TICKED,
    Act,
    LogLine,
    parse_line,
)
from pbm_holomino.server import inbox
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import yaml as strict
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import PLAYERS
from tests import storage
from tests.boards import reader_of, readings
from tests.house import CHEAP, Crash, House, Seeds, own
from tests.prose import text_of

Board = tuple[str, int]
CANARY = "#6543"  # how the number begins that a queued move is known by
FAULTS = ("closed", "dies before", "dies after", "dies sending", "dies having sent")

# A board is sent as wide as it is; nothing else is made of these characters alone.
_PICTURE = re.compile(r"(?:[ _/\\0-9xoRGYPB#.]|end)*")

# A single wish is a legal move of everybody's, and may be read.
_SEALED = re.compile(r"take:[A-Z]{2}.*|pairs:[A-Z].*")


class Told(NamedTuple):
    """What came of a command: the exit status (TRY_LATER where the mail must come
    again), the text, the files that have changed, and the letters that have left."""

    status: int
    text: str
    changed: frozenset[str]
    letters: tuple[Letter, ...]


class _Remembering(Server):
    """A server that keeps its last answer."""

    answer: Answer | None = None

    def run(self, request: Request) -> Answer:
        self.answer = super().run(request)
        return self.answer


_PLANS = ("!queue", "!unqueue", "!submit")


class World:
    """A server in a folder, its clock, and the letters that have left it."""

    def __init__(self, folder: Path) -> None:
        self.fault = ""  # what goes wrong next
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(account, "_SCRYPT", CHEAP)
        self.patch.setattr(os, "fsync", lambda fd: None)  # no power fails here
        for owns, name in storage.over.calls:
            self.patch.setattr(owns, name, self._watched(getattr(owns, name)))
        house = self._house = House(folder)
        house.config = self.config = Config(answers_per_hour=99999)
        self.folder, self.library = folder, house.library
        self.time = datetime(2026, 11, 20, 8)
        self.server = _Remembering(self.library, self._post)
        self.server.now, self.server.seed = self.now, Seeds()
        house.server = self.server
        own(house, self.patch)
        self.repeats = False  # whether the mail has been answered before
        self.sent: list[Letter] = []
        self.blocks = 0  # how often a player has blocked or unblocked another
        # subject and text, by key, and `blocks` then: a player who blocks the writer
        # later is not named when the same mail comes again
        self.posted: dict[str, tuple[str, str, int]] = {}
        self.unsure: set[str] = set()  # letters that may come again
        self.passwords: set[str] = set()  # every one that there ever was
        self.blocked: set[tuple[str, str]] = set()  # who has ever blocked whom
        self.files = self._files()
        self.logs: dict[str, list[str]] = {}  # of accounts and boards, as they grow
        self._secrets_of: dict[str, list[str]] = {}  # what a reader must not read now
        self._read: dict[str, tuple[bytes, Any]] = {}
        self._boards: dict[Board, tuple[Any, Match]] = {}

    def close(self) -> None:
        self.patch.undo()

    def now(self) -> str:
        return f"{self.time:%Y-%m-%dT%H:%M:%SZ}"

    def pass_time(self, hours: int) -> None:
        self.time += timedelta(hours=hours)

    # What fails

    def _watched(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """A call by which the store writes, and at which the process may die."""

        def watched(*given: Any) -> Any:
            saves = storage.over.saves(*given)
            self._dies("dies before", saves)
            done = call(*given)
            self._dies("dies after", saves)
            return done

        return watched

    def _dies(self, fault: str, now: bool) -> None:
        if now and self.fault == fault:
            self.fault = ""
            raise Crash

    def _post(self, letter: Letter) -> Mapping[str, str]:
        if self.fault == "closed":
            return dict.fromkeys(letter.to, "The post office is closed.")
        if self.fault == "dies sending":
            self.fault = ""
            raise Crash
        again = letter.key in self.posted
        assert not again or letter.key in self.unsure or self.repeats, letter.key
        posted = letter.subject, letter.text, self.blocks
        if again and not letter.key.startswith("answer."):
            before = self.posted[letter.key]
            assert before == posted or before[-1] != self.blocks
        self.posted[letter.key] = posted
        self.sent.append(letter)
        if self.fault == "dies having sent":
            self.fault = ""
            self.unsure.add(letter.key)
            raise Crash
        return {}

    def has_marks(self) -> bool:
        """Whether letters are marked as unsent."""
        return self._house.has_marks()

    # Commands

    def shell(self, line: str, body: str = "", reader: str = "") -> Told:
        """What the terminal answers to `reader`, who has shown who they are."""
        try:
            request = parse.parse(line.split())
        except PbmError as error:
            answer = refusal(error)
        else:
            if table.find(request).takes_text:
                request = request._replace(body=body)
            answer = self.server.carry_out(request)
        return self._told(answer.status, answer.text, reader)

    def mail(self, raw: bytes, reader: str = "", repeats: bool = False) -> Told:
        """What comes of a mail. Where it fails, it must come again."""
        self.repeats, self.server.answer = repeats, None
        try:
            inbox.receive(raw, self.server, self.config)
            answer = self.server.answer
            status = answer.status if answer else MISUSED
        except (CannotSend, Crash):
            status = TRY_LATER
        self.repeats = False
        return self._told(status, "", reader)

    def owner(self, words: str) -> Told:
        """What the server's owner reads."""
        try:
            answer = owner.run(words.split())
        except Crash:
            answer = Answer("", TRY_LATER)
        except PbmError as error:
            answer = refusal(error)
        return self._told(answer.status, answer.text, "")

    def _told(self, status: int, text: str, reader: str) -> Told:
        self.fault = ""
        before, self.files = self.files, self._files()
        names = before.keys() | self.files.keys()
        changed = {n for n in names if before.get(n) != self.files.get(n)}
        for name in changed:
            self._check_file(name)
        if changed:
            checked = owner.run(["check"])
            assert checked.status == DONE, checked.text
        letters, self.sent = tuple(self.sent), []
        self._secrets_of.clear()
        for game, board in (name[:-5].split("/") for name in changed):
            if game != PLAYERS:
                shown = readings(self._board(game, int(board)), None)
                self._check_secrets(shown, "")
        self.check_text(text, reader)
        for letter in letters:
            self._check_letter(letter, reader)
        return Told(status, text, frozenset(changed), letters)

    # The store

    def _files(self) -> dict[str, bytes]:
        """The boards and the accounts; ratings are derived whenever they are asked."""
        kept = re.compile(rf"(\w+/\d+|{PLAYERS}/\w+)\.yaml")
        found = storage.over.records(self.folder).items()
        return {name: text for name, text in found if kept.fullmatch(name)}

    def data(self, name: str) -> Any:
        """What a file holds, which is read anew only when it has changed."""
        raw = self.files[f"{name}.yaml"]
        if self._read.get(name, (b"",))[0] != raw:
            self._read[name] = (raw, strict.load(raw))
        return self._read[name][1]

    def log(self, name: str) -> list[LogLine[Any]]:
        """Every line that there ever was in the log of a board or an account."""
        parse = account.parse_line if name.startswith(PLAYERS) else parse_line
        return [parse(line) for line in self.logs[name]]

    def has_line_of(self, mail: str) -> bool:
        """Whether a command that came by this mail has been done."""
        return any(f" {mail} " in line for log in self.logs.values() for line in log)

    def boards(self) -> Iterator[Match]:
        for game in rules.names():
            for board in self.library.lists.boards(game):
                yield self._board(game, board)

    def _board(self, game: str, board: int) -> Match:
        data, old = self.data(f"{game}/{board}"), self._boards.get((game, board))
        if old is not None and old[0] is data:
            return old[1]
        found = replay.replay(record.from_data(data))
        self._boards[game, board] = (data, found)
        return found

    def _check_file(self, file: str) -> None:
        """Whatever was in a log stays there, but what is private and has gone."""
        name = file.removesuffix(".yaml")
        data, old = self.data(name), self.logs.get(name, [])
        if data["status"] == account.DELETED:
            assert data["log"][-1:] == [*old, *data["log"]][-1:]
            self.logs[name] = old + [line for line in data["log"] if line not in old]
            return
        assert [line for line in old if not _is_list(line)] == [
            line for line in data["log"][: len(old)] if not _is_list(line)
        ] or any(map(_is_list, old))
        kept = [line for line in old if line not in data["log"]]
        assert all(map(_is_list, kept))
        self.logs[name] = kept + data["log"]

    # What anybody reads

    def check_text(self, text: str, reader: str) -> None:
        """Nobody reads what is not theirs, and nothing but a board is wide."""
        self._check_secrets(text, reader)
        if text.startswith(("{", "game: ")):
            return  # for a program
        for line in text.splitlines():
            assert len(line) <= 72 or _PICTURE.fullmatch(line), line

    def _check_secrets(self, text: str, reader: str) -> None:
        if reader not in self._secrets_of:
            self._secrets_of[reader] = [*self._secrets(reader)]
        leaked = [secret for secret in self._secrets_of[reader] if secret in text]
        assert not leaked, (leaked, text)

    def _secrets(self, reader: str) -> Iterator[str]:
        yield from self.passwords
        for name in self.library.store.names("players"):
            yield from self.data(f"players/{name}")["password"].split(":")[4:]
        boards = list(self.boards())
        own = " ".join(_known(board, reader) for board in boards)
        for board in boards:
            if board.result is None:
                yield board.record.seed.hex()
                yield from (word for word in _hidden(board) if word not in own)

    def _check_letter(self, letter: Letter, asker: str) -> None:
        folder, _, rest = letter.key.partition(".")
        reader = asker if folder == "answer" else reader_of(letter)
        self.check_text(letter.text, reader)
        self._check_secrets(letter.subject, reader)
        parsed = message_from_bytes(message(letter, self.config), policy=default)
        assert not parsed.defects
        assert text_of(parsed).splitlines() == [
            line.rstrip() for line in letter.text.splitlines()
        ]
        assert parsed["Subject"] == letter.subject
        assert parsed["Subject"].isprintable()
        assert [a.addr_spec for a in parsed["To"].addresses] == [*letter.to]
        assert parsed["Message-ID"] == f"<{letter.id or letter.key}@localhost>"
        # an answer or a reminder may have the token of a board's last line
        about = rf"[a-z]+\.\d+\.\d+\.{reader}\.{TOKEN}\.\w+"
        # and one that shows several has a tag of each
        numbered = rf"{self._numbered(letter)}\.{TOKEN}(\.\w+)*"
        own = "" if folder == "answer" else numbered
        assert re.fullmatch(f"{own}|{about}", letter.id)
        assert letter.to

    def _numbered(self, letter: Letter) -> str:
        """What the id of a letter from a log begins with: in place of the line of a
        board's log there is its number among those that everybody may read, and in
        place of that of a message 0."""
        folder, name, *rest = letter.key.split(".")
        if folder not in rules.names():
            is_message = folder == PLAYERS and len(rest) == 2 and rest[1] != "old"
            return f"{folder}.{name}.0.{rest[1]}" if is_message else letter.key
        index, reader = int(rest[0]), rest[1]
        log = self.library.board(folder, int(name)).record.log
        number = index - sum(str(line.action) in _PLANS for line in log[:index])
        if str(log[index].action) in _PLANS and log[index].who == reader:
            number -= 1  # others are told of the move that was played by it
        return f"{folder}.{name}.{number}.{reader}"

    def check_all_sent(self, unreachable: set[str]) -> None:
        """No mark is left, and every line has brought its letters; those who could
        not always be reached may have missed some."""
        for name in self.logs:
            folder, _, rest = name.partition("/")
            # the mark of a digest that a newer one has replaced means nothing
            log = [record.parse_log(line) for line in self.data(name)["log"]]
            lines = {line.no for line in log} if folder == PLAYERS else range(len(log))
            marks = self.library.store.marks.unsent(folder).get(rest, [])
            assert not set(lines) & set(marks), (name, marks)
            wanted = _account_letters if folder == PLAYERS else _board_letters
            for key, reader in wanted(self, name):
                assert key in self.posted or reader in unreachable, key


def _is_list(line: str) -> bool:
    """Whether a line of an account's log is one of those of which the last is kept."""
    return record.parse_log(line).action.split()[0] in {str(k.value) for k in LISTS}


def _known(board: Match, reader: str) -> str:
    """What a reader has sent to a board, may read of it, or is proposed there."""
    notes, is_over = board.record.notes, board.result is not None
    told = [
        f"{line.action} {notes.get(i, '') if line.who == reader else ''}"
        for i, line in enumerate(board.record.log)
        if line.who == reader or is_over  # then everybody may read the moves
    ]
    view = board.view(reader)
    return " ".join((*told, *view.proposal.moves, *map(str, view.remarks)))


def _hidden(board: Match) -> Iterator[str]:
    """What its players have sent to a running board and nobody else may see."""
    notes, log = board.record.notes, list(enumerate(board.record.log))
    for index, line in log:
        words = notes.get(index, "").split()
        hidden = words if line.action is Act.SUBMIT else []
        if line.action in PRIVATE:
            hidden += [word for word in words if CANARY in word]
        if _SEALED.fullmatch(str(line.action)):
            hidden += [str(line.action)]
        yield from hidden


def _board_letters(world: World, name: str) -> Iterator[tuple[str, str]]:
    """The letters about a board: one to each player for every line, but to who reads
    the answer in the shell; about what is private, to who sent it; what was queued
    is told with the line before."""
    log, key = world.log(name), name.replace("/", ".")
    for index, line in enumerate(log):
        if line.source == QUEUED:
            continue
        end = index + 1
        while end < len(log) and log[end].source == QUEUED:
            end += 1
        readers = set(world.data(name)["players"])
        if all(told.action in PRIVATE for told in log[index:end]):
            readers = {line.who}
        if line.answered_apart:
            readers -= {line.who}
        if line.action is Act.CHAT:
            readers -= {by for by, whom in world.blocked if whom == line.who}
        for reader in readers:
            yield f"{key}.{index}.{reader}", reader


def _account_letters(world: World, name: str) -> Iterator[tuple[str, str]]:
    """The letters about an account: to who has asked by mail, to those whom a
    message is for, and to the addresses that were changed in the shell."""
    userid, key = name.partition("/")[2], name.replace("/", ".")
    for line in world.log(name):
        word, *more = str(line.action).split()
        if line.source != TICKED and not line.answered_apart:
            yield f"{key}.{line.no}", userid
        if word in ("!message", "!broadcast"):
            yield from ((f"{key}.{line.no}.{reader}", reader) for reader in more)
        if word == "!addresses" and more and line.source == "-":
            yield f"{key}.{line.no}.old", userid
