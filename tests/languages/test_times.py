"""Until when somebody has time, in their zone and in words."""

import calendar
from datetime import UTC, timedelta, timezone

import pytest

from pbm_holomino.languages.times import until

EAST, WEST = (timezone(timedelta(hours=hours)) for hours in (2, -9))


@pytest.mark.parametrize(
    ("time", "words"),
    [
        ("2026-11-23T18:00:00Z", "until Monday evening"),
        ("2026-11-23T16:59:59Z", "until Monday afternoon"),
        ("2026-11-23T11:59:00Z", "until Monday morning"),
        ("2026-11-23T05:00:00Z", "until Monday morning"),
        ("2026-11-23T04:59:00Z", "until Sunday night"),
        ("2026-11-23T22:00:00Z", "until Monday night"),
        ("2026-11-24T00:30:00Z", "until Monday night"),
    ],
)
def test_the_parts_of_a_day(time: str, words: str) -> None:
    assert str(until(time, UTC)) == words


def test_each_reader_has_their_own_evening() -> None:
    time = "2026-11-29T20:30:00Z"  # a Sunday
    assert str(until(time, UTC)) == "until Sunday evening"
    assert str(until(time, EAST)) == "until Sunday night"
    assert str(until(time, WEST)) == "until Sunday morning"


def test_each_day_of_the_week_has_four_parts() -> None:
    days = range(23, 30)
    said = [
        str(until(f"2026-11-{day}T{hour:02}:00:00Z", UTC))
        for day in days
        for hour in (6, 13, 18, 23)
    ]
    names = calendar.day_name
    parts = ("morning", "afternoon", "evening", "night")
    assert said == [f"until {day} {part}" for day in names for part in parts]
