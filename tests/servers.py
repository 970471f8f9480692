"""What the tests of the server share: a server with a store of its own, a clock
that only a test sets, and letters that are kept instead of sent."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.commands import parse
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import CannotSend, PbmError
from pbm_holomino.letters.letters import Letter
from pbm_holomino.match import account
from pbm_holomino.match.board import Match
from pbm_holomino.server import transaction
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import changes
from pbm_holomino.store import yaml as strict
from pbm_holomino.store.files import Store
from pbm_holomino.store.library import Library
from tests.robots import CHEAP

SEED = bytes(range(32))
PASSWORDS = {"alice": "Xanadu77", "bob": "Zebra-88", "carol": "Quokka99"}


class Crash(BaseException):
    """The process dies here: nothing that handles errors may catch it."""


class Seeds:
    """Seeds of new boards: a test knows each one, and no two are equal."""

    def __init__(self) -> None:
        self.given = 0

    def __call__(self) -> bytes:
        self.given += 1
        return bytes([self.given]) + SEED[1:]


class House:
    """A server, and its store in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.store = Store(str(root), patience=0.2)
        self.library = Library(self.store)
        self.time = "2026-11-20T04:12:33Z"
        self.letters: list[Letter] = []
        self.trouble: BaseException | None = None  # what keeps a letter from leaving
        self.server = Server(self.library, self._post, lambda: self.time, Seeds())

    def _post(self, letter: Letter) -> Mapping[str, str]:
        if isinstance(self.trouble, CannotSend):
            return dict.fromkeys(letter.to, str(self.trouble))
        if self.trouble is not None:
            raise self.trouble
        return self.keep(letter)

    def keep(self, letter: Letter) -> Mapping[str, str]:
        """A post that brings every letter."""
        self.letters.append(letter)
        return {}

    def shell(self, line: str) -> Answer:
        """A command as it is typed after the prompt."""
        return self._carry_out(line, {})

    def challenges(self, count: int) -> None:
        """So many new boards, on which alice has challenged bob, who accepts."""
        for _ in range(count):
            assert self.shell("holo challenge alice bob").status == 0
            board = max(self.library.lists.boards("holo"))
            assert self.shell(f"holo accept {board} bob {{bob}}").status == 0

    def mail(self, who: str, mail: str, line: str, body: str = "") -> Answer:
        """A command from the home address of `who`; `mail` is the mail's id."""
        fields = {"sender": home(who), "mail": mail, "body": body}
        return self._carry_out(line, fields)

    def _carry_out(self, line: str, fields: dict[str, Any]) -> Answer:
        try:
            request = parse.parse(fill_in(line).split())
        except PbmError as error:
            return transaction.refusal(error)
        answer = self.server.run(request._replace(**fields))
        if answer.posted:  # its text is that of the letter
            told = [letter.text for letter in self.letters if letter.replied]
            return answer._replace(text=told[-1])
        return answer

    def cannot_send(self) -> None:
        """From now on no letter can leave."""
        self.trouble = CannotSend("The post office is closed.")

    def taken(self) -> list[Letter]:
        """The letters since this was last asked."""
        letters, self.letters = self.letters, []
        return letters

    def path(self, *parts: str) -> Path:
        return self.root.joinpath(*parts)

    def files(self) -> dict[str, bytes]:
        """Every byte of the store; locks hold none, and the index is derived."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and path.suffix != ".lock" and not is_of_index(path)
        }

    def data(self, folder: str, name: str) -> Any:
        """The data in a file, which a test may change and `put` back."""
        return strict.load(self.path(folder, f"{name}.yaml").read_bytes())

    def put(self, folder: str, name: str, data: Any) -> None:
        self.path(folder, f"{name}.yaml").write_bytes(strict.dump(data))

    def match(self, board: int = 1) -> Match:
        return self.library.match("holo", board)

    def legal(self, board: int = 1) -> tuple[str, ...]:
        """The moves of whose turn it is, in canonical notation."""
        return self.match(board).view(None).legal

    def join(self, *names: str) -> "House":
        """Sign these players up, each with an address."""
        for name in names:
            answer = self.shell(f"signup {name} {{{name}}} {home(name)}")
            assert answer.status == 0, answer.text
        return self


def is_of_index(path: Path) -> bool:
    """Whether a file is derived for lists, which any question may write."""
    return path.parent.name == changes.FOLDER or path.name.startswith(changes.INDEX)


def fill_in(line: str) -> str:
    """The line with `{alice}` replaced by the password of alice."""
    for name, password in PASSWORDS.items():
        line = line.replace(f"{{{name}}}", password)
    return line


def home(name: str) -> str:
    """The address that a player has signed up with."""
    return f"{name}@example.org"


def make_cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords quickly, where the hash is not what is tested."""
    monkeypatch.setattr(account, "_SCRYPT", CHEAP)


def open_house(root: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A server where alice and bob have signed up and play board 1; it is alice's
    turn. No letter has been taken yet."""
    make_cheap(monkeypatch)
    house = House(root).join("alice", "bob")
    assert house.shell("holo challenge alice bob").status == 0
    house.taken()
    return house


def deadly(monkeypatch: pytest.MonkeyPatch, server: Server, last: int) -> None:
    """From now on the process dies at this moment: before or after a call to the
    system, or before or after a letter leaves."""
    moment = 0

    def watched(call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any) -> Any:
            pass_by()
            result = call(*args)
            pass_by()
            return result

        return wrapped

    def pass_by() -> None:
        nonlocal moment
        moment += 1
        if moment == last:
            raise Crash

    for name in ("write", "fsync", "rename", "unlink"):
        monkeypatch.setattr(os, name, watched(getattr(os, name)))
    server.post = watched(server.post)


def passwords_in(text: str) -> Iterator[str]:
    """The passwords of our players that stand in a text."""
    return (password for password in PASSWORDS.values() if password in text)


def sentence_of(text: str) -> str:
    """What an answer says before it shows a board or names a help page."""
    first = " ".join(text.partition("\n\n")[0].split())
    return re.sub(r' For more, send "help [a-z]+"\.$', "", first)


def count_sentences(text: str) -> int:
    """How many sentences there are; `...` in a usage line ends none."""
    return len(re.findall(r"[.?!](?=\s|$)", text.replace("...", "")))


def titles(text: str) -> Sequence[str]:
    """The boards that a text shows, by the lines that head them."""
    return re.findall(r"^Holomino, board (\d+),", text, re.M)
