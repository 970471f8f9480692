"""Hextiles: two joined hexagons, each with pips or with a colour and its letter."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from pbm_holomino.draw.hextile import PIPS
from pbm_holomino.draw.svg.glyphs import written
from pbm_holomino.draw.svg.shapes import (
    HEXAGON,
    INK,
    TILE,
    Piece,
    Shapes,
    circle,
    closed,
    inset,
    middle,
    use,
)
from pbm_holomino.rules.contract import Drawing, Label
from pbm_holomino.rules.grid import neighbours

_GAP = 2  # between a tile's edge and the edges of its cells
_PIP_STEP, _PIP_RADIUS = 11, 4.2
_LETTER_HEIGHT = 22
# Colours that the colour-blind can tell apart, and that are of different lightness when
# printed in black; each with an ink that can be read on it. They are close to those of
# Okabe and Ito, whose green and purple differ too little for this.
COLOURS = {
    "R": ("#cc4400", "#fff"),
    "G": ("#2bb98f", INK),
    "Y": ("#f0e442", INK),
    "P": ("#6a3d9a", "#fff"),
    "B": ("#000", "#fff"),
}
_PLAIN = (TILE, INK)
# A letter with a mark is smaller, with the mark below it and a ring round both.
_MARKED_HEIGHT, _MARKED_AT = 16, -6j
_MARK_HEIGHT, _MARK_AT, _RING = 8, 10.5j, 19.5


def _joined(way: int) -> list[complex]:
    """The outline of a tile whose second half is that way: from the edge between the
    halves round the first half, and from that edge round the second."""
    first = [*HEXAGON[way + 1 :], *HEXAGON[: way + 1]]
    beyond = first[0] + first[-1]  # the middle of the second half
    return inset([*first, *(beyond - corner for corner in first[1:-1])], _GAP)


def _pips(pattern: Sequence[str]) -> str:
    """The attributes of a path with a disc for each pip of a pattern."""
    rows = enumerate(line.ljust(3) for line in pattern)
    pips = [complex(x - 1, y - 1) for y, row in rows for x in range(3) if row[x] == "o"]
    discs = "".join(circle(_PIP_STEP * pip, _PIP_RADIUS) for pip in pips)
    return f'd="{discs}" fill="{INK}" stroke="none"'


_OUTLINES = [_joined(way) for way in range(6)]
SHAPES: Shapes = {
    "empty": closed(inset(HEXAGON, _GAP)),
    "ring": f'd="{circle(0, _RING)}" fill="none"',
    **{f"tile{way}": closed(outline) for way, outline in enumerate(_OUTLINES)},
    **{f"half{way}": closed(outline[:6]) for way, outline in enumerate(_OUTLINES)},
    **{f"pips{face}": _pips(pattern) for face, pattern in PIPS.items()},
}


def pieces(drawing: Drawing) -> Iterator[Piece]:
    """The tiles of a drawing."""
    faces, labels = drawing.faces, drawing.labels
    for first, second in drawing.joints:
        way = neighbours(first).index(second)
        inside = _inside(
            way,
            (faces[first], labels.get(first)),
            (faces[second], labels.get(second)),
        )
        yield Piece((first, second), f"tile{way}", inside)


_Half = tuple[str, Label | None]  # a face, and what is written beside it


@lru_cache(maxsize=1000)
def _inside(way: int, first: _Half, second: _Half) -> str:
    """What is drawn on a tile whose second half is that way."""
    beyond = middle(neighbours(0)[way])
    halves = _half(*first, way, 0), _half(*second, (way + 3) % 6, beyond)
    fills, faces = map("".join, zip(*halves, strict=True))
    return fills + use(f"tile{way}", more=' fill="none"' if fills else "") + faces


def _half(face: str, label: Label | None, way: int, at: complex) -> tuple[str, str]:
    """What a half has below and above the outline of its tile, whose other half is that
    way."""
    if face in PIPS:
        return "", use(f"pips{face}", at)
    colour, ink = COLOURS.get(face, _PLAIN)
    fill = use(f"half{way}", at, f' fill="{colour}" stroke="{colour}"')
    if label is None:
        return fill, written(face, at, _LETTER_HEIGHT, ink)
    letter = written(face, at + _MARKED_AT, _MARKED_HEIGHT, ink)
    mark = written(label.text, at + _MARK_AT, _MARK_HEIGHT, ink)
    return fill, use("ring", at, f' stroke="{ink}"') + letter + mark
