"""Hextiles: two joined hexagons with pips or letters, seen a little from the lower
left, so that outer edges there show the tile's thickness. So the inventor draws them;
in a game where tiles belong to players, he shades those of the second.
"""

from collections.abc import Iterator, Mapping
from math import floor

from pbm_holomino.draw.canvas import LAST, Canvas
from pbm_holomino.rules.contract import Drawing, Label
from pbm_holomino.rules.grid import NE, NW, SE, SW, N, S, neighbours, position_to_cell

_Strokes = tuple[tuple[int, int, str], ...]  # columns in, lines down, what is there

# From a cell to the next: 7 columns a col, 2 lines a row. A cell is 9 wide, and
# shares its outermost strokes with its neighbours.
_COLUMNS, _LINES = 7, 2
# The strokes of a cell's edges.
_EDGES: dict[int, _Strokes] = {
    N: ((2, 0, "_____"),),
    NE: ((7, 1, "\\"), (8, 2, "\\")),
    SE: ((8, 3, "/"), (7, 4, "/")),
    S: ((2, 4, "_____"),),
    SW: ((0, 3, "\\"), (1, 4, "\\")),
    NW: ((1, 1, "/"), (0, 2, "/")),
}
# Those that have no tile beside them, with the thickness below.
_OUTER_EDGES = {
    **_EDGES,
    SW: (*_EDGES[SW], (-1, 3, "/"), (-1, 4, "\\"), (0, 5, "\\")),
    S: (*_EDGES[S], (1, 5, "/____/")),
}
PIPS = {
    "0": ("", "", ""),
    "1": ("", " o", ""),
    "2": ("", "o o", ""),
    "3": ("", "ooo", ""),
    "4": ("o o", "", "o o"),
    "5": ("o o", " o", "o o"),
    "6": ("o o", "o o", "o o"),
    "7": ("o o", "ooo", "o o"),
    "8": ("ooo", "o o", "ooo"),
    "9": ("ooo", "ooo", "ooo"),
}
_FACE_LEFT, _FACE_LINE = 3, 1
# On both sides of the face of a half of the tile that was played last.
_LAST: _Strokes = ((1, 2, "##"), (6, 2, "##"))
# What fills the halves of every player but the first, under their faces.
_SHADE = ("", " .....", ".......", " .....")
_SHADE_LEFT = 1
# Beside the face, how many halves lie in a cell that has two and more.
_HEIGHT_RIGHT, _HEIGHT_LINE = 8, 3
# A label is across a cell's middle, under the line of a letter. One that is too
# wide belongs to all cells that bear it and is written once, in their midst.
_LABEL_MIDDLE, _LABEL_LINE, _LABEL_WIDTH = 4, 3, 5


def put(canvas: Canvas, drawing: Drawing) -> None:
    """Draw the board."""
    for position, way, beside in walls(drawing):
        edges = _EDGES if beside in drawing.faces else _OUTER_EDGES
        _put(canvas, position, edges[way])
    for position, owner in drawing.owners.items():
        if owner:
            left, top = _corner(position)
            canvas.stamp(left + _SHADE_LEFT, top, _SHADE)
    for position, face in drawing.faces.items():
        left, top = _corner(position)
        lines = PIPS.get(face) or ("", face * 3, "")
        canvas.stamp(left + _FACE_LEFT, top + _FACE_LINE, lines)
    for position in drawing.last:
        _put(canvas, position, _LAST, LAST)
    for position, height in drawing.heights.items():
        text = str(height)
        _put(canvas, position, ((_HEIGHT_RIGHT - len(text), _HEIGHT_LINE, text),))
    for (text, kind), positions in _by_text(drawing.labels):
        lefts, tops = zip(*map(_corner, positions), strict=True)
        middle = sum(lefts) / len(lefts) + _LABEL_MIDDLE
        line = sum(tops) // len(tops) + _LABEL_LINE
        canvas.stamp(floor(middle - (len(text) - 1) / 2), line, (text,), kind)


def walls(drawing: Drawing) -> Iterator[tuple[int, int, int]]:
    """The edges that a board's tiles have: the position of a half, the way to the edge,
    and the position behind it. There is none between the halves of a tile, if both can
    be seen."""
    partner = dict(drawing.joints) | {second: first for first, second in drawing.joints}
    for position in drawing.faces:
        for way, beside in enumerate(neighbours(position)):
            if beside != partner.get(position):
                yield position, way, beside


def _corner(position: int) -> tuple[int, int]:
    col, row = position_to_cell(position)
    return col * _COLUMNS, row * _LINES


def _put(canvas: Canvas, position: int, strokes: _Strokes, ink: str = "") -> None:
    left, top = _corner(position)
    for right, down, stroke in strokes:
        canvas.stamp(left + right, top + down, (stroke,), ink)


def _by_text(labels: Mapping[int, Label]) -> list[tuple[Label, list[int]]]:
    shared: dict[Label, list[int]] = {}
    for position, label in labels.items():
        if len(label.text) > _LABEL_WIDTH:
            shared.setdefault(label, []).append(position)
    alone = [(label, [at]) for at, label in labels.items() if label not in shared]
    return alone + list(shared.items())
