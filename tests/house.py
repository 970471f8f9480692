"""The harness in this process: a server whose clock, seeds and passwords a test knows,
and which keeps the letters that it sends."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.commands import parse
from pbm_holomino.commands.refusals import refusal
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import CannotSend, PbmError
from pbm_holomino.letters.letter import Due, Letter
from pbm_holomino.mail.message import message
from pbm_holomino.match import account, ledgers
from pbm_holomino.match.board import Match
from pbm_holomino.match.ledgers import Ledger
from pbm_holomino.server import inbox
from pbm_holomino.server import open as place
from pbm_holomino.server.delivery import Delivery
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import yaml as strict
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import MARK, Piece, Title
from pbm_holomino.store.damage import called
from pbm_holomino.store.home import Home
from pbm_holomino.store.library import Library
from tests import storage
from tests.boards import letter_id
from tests.mail import valid
from tests.storage import KEY

# Of scrypt: what it costs for players, and what in processes of tests
COSTS, CHEAP = account._SCRYPT, (2, 1, 1)
NOW = "2026-11-20T08:00:00Z"
SEED = bytes([2]) * 32
PASSWORDS = {"alice": "xanadu", "bob": "better4", "carol": "quokka9", "dave": "zebra88"}
FRIENDS = tuple(PASSWORDS)
CLOSED = "The post office is closed."


class Crash(BaseException):
    """The process dies here: nothing that handles errors may catch it."""


class Seeds:
    """Seeds of new boards: a test knows each one, and no two are equal."""

    def __init__(self) -> None:
        self.given = 0

    def __call__(self) -> bytes:
        self.given += 1
        return bytes([self.given]) + bytes(range(1, 32))


class House:
    """A server, with its store in a folder.

    `sent` are the letters that have left, `shut` the addresses that no letter reaches,
    and `trouble` is what happens when a letter is about to leave: no letter leaves
    after a CannotSend, and any other exception is raised.
    """

    def __init__(self, folder: Path, new_seed: Callable[[], bytes] | None = None):
        self.folder = folder
        self.store = storage.over.open(folder)
        self.library = Library(self.store)
        self.time = NOW  # set it where programs with a clock of their own go on
        self.sent: list[Letter] = []
        self.shut: set[str] = set()
        self.trouble: BaseException | None = None
        self.server = Server(self.library, self.post)
        self.config = Config()
        self.server.notice_hosts = self.config.notice_hosts
        self.server.now = lambda: self.time
        self.server.seed = new_seed or (lambda: SEED)

    @property
    def config(self) -> Config:
        """The settings of the server."""
        return self._config

    @config.setter
    def config(self, config: Config) -> None:
        self._config = config
        self.server.delivery = Delivery(self.library, self.post, bool(config.web))

    # Letters

    def post(self, letter: Letter) -> Mapping[str, str]:
        """Send a letter: the addresses that it does not reach, with the reasons."""
        if isinstance(self.trouble, CannotSend):
            return dict.fromkeys(letter.to, str(self.trouble))
        if self.trouble is not None:
            raise self.trouble
        if self.shut & {*letter.to}:
            return dict.fromkeys(letter.to, CLOSED)
        return self.keep(letter)

    def keep(self, letter: Letter) -> Mapping[str, str]:
        """A post that delivers every letter."""
        valid.check(message(letter, self.config))
        self.sent.append(letter)
        return {}

    def cannot_send(self) -> None:
        """From now on no letter leaves."""
        self.trouble = CannotSend(CLOSED)

    def taken(self) -> list[Letter]:
        """The letters since this was last asked."""
        taken = list(self.sent)
        self.sent.clear()
        return taken

    def deliver(self, ledger: Ledger, *lines: int) -> dict[str, str]:
        """Send the marked letters about these lines, or about those at the end of the
        log: why they wait, by their keys."""
        return self.server.delivery.deliver([Due.of(ledger, lines or None)])

    # Commands

    def type(self, line: str, *more: str) -> Answer:
        """What the terminal answers to a command: `{alice}` is the password of alice,
        and `more` are words that may hold blanks."""
        return self._run([*fill_in(line).split(), *more])

    def by_mail(self, who: str, mail: str, line: str, body: str = "") -> Answer:
        """The answer to a command that a mail with this id has brought from the home
        address of a player, with the text of the letter that answers it."""
        words = fill_in(line).split()
        answer = self._run(words, body, mail=mail, sender=home(who))
        if answer.posted:
            told = [letter.text for letter in self.sent if letter.replied]
            return answer._replace(text="".join(told[-1:]))
        return answer

    def _run(self, words: list[str], body: str = "", **origin: str) -> Answer:
        try:
            request = parse.parse(words)
        except PbmError as error:
            return refusal(error)
        request = request._replace(body=body or request.body)
        return self.server.carry_out(request.coming(**origin))

    def mail(self, raw: bytes) -> list[Letter]:
        """The letters that leave because a mail has come."""
        self.sent.clear()
        inbox.receive(raw, self.server, self.config)
        return list(self.sent)

    def sign_up(self, *names: str) -> "House":
        """Sign these players up, each with an address: alice and bob by default. A
        player whose password is not among ours has `secret`."""
        for name in names or ("alice", "bob"):
            password = PASSWORDS.get(name, "secret")
            answer = self.type(f"signup {name} {password} {home(name)}")
            assert answer.status == 0, answer.text
        return self

    def challenge(
        self, options: str = "", names: str = "alice bob", game: str = "holo"
    ) -> int:
        """The number of a new board."""
        assert self.type(f"{game} challenge {names} {options}").status == 0
        return max(self.library.lists.boards(game))

    def accept(self, board: int = 1, game: str = "holo") -> None:
        """Every player who has not answered a challenge accepts it."""
        for who in self.library.match(game, board).record.unanswered:
            assert self.type(f"{game} accept {board} {who} {{{who}}}").status == 0

    def challenges(self, count: int) -> None:
        """So many new boards, on which alice has challenged bob, who accepts."""
        for _ in range(count):
            self.accept(self.challenge())

    def play(
        self,
        board: int = 1,
        moves: int = 999,
        choose: Callable[[list[str]], str] = lambda legal: legal[0],
    ) -> dict[str, Any]:
        """Play on, at most so many moves; the board as it is then."""
        for _ in range(moves):
            fields = self.json(board)
            if fields["status"] != "active":
                break
            (who,) = fields["turn"]
            move = choose(fields["legal"])
            played = self.type(f"holo move {board} {who} {{{who}}} {move}")
            assert played.status == 0, played.text
        return self.json(board)

    def reply(self, letter: Letter, text: str) -> list[Letter]:
        """The letters that leave because the reader of a letter has pressed Reply."""
        answered = f"<{letter.id}@{self.config.domain}>"
        headers = {"In_Reply_To": answered, "Message_ID": f"<{letter.id}@x>"}
        return self.mail(
            mail_of(f"Re: {letter.subject}", letter.to[0], text, **headers)
        )

    # What is in the store

    def letter_id(self, line: int, reader: str, board: int = 1) -> str:
        """The id of the letter to a player about a line of a board's log."""
        return letter_id(self.match(board), line, reader, KEY)

    def match(self, board: int = 1) -> Match:
        return self.library.match("holo", board)

    def legal(self, board: int = 1) -> tuple[str, ...]:
        """The moves of the player whose turn it is, in canonical notation."""
        return self.match(board).view(None).legal

    def json(self, board: int = 1) -> dict[str, Any]:
        """The board as the public interface shows it."""
        shown = self.type(f"holo show {board} -format=json")
        fields: dict[str, Any] = json.loads(shown.text)
        return fields

    def path(self, *parts: str) -> Path:
        """A file of the machine. Its store may be somewhere else: see `document`."""
        return self.folder.joinpath(*parts)

    def settings(self, text: str) -> None:
        """Write the owner's settings."""
        storage.over.settings(self.folder, text)

    def copy(self, folder: Path) -> "House":
        """Another server that has all that this one has, at the same time."""
        house = House(storage.over.copy(self.folder, folder), copy(self.server.seed))
        house.time = self.time
        return house

    def document(self, folder: str, name: str) -> storage.Document:
        """A document, to be read or changed by hand."""
        return storage.over.document(self.folder, folder, name)

    def files(self) -> dict[str, bytes]:
        """All that the machine and its store hold, as files."""
        return storage.over.files(self.folder)

    def records(self) -> dict[str, bytes]:
        """The boards, the accounts and the marks of letters that have not left."""
        return storage.over.records(self.folder)

    def called(self, folder: str, name: str) -> str:
        """What a document is called in this store: `file holo/1.yaml`, for example."""
        return called(folder, name, self.store.noun)

    def damage(self, folder: str, name: str) -> None:
        """Make it a document that cannot be read."""
        self.document(folder, name).write_text("[")

    def replace(self, folder: str, name: str, old: str, new: str) -> None:
        """Replace words wherever they are in the text of a document."""
        document = self.document(folder, name)
        text = document.read_text()
        assert old in text
        document.write_text(text.replace(old, new))

    def mark(self, folder: str, name: str, line: int) -> None:
        """Mark a line's letters as unsent, though nothing was saved."""
        self.put_piece(Title(MARK, folder, f"{name}.{line}"))

    def put_piece(self, title: Title, content: bytes = b"") -> None:
        """Put something there that no command has made."""
        self.store.put_pieces([Piece(title, content)])

    @contextmanager
    def busy(self, folder: str, name: str) -> Iterator[None]:
        """Somebody else holds the lock of a document, and nobody waits for long."""
        other = storage.over.open(self.folder)
        patience, self.store.patience = self.store.patience, 0.1
        with other.lock(folder, name):
            other.find(folder, name)  # then at the latest
            yield
        self.store.patience = patience

    def has_marks(self) -> bool:
        """Whether letters are marked as unsent."""
        return any(map(self.store.marks.unsent, ledgers.folders()))

    def data(self, folder: str, name: str) -> Any:
        """The data in a document, which a test may change and `put` back."""
        return strict.load(self.document(folder, name).read_bytes())

    def put(self, folder: str, name: str, data: Any) -> None:
        self.document(folder, name).write_bytes(strict.dump(data))


def fill_in(line: str) -> str:
    """The line with `{alice}` replaced by the password of alice."""
    for name, password in PASSWORDS.items():
        line = line.replace(f"{{{name}}}", password)
    return line


def passwords_in(text: str) -> Iterator[str]:
    """The passwords of our players that a text holds."""
    return (password for password in PASSWORDS.values() if password in text)


def home(name: str) -> str:
    """The address that a player has signed up with."""
    return f"{name}@example.org"


def mail_of(
    subject: str, sender: str = home("alice"), body: str = "", **headers: str
) -> bytes:
    """A plain mail; underscores in the names of further headers are dashes."""
    lines = [f"From: {sender}", "To: pbm@localhost", f"Subject: {subject}"]
    lines += [f"{name.replace('_', '-')}: {text}" for name, text in headers.items()]
    return ("\n".join(lines) + f"\n\n{body}\n").encode("utf-8")


def make_cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords quickly, where the hash is not what is tested: in the processes of
    pytest conftest.py does so for all."""
    monkeypatch.setattr(account, "_SCRYPT", CHEAP)


def open_house(folder: Path) -> House:
    """A server where alice and bob have signed up and play board 1; it is alice's
    turn. No letter has been taken yet."""
    house = House(folder, Seeds()).sign_up()
    house.challenge()
    house.taken()
    return house


def own(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the owner's commands run on this server."""
    home = Home(str(house.folder), house.config)
    monkeypatch.setattr(place, "open_server", lambda: (house.server, home))


def dying_at(last: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Watches calls, before and after each of which there is a moment: the process dies
    at this one."""
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

    return watched


def dies(house: House, last: int, act: Callable[[], object]) -> bool:
    """Let the process die at this moment of an act: before or after a call by which
    its store writes, or before or after a letter leaves. Whether the act takes so
    long."""
    watched = dying_at(last)
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in (*storage.over.calls, (house.server.delivery, "post")):
            patch.setattr(owner, name, watched(getattr(owner, name)))
        try:
            act()
        except Crash:
            storage.over.pass_leases(house.folder)
            return True
    return False
