"""Hexagons with three corners bitten off, read by the digits at their corners."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from pbm_holomino.draw.words.places import LINES, WAYS, Beside, near
from pbm_holomino.languages import InARow, Listed, Sentence, sentence, together
from pbm_holomino.rules.contract import Drawing

CAN_GO = sentence(
    "Empty cells where a tile can go, with the numbers that it needs there:"
)

# The digits in the order of a face, and which of them is at each of a tile's edges, by
# the way that the edge faces.
CORNERS = (
    sentence("upper left {digits}"),
    sentence("right {digits}"),
    sentence("lower left {digits}"),
)
_CORNER_AT = (0, 1, 1, 2, 2, 0)
CELL = sentence("{position}: {corners}.")
_NEEDS = sentence("A tile there needs {corners}.")
_BESIDE_IT = sentence("Beside it: {others}.")


def names(drawing: Drawing) -> Iterable[Sentence]:
    """Nothing: the name of a tile is the numbers at its corners."""
    return ()


def count(drawing: Drawing) -> int:
    """How many tiles lie on the board."""
    return len(drawing.faces)


def tiles(
    drawing: Drawing, ends: Collection[int], tiles: Iterable[tuple[int, ...]]
) -> Iterator[Sentence]:
    """A line for each tile at these positions."""
    for (at,) in tiles:
        yield _line(at, drawing.faces[at], near(drawing.faces, at))


def cells(drawing: Drawing, positions: Iterable[int]) -> Iterator[Sentence]:
    """A line for each of these empty cells."""
    for at in positions:
        yield _line(at, _needed(drawing, at), near(drawing.faces, at))


def beside(drawing: Drawing, at: int) -> Iterator[Sentence]:
    """What a tile needs at an empty cell, and the tiles beside it."""
    yield _NEEDS.of(corners=_told(_needed(drawing, at)))
    yield _BESIDE_IT.of(others=_others(near(drawing.faces, at)))


@lru_cache(maxsize=LINES)
def _line(at: int, corners: Sequence[str], beside: Beside) -> Sentence:
    """The digits at the corners of a cell, and the tiles beside it."""
    line = CELL.of(position=at, corners=_told(corners))
    if not beside:
        return line
    return together([line, _BESIDE_IT.of(others=_others(beside))])


def _told(corners: Sequence[str]) -> InARow:
    told = zip(CORNERS, corners, strict=True)
    known = ((corner, [d for d in digits if d != "."]) for corner, digits in told)
    return InARow(
        corner.of(digits=Listed(digits)) for corner, digits in known if digits
    )


def _others(beside: Beside) -> InARow:
    return InARow(WAYS[way].of(what=n) for way, n in beside)


def _needed(drawing: Drawing, at: int) -> tuple[str, ...]:
    """The digits of a tile at the corners that touch others."""
    needed = ["", "", ""]
    for way, beside in near(drawing.faces, at):
        corner = _CORNER_AT[way]
        digit = drawing.faces[beside][_CORNER_AT[(way + 3) % len(WAYS)]]
        needed[corner] += digit if digit not in needed[corner] else ""
    return (*needed,)
