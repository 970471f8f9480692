"""Questions about all boards of the store: lists, numbers, and what results come to.

The answers come from the index or, where it cannot be used, from the files of all
boards. They are the same either way, except for files that were changed by hand.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import cached_property

from pbm_holomino import rules
from pbm_holomino.errors import CorruptFile, StoreTrouble
from pbm_holomino.match.board import SCORE
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.match.record import OPEN
from pbm_holomino.store import examples, summary
from pbm_holomino.store.contract import Index, Progress, Store
from pbm_holomino.store.damage import DAMAGE, corrupt
from pbm_holomino.store.documents import read
from pbm_holomino.store.endings import FIRST, History
from pbm_holomino.store.search import Entry, Found, Unusable, Wanted
from pbm_holomino.store.summary import Summary, endings_of, tallied


class Lists:
    """Lists of a store's boards."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @cached_property
    def index(self) -> Index:
        """The index, which only lists need."""
        return self.store.index(self.entry)

    def boards(self, game: str) -> list[int]:
        """The numbers of a game's boards, ascending."""
        return sorted(map(int, filter(is_number, self.store.names(game))))

    # Lists

    def entry(self, game: str, board: int) -> Entry | None:
        """The summary of a board that has a file, or the error that its file is
        damaged; None for an example, which is in no list and counts for nobody."""
        try:
            data = read(self.store, game, str(board))
            return None if examples.is_shipped(data) else summary.from_data(data)
        except CorruptFile as damage:
            return damage
        except DAMAGE as error:
            return corrupt(game, str(board), error, self.store.noun)

    def summaries(self, games: Iterable[str]) -> Iterator[Entry]:
        """The entries of all boards of these games, from the files."""
        found = (self.entry(game, n) for game in games for n in self.boards(game))
        return (entry for entry in found if entry is not None)

    def _select(self, wanted: Wanted) -> Found:
        """The boards that are wanted, possibly among others; and all damaged files of
        these games."""
        try:
            return Found.of(self.index.select(wanted))
        except Unusable:
            return self._read(wanted.games)

    def _read(self, games: Iterable[str]) -> Found:
        return Found.of(self.summaries(games))

    def number_opened_by(self, game: str, mail: str) -> int | None:
        """The number of the board that a mail opened, if it did."""
        for board in self._select(Wanted([game], mail=mail)).boards:
            if board.opening_mail == mail:
                return board.board
        return None

    def boards_of(
        self, userids: Iterable[str], which: str, games: Iterable[str] | None = None
    ) -> Found:
        """The boards of any of these players (of everybody if none is named) that are
        `active`, `inactive`, `next` (where it is their turn), or `all`; and the damaged
        files of these games."""
        players = set(userids)
        active = None if which == "all" else which != "inactive"
        selected = self._select(Wanted(_games(games), sorted(players), active))
        return selected.only(lambda board: board.is_wanted(players, which))

    def due(self, now: str) -> Found:
        """The boards on which time has run out or, in format 1, a player is to be
        reminded; and the damaged files."""
        selected = self._select(Wanted(rules.names(), due=now))
        return selected.only(lambda board: "" < board.due <= now)

    def to_remind(self, now: str) -> Found:
        """The boards of format 2 on which a player may have to be reminded."""
        selected = self._select(Wanted(rules.names(), remind=now))
        return selected.only(lambda board: "" < board.remind <= now)

    def open_challenges(
        self, games: Iterable[str] | None = None, players: Iterable[str] = ()
    ) -> Found:
        """The open challenges, of everybody or where one of these players has a seat;
        and the damaged files."""
        names = set(players)
        selected = self._select(Wanted(_games(games), sorted(names), is_open=True))
        return selected.only(
            lambda one: (
                one.status == OPEN and (not names or bool(names & set(one.players)))
            )
        )

    def challenges(self, players: Iterable[str], now: str) -> list[Summary]:
        """The boards of any of these players that limit new challenges: those that have
        not been answered yet, and those whose challenger is still barred."""
        names = set(players)
        selected = self._select(Wanted(rules.names(), sorted(names), matters=now))
        return [
            board
            for board in selected.boards
            if board.matters > now and names & set(board.players)
        ]

    def last_ended(self, game: str, most: int, until: str = "~") -> Found:
        """The last so many boards of a game that have ended, by a time if one is given,
        the latest first; and the damaged files."""
        selected = self._select(Wanted([game], last=most, until=until))
        ended = selected.only(
            lambda board: board.result is not None and board.last_change <= until
        )
        ended.boards.sort(key=lambda board: (board.last_change, board.board))
        return Found(ended.boards[: -most - 1 : -1], ended.damaged)

    def damaged(self, games: Iterable[str] | None = None) -> list[CorruptFile]:
        """The damaged files of these games."""
        return self._select(Wanted(_games(games), only_damaged=True)).damaged

    # What the results come to

    def tallies(self, game: str) -> dict[str, Counter[int]]:
        """For each player, in how many games how many players shared the first place
        with them, themselves included; 0 counts the games they lost."""
        try:
            return self.index.tallies(game)
        except Unusable:
            return tallied(self._read([game]).boards)

    def last_seen(self, userids: Sequence[str]) -> dict[str, str]:
        """When each of these players was last heard of on a board; empty for never."""
        try:
            return self.index.seen(userids)
        except Unusable:
            boards = self._read(rules.names()).boards
            return {
                player: max((b.seen.get(player, "") for b in boards), default="")
                for player in userids
            }

    def finished(self, userids: Collection[str], by: str) -> set[str]:
        """Those of these players who have finished a game by score by this time."""
        if not userids:
            return set()
        try:
            return self.index.finished(userids, by)
        except Unusable:
            boards = self._read(rules.names()).boards
            return {
                player
                for board in boards
                if board.result is not None
                and board.result.reason == SCORE
                and board.last_change <= by
                for player in board.players
                if player in userids
            }

    def history(self, game: str, after: tuple[str, int] = FIRST) -> History:
        """The games that have ended and count: the totals of all, and those that came
        after that time and board."""
        try:
            return self.index.history(game, after)
        except Unusable:
            return History.of(endings_of(self._read([game]).boards), after)

    # The index

    def scan(self, anew: bool = False, progress: Progress = nullcontext) -> None:
        """Compare all files with the index, so that lists know what was changed by
        hand; `anew` makes it from nothing."""
        with suppress(Unusable, StoreTrouble):
            self.index.scan(anew, progress)


def _games(games: Iterable[str] | None) -> tuple[str, ...]:
    return rules.names() if games is None else tuple(games)
