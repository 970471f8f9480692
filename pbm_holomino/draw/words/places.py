"""Words for places: directions, and lists of positions."""

from collections.abc import Container, Iterable

from pbm_holomino.languages import Listed, sentence
from pbm_holomino.rules.grid import neighbours

# What is beside something, in each direction: items of a list.
WAYS = (
    sentence("north {what}"),
    sentence("north-east {what}"),
    sentence("south-east {what}"),
    sentence("south {what}"),
    sentence("south-west {what}"),
    sentence("north-west {what}"),
)


def numbers(positions: Iterable[int]) -> Listed:
    """Positions in a list: `7, 8 and 9`."""
    return Listed(map(str, positions))


def near(taken: Container[int], at: int) -> list[tuple[int, int]]:
    """The taken cells beside a position, each with the way to it."""
    return [(way, n) for way, n in enumerate(neighbours(at)) if n in taken]
