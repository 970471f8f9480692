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
from pbm_holomino.named_tuples import NamedTuple
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
# The tiles of each player, where they belong to players: what fills them, and their
# pips.
_PALE = "#fdf6e6"
SIDES = (_PLAIN, ("#4b4038", _PALE))
# In a corner of a half that covers others, how many lie there.
_HEIGHT_AT, _HEIGHT, _DISC = 21, 9.5, 6.5
# A letter with a mark is smaller, with the mark below it and a ring round both.
_MARKED_HEIGHT, _MARKED_AT = 16, -6j
_MARK_HEIGHT, _MARK_AT, _RING = 8, 10.5j, 19.5


def _joined(way: int) -> list[complex]:
    """The outline of a tile whose second half is that way: from the edge between the
    halves round the first half, and from that edge round the second."""
    first = [*HEXAGON[way + 1 :], *HEXAGON[: way + 1]]
    beyond = first[0] + first[-1]  # the middle of the second half
    return inset([*first, *(beyond - corner for corner in first[1:-1])], _GAP)


def _pips(pattern: Sequence[str], ink: str) -> str:
    """The attributes of a path with a disc for each pip of a pattern."""
    rows = enumerate(line.ljust(3) for line in pattern)
    pips = [complex(x - 1, y - 1) for y, row in rows for x in range(3) if row[x] == "o"]
    discs = "".join(circle(_PIP_STEP * pip, _PIP_RADIUS) for pip in pips)
    return f'd="{discs}" fill="{ink}" stroke="none"'


_OUTLINES = [_joined(way) for way in range(6)]
SHAPES: Shapes = {
    "empty": closed(inset(HEXAGON, _GAP)),
    "ring": f'd="{circle(0, _RING)}" fill="none"',
    "alone": closed(inset(HEXAGON, _GAP)),
    "disc": f'd="{circle(0, _DISC)}" stroke="none"',
    **{f"tile{way}": closed(outline) for way, outline in enumerate(_OUTLINES)},
    **{f"half{way}": closed(outline[:6]) for way, outline in enumerate(_OUTLINES)},
    **{f"pips{face}": _pips(pattern, INK) for face, pattern in PIPS.items()},
    **{f"pale{face}": _pips(pattern, _PALE) for face, pattern in PIPS.items()},
}


def pieces(drawing: Drawing) -> Iterator[Piece]:
    """The tiles of a drawing, and the halves of those that are covered in part."""
    for first, second in drawing.joints:
        way = neighbours(first).index(second)
        inside = _inside(way, _half_at(drawing, first), _half_at(drawing, second))
        yield Piece((first, second), f"tile{way}", inside)
    joined = {position for joint in drawing.joints for position in joint}
    for position in sorted(drawing.faces.keys() - joined):
        yield Piece((position,), "alone", _alone(_half_at(drawing, position)))


class _Half(NamedTuple):
    """A half of a tile: its face, what is written beside it, the seat of its owner, and
    how many halves lie there."""

    face: str
    label: Label | None
    owner: int
    height: int

    @property
    def colours(self) -> tuple[str, str]:
        """What fills it, and the ink on it."""
        return COLOURS.get(self.face, SIDES[self.owner > 0])


def _half_at(drawing: Drawing, position: int) -> _Half:
    return _Half(
        drawing.faces[position],
        drawing.labels.get(position),
        drawing.owners.get(position, 0),
        drawing.tiles_at(position),
    )


@lru_cache(maxsize=1000)
def _inside(way: int, first: _Half, second: _Half) -> str:
    """What is drawn on a tile whose second half is that way."""
    beyond = middle(neighbours(0)[way])
    fills = _fill(first, way, 0) + _fill(second, (way + 3) % 6, beyond)
    outline = use(f"tile{way}", more=' fill="none"' if fills else "")
    return fills + outline + _written(first, 0) + _written(second, beyond)


@lru_cache(maxsize=1000)
def _alone(half: _Half) -> str:
    """What is drawn on a half whose other half is covered."""
    return use("alone", more=f' fill="{half.colours[0]}"') + _written(half, 0)


def _fill(half: _Half, way: int, at: complex) -> str:
    """What a half has below the outline of its tile, whose other half is that way."""
    colour, _ = half.colours
    if colour == TILE:
        return ""
    return use(f"half{way}", at, f' fill="{colour}" stroke="{colour}"')


def _written(half: _Half, at: complex) -> str:
    """What a half has above the outline."""
    _, ink = half.colours
    if half.face in PIPS:
        pips = use(f"{'pale' if ink == _PALE else 'pips'}{half.face}", at)
        return pips + (_height(half, at) if half.height > 1 else "")
    if half.label is None:
        return written(half.face, at, _LETTER_HEIGHT, ink)
    letter = written(half.face, at + _MARKED_AT, _MARKED_HEIGHT, ink)
    mark = written(half.label.text, at + _MARK_AT, _MARK_HEIGHT, ink)
    return use("ring", at, f' stroke="{ink}"') + letter + mark


def _height(half: _Half, at: complex) -> str:
    fill, ink = half.colours
    digits = written(str(half.height), at + _HEIGHT_AT, _HEIGHT, fill)
    return use("disc", at + _HEIGHT_AT, f' fill="{ink}"') + digits
