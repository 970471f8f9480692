"""The clocks of a board's players, as they follow from its log.

A clock runs while it is its player's turn, once everybody has accepted the challenge.
It stands still during the player's vacations, outages of the server and pauses of the
board: all of these are in the log. Robots have no clocks.
"""

from collections.abc import Iterator, Sequence

from pbm_holomino.match.board import Clocks, Match, Step
from pbm_holomino.match.record import TICKED, Act, Line, Record, answers, unanswered
from pbm_holomino.match.vacations import Vacation, Vacations, ran, runs_out, united

VACATION, OUTAGE = "vacation", "outage"  # why a clock stands still
_HOUR = 3600  # seconds


def begun(record: Record, step: Step) -> Clocks:
    """The clocks of a board that begins with the last line of a record's log."""
    assert record.clock is not None
    people, line = record.people, record.log[-1]
    asked = unanswered(people, record.challenger, record.log)
    turn = _turn(record, asked, step)
    banks = dict.fromkeys(people, record.clock.bank * _HOUR)
    return Clocks(banks, dict.fromkeys(turn, line.time), asked=asked)


def after(match: Match, line: Line, step: Step) -> Clocks:
    """The clocks after one more line, with its step. What accounts say of vacations
    does not count here."""
    record, before = match.record, match.steps[-1]
    clocks, clock = before.clocks, record.clock
    assert clocks is not None
    assert clock is not None
    if not line.time:  # a preview
        return clocks
    if line.action is Act.EXCUSED:
        return _excused(clocks, line)
    asked = clocks.asked
    if answers(line):
        asked = tuple(who for who in asked if who != line.who)
    turn, is_back = _turn(record, asked, step), step.ply < before.ply
    goes_on = {
        who: since
        for who, since in clocks.running.items()
        if who in turn and not is_back and (who != line.who or line.no is None)
    }
    banks = {
        who: bank if who in goes_on else _left(match, who, line.time)
        for who, bank in clocks.banks.items()
    }
    added = clocks.added[: step.ply]
    taken_back = zip(before.moves[step.ply :], clocks.added[step.ply :], strict=True)
    for index, more in taken_back:
        if (who := record.log[index].who) in banks:
            banks[who] = max(0, banks[who] - more)
    if step.ply > before.ply:
        had = banks.get(line.who, clock.most * _HOUR)
        more = min(clock.adds * _HOUR, clock.most * _HOUR - had)
        added = (*added, more)
        banks |= {line.who: had + more} if line.who in banks else {}
    running = {who: goes_on.get(who, line.time) for who in turn}
    return clocks._replace(banks=banks, running=running, added=added, asked=asked)


def _turn(record: Record, asked: Sequence[str], step: Step) -> Sequence[str]:
    """The players whose clocks run after a step."""
    if step.result is not None or asked:
        return ()
    turn = (record.players[seat] for seat in record.rules.to_move(step.state))
    return [who for who in turn if who not in record.robots]


def _excused(clocks: Clocks, line: Line) -> Clocks:
    """The clocks after a line that says when one of them stands still."""
    why, since, until = line.argument.split(" ")
    spell = Vacation(since, until)
    if why == OUTAGE:
        spells = united(clocks.outages.get(line.who, ()), [spell])
        return clocks._replace(outages={**clocks.outages, line.who: spells})
    away = _from_then_on(clocks.away.get(line.who, ()), spell)
    return clocks._replace(away={**clocks.away, line.who: away})


def _from_then_on(had: Vacations, vacation: Vacation) -> list[Vacation]:
    """Vacations, when from the beginning of another on only this one counts."""
    since = vacation.since
    kept = [Vacation(v.since, min(v.until, since)) for v in (*had, vacation)]
    return [v for v in [*kept[:-1], vacation] if v.since < v.until]


def _left(match: Match, who: str, now: str) -> int:
    """What a player has left at a time, by the log alone."""
    clocks = match.steps[-1].clocks
    assert clocks is not None
    bank, since = clocks.banks[who], clocks.running.get(who)
    if since is None:
        return bank
    away = clocks.away.get(who, ())
    still = united(away, clocks.outages.get(who, ()), match.pauses)
    return max(0, bank - ran(since, now, still))


def falls(match: Match, who: str) -> str:
    """When a player's clock will have run out, by the log and by what the player's
    account says of vacations; empty if it does not run."""
    clocks = match.steps[-1].clocks
    since = clocks.running.get(who) if clocks else None
    if clocks is None or since is None:
        return ""
    away = clocks.away.get(who, ())
    for vacation in _unknown(clocks, who, match.away.get(who, ())):
        away = _from_then_on(away, vacation)
    still = united(away, clocks.outages.get(who, ()), match.pauses)
    return runs_out(since, clocks.banks[who], still)


def unwritten(match: Match, now: str) -> Iterator[Line]:
    """The lines that the log lacks about vacations of players whose clocks run: their
    accounts know of these. With all of them, times follow from the log alone."""
    if (clocks := match.steps[-1].clocks) is None:
        return
    for who in clocks.running:
        for vacation in _unknown(clocks, who, match.away.get(who, ())):
            if vacation.since <= now:
                yield excused(who, VACATION, vacation, now)


def _unknown(clocks: Clocks, who: str, away: Vacations) -> Iterator[Vacation]:
    """Those vacations of a player whose clock runs that the log does not have, or not
    as they are by now."""
    written = clocks.away.get(who, ())
    for vacation in away:
        begins = [each.since for each in written]
        matters = vacation.until > clocks.running[who] or vacation.since in begins
        if matters and vacation not in written:
            written = _from_then_on(written, vacation)
            yield vacation


def stops(match: Match, who: str, now: str) -> bool:
    """Whether a player's clock runs, or has been stopped for a time that is not over:
    then the log has to say when a vacation begins and ends."""
    if (clocks := match.steps[-1].clocks) is None or match.result is not None:
        return False
    stopped = any(each.until > now for each in clocks.away.get(who, ()))
    return stopped or who in clocks.running


def excused(who: str, why: str, spell: Vacation, now: str) -> Line:
    """The line that says why and when a player's clock stands still."""
    return Line(None, now, who, TICKED, Act.EXCUSED, f"{why} {spell}")


def flags(match: Match) -> Iterator[tuple[Line, str]]:
    """The lines by which clocks have run out, each with the time when that was due by
    the lines before it."""
    for index, line in enumerate(match.record.log):
        if match.record.clock is not None and line.action is Act.FORFEIT:
            yield line, falls(match.at(index - 1)._replace(away={}), line.who)
