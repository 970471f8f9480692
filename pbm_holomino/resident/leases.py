"""Things of which each is done by one process at a time."""

from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

from pbm_holomino.match.times import parse_time
from pbm_holomino.server.transaction import Server

_PAUSE = 60.0  # seconds until a thing with which something is wrong is tried again

ThingT = TypeVar("ThingT")


class Leases(Generic[ThingT]):
    """The things that this process may do. Each period of so many `seconds`, whoever is
    the first to claim a thing may do it; claims are counted in a `folder` of the
    store's counters."""

    def __init__(self, server: Server, folder: str, seconds: int) -> None:
        self._server = server
        self._folder = folder
        self._seconds = seconds
        self._held = dict[ThingT, tuple[int, str]]()  # and how they were claimed
        # Things that are tried later, and when: others are at them, or they failed
        self._leased = dict[ThingT, float]()
        self._failed = dict[ThingT, float]()

    def late(self) -> set[ThingT]:
        """The things that are left alone for now."""
        now = monotonic()
        for later in (self._leased, self._failed):
            for thing in [thing for thing, due in later.items() if due <= now]:
                del later[thing]
        return {*self._leased, *self._failed}

    def take(self, thing: ThingT, words: Callable[[int], str]) -> bool:
        """Whether this process is the one to do a thing for now, which it claims by the
        words for the number of a period. If not, the thing is late until the lease of
        another may have ended."""
        now = int(parse_time(self._server.now()).timestamp())
        period, passed = divmod(now, self._seconds)
        claim = words(period)
        if self._held.get(thing) == (period, claim):
            return True
        counters = self._server.store.counters
        if counters.claim(self._folder, f"{period}", {claim: (1, 1)}):
            self._held[thing] = period, claim
            return True
        self._leased[thing] = monotonic() + self._seconds - passed
        return False

    def leave_alone(self, thing: ThingT) -> None:
        """Something is wrong with a thing: it is late for a while."""
        self._failed[thing] = monotonic() + _PAUSE

    @property
    def until_free(self) -> float | None:
        """Seconds until a thing is free that another process has leased; None if there
        is none."""
        times = self._leased.values()
        return max(0.0, min(times) - monotonic()) if times else None
