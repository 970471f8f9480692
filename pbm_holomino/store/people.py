"""The accounts that a command is about, each read once."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pbm_holomino.errors import CorruptFile, PbmError
from pbm_holomino.match.account import ALL, DELETED, Player, is_nameless
from pbm_holomino.match.board import Match
from pbm_holomino.store.library import Library

if TYPE_CHECKING:
    from pbm_holomino.match.former import Names
    from pbm_holomino.match.tournament import Tournament
    from pbm_holomino.store.summary import Summary


class People:
    """The accounts of a library as one command finds them.

    The command is judged, carried out and answered by these, so that each account is
    read once, when it is first asked for.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._found: dict[str, Player | CorruptFile | None] = {}

    def keep(self, player: Player) -> None:
        """From here on, the account is as given: the command has changed it."""
        self._found[player.userid] = player

    def read(self, userids: Iterable[str]) -> None:
        """Read these accounts now, for whoever writes letters later."""
        for userid in userids:
            self.readable(userid)

    def account(self, userid: str) -> Player | None:
        """An account, even one that was deleted. Raises CorruptFile."""
        if userid not in self._found:
            try:
                self._found[userid] = self._library.account(userid)
            except CorruptFile as damage:
                self._found[userid] = damage
        account = self._found[userid]
        if isinstance(account, CorruptFile):
            raise account
        return account

    def player(self, userid: str) -> Player | None:
        """The account of a player who is here. Raises CorruptFile."""
        account = self.account(userid)
        return None if account is None or account.status == DELETED else account

    def readable(self, userid: str) -> Player | None:
        """The account of a player who is here, if their file is not damaged."""
        try:
            return self.player(userid)
        except CorruptFile:
            return None

    def is_nameless(self, userid: str) -> bool:
        """Whether a player has left, and does not want to be named any more."""
        try:
            account = self.account(userid)
        except CorruptFile:
            return False
        return account is not None and is_nameless(account)

    def signed_on(self) -> dict[str, Player]:
        """The players who are signed on, by their userids."""
        return self._library.signed_on()

    def at_present(self, match: Match) -> Match:
        """The match with the vacations of its players, those whom letters do not reach,
        and those who want all moves proposed, as far as their accounts can be read."""
        accounts = list(filter(None, map(self.readable, match.seated)))
        return self.named(match, match.shows_seed)._replace(
            away={p.userid: p.vacations for p in accounts if p.vacations},
            unreached=tuple(p.userid for p in accounts if p.is_unreached),
            wanting_all=tuple(p.userid for p in accounts if p.moves == ALL),
        )

    def with_wish(
        self, match: Match, reader: str | None, is_past: bool = False
    ) -> Match:
        """The match, which may be as it was in the past, with whether this reader, if
        it is one, wants all moves proposed."""
        match = self.named(match, is_past or match.shows_seed)
        player = self.readable(reader) if reader else None
        if player is None or player.moves != ALL:
            return match
        return match._replace(wanting_all=(player.userid,))

    def named(self, match: Match, may_be_over: bool = True) -> Match:
        """The match without the names of those who have left and do not want to be
        named; as it is if the game is not over, as nobody leaves others."""
        shown = self._shown(match.record.players) if may_be_over else {}
        if not shown:
            return match
        from pbm_holomino.match.former import renamed  # few players leave so

        return renamed(match, shown)

    def unname(self, error: PbmError, match: Match | None) -> None:
        """Have an error name none of those either, if it is about a match."""
        is_over = match is not None and match.result is not None
        shown = self._shown(match.record.players) if match and is_over else {}
        if shown:
            from pbm_holomino.match.former import renamed_in

            error.said = renamed_in(error.said, shown)

    def in_lists(self, boards: "Iterable[Summary]") -> "Iterator[Summary]":
        """The same of boards in lists."""
        for board in boards:
            shown = self._shown(board.players) if board.result else {}
            yield board.named(shown) if shown else board

    def in_table(self, tournament: "Tournament") -> "Tournament":
        """The same of a tournament that is over."""
        shown = self._shown(tournament.players) if tournament.is_over else {}
        if not shown:
            return tournament
        from pbm_holomino.match.former import entered

        return entered(tournament, shown)

    def _shown(self, players: Iterable[str]) -> "Names":
        """What is shown in place of those of these players who are not named."""
        gone = [name for name in players if self.is_nameless(name)]
        if not gone:
            return {}
        from pbm_holomino.match import former

        return former.names(gone)

    def blockers(self, userids: Iterable[str], who: str) -> list[str]:
        """Those of these players who have blocked another one."""
        accounts = filter(None, map(self.readable, userids))
        return [player.userid for player in accounts if who in player.blocked]
