"""What the clock brings to boards and open challenges: players run out of time, and
challenges lapse."""

from collections.abc import Iterator, Mapping, Sequence

from pbm_holomino.match.record import Act, Key, Line
from pbm_holomino.owner import clocks
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.search import Found

_SAID: Mapping[Act | str, str] = {
    Act.FORFEIT: "{who} ran out of time",
    Act.LAPSE: "the challenge has lapsed",
}


class Clock(clocks.Clock):
    """The lines that boards demand. The index says on which of them."""

    def __init__(self, server: Server, folders: Sequence[str], due: Found) -> None:
        super().__init__(server, folders, due)
        self._due = due

    def candidates(self) -> Iterator[Key]:
        """A board whose time has to wait for the end of a vacation is among them."""
        for board in self._due.boards:
            yield Key(board.game, str(board.board))

    def said(self, line: Line) -> str:
        """Who is out of time, or that nobody has come."""
        return _SAID[line.action].format(who=line.who)
