"""Sealed draws: chance that nobody can bend and everybody can check afterwards."""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Protocol

from pbm_holomino.named_tuples import NamedTuple

SEED_BYTES = 32
_SPAN = 1 << 256


def seal(seed: bytes) -> str:
    """The SHA-256 of a seed in hex, which players know from the first letter on."""
    return hashlib.sha256(seed).hexdigest()


class LeftOpen(Exception):
    """A draw that is not made: somebody thinks a game over, and leaves it open."""


class Draws(Protocol):
    """Something that draws can be made from."""

    def pick(self, drawn: int, things: Sequence[str]) -> tuple[int, int]:
        """The index of the next of these things after `drawn` draws, and the new
        count. Raises LeftOpen."""


class Chance(NamedTuple):
    """The draws of one board.

    A draw among n things is HMAC-SHA-256 with the seed as key and the draw's
    number, in ASCII decimal, as message, read big-endian, modulo n. Values that
    would favour the lower numbers are passed over and the count goes on. The
    count starts at 1; a game counts its own draws from 0, after the `seated`
    draws that gave the players their seats.
    """

    seed: bytes
    seated: int = 0

    def draw(self, drawn: int, size: int) -> tuple[int, int]:
        """The next index below `size` after `drawn` draws, and the new count."""
        fair = _SPAN - _SPAN % size
        while True:
            drawn += 1
            message = str(self.seated + drawn).encode("ascii")
            digest = hmac.digest(self.seed, message, "sha256")
            value = int.from_bytes(digest, "big")
            if value < fair:
                return value % size, drawn

    def pick(self, drawn: int, things: Sequence[str]) -> tuple[int, int]:
        """See Draws.pick."""
        return self.draw(drawn, len(things))


class Drawn(NamedTuple):
    """A draw that was made: its number, the index of what was drawn,
    and how many things it was among."""

    number: int
    chosen: int
    size: int


class Witness:
    """Draws made by a chance, and written down."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.draws: list[Drawn] = []

    def draw(self, drawn: int, size: int) -> tuple[int, int]:
        """See Chance.draw."""
        index, drawn = self.chance.draw(drawn, size)
        self.draws.append(Drawn(self.chance.seated + drawn, index, size))
        return index, drawn

    def pick(self, drawn: int, things: Sequence[str]) -> tuple[int, int]:
        """See Draws.pick."""
        return self.draw(drawn, len(things))


def shuffled(names: Sequence[str], chance: Draws) -> tuple[tuple[str, ...], int]:
    """The names in the order in which they are drawn, and how many draws that took.
    The last name needs none: two names take one draw."""
    left, order, drawn = sorted(names), [], 0
    while len(left) > 1:
        index, drawn = chance.pick(drawn, left)
        order.append(left.pop(index))
    return (*order, *left), drawn
