"""Words for places: directions, and lists of positions."""

from collections.abc import Container, Iterable

from pbm_holomino.languages import Listed, sentence
from pbm_holomino.rules.grid import neighbours

# A page is made anew after each move, which changes few lines of its board: so many are
# remembered.
LINES = 4_000
Beside = tuple[tuple[int, int], ...]  # taken cells, each with the way to it

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


def near(taken: Container[int], at: int) -> Beside:
    """The taken cells beside a position, each with the way to it."""
    return (*[(way, n) for way, n in enumerate(neighbours(at)) if n in taken],)
