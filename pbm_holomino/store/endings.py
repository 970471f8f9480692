"""Games that have ended and count, in their order, and checksums of sets of them."""

import hashlib
from collections.abc import Iterable, Sequence

from pbm_holomino.named_tuples import NamedTuple

SIGN_BITS = 60  # so that the sum of two signs is a whole number for SQLite
FIRST = ("", 0)  # comes before every time and board


class Ending(NamedTuple):
    """A game that has ended and counts: when, on which board, and the places of its
    players, 1 being the first. Endings count in their order."""

    time: str
    board: int
    places: tuple[tuple[str, int], ...]

    @property
    def sign(self) -> int:
        """A hash. Adding up the signs of many endings makes a checksum of the set."""
        text = f"{self.time} {self.board} {self.places}"
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest, "big") % (1 << SIGN_BITS)


class Totals(NamedTuple):
    """Checksum of a set of endings: how many they are, and the sum of their signs."""

    endings: int = 0
    total: int = 0

    def plus(self, endings: Iterable[Ending]) -> "Totals":
        """The totals of the set with these."""
        signs = [ending.sign for ending in endings]
        total = (self.total + sum(signs)) % (1 << SIGN_BITS)
        return Totals(self.endings + len(signs), total)

    def without(self, endings: Iterable[Ending]) -> "Totals":
        """The totals of the set without these, which must be in it."""
        signs = [ending.sign for ending in endings]
        total = (self.total - sum(signs)) % (1 << SIGN_BITS)
        return Totals(self.endings - len(signs), total)


class History(NamedTuple):
    """The endings of a game: the totals of all, and in their order those that came
    after some time and board."""

    totals: Totals
    latest: list[Ending]

    @classmethod
    def of(cls, endings: Sequence[Ending], after: tuple[str, int]) -> "History":
        """The history of these endings, which are in their order."""
        return cls(Totals().plus(endings), [e for e in endings if e[:2] > after])
