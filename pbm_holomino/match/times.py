"""Times in the form that logs have, such as `2026-11-20T08:00:00Z`, always in UTC: the
later of two is the greater."""

from datetime import datetime, timedelta


def parse_time(text: str) -> datetime:
    """The time that a text says. Raises ValueError."""
    return datetime.fromisoformat(text)


def format_time(time: datetime) -> str:
    """A time as logs have it."""
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"


def later(time: str, days: int) -> str:
    """The time that many days after another. Raises ValueError if it is not a time."""
    return format_time(parse_time(time) + timedelta(days=days))
