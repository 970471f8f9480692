"""Addresses that letters do not reach.

What counts are the days on which letters were written that came back, so a letter
counts once, however often it comes back. An address is dead after three such days
within a week, until its player is heard of from it or gives others.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pbm_holomino.match.times import later

ENOUGH, PERIOD = 3, 7  # so many days within so many days


class Bounces(NamedTuple):
    """The days, in order, on which letters were written that did not reach an
    address."""

    address: str
    days: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.address, *self.days))

    @property
    def is_dead(self) -> bool:
        return len(self.days) == ENOUGH

    def is_about(self, address: str) -> bool:
        """Whether this is the address, in any spelling."""
        return self.address.lower() == address.lower()

    def after(self, day: str) -> "Bounces":
        """The same with one more day, and without those that are too long before the
        last one."""
        if self.is_dead:
            return self
        days = sorted({*self.days, day})
        return self._replace(days=tuple(d for d in days if is_within(d, days[-1])))


def parse_bounces(text: str) -> Bounces:
    """The bounces that a file has. Raises ValueError."""
    address, *days = text.split(" ")
    if not 0 < len(days) <= ENOUGH or days != sorted({later(d, 0)[:10] for d in days}):
        raise ValueError("the days of bounces are wrong")
    return Bounces(address, tuple(days))


def is_within(day: str, last: str) -> bool:
    """Whether a day and a later one are within a week."""
    return later(day, PERIOD)[:10] > last


def with_bounce(had: Sequence[Bounces], address: str, day: str) -> tuple[Bounces, ...]:
    """The bounces after one more letter, written on this day, has not reached an
    address."""
    found = next((each for each in had if each.is_about(address)), None)
    return (*without(had, address), (found or Bounces(address, ())).after(day))


def without(had: Sequence[Bounces], address: str) -> tuple[Bounces, ...]:
    """The bounces without those of an address."""
    return tuple(each for each in had if not each.is_about(address))
