"""Words for places: directions, and lists of positions."""

from collections.abc import Container, Iterable

from pbm_holomino.rules.grid import neighbours
from pbm_holomino.sentences import listed

WAYS = ("north", "north-east", "south-east", "south", "south-west", "north-west")


def numbers(positions: Iterable[int], word: str = "and") -> str:
    """Positions in a list: `7, 8 and 9`."""
    return listed([*map(str, positions)], word)


def near(taken: Container[int], at: int) -> list[tuple[int, int]]:
    """The taken cells beside a position, each with the way to it."""
    return [(way, n) for way, n in enumerate(neighbours(at)) if n in taken]
