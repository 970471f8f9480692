"""How long players have been waited for, and what is due by the clock then.

Times are UTC, as logs write them; a time that is before another counts as none
gone by, so that a clock that was set back does no harm.
"""

from datetime import datetime, timedelta

from pbm_holomino.board import FORFEIT, NAG, Match


def later(time: str, days: int) -> str:
    """The time so many days after another."""
    then = datetime.fromisoformat(time) + timedelta(days=days)
    return f"{then:%Y-%m-%dT%H:%M:%SZ}"


def waiting_since(match: Match, who: str) -> str:
    """Since when a player, whose turn it is, has been waited for."""
    return match.record.log[match.turn_began(who)].time


def forfeit_time(match: Match, who: str) -> str:
    """When a player, whose turn it is, loses by the clock; empty for never."""
    return _times(match, who).get(FORFEIT, "")


def _times(match: Match, who: str) -> dict[str, str]:
    """When a player, whose turn it is, is to be told FORFEIT and NAG, in this order, so
    far as the board has them."""
    record = match.record
    first, *lines = record.log[match.turn_began(who) :]
    nags = (line.time for line in lines if (line.what, line.who) == (NAG, who))
    last = {
        FORFEIT: (first.time, record.forfeit),
        NAG: (max((first.time, *nags)), record.nag),
    }
    return {act: later(time, days) for act, (time, days) in last.items() if days}


def due(match: Match, now: str) -> list[tuple[str, str]]:
    """Who is to be told what by now: players with FORFEIT or NAG."""
    acts = []
    for who in match.turn:
        times = _times(match, who)
        # who forfeits is not reminded
        acts += [(who, act) for act, time in times.items() if time <= now][:1]
    return acts


def next_due(match: Match) -> str:
    """The first time at which something will be due on a board; empty for never."""
    times = [time for who in match.turn for time in _times(match, who).values()]
    return min(times, default="")
