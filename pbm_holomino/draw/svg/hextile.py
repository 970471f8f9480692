"""Hextiles: two joined hexagons, each with pips or with a colour and its letter."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from pbm_holomino.draw.hextile import PIPS
from pbm_holomino.draw.svg.glyphs import written
from pbm_holomino.draw.svg.shapes import (
    HEXAGON,
    INK,
    RIM,
    TILE,
    Piece,
    Shapes,
    circle,
    closed,
    inset,
    middle,
    solid,
    use,
)
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules import grid as to
from pbm_holomino.rules.contract import Drawing, Label
from pbm_holomino.rules.grid import neighbours

_GAP = 2  # between a tile's edge and the edges of its cells
_PIP_STEP, _PIP_RADIUS = 11, 4.2
_LETTER_HEIGHT = 22
_INLAY = 5.5  # between the edges of a cell and of the colour in it
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
# The tiles of each player, where they belong to players: what fills them, their pips,
# and what one sees of their sides.
_PALE = "#fdf6e6"
SIDES = ((TILE, INK, RIM), ("#4b4038", _PALE, "#1f1813"))
# In a corner of a half that covers others, how many lie there.
_HEIGHT_AT, _HEIGHT, _DISC = 21, 9.5, 6.5
# A letter with a mark is smaller, with the mark below it and a ring round both.
_MARKED_HEIGHT, _MARKED_AT = 15, -6j
_MARK_HEIGHT, _MARK_AT, _RING = 8, 10j, 18


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
    "inlay": closed(inset(HEXAGON, _INLAY)),
    "ring": f'd="{circle(0, _RING)}" fill="none"',
    "alone": closed(inset(HEXAGON, _GAP)),
    "disc": f'd="{circle(0, _DISC)}" stroke="none"',
    **{f"tile{way}": closed(outline) for way, outline in enumerate(_OUTLINES)},
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


def alone(name: str, owner: int) -> Drawing | None:
    """The tile of this name, upright, or the single half; None if it is neither."""
    if not 0 < len(name) <= 2 or not all(
        face in PIPS or face in COLOURS for face in name
    ):
        return None
    cells = (0, neighbours(0)[to.S])[: len(name)]
    faces, owners = dict(zip(cells, name, strict=True)), dict.fromkeys(cells, owner)
    joints = [cells] if len(cells) == 2 else []
    return Drawing("hextile", faces, joints, owners=owners)


class _Half(NamedTuple):
    """A half of a tile: its face, what is written beside it, the seat of its owner, and
    how many halves lie there."""

    face: str
    label: Label | None
    owner: int
    height: int

    @property
    def ink(self) -> str:
        """What is written on it."""
        return COLOURS[self.face][1] if self.face in COLOURS else self.side[1]

    @property
    def side(self) -> tuple[str, str, str]:
        """The colours of its owner's tiles."""
        return SIDES[self.owner > 0]


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
    body = _body(f"tile{way}", first)
    return body + _written(first, 0) + _written(second, beyond)


@lru_cache(maxsize=1000)
def _alone(half: _Half) -> str:
    """What is drawn on a half whose other half is covered."""
    return _body("alone", half) + _written(half, 0)


def _body(outline: str, half: _Half) -> str:
    """The tile of which this is a half, without what is on it."""
    fill, _, side = half.side
    return solid(outline) if fill == TILE else solid(outline, fill, side)


def _written(half: _Half, at: complex) -> str:
    """What a half has above the tile's body."""
    ink = half.ink
    if half.face in PIPS:
        pips = use(f"{'pale' if ink == _PALE else 'pips'}{half.face}", at)
        return pips + (_height(half, at) if half.height > 1 else "")
    inlay = _inlay(half.face, at)
    if half.label is None:
        return inlay + written(half.face, at, _LETTER_HEIGHT, ink)
    letter = written(half.face, at + _MARKED_AT, _MARKED_HEIGHT, ink)
    mark = written(half.label.text, at + _MARK_AT, _MARK_HEIGHT, ink)
    return inlay + use("ring", at, f' stroke="{ink}"') + letter + mark


def _inlay(face: str, at: complex) -> str:
    """The colour that is let into a half, if it has one."""
    if face not in COLOURS:
        return ""
    colour, _ = COLOURS[face]
    return use("inlay", at, f' fill="{colour}" stroke-width="1"')


def _height(half: _Half, at: complex) -> str:
    fill, ink, _ = half.side
    digits = written(str(half.height), at + _HEIGHT_AT, _HEIGHT, fill)
    return use("disc", at + _HEIGHT_AT, f' fill="{ink}"') + digits
