"""Times in the form that logs have, such as `2026-11-20T08:00:00Z`, always in UTC: the
later of two is the greater."""

import time
from datetime import datetime, timedelta

_FORM = "%Y-%m-%dT%H:%M:%SZ"


def parse_time(text: str) -> datetime:
    """The time that a text says. Raises ValueError."""
    return datetime.fromisoformat(text)


def is_time(text: str) -> bool:
    """Whether a text says a time."""
    try:
        parse_time(text)
    except ValueError:
        return False
    return True


def format_time(moment: datetime) -> str:
    """A time as logs have it."""
    return f"{moment:{_FORM}}"


def time_at(seconds: float | None = None) -> str:
    """The time of that many seconds of the epoch, or else the present one."""
    return time.strftime(_FORM, time.gmtime(seconds))


def seconds_between(since: str, until: str) -> int:
    """How many seconds there are from one time to another. Raises ValueError."""
    return int((parse_time(until) - parse_time(since)).total_seconds())


def later(text: str, days: int = 0, seconds: int = 0) -> str:
    """The time that long after another. Raises ValueError if it is not a time."""
    return format_time(parse_time(text) + timedelta(days, seconds))
