"""The accounts that a command is about, each read once."""

from collections.abc import Iterable

from pbm_holomino.errors import CorruptFile
from pbm_holomino.match.account import ALL, DELETED, Player
from pbm_holomino.match.board import Match
from pbm_holomino.store.library import Library


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

    def signed_on(self) -> dict[str, Player]:
        """The players who are signed on, by their userids."""
        return self._library.signed_on()

    def at_present(self, match: Match) -> Match:
        """The match with the vacations of its players, those whom letters do not reach,
        and those who want all moves proposed, as far as their accounts can be read."""
        accounts = list(filter(None, map(self.readable, match.seated)))
        return match._replace(
            away={p.userid: p.vacations for p in accounts if p.vacations},
            unreached=tuple(p.userid for p in accounts if p.is_unreached),
            wanting_all=tuple(p.userid for p in accounts if p.moves == ALL),
        )

    def with_wish(self, match: Match, reader: str) -> Match:
        """The match with whether this reader wants all moves proposed."""
        player = self.readable(reader)
        wants_all = player is not None and player.moves == ALL
        return match._replace(wanting_all=(reader,)) if wants_all else match

    def blockers(self, userids: Iterable[str], who: str) -> list[str]:
        """Those of these players who have blocked another one."""
        accounts = filter(None, map(self.readable, userids))
        return [player.userid for player in accounts if who in player.blocked]
