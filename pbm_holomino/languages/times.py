"""Times as people say them: `until Monday evening`."""

from datetime import datetime, timedelta, tzinfo

from pbm_holomino.languages import UTC, Moment, Sentence, sentence

# Whole sentences, as each language puts such words together in its own way: for each
# day, from Monday on, its parts.
_UNTIL = (
    (
        sentence("until Monday morning"),
        sentence("until Monday afternoon"),
        sentence("until Monday evening"),
        sentence("until Monday night"),
    ),
    (
        sentence("until Tuesday morning"),
        sentence("until Tuesday afternoon"),
        sentence("until Tuesday evening"),
        sentence("until Tuesday night"),
    ),
    (
        sentence("until Wednesday morning"),
        sentence("until Wednesday afternoon"),
        sentence("until Wednesday evening"),
        sentence("until Wednesday night"),
    ),
    (
        sentence("until Thursday morning"),
        sentence("until Thursday afternoon"),
        sentence("until Thursday evening"),
        sentence("until Thursday night"),
    ),
    (
        sentence("until Friday morning"),
        sentence("until Friday afternoon"),
        sentence("until Friday evening"),
        sentence("until Friday night"),
    ),
    (
        sentence("until Saturday morning"),
        sentence("until Saturday afternoon"),
        sentence("until Saturday evening"),
        sentence("until Saturday night"),
    ),
    (
        sentence("until Sunday morning"),
        sentence("until Sunday afternoon"),
        sentence("until Sunday evening"),
        sentence("until Sunday night"),
    ),
)
_MORNING, *_LATER = 5, 12, 17, 22  # the hours at which the parts of a day begin


_WEEK = timedelta(days=6)  # in which each day of the week comes once
_UNTIL_THEN = sentence("until {when}")


def until_when(time: str, now: str, zone: str) -> Sentence:
    """Until when somebody has time, who reads times in this zone: by the day of the
    week where that is soon. In UTC, which is nobody's day, it is a date."""
    if zone != UTC:
        from pbm_holomino.languages import zones  # for those who have chosen one

        there = zones.zone(zone)
        left = datetime.fromisoformat(time) - datetime.fromisoformat(now)
        if there is not None and timedelta() <= left < _WEEK:
            return until(time, there)
    return _UNTIL_THEN.of(when=Moment(time))


def until(time: str, zone: tzinfo) -> Sentence:
    """Until when somebody in this zone has time, by the day of the week: for times of
    the coming week, as logs have them. A night belongs to the day before it."""
    begun = datetime.fromisoformat(time).astimezone(zone) - timedelta(hours=_MORNING)
    parts = _UNTIL[begun.weekday()]
    return parts[sum(begun.hour >= hour - _MORNING for hour in _LATER)]
