"""Leagues, which players join."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pbm_holomino.commands.context import Context
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import NotAllowed, NotFound
from pbm_holomino.match.ledgers import Kind
from pbm_holomino.match.record import (
    NOBODY,
    TICKED,
    Key,
    LogLine,
    format_line,
    parse_log,
)
from pbm_holomino.match.times import later

JOIN, CLOSE = "!join", "!close"
DAYS = 3  # after which a league is closed


class League(NamedTuple):
    """A league: its number, and a line for each player who has joined it."""

    number: int
    log: tuple[LogLine[str], ...] = ()

    @property
    def key(self) -> Key:
        return Key("leagues", str(self.number))

    @property
    def members(self) -> list[str]:
        return [line.who for line in self.log if line.action == JOIN]


class _Leagues(Kind[League]):
    named_after = "a league's number"

    def load(self, key: Key, data: Mapping[str, Any], earlier: League | None) -> League:
        return League(int(key.name), tuple(map(parse_log, data["log"])))

    def dump(self, ledger: League) -> dict[str, Any]:
        return {"log": [format_line(line) for line in ledger.log]}

    def after(self, ledger: League, line: LogLine[str]) -> League:
        return ledger._replace(log=(*ledger.log, line))

    def due(self, ledger: League, now: str) -> list[LogLine[str]]:
        is_open = ledger.log and ledger.log[-1].action != CLOSE
        if not is_open or later(ledger.log[0].time, DAYS) > now:
            return []
        return [LogLine(None, now, NOBODY, TICKED, CLOSE)]

    def missing(self, key: Key) -> NotFound:
        return NotFound(f"There is no league {key.name}.")


KIND = _Leagues()


def join(request: Request, context: Context, league: League) -> League:
    """The league with one more member."""
    who = request.userid
    if who in league.members:
        raise NotAllowed(f"You are in league {league.number}.")
    line = LogLine(None, context.now, who, request.origin.mail, JOIN)
    return KIND.after(league, line)
