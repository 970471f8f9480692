"""What there is only so much of, dealt out by networks: connections, streams, bytes.

Whoever asks gets a share as long as there is room. When there is none, the network that
has most of it gives up what it was given first, or last: so nobody who takes all that
they can get keeps others out.
"""

from typing import Generic, TypeVar

_Thing = TypeVar("_Thing")


class Shares(Generic[_Thing]):
    """The shares of things, each of which belongs to a network; `most` in all. Where
    there is no room, what came last goes, unless the `oldest` is to go."""

    def __init__(self, most: int, oldest: bool = False) -> None:
        self._most = most
        self._oldest = oldest
        self._held: dict[str, dict[_Thing, int]] = {}  # in the order in which they came
        self._sums: dict[str, int] = {}
        self._networks: dict[_Thing, str] = {}

    @property
    def total(self) -> int:
        """All that is held now."""
        return sum(self._sums.values())

    def take(self, network: str, thing: _Thing, size: int = 1) -> list[_Thing]:
        """Give a thing of a network a share in place of what it had. Returns the things
        that have lost theirs by that, to be ended by the caller. It may be among
        them."""
        self.leave(thing)
        self._held.setdefault(network, {})[thing] = size
        self._sums[network] = self._sums.get(network, 0) + size
        self._networks[thing] = network
        lost = []
        while self.total > self._most:
            largest = max(self._sums, key=self._sums.__getitem__)
            held = self._held[largest]
            goes = next(iter(held) if self._oldest else reversed(held))
            self.leave(goes)
            lost.append(goes)
        return lost

    def leave(self, thing: _Thing) -> None:
        """Give back what a thing has, if it has any."""
        network = self._networks.pop(thing, None)
        if network is None:
            return
        self._sums[network] -= self._held[network].pop(thing)
        if not self._held[network]:
            del self._held[network], self._sums[network]
