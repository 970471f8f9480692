"""Points and outlines, as SVG writes them.

A cell is a flat-topped hexagon of 60 by 52 units, nearly a regular one, so that its
corners and the middles of its edges have short coordinates. A point is a complex
number; y grows downwards.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.grid import position_to_cell

INK, TILE = "#1c140b", "#f3e2bd"
EDGE, RIM = "#6b4d25", "#a67c46"  # the outline of a tile, and its side
DEPTH = 3j  # by which one sees the side of a tile below its face
HALF_WIDTH, HALF_HEIGHT = 30, 26
_NORTH = (-15 - 26j, 15 - 26j, 30 + 0j)
HEXAGON = (*_NORTH, *(-corner for corner in _NORTH))  # clockwise, from the upper left
_COLUMN, _ROW = 45, 26  # from a cell to the next column and the next row

Shapes = Mapping[str, str]  # the attributes of paths, by the names of the shapes


class Piece(NamedTuple):
    """A tile of a drawing: the positions that it covers, the shape that is its outline,
    and what is drawn on it, in units from the middle of its first cell."""

    positions: tuple[int, ...]
    outline: str
    inside: str


@cache
def middle(position: int) -> complex:
    """The middle of a cell."""
    col, row = position_to_cell(position)
    return complex(col * _COLUMN, row * _ROW)


def inset(outline: Sequence[complex], by: float) -> list[complex]:
    """A clockwise outline with each of its edges moved inwards."""
    moved = []
    for number, here in enumerate(outline):
        before, after = outline[number - 1], outline[(number + 1) % len(outline)]
        arriving, leaving = _unit(here - before), _unit(after - here)
        cosine = (arriving * leaving.conjugate()).real
        moved.append(here + by * 1j * (arriving + leaving) / (1 + cosine))
    return moved


def _unit(vector: complex) -> complex:
    return vector / abs(vector)


def closed(outline: Iterable[complex]) -> str:
    """The attribute of a path through these points and back."""
    points = " ".join(f"{short(point.real)} {short(point.imag)}" for point in outline)
    return f'd="M{points}Z"'


def circle(middle: complex, radius: float) -> str:
    """The part of a path that is a circle."""
    left, r, across = middle - radius, short(radius), short(2 * radius)
    half = f"a{r} {r} 0 1 0"
    return f"M{short(left.real)} {short(left.imag)}{half} {across} 0{half}-{across} 0Z"


def use(shape: str, point: complex = 0, more: str = "") -> str:
    """A shape that is defined once, moved to a point, with more attributes."""
    x = f' x="{short(point.real)}"' if point.real else ""
    y = f' y="{short(point.imag)}"' if point.imag else ""
    return f'<use href="#{shape}"{x}{y}{more}/>'


def solid(outline: str, fill: str = "", side: str = RIM) -> str:
    """A tile of this outline, with its side, in a colour other than that of tiles."""
    face = f' class="face" fill="{fill}"' if fill else ""
    return use(outline, DEPTH, f' class="side" fill="{side}"') + use(outline, 0, face)


def shift(point: complex) -> str:
    """The transformation that moves a group to a point."""
    return f"translate({short(point.real)} {short(point.imag)})"


@lru_cache(maxsize=10_000)
def short(number: float) -> str:
    """A number with two decimals at most."""
    return f"{round(number, 2) + 0:g}"
