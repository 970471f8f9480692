"""Hexagons with three corners bitten off, read by the digits at their corners."""

from collections.abc import Collection, Iterable, Iterator

from pbm_holomino.draw.words.ways import WAYS, near
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.sentences import listed

WHAT = "the numbers that it needs there"

# The digits in the order of a face, and which of them is at each of a tile's edges, by
# the way that the edge faces.
_CORNERS = ("upper left", "right", "lower left")
_CORNER_AT = (0, 1, 1, 2, 2, 0)


def count(drawing: Drawing) -> int:
    """How many tiles lie on the board."""
    return len(drawing.faces)


def tiles(drawing: Drawing, ends: Collection[int]) -> Iterator[str]:
    """A line for each tile."""
    for at, face in sorted(drawing.faces.items()):
        corners = zip(_CORNERS, face, strict=True)
        digits = ", ".join(f"{corner} {digit}" for corner, digit in corners)
        yield f"{at}: {digits}.{_beside(drawing, at)}"


def cells(drawing: Drawing, positions: Iterable[int]) -> Iterator[str]:
    """A line for each of these empty cells."""
    for at in positions:
        yield f"{at}: {_needs(drawing, at)}.{_beside(drawing, at)}"


def _needs(drawing: Drawing, at: int) -> str:
    """The digits of a tile at the corners that touch others."""
    needed: list[list[str]] = [[], [], []]
    for way, beside in near(drawing.faces, at):
        digits = needed[_CORNER_AT[way]]
        digit = drawing.faces[beside][_CORNER_AT[(way + 3) % len(WAYS)]]
        digits += [digit] if digit not in digits else []
    corners = zip(_CORNERS, needed, strict=True)
    return ", ".join(
        f"{corner} {listed(digits)}" for corner, digits in corners if digits
    )


def _beside(drawing: Drawing, at: int) -> str:
    others = ", ".join(f"{WAYS[way]} {n}" for way, n in near(drawing.faces, at))
    return f" Beside it: {others}." if others else ""
