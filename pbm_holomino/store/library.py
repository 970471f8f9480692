"""The store as matches and players."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pbm_holomino import rules
from pbm_holomino.errors import (
    CorruptFile,
    NotAllowed,
    NotFound,
)
from pbm_holomino.languages import sentence
from pbm_holomino.match import account, ledgers, open_challenge
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.ledgers import Ledger
from pbm_holomino.match.record import Key
from pbm_holomino.store import examples
from pbm_holomino.store.contract import PLAYERS, Document, Store
from pbm_holomino.store.damage import DAMAGE, corrupt
from pbm_holomino.store.documents import data_of, read

if TYPE_CHECKING:
    from pbm_holomino.store.lists import Lists
    from pbm_holomino.store.summary import Summary

_Thing = TypeVar("_Thing")


class Reader(Generic[_Thing]):
    """Reads a document whenever it is asked for. A resident server has readers with a
    cache."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def get(
        self, folder: str, name: str, read: Callable[[Document | None], _Thing]
    ) -> _Thing:
        """What a document holds now, as `read` reads it."""
        return read(self.store.find(folder, name))

    def earlier(self, folder: str, name: str) -> _Thing | None:
        """What a document held some time ago, if that is remembered."""
        return None

    def known(self, folder: str, name: str) -> Hashable | None:
        """The revision of a document that is remembered."""
        return None

    def put(self, folder: str, name: str, thing: _Thing, revision: Hashable) -> None:
        """Be told what has just been saved as this revision of a document."""


class Library:
    """Reads and saves what the store holds; nothing here decides anything.

    A long-running process may hand in readers that remember, for kinds of ledgers by
    their names.
    """

    def __init__(self, store: Store, readers: Mapping[str, Reader[Any]] = {}) -> None:
        self.store = store
        self._readers = readers
        self._plain = Reader[Any](store)

    @cached_property
    def lists(self) -> "Lists":
        """Questions about all boards, which most commands do not ask."""
        from pbm_holomino.store.lists import Lists

        return Lists(self.store)

    @cached_property
    def key(self) -> bytes:
        """The server's key, made when it is first needed. Raises CorruptFile."""
        return self.store.key()

    @cached_property
    def robots(self) -> dict[str, int]:
        """The robots of this server, and their levels. People keep the names that they
        had before there were robots, and nobody else can have one."""
        from pbm_holomino.match.robots import names  # few commands ask

        return names(lambda name: self.store.exists(PLAYERS, name))

    # Ledgers

    def find(self, folder: str, name: str) -> Any:
        """A ledger of the folder's kind; None if there is none. Raises CorruptFile."""
        if not ledgers.load(folder).is_name(name):
            return None

        def read(document: Document | None) -> Ledger | None:
            return self._read(folder, folder, name, document)[0]

        return self._reader(folder).get(folder, name, read)

    def ledger(self, folder: str, name: str) -> Any:
        """The same. Raises NotFound if there is none."""
        ledger = self.find(folder, name)
        if ledger is None:
            raise self.missing(folder, name)
        return ledger

    def ledger_and_data(self, folder: str, name: str) -> tuple[Any, Any]:
        """The same, and all the data in its document."""
        document = self.store.find(folder, name)
        ledger, data = self._read(folder, folder, name, document)
        if ledger is None:
            raise self.missing(folder, name)
        return ledger, data

    def _reader(self, folder: str) -> Reader[Any]:
        return self._readers.get(ledgers.name_of_kind(folder), self._plain)

    def _read(
        self, kept_in: str, folder: str, name: str, document: Document | None
    ) -> tuple[Ledger | None, Any]:
        """What a document holds that is kept in a folder of its kind, or elsewhere."""
        data = data_of(kept_in, name, document, self.store.noun)
        if data is None:
            return None, None
        earlier = self._reader(folder).earlier(kept_in, name)
        try:
            ledger = ledgers.load(folder).load(Key(folder, name), data, earlier)
        except DAMAGE as error:
            raise corrupt(kept_in, name, error, self.store.noun) from None
        return ledger, data

    def missing(self, folder: str, name: str) -> NotFound:
        """The error about a ledger that is not there."""
        if folder in rules.names() and self.is_example(folder, int(name)):
            return NotFound(
                sentence(
                    "{board} is an example that you can only look at. To start a game "
                    "of your own, send: {command}",
                    board=f"{folder} {name}",
                    command=f"{folder} challenge userid1 userid2",
                )
            )
        return ledgers.load(folder).missing(Key(folder, name))

    def save(self, ledger: Ledger, unsent: int | None = None) -> None:
        """Save a ledger, and mark the letters about a line of its log, by its number,
        as unsent. Raises NotAllowed if that would push out a line whose letters have
        not been sent."""
        folder, name = ledger.key
        kind = ledgers.load(folder)
        if unsent is not None:
            for line, why in kind.full(ledger).items():
                if self.store.marks.is_unsent(folder, name, line):
                    raise NotAllowed(why)
        saved = kind.as_saved(ledger)
        revision = self.store.save(folder, name, kind.dump(saved), unsent)
        self._reader(folder).put(folder, name, saved, revision)

    # Boards

    def match(self, game: str, board: int) -> Match:
        """A board, replayed. Raises NotFound, NotBegun or CorruptFile."""
        return _begun(self.board(game, board))

    def board(self, game: str, board: int) -> Match:
        """The same, even if it is still an open challenge. Raises NotFound or
        CorruptFile."""
        match: Match = self.ledger(game, str(board))
        return match

    def shown(self, game: str, board: int) -> Match:
        """A board to look at, replayed: the store's, or the example with that number if
        the store has none. Raises NotFound or CorruptFile."""
        try:
            return self.match(game, board)
        except NotFound:
            if not self.is_example(game, board):
                raise
            folder, name = examples.folder(game), str(board)
            match: Any
            match, _ = self._read(folder, game, name, self.store.find(folder, name))
            return _begun(match)

    def is_example(self, game: str, board: int) -> bool:
        """Whether an example has this number, and the store has never had a board of
        its own with it."""
        name = str(board)
        return (
            self.store.exists(examples.folder(game), name)
            and not self.store.exists(game, name)
            and not self.store.is_lost(game, name)
        )

    def shipped(self, game: str) -> "Iterator[Summary]":
        """The board of a game that 1.0 shipped, wherever the store still has it."""
        from pbm_holomino.store import summary  # only lists need it

        for where in (game, examples.folder(game)):
            with suppress(CorruptFile, *DAMAGE):
                data = read(self.store, where, "1")
                if examples.is_shipped(data):
                    yield summary.from_data(data)

    def opened_by(self, game: str, mail: str) -> Match | None:
        """The board that a mail opened, or the open challenge, if it did."""
        number = self.lists.number_opened_by(game, mail)
        return None if number is None else self.board(game, number)

    def is_robot(self, userid: str) -> bool:
        """Whether this is a robot's name here."""
        return userid.startswith(open_challenge.SOME_ROBOT) and userid in self.robots

    def knows(self, userid: str) -> bool:
        """Whether this userid has an account, or has ever played."""
        if self.player(userid) is not None or self.is_robot(userid):
            return True
        return bool(self.lists.boards_of([userid], "all").boards)

    # Players

    def player(self, userid: str) -> Player | None:
        """A player's account; None if there is none, or it was deleted. Raises
        CorruptFile."""
        player = self.account(userid)
        return None if player is None or player.status == account.DELETED else player

    def accounts(self) -> tuple[list[Player], list[CorruptFile]]:
        """All accounts by userid, deleted ones too; and the damaged files."""
        accounts: list[Player] = []
        damaged = []
        for name in sorted(self.store.names(PLAYERS)):
            try:
                accounts += filter(None, [self.account(name)])
            except CorruptFile as damage:
                damaged.append(damage)
        return accounts, damaged

    def accounts_at(self, address: str) -> list[Player]:
        """The accounts of players who have this address, deleted ones too. Unless all
        are remembered, those are left unread in whose text it is nowhere."""
        if ledgers.name_of_kind(PLAYERS) in self._readers:
            return [each for each in self.accounts()[0] if each.owns(address)]
        found: list[Player] = []
        for name in sorted(self.store.names(PLAYERS)):
            with suppress(CorruptFile):
                document = self.store.find(PLAYERS, name)
                text = (document.text if document else None) or b""
                if address.lower().encode() in text.lower():
                    found += filter(None, [self.account(name)])
        return [each for each in found if each.owns(address)]

    def signed_on(self) -> dict[str, Player]:
        """The players who are signed on, by their userids."""
        return {p.userid: p for p in self.accounts()[0] if p.status == "on"}

    def account(self, userid: str) -> Player | None:
        """An account, even one that was deleted. Raises CorruptFile."""
        account: Player | None = self.find(PLAYERS, userid)
        return account

    def expect_accounts(self, userids: Iterable[str]) -> None:
        """Be told whose accounts will be asked for next (see `Store.expect`)."""
        known = self._reader(PLAYERS).known
        names = filter(account.is_userid, userids)
        self.store.expect((PLAYERS, name, known(PLAYERS, name)) for name in names)


def _begun(match: Match) -> Match:
    """The board, if it is one by now. Raises NotBegun for an open challenge."""
    if match.has_begun:
        return match
    raise open_challenge.not_begun(match)
