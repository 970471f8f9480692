"""What the clock brings to players: digests and reminders of the boards that wait for
them, and a robot for a challenge that nobody takes up."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from pbm_holomino.commands import accounts
from pbm_holomino.commands.context import Context
from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.letters import account_letters
from pbm_holomino.letters.content import Content, content, plain, spoken
from pbm_holomino.letters.reminders import (
    MOST_LINKED,
    Pending,
    list_open,
    list_pending,
)
from pbm_holomino.match import deadlines
from pbm_holomino.match.account import Change, Kind, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.deadlines import Wait
from pbm_holomino.match.times import later
from pbm_holomino.match.vacations import away_until
from pbm_holomino.owner import clocks
from pbm_holomino.owner.clocks import Step
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.contract import TOURNAMENTS
from pbm_holomino.store.people import People
from pbm_holomino.store.search import Found
from pbm_holomino.store.summary import Summary

if TYPE_CHECKING:
    from pbm_holomino.match.tournament import Tournament

WAITS_DAYS = 1  # after which a player without an opponent is offered the robot
NEWS_DAYS = 7  # of tournaments, in a player's first digest
MOST_OPEN = 10  # open challenges in a digest


class Clock(clocks.Clock):
    """Letters about what is in other ledgers."""

    def __init__(self, server: Server, folders: Sequence[str], due: Found) -> None:
        super().__init__(server, folders, due)
        self._library = server.library
        self._open = self._library.lists.open_challenges().boards
        self._opened_by = defaultdict[str, list[Summary]](list)
        for challenge in self._open:
            self._opened_by[challenge.challenger].append(challenge)
        # in files of format 1 a reminder may be what was due
        old = (board for board in due.boards if not board.waits)
        late = [*self._library.lists.to_remind(server.now()).boards, *old]
        self._late = {player for b in late for player in (b.waits or b.players)}

    def step(self, ledger: Player, context: Context) -> Step | None:
        """The offer of a robot for a challenge; or which boards wait for a player, if
        any do: once a day if they want a digest, otherwise if they are late on one and
        due for a reminder. Players on vacation get nothing."""
        if away_until(ledger.vacations, context.now):
            return None
        return self._offer(ledger, context.now) or self._list(ledger, context.now)

    @cached_property
    def _news(self) -> Sequence["Tournament"]:
        """The latest tournaments."""
        if not self._library.store.names(TOURNAMENTS):
            return ()
        from pbm_holomino.commands.tournaments import listed

        return listed(self._library)[0]

    # A robot for a challenge

    def _offer(self, player: Player, now: str) -> Step | None:
        """Offer the robot, once for each challenge that has waited for long."""
        for challenge in self._opened_by.get(player.userid, ()):
            change = Change(Kind.UNTAKEN, (f"{challenge.game}.{challenge.board}",))
            is_offered = any(line.action == change for line in player.log)
            if later(challenge.last_change, WAITS_DAYS) <= now and not is_offered:
                said = f"{challenge.name}: {player.userid} is offered the robot."
                return Step(accounts.listed_to(player, change, "", now), [said])
        return None

    # Digests and reminders

    def _list(self, player: Player, now: str) -> Step | None:
        if not self._may_be_written(player, now):
            return None
        pending = list(self._pending(player.userid))
        if not pending or not _is_due(player, pending, now):
            return None
        change, told = self._letter(player, pending, now)
        if change.kind is Kind.WAITING and self._news:
            from pbm_holomino.letters.tournament_letters import list_news

            since = player.last_list or later(now, -NEWS_DAYS)
            told += content(list_news(self._news, player.userid, since))
        text = plain(spoken(told, player.language_at(now)))
        after = accounts.listed_to(player, change, text, now)
        return Step(after, [_said(player, pending)])

    def _may_be_written(self, player: Player, now: str) -> bool:
        """Whether a player may get another such letter: one a day, of digests one a
        calendar day."""
        last = player.last_list
        if player.gets_digest:
            return last[:10] < now[:10]
        return player.userid in self._late and (not last or later(last, 1) <= now)

    def _pending(self, userid: str) -> Iterator[Pending]:
        """The boards that wait for a player."""
        people = People(self._library)
        for board in self._library.lists.boards_of([userid], "active").boards:
            if board.waits and userid not in board.waits:
                continue
            waits = self._waits(board, people)
            if userid in waits:
                asked = bool(board.waits) and userid in board.unanswered
                yield Pending(board, waits[userid], asked)

    def _waits(self, board: Summary, people: People) -> Mapping[str, Wait]:
        """The players that a board waits for. A file of format 1 does not say, and none
        knows about vacations: then the board must be replayed."""
        accounts = filter(None, map(people.readable, board.waits))
        if board.waits and not any(player.vacations for player in accounts):
            return board.waits
        with suppress(CorruptFile):
            match = self._library.match(board.game, board.board)
            return deadlines.waits(people.at_present(match))
        return board.waits

    def _letter(
        self, player: Player, pending: Sequence[Pending], now: str
    ) -> tuple[Change, Content]:
        """The change of the account that a digest or a reminder is, and what it says
        besides."""
        kind, userid = Kind.REMINDER, player.userid
        if player.gets_digest:
            kind = Kind.WAITING
        elif len(pending) == 1:
            game, board = pending[0].summary.game, pending[0].summary.board
            last = len(self._library.match(game, board).record.log) - 1
            return Change(kind, (game, str(board), pending[0].why, str(last))), ()
        only_asked = all(one.is_challenge for one in pending)
        why = account_letters.ASKED if only_asked else account_letters.TURN
        named = self._named(pending)
        words = (why, *(str(board) for board in named))
        told = list_pending(pending, player, now, self._move(player, pending))
        if player.digest:
            challenges = list(islice(self._open_to(player), MOST_OPEN))
            told += content(list_open(challenges, userid))
        return Change(kind, words), told

    def _named(self, pending: Sequence[Pending]) -> Iterator[account_letters.Reminded]:
        """The boards that a reply to the letter can name, as they are now."""
        for one in pending[:MOST_LINKED]:
            game, board = one.summary.game, one.summary.board
            with suppress(CorruptFile, NotFound):
                last = len(self._library.match(game, board).record.log) - 1
                yield account_letters.Reminded(game, board, last)

    def _move(self, player: Player, pending: Sequence[Pending]) -> str:
        """A move for the first board where it is the player's turn; empty if none can
        be told."""
        turns = (one.summary for one in pending if not one.is_challenge)
        with suppress(CorruptFile, NotFound, StopIteration):
            first = next(turns)
            match = self._library.match(first.game, first.board)
            return next(iter(match.view(player.userid).proposal.moves), "")
        return ""

    def _open_to(self, player: Player) -> Iterator[Match]:
        """The open challenges that a player may take up."""
        people = People(self._library)
        for one in self._open:
            if {player.userid, *player.blocked} & {*one.players}:
                continue
            if people.blockers(one.players, player.userid):
                continue
            with suppress(CorruptFile):
                challenge = self._library.board(one.game, one.board)
                if not challenge.has_begun:
                    yield challenge


def _is_due(player: Player, pending: Iterable[Pending], now: str) -> bool:
    if player.gets_digest:
        return True
    times = (one.remind(player) for one in pending)
    return any("" < time <= now for time in times)


def _said(player: Player, pending: Sequence[Pending]) -> str:
    if player.gets_digest:
        return f"{player.userid} gets a digest."
    if len(pending) > 1:
        return f"{player.userid} is reminded of {len(pending)} boards."
    summary = pending[0].summary
    return f"{summary.name}: {player.userid} is reminded."
