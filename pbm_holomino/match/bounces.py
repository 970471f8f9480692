"""Addresses that letters do not reach.

What counts are the days on which letters were written that came back, so a letter
counts once, however often it comes back. An address is dead after three such days
within a week, until its player is heard of from it or gives others. Letters that were
written until then do not count any more, even if they come back later.
"""

from collections.abc import Sequence

from pbm_holomino.match.times import later
from pbm_holomino.named_tuples import NamedTuple

ENOUGH, PERIOD = 3, 7  # so many days within so many days
_HEARD = "heard:"


class Bounces(NamedTuple):
    """The days, in order, on which letters were written that did not reach an
    address; and until which day they do not count, as the player was `heard` of then,
    empty if there was nothing to forget."""

    address: str
    days: tuple[str, ...]
    heard: str = ""

    def __str__(self) -> str:
        heard = (f"{_HEARD}{self.heard}",) if self.heard else ()
        return " ".join((self.address, *heard, *self.days))

    @property
    def is_dead(self) -> bool:
        return len(self.days) == ENOUGH

    def is_about(self, address: str) -> bool:
        """Whether this is the address, in any spelling."""
        return self.address.lower() == address.lower()

    def after(self, day: str) -> "Bounces":
        """The same with one more day, and without those that are too long before the
        last one."""
        if self.is_dead or day <= self.heard:
            return self
        days = sorted({*self.days, day})
        return self._replace(days=tuple(d for d in days if is_within(d, days[-1])))


def parse_bounces(text: str) -> Bounces:
    """The bounces that a file has. Raises ValueError."""
    address, *words = text.split(" ")
    heard, *days = words if words[:1] and words[0].startswith(_HEARD) else ("", *words)
    heard = heard.removeprefix(_HEARD)
    every = [heard, *days] if heard else days
    if not every or len(days) > ENOUGH or every != sorted({*map(_day, every)}):
        raise ValueError("the days of bounces are wrong")
    return Bounces(address, tuple(days), heard)


def _day(text: str) -> str:
    return later(text, 0)[:10]


def is_within(day: str, last: str) -> bool:
    """Whether a day and a later one are within a week."""
    return later(day, PERIOD)[:10] > last


def with_bounce(had: Sequence[Bounces], address: str, day: str) -> tuple[Bounces, ...]:
    """The bounces after one more letter, written on this day, has not reached an
    address."""
    of_it = next((each for each in had if each.is_about(address)), None)
    return (*without(had, address), (of_it or Bounces(address, ())).after(day))


def after_word(had: Sequence[Bounces], address: str, today: str) -> tuple[Bounces, ...]:
    """The bounces when the player has been heard of from an address: those of it are
    forgotten. That they are is forgotten after a week, as no older letter counts."""
    of_it = next((each for each in had if each.is_about(address)), None)
    if of_it is None:
        return tuple(had)
    if of_it.days:
        return (*without(had, address), Bounces(address, (), today))
    return tuple(had) if is_within(of_it.heard, today) else without(had, address)


def without(had: Sequence[Bounces], address: str) -> tuple[Bounces, ...]:
    """The bounces without those of an address."""
    return tuple(each for each in had if not each.is_about(address))
