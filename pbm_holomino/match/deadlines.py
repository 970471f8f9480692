"""How long a board has waited for its players, and what is due by the clock.

No clock of a player runs while they are on vacation, if the match has its vacations.
If the server's clock was set back, no time counts as passed until it catches up.
"""

from collections.abc import Mapping

from pbm_holomino.match.board import Match
from pbm_holomino.match.record import NOBODY, Act, Line, Record
from pbm_holomino.match.times import later
from pbm_holomino.match.vacations import Vacations, extended, united
from pbm_holomino.named_tuples import NamedTuple

CHALLENGE_DAYS = 21  # until an unanswered challenge lapses


_OFFERS = (Act.PROPOSE, Act.PAUSE, Act.UNDO)


class Wait(NamedTuple):
    """Since when a board has waited for a player, until when (empty if for ever), and
    when a line of the board last reminded them (only in format 1)."""

    since: str
    until: str = ""
    reminded: str = ""

    def remind(self, nag: int, listed: str = "", vacations: Vacations = ()) -> str:
        """When to remind the player next, every `nag` days; empty if `nag` is 0.
        `listed` is when they last got a list of the boards that wait for them."""
        since = max(self.since, self.reminded, listed)
        return _after(since, nag, vacations) if nag else ""


def format_wait(wait: Wait) -> str:
    """A wait as files have it."""
    return f"{wait.since} {wait.until or NOBODY}"


def _after(since: str, days: int, vacations: Vacations) -> str:
    """The time that many days after another, not counting vacations."""
    until = later(since, days)
    return extended(since, until, vacations) if vacations else until


def waiting_since(match: Match, who: str) -> str:
    """Since when it has been this player's turn."""
    return match.record.log[match.turn_began(who)].time


def lapse_time(match: Match) -> str:
    """When the challenge lapses, as the last of the players who have not answered runs
    out of time; empty if everybody has answered it."""
    record = match.record
    if match.result is not None or not record.unanswered:
        return ""
    vacations = (match.away.get(who, ()) for who in record.unanswered)
    asked = record.log[0].time
    return max(_after(asked, CHALLENGE_DAYS, each) for each in vacations)


def forfeit_time(match: Match, who: str) -> str:
    """When a player whose turn it is runs out of time; empty if never. The clock does
    not run until everybody has accepted the challenge, and never for robots."""
    record = match.record
    if record.clock is not None:
        from pbm_holomino.match import clocks  # few boards have them

        return clocks.falls(match, who)
    if not record.forfeit or record.unanswered or who in record.robots:
        return ""
    since = waiting_since(match, who)
    if record.format > 1:
        since = max(since, record.taken_up)
    still = united(match.away.get(who, ()), match.pauses) if match.pauses else ()
    return _after(since, record.forfeit, still or match.away.get(who, ()))


def waits(match: Match) -> dict[str, Wait]:
    """The players that a board waits for: those who have not answered the challenge,
    those whose turn it is, and robots that have an offer to answer."""
    if match.result is not None:
        return {}
    record, lapses = match.record, lapse_time(match)
    asked = {who: Wait(record.log[0].time, lapses) for who in record.unanswered}
    turns = {who: _wait(match, who) for who in match.turn if who not in asked}
    return {**asked, **turns, **_answers(match)}


def _answers(match: Match) -> dict[str, Wait]:
    """The robots that have an offer to answer, and since when."""
    asked = match.robots_asked
    if not asked:
        return {}
    log = reversed(match.record.log)
    offered = next(line.time for line in log if line.action in _OFFERS)
    return {who: Wait(offered) for who in asked}


def _wait(match: Match, who: str) -> Wait:
    began, *lines = match.record.log[match.turn_began(who) :]
    nags = [line.time for line in lines if (line.action, line.who) == (Act.NAG, who)]
    since = max([began.time, *(pause.until for pause in match.pauses)])
    return Wait(since, forfeit_time(match, who), max(nags, default=""))


def due(match: Match, now: str) -> list[tuple[str, Act]]:
    """The acts that the clock demands by now: the player, and LAPSE or FORFEIT."""
    lapses = lapse_time(match)
    if lapses:
        return [(NOBODY, Act.LAPSE)] if lapses <= now else []
    times = {who: forfeit_time(match, who) for who in match.turn}
    return [(who, Act.FORFEIT) for who, time in times.items() if "" < time <= now]


def unwritten(match: Match, now: str) -> list[Line]:
    """The lines about vacations that the log of a board with clocks lacks."""
    if match.record.clock is None or not match.away or not match.has_begun:
        return []
    from pbm_holomino.match import clocks  # few boards have them

    return list(clocks.unwritten(match, now))


def runs_out(waiting: Mapping[str, Wait]) -> str:
    """When time next runs out on a board that waits so; empty if never."""
    return min(filter(None, (wait.until for wait in waiting.values())), default="")


def next_due(record: Record, waiting: Mapping[str, Wait]) -> str:
    """When the clock next has something to do on a board that waits so; empty if never.
    On boards of format 1 reminders count too, as version 1.0 logged them there."""
    times = [runs_out(waiting)]
    if record.format == 1:
        times += [wait.remind(record.nag) for wait in waiting.values()]
    return min(filter(None, times), default="")
