"""Zones of the clock, by their names in the database that most systems have, such as
`Europe/Berlin`.

Nothing here is loaded but for readers who have chosen a zone. A machine without the
database knows no zone; what is read there is in UTC.
"""

from collections.abc import Iterable
from copy import copy
from datetime import datetime, tzinfo
from functools import cache, partial
from zoneinfo import ZoneInfo, available_timezones

from pbm_holomino.languages import UTC, Language

_NOT_PLACES = {"Factory", "localtime"}  # which the database has, too


@cache
def zone(name: str) -> tzinfo | None:
    """The zone of this name; None for UTC, and for one that is not known here."""
    if name == UTC:
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):  # a broken file is one of these, too
        return None


@cache
def names() -> frozenset[str]:
    """All zones that are known here, and UTC."""
    return frozenset({UTC, *available_timezones()} - _NOT_PLACES)


def are_known() -> bool:
    """Whether this machine has a database of zones."""
    return len(names()) > 1


def meant(word: str) -> str:
    """The zone that somebody means by its name, or by that of its city; empty if there
    is none here, or more than one."""
    typed = word.casefold()
    known = {name.casefold(): name for name in names()}
    if typed in known:
        return known[typed]
    cities = [name for name in known if name.rpartition("/")[2] == typed]
    places = {known[city] for city in cities if not city.startswith("etc/")}
    return places.pop() if len(places) == 1 else ""


def near(word: str) -> str:
    """The zone whose name, or whose city's, is nearest to a word; empty if none is."""
    from pbm_holomino.sentences import nearest

    typed = word.casefold()
    whole = {name.casefold(): name for name in names()}
    cities = {short.rpartition("/")[2]: name for short, name in whole.items()}
    known: dict[str, str] = {**cities, **whole} if "/" in typed else cities
    return known.get(nearest(typed, known), "")


def in_zone(language: Language, name: str) -> Language:
    """A language as those read it who have chosen a zone."""
    found = zone(name)
    if found is None:
        return language
    zoned = copy(language)
    zoned.zone, zoned.local = name, partial(_local, found)
    return zoned


def _local(there: tzinfo, time: str) -> str:
    """A log's time by the clock of a zone, in the same form: `2026-11-20T09:00`. A bare
    day stays as it is, and a time that no calendar has there."""
    if "T" not in time:
        return time
    try:
        moment = datetime.fromisoformat(time).astimezone(there)
    except (OverflowError, ValueError):
        return time
    return f"{moment:%Y-%m-%dT%H:%M}"


def unknown(chosen: Iterable[str]) -> set[str]:
    """Those of the zones that players have chosen which are not known here."""
    return {name for name in chosen if name != UTC and zone(name) is None}
