"""Vacations of players: times that count on no clock."""

from collections.abc import Sequence
from datetime import timedelta

from pbm_holomino.match.times import (
    format_time,
    later,
    parse_time,
    seconds_between,
)
from pbm_holomino.named_tuples import NamedTuple

MOST_DAYS, PERIOD = 30, 365  # that many days of vacation in any so many days
# After so many days no clock can have begun before a vacation: none runs for longer
# than 365 days, and a vacation makes it longer by what it lasts.
_REMEMBERED = 500


class Vacation(NamedTuple):
    """A vacation, from one time to another."""

    since: str
    until: str

    def __str__(self) -> str:
        return f"{self.since} {self.until}"

    def has(self, time: str) -> bool:
        """Whether a time is in it."""
        return self.since <= time < self.until


Vacations = Sequence[Vacation]  # of one player, in order, none of which overlap


def parse_vacation(text: str) -> Vacation:
    """The vacation that a file has. Raises ValueError."""
    since, until = text.split(" ")
    if not later(since, 0) < later(until, 0):
        raise ValueError("a vacation ends before it begins")
    return Vacation(since, until)


def extended(since: str, until: str, vacations: Vacations) -> str:
    """When a clock that began at `since` has run out, if without vacations that is at
    `until`: it does not run during them."""
    end = parse_time(until)
    for vacation in vacations:
        begins = max(since, vacation.since)
        if begins < vacation.until and parse_time(begins) < end:
            end += parse_time(vacation.until) - parse_time(begins)
    return format_time(end)


def runs_out(since: str, seconds: int, still: Vacations) -> str:
    """When a clock that began at `since` may run out, which has so many seconds. It
    never does while it stands still, even if it was empty before."""
    end = parse_time(since) + timedelta(seconds=seconds)
    for spell in still:
        begins = max(since, spell.since)
        if begins < spell.until:
            lasts = parse_time(spell.until) - parse_time(begins)
            end = max(end, parse_time(begins)) + lasts
    return format_time(end)


def united(*spans: Vacations) -> Vacations:
    """Times of several kinds as one sequence, in order and without overlaps."""
    merged = list[Vacation]()
    for span in sorted(span for each in spans for span in each):
        if merged and span.since <= merged[-1].until:
            merged[-1] = Vacation(merged[-1].since, max(span.until, merged[-1].until))
        else:
            merged.append(span)
    return merged


def ran(since: str, until: str, vacations: Vacations) -> int:
    """For how many seconds a clock ran between two times, as it does not run during
    these vacations; 0 if the server's clock was set back meanwhile."""
    runs = [
        (since, until),
        *((max(v.since, since), min(v.until, until)) for v in vacations),
    ]
    lasts = [max(0, seconds_between(*run)) for run in runs]
    return lasts[0] - sum(lasts[1:])


def away_until(vacations: Vacations, now: str) -> str:
    """When the present vacation ends; empty if there is none."""
    return next((v.until for v in vacations if v.has(now)), "")


def begun(vacations: Vacations, now: str, days: int) -> tuple[Vacation, ...]:
    """The vacations after one of so many days begins, in place of the rest of the
    present one; with 0, that only ends."""
    present = next((v.since for v in vacations if v.has(now)), now)
    remembered = [v for v in vacations if v.until <= now < later(v.until, _REMEMBERED)]
    until = later(now, days)
    return (*remembered, *[Vacation(present, until)] * (present < until))


def days_left(vacations: Vacations, now: str) -> int:
    """The most days that a vacation may last which begins now, in place of the rest of
    the present one. Each vacation counts as whole days."""
    for days in range(MOST_DAYS, 0, -1):
        then = begun(vacations, now, days)
        if _days_taken(then, later(now, days - PERIOD)) <= MOST_DAYS:
            return days
    return 0


def _days_taken(vacations: Vacations, since: str) -> int:
    """The days of vacations from a time on."""
    taken = (parse_time(v.until) - parse_time(max(since, v.since)) for v in vacations)
    return sum(max(0, -(-time // timedelta(days=1))) for time in taken)
