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
    days = match.record.forfeit
    return later(waiting_since(match, who), days) if days else ""


def _nag_time(match: Match, who: str) -> str:
    """When a player is to be reminded; empty for never."""
    record = match.record
    log = record.log[match.turn_began(who) :]
    reminded = [line.time for line in log[1:] if (line.what, line.who) == (NAG, who)]
    last = max((log[0].time, *reminded))
    return later(last, record.nag) if record.nag else ""


def due(match: Match, now: str) -> list[tuple[str, str]]:
    """Who is to be told what by now: players with FORFEIT or NAG."""
    acts = []
    for who in match.turn:
        times = {FORFEIT: forfeit_time(match, who), NAG: _nag_time(match, who)}
        acts += [(who, act) for act, time in times.items() if time and time <= now][:1]
    return acts


def next_due(match: Match) -> str:
    """The first time at which something will be due on a board; empty for never."""
    times = [
        time
        for who in match.turn
        for time in (forfeit_time(match, who), _nag_time(match, who))
        if time
    ]
    return min(times, default="")
