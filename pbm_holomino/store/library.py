"""The store as matches and players."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pbm_holomino.errors import (
    CorruptFile,
    NotAllowed,
    NotFound,
)
from pbm_holomino.match import account, open_challenge, record, replay
from pbm_holomino.match.account import AccountLine, Player, is_broadcast, written_to
from pbm_holomino.match.board import Match, places
from pbm_holomino.match.deadlines import next_due, waits
from pbm_holomino.match.open_challenge import OpenChallenge, Table
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.store import examples, summary
from pbm_holomino.store.contract import PLAYERS, Document, Store
from pbm_holomino.store.damage import DAMAGE, corrupt
from pbm_holomino.store.documents import data_of, read
from pbm_holomino.store.summary import Summary, format_wait

if TYPE_CHECKING:
    from pbm_holomino.store.lists import Lists

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

    def expect(self, folder: str, names: Iterable[str]) -> None:
        """Be told which documents will be asked for next (see `Store.expect`)."""
        self.store.expect((folder, name, self.known(folder, name)) for name in names)

    def known(self, folder: str, name: str) -> Hashable | None:
        """The revision of a document that is remembered."""
        return None

    def put(self, folder: str, name: str, thing: _Thing, revision: Hashable) -> None:
        """Be told what has just been saved as this revision of a document."""


class Library:
    """Reads and saves what the store holds; nothing here decides anything.

    A long-running process may hand in readers that remember.
    """

    def __init__(
        self,
        store: Store,
        boards: Reader[Table] | None = None,
        accounts: Reader[Player | None] | None = None,
    ) -> None:
        self.store = store
        self._boards = boards or Reader(store)
        self._accounts = accounts or Reader(store)

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

    # Matches

    def match(self, game: str, board: int) -> Match:
        """A board, replayed. Raises NotFound, NotBegun or CorruptFile."""
        return _begun(self.table(game, board))

    def table(self, game: str, board: int) -> Table:
        """A board, replayed, or the open challenge with that number. Raises NotFound or
        CorruptFile."""
        return self._boards.get(
            game, str(board), lambda found: self._read(game, game, board, found)[0]
        )

    def shown(self, game: str, board: int) -> Match:
        """A board to look at, replayed: the store's, or the example with that number if
        the store has none. Raises NotFound or CorruptFile."""
        try:
            return self.match(game, board)
        except NotFound:
            if not self.is_example(game, board):
                raise
            folder = examples.folder(game)
            found = self.store.find(folder, str(board))
            return _begun(self._read(folder, game, board, found)[0])

    def is_example(self, game: str, board: int) -> bool:
        """Whether an example has this number, and the store has never had a board of
        its own with it."""
        name = str(board)
        return (
            self.store.exists(examples.folder(game), name)
            and not self.store.exists(game, name)
            and not self.store.is_lost(game, name)
        )

    def table_and_data(self, game: str, board: int) -> tuple[Table, Any]:
        """The same, and all the data in its document."""
        return self._read(game, game, board, self.store.find(game, str(board)))

    def _read(
        self, folder: str, game: str, board: int, document: Document | None
    ) -> tuple[Table, Any]:
        name = str(board)
        data = data_of(folder, name, document, self.store.noun)
        if data is None:
            raise self.no_board(game, board)
        try:
            if open_challenge.is_one(data):
                found: Table = open_challenge.from_data(data)
            else:
                old = self._boards.earlier(folder, name)
                earlier = old if isinstance(old, Match) else None
                found = replay.replay(record.from_data(data), earlier=earlier)
            if (found.record.game, found.record.board) != (game, board):
                raise ValueError(f"it says it is {found.record.name}")
            return found, data
        except DAMAGE as error:
            raise corrupt(folder, name, error, self.store.noun) from None

    def no_board(self, game: str, board: int) -> NotFound:
        """The error about a board that the store does not have."""
        if self.is_example(game, board):
            return NotFound(
                f"{game} {board} is an example that you can only look at. To start a "
                f"game of your own, send: {game} challenge userid1 userid2"
            )
        return NotFound(f"There is no board {game} {board}.")

    def save_match(self, changed: Table, unsent: int | None = None) -> None:
        """Save a board or an open challenge, and mark the letters about a line of its
        log as unsent."""
        if isinstance(changed, Match):
            changed = changed._replace(away={}, unreached=())  # accounts say that
        game, name = changed.record.game, str(changed.record.board)
        revision = self.store.save(game, name, to_data(changed), unsent)
        self._boards.put(game, name, changed, revision)

    def shipped(self, game: str) -> Iterator[Summary]:
        """The board of a game that 1.0 shipped, wherever the store still has it."""
        for where in (game, examples.folder(game)):
            with suppress(CorruptFile, *DAMAGE):
                data = read(self.store, where, "1")
                if examples.is_shipped(data):
                    yield summary.from_data(data)

    def opened_by(self, game: str, mail: str) -> Table | None:
        """The board that a mail opened, or the open challenge, if it did."""
        number = self.lists.number_opened_by(game, mail)
        return None if number is None else self.table(game, number)

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
        found = self.account(userid)
        return None if found is None or found.status == account.DELETED else found

    def accounts(self) -> tuple[list[Player], list[CorruptFile]]:
        """All accounts by userid, deleted ones too; and the damaged files."""
        found: list[Player] = []
        damaged = []
        for name in sorted(self.store.names(PLAYERS)):
            try:
                found += filter(None, [self.account(name)])
            except CorruptFile as damage:
                damaged.append(damage)
        return found, damaged

    def signed_on(self) -> dict[str, Player]:
        """The players who are signed on, by their userids."""
        return {p.userid: p for p in self.accounts()[0] if p.status == "on"}

    def readers(self, writer: Player, line: AccountLine) -> tuple[str, ...]:
        """The players who get a letter about a line of an account's log: those it
        names; for a broadcast, everybody else who is signed on now and wants
        broadcasts, unless one of the two has blocked the other."""
        names = written_to(line)
        if names or not is_broadcast(line):
            return names
        who, deaf = writer.userid, (writer.userid, *writer.blocked)
        everybody = self.signed_on().items()
        return tuple(
            name
            for name, p in everybody
            if p.broadcasts and name not in deaf and who not in p.blocked
        )

    def account(self, userid: str) -> Player | None:
        """An account, even one that was deleted. Raises CorruptFile."""
        if not account.is_userid(userid):  # no file could have that name
            return None
        return self._accounts.get(
            PLAYERS, userid, lambda found: self._account(userid, found)
        )

    def expect_accounts(self, userids: Iterable[str]) -> None:
        """Be told whose accounts will be asked for next (see `Store.expect`)."""
        self._accounts.expect(PLAYERS, filter(account.is_userid, userids))

    def _account(self, userid: str, document: Document | None) -> Player | None:
        data = data_of(PLAYERS, userid, document, self.store.noun)
        try:
            found = None if data is None else account.from_data(data)
            if found is not None and found.userid != userid:
                raise ValueError(f"it says it is {found.userid}'s")
            return found
        except DAMAGE as error:
            raise corrupt(PLAYERS, userid, error, self.store.noun) from None

    def forget(self, player: Player) -> None:
        """Keep only the userid of a deleted account."""
        kept = account.forgotten(player)
        if kept != player:
            self.update_player(kept)

    def update_player(self, player: Player) -> None:
        """Save an account whose log is as it was, so that no letter is due."""
        self.store.save(PLAYERS, player.userid, account.to_data(player))

    def save_player(self, player: Player) -> None:
        """Save an account, and mark the letters about its last line as unsent. Raises
        NotAllowed if that would push out a line whose letters have not been sent."""
        for no in player.pushed:
            if self.store.marks.is_unsent(PLAYERS, player.userid, no):
                raise NotAllowed(
                    "Some of your letters could not be sent yet, and there is no room "
                    "for more until they are: please try again later."
                )
        line = player.log[-1].no
        self.store.save(PLAYERS, player.userid, account.to_data(player), line)


def _begun(found: Table) -> Match:
    """The board, if it is one. Raises NotBegun for an open challenge."""
    if isinstance(found, Match):
        return found
    raise open_challenge.not_begun(found)


def to_data(changed: Table) -> dict[str, Any]:
    """The data of a board's file. Everything from `status` on is derived from the rest,
    for lists and for people who read the file."""
    if isinstance(changed, OpenChallenge):
        return open_challenge.to_data(changed)
    due = next_due(changed)
    return {
        **record.to_data(changed.record),
        "status": changed.status,
        "turn": list(changed.turn),
        "ply": str(changed.ply),
        **({"due": due} if due else {}),
        **_waits(changed),
        "scores": {player: str(score) for player, score in changed.scores.items()},
        **_ended(changed),
        "picture": changed.picture(_drawing(changed)).large,
    }


def _drawing(changed: Match) -> Drawing:
    """The board; files of format 1 do not mark the tile that was played last."""
    drawing = changed.view(None).drawing
    return drawing._replace(last=()) if changed.record.format == 1 else drawing


def _waits(changed: Match) -> dict[str, Any]:
    """The players it waits for, since when, and when their time runs out; files of
    format 1 stay as version 1.0 wrote them."""
    if changed.record.format == 1 or changed.result is not None:
        return {}
    found = waits(changed).items()
    return {"waits": {who: format_wait(wait) for who, wait in found}}


def _ended(changed: Match) -> dict[str, Any]:
    """The result, if it has ended."""
    if changed.result is None:
        return {}
    return {
        "winners": list(changed.result.winners),
        "reason": changed.result.reason,
        "places": {player: str(place) for player, place in places(changed).items()},
    }
