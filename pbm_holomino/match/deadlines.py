"""How long players have been waited for, and what is due by the clock then.

Times are UTC, as logs write them; a time that is before another counts as none
gone by, so that a clock that was set back does no harm.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from pbm_holomino.match.board import Match
from pbm_holomino.match.record import NOBODY, Act

CHALLENGE_DAYS = 21  # that a challenge may wait for its answer


class Wait(NamedTuple):
    """Since when a player has been waited for on a board, until when (empty for ever),
    and when a line of the board last reminded them, as boards of format 1 do."""

    since: str
    until: str = ""
    told: str = ""

    def remind(self, nag: int, told: str = "") -> str:
        """When the player is to be reminded, every `nag` days (0 for never); `told` is
        when they were last written which boards wait for them. Empty for never."""
        return later(max(self.since, self.told, told), nag) if nag else ""


def later(time: str, days: int) -> str:
    """The time so many days after another."""
    then = datetime.fromisoformat(time) + timedelta(days=days)
    return f"{then:%Y-%m-%dT%H:%M:%SZ}"


def waiting_since(match: Match, who: str) -> str:
    """Since when a player, whose turn it is, has been waited for."""
    return match.record.log[match.turn_began(who)].time


def lapse_time(match: Match) -> str:
    """When the challenge lapses, if it still waits for an answer; otherwise empty."""
    record = match.record
    if match.result is not None or not record.unanswered:
        return ""
    return later(record.log[0].time, CHALLENGE_DAYS)


def forfeit_time(match: Match, who: str) -> str:
    """When a player, whose turn it is, loses by the clock; empty for never. The clock
    does not run before everybody has taken up the challenge."""
    record = match.record
    if not record.forfeit or record.unanswered:
        return ""
    since = waiting_since(match, who)
    if record.format > 1:
        since = max(since, record.taken_up)
    return later(since, record.forfeit)


def waits(match: Match) -> dict[str, Wait]:
    """Who is waited for: those who have not answered the challenge, and whose turn it
    is."""
    if match.result is not None:
        return {}
    record, lapses = match.record, lapse_time(match)
    asked = {who: Wait(record.log[0].time, lapses) for who in record.unanswered}
    turns = {who: _wait(match, who) for who in match.turn if who not in asked}
    return {**asked, **turns}


def _wait(match: Match, who: str) -> Wait:
    began, *lines = match.record.log[match.turn_began(who) :]
    nags = [line.time for line in lines if (line.action, line.who) == (Act.NAG, who)]
    return Wait(began.time, forfeit_time(match, who), max(nags, default=""))


def due(match: Match, now: str) -> list[tuple[str, Act]]:
    """What the clock has to do on a board by now: who, and LAPSE or FORFEIT."""
    lapses = lapse_time(match)
    if lapses:
        return [(NOBODY, Act.LAPSE)] if lapses <= now else []
    times = {who: forfeit_time(match, who) for who in match.turn}
    return [(who, Act.FORFEIT) for who, time in times.items() if "" < time <= now]


def next_due(match: Match) -> str:
    """The first time at which the clock will have something to do on a board; empty for
    never. On boards of format 1 reminders count, as version 1.0 noted them so."""
    times = [lapse_time(match), *(forfeit_time(match, who) for who in match.turn)]
    if match.record.format == 1:
        times += [wait.remind(match.record.nag) for wait in waits(match).values()]
    return min(filter(None, times), default="")
