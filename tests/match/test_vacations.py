"""Vacations: they stop a player's clocks, and there are not too many of them."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.match import deadlines
from pbm_holomino.match.record import NOBODY, Act
from pbm_holomino.match.times import later
from pbm_holomino.match.vacations import (
    Vacation,
    away_until,
    begun,
    days_left,
    extended,
    parse_vacation,
)
from tests.boards import Case, opened
from tests.club import day
from tests.sizes import sized

HOUR = timedelta(hours=1)
START = datetime(2026, 11, 20)


def at(hours: float) -> str:
    return f"{START + hours * HOUR:%Y-%m-%dT%H:%M:%SZ}"


def trip(first: float, last: float) -> Vacation:
    return Vacation(at(first), at(last))


# Vacations that do not overlap, in order: in hours from the start, before and after it.
def trips_of(hours: list[int]) -> list[Vacation]:
    """Vacations that begin and end at these times in turn."""
    return [trip(*sorted(hours)[n : n + 2]) for n in range(0, len(hours) - 1, 2)]


BREAKS = st.lists(st.integers(-1000, 1000), max_size=12, unique=True).map(trips_of)


@settings(max_examples=sized(40, 100))
@given(BREAKS, st.integers(0, 500))
def test_a_clock_runs_in_the_hours_that_are_no_vacation(
    trips: list[Vacation], hours: int
) -> None:
    """Counted hour by hour, as a person would do it."""
    ran = now = 0
    while ran < hours:
        ran += not any(each.has(at(now)) for each in trips)
        now += 1
    assert extended(at(0), at(hours), trips) == at(now)


@given(BREAKS, st.integers(0, 500), st.integers(0, 500), st.integers(1, 100))
def test_one_more_vacation_in_its_time_adds_what_it_lasts(
    trips: list[Vacation], hours: int, first: int, lasts: int
) -> None:
    before = [each for each in trips if each.until <= at(first)]
    end = extended(at(0), at(hours), before)
    then = extended(at(0), at(hours), [*before, trip(first, first + lasts)])
    counts = at(first) < end
    assert then == at_after(end, lasts if counts else 0)


def at_after(time: str, hours: int) -> str:
    return f"{datetime.fromisoformat(time) + hours * HOUR:%Y-%m-%dT%H:%M:%SZ}"


@pytest.mark.parametrize(
    ("trips", "end"),
    [
        ([], 100),
        ([trip(-50, -10)], 100),  # it was over
        ([trip(-50, 0)], 100),
        ([trip(-50, 20)], 120),  # only what is left of it
        ([trip(10, 30)], 120),
        ([trip(90, 290)], 300),
        ([trip(90, 290), trip(295, 300)], 305),  # the second is in the time added
        ([trip(90, 290), trip(300, 310)], 300),  # the time had run out
        ([trip(100, 200)], 100),
        ([trip(0, 10), trip(20, 30), trip(50, 60)], 130),
    ],
)
def test_a_clock_of_a_hundred_hours(trips: list[Vacation], end: int) -> None:
    assert extended(at(0), at(100), trips) == at(end)


# Thirty days in any 365


def test_a_vacation_begins_at_once_and_ends_after_its_days() -> None:
    trips = begun((), day(0), 14)
    assert trips == (Vacation(day(0), day(14)),)
    assert away_until(trips, day(0)) == away_until(trips, day(13)) == day(14)
    assert away_until(trips, day(14)) == away_until(trips, day(-1)) == ""


def test_a_vacation_is_made_longer_or_shorter_from_now_on() -> None:
    trips = begun((), day(0), 14)
    assert begun(trips, day(10), 10) == (Vacation(day(0), day(20)),)
    assert begun(trips, day(10), 1) == (Vacation(day(0), day(11)),)


def test_a_vacation_that_ends_early_was_as_long_as_it_lasted() -> None:
    trips = begun((), day(0), 14)
    assert begun(trips, day(3), 0) == (Vacation(day(0), day(3)),)
    assert begun(trips, day(0), 0) == ()


def test_a_vacation_after_another() -> None:
    trips = begun(begun((), day(0), 5), day(9), 5)
    assert trips == (Vacation(day(0), day(5)), Vacation(day(9), day(14)))


@pytest.mark.parametrize(
    ("taken", "now", "left"),
    [
        ([], 0, 30),
        ([(0, 10)], 20, 20),
        ([(0, 30)], 40, 0),
        ([(0, 30)], 10, 20),  # it began ten days ago, and may end in twenty
        ([(0, 30)], 364, 0),  # 365 days from any of those thirty end too late
        ([(0, 30)], 365, 30),
        ([(0, 0.5), (1, 1.5)], 2, 28),  # a part of a day counts as a day
        ([(0, 1), (100, 110), (300, 315)], 320, 4),
        ([(0, 1), (100, 110), (300, 315)], 363, 5),
    ],
)
def test_the_days_that_are_left(
    taken: list[tuple[float, float]], now: int, left: int
) -> None:
    trips = [trip(24 * first, 24 * last) for first, last in taken]
    assert days_left(trips, at(24 * now)) == left


@settings(max_examples=sized(40, 100))
@given(st.lists(st.tuples(st.integers(1, 90), st.integers(0, 30)), max_size=25))
def test_no_365_days_have_more_than_thirty_of_vacation(
    plans: list[tuple[int, int]],
) -> None:
    trips: tuple[Vacation, ...] = ()
    away: set[int] = set()
    now = 0
    for pause, days in plans:
        now += pause
        if days <= days_left(trips, day(now)):
            away -= set(range(now, 5000))
            away |= set(range(now, now + days))
            trips = begun(trips, day(now), days)
    for first in range(max(away, default=0)):
        assert len(away & set(range(first, first + 365))) <= 30
    assert len(trips) <= 50
    kept = {n for n in away if any(each.has(day(n)) for each in trips)}
    assert kept >= {n for n in away if n > now - 365}


def test_old_vacations_are_forgotten_when_no_clock_can_remember_them() -> None:
    old = (Vacation(day(0), day(5)),)
    assert begun(old, day(504), 3) == (*old, Vacation(day(504), day(507)))
    assert begun(old, day(505), 3) == (Vacation(day(505), day(508)),)


def test_no_clock_runs_for_longer_than_vacations_are_remembered() -> None:
    """The longest: 365 days, with thirty days of vacation in each of its years."""
    trips = [Vacation(day(0), day(30)), Vacation(day(365), day(395))]
    end = extended(day(0), day(365), trips)
    assert end == day(425)
    assert begun(trips, end, 1)[:2] == tuple(trips)


# In a file


def test_a_vacation_is_read_as_it_was_written() -> None:
    assert parse_vacation(str(trip(0, 5))) == trip(0, 5)


@pytest.mark.parametrize(
    "text", ["", at(0), f"{at(0)} soon", f"{at(5)} {at(0)}", f"{at(0)} {at(0)}"]
)
def test_words_that_are_no_vacation(text: str) -> None:
    with pytest.raises(ValueError, match="."):
        parse_vacation(text)


# The clocks of a board


def test_the_clock_of_a_player_stops_and_that_of_the_other_does_not() -> None:
    board = opened(Case("holo", 2, {}))
    alice, bob = board.record.players
    until = deadlines.forfeit_time(board, alice)
    began = board.record.log[0].time
    trips = begun((), began, 10)
    assert deadlines.forfeit_time(board._replace(away={bob: trips}), alice) == until
    board = board._replace(away={alice: trips})
    assert deadlines.due(board, until) == []
    late = later(until, 10)
    assert deadlines.forfeit_time(board, alice) == late
    assert deadlines.waits(board)[alice].until == late
    assert deadlines.due(board, late) == [(alice, Act.FORFEIT)]


def test_a_challenge_lapses_when_the_last_of_those_asked_is_out_of_time() -> None:
    board = opened(Case("holo", 2, {}))
    alice, bob = board.record.players
    board = board._replace(record=board.record._replace(challenger=alice))
    assert board.record.unanswered == (bob,)
    began = board.record.log[0].time
    until = later(began, 21)
    assert deadlines.lapse_time(board) == until
    board = board._replace(away={bob: begun((), began, 5)})
    late = later(began, 26)
    assert deadlines.lapse_time(board) == late
    assert deadlines.due(board, until) == []
    assert deadlines.due(board, late) == [(NOBODY, Act.LAPSE)]


def test_reminders_pause() -> None:
    wait = deadlines.Wait(day(0))
    assert wait.remind(7, "", begun((), day(3), 10)) == day(17)
    assert wait.remind(7, day(8), begun((), day(3), 2)) == day(15)
    assert wait.remind(0, "", begun((), day(3), 10)) == ""
