"""What the clock brings to boards and open challenges: players run out of time, and
challenges lapse."""

from collections.abc import Iterator, Mapping, Sequence

from pbm_holomino.match.board import Match
from pbm_holomino.match.clocks import OUTAGE as OUTAGES
from pbm_holomino.match.clocks import excused
from pbm_holomino.match.deadlines import forfeit_time
from pbm_holomino.match.record import Act, Key, Line
from pbm_holomino.match.times import later
from pbm_holomino.match.vacations import Vacation
from pbm_holomino.owner import clocks
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.contract import OUTAGE
from pbm_holomino.store.search import Found

_SAID: Mapping[Act | str, str] = {
    Act.FORFEIT: "{who} ran out of time",
    Act.LAPSE: "the challenge has lapsed",
    Act.EXCUSED: "the clock of {who} does not run now",
}


class Clock(clocks.Clock):
    """The lines that boards demand. The index says on which of them."""

    def __init__(self, server: Server, folders: Sequence[str], due: Found) -> None:
        super().__init__(server, folders, due)
        self._due = due
        self._outage = server.store.remembered(OUTAGE)

    def candidates(self) -> Iterator[Key]:
        """A board whose time has to wait for the end of a vacation is among them."""
        for board in self._due.boards:
            yield Key(board.game, str(board.board))

    def instead(self, ledger: Match, line: Line) -> Line:
        """A clock that has run out while the server was away goes on a day later."""
        if line.action is not Act.FORFEIT or ledger.record.clock is None:
            return line
        if not line.time < self._outage <= later(line.time, 1):
            return line
        fell = forfeit_time(ledger, line.who)
        return excused(line.who, OUTAGES, Vacation(fell, self._outage), line.time)

    def said(self, line: Line) -> str:
        """Who is out of time, or that nobody has come."""
        return _SAID[line.action].format(who=line.who)
