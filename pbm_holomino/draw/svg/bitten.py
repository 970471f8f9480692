"""Hexagons with three corners bitten off.

A tile has the outline of three small hexagons round its middle, each with a digit; the
hole that three tiles leave is one more such hexagon.
"""

from collections.abc import Iterator
from functools import cache

from pbm_holomino.draw.svg.glyphs import written
from pbm_holomino.draw.svg.shapes import INK, Piece, Shapes, closed, solid
from pbm_holomino.rules.contract import Drawing

# From each corner with a digit, clockwise, round the next bite.
_THIRDS = (
    (-15 - 26j, -26j, 7.5 - 13j, 22.5 - 13j),
    (30 + 0j, 22.5 + 13j, 7.5 + 13j, 26j),
    (-15 + 26j, -22.5 + 13j, -15 + 0j, -22.5 - 13j),
)
_TILE = [point for third in _THIRDS for point in third]
_DIGITS = (-7.5 - 13j, 15 + 0j, -7.5 + 13j)  # the middles of the small hexagons
_DIGIT_HEIGHT = 15

SHAPES: Shapes = {"tile": closed(_TILE), "empty": closed(_TILE)}


def pieces(drawing: Drawing) -> Iterator[Piece]:
    """The tiles of a drawing."""
    for position, face in drawing.faces.items():
        yield Piece((position,), "tile", _inside(face))


def alone(name: str, owner: int) -> Drawing | None:
    """The tile of this name; None if it is not the name of one."""
    is_tile = len(name) == len(_DIGITS) and name.isdigit()
    return Drawing("bitten", {0: name}) if is_tile else None


@cache
def _inside(face: str) -> str:
    digits = zip(face, _DIGITS, strict=True)
    return solid("tile") + "".join(
        written(digit, at, _DIGIT_HEIGHT, INK) for digit, at in digits
    )
