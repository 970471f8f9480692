"""Hextiles: two joined hexagons with pips or letters, seen a little from the lower
left, so that outer edges there show the tile's thickness. So the inventor draws them;
in a game where tiles belong to players, he shades those of the second.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from math import floor

from pbm_holomino.draw.canvas import LAST, Canvas
from pbm_holomino.rules.contract import Drawing, Label
from pbm_holomino.rules.grid import NE, NW, SE, SW, N, S, neighbours, position_to_cell

Stroke = tuple[int, int, str]  # columns in, lines down, what is there

# From a cell to the next: 7 columns a col, 2 lines a row. A cell is 9 wide, and
# shares its outermost strokes with its neighbours.
_COLUMNS, _LINES = 7, 2
# The strokes of a cell's edges.
_EDGES: dict[int, tuple[Stroke, ...]] = {
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
_LAST = ("", "", " ##   ##")
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
    for position, walls in walled(drawing):
        left, top = _corner(position)
        canvas.stamp(left - 1, top, _outline(walls))
    for position, owner in drawing.owners.items():
        if owner:
            left, top = _corner(position)
            canvas.stamp(left + _SHADE_LEFT, top, _SHADE)
    for position, face in drawing.faces.items():
        left, top = _corner(position)
        lines = PIPS.get(face) or ("", face * 3, "")
        canvas.stamp(left + _FACE_LEFT, top + _FACE_LINE, lines)
    for position in drawing.last:
        canvas.stamp(*_corner(position), _LAST, LAST)
    for position, height in drawing.heights.items():
        left, top = _corner(position)
        text = str(height)
        canvas.stamp(left + _HEIGHT_RIGHT - len(text), top + _HEIGHT_LINE, (text,))
    for (text, kind), positions in _by_text(drawing.labels):
        lefts, tops = zip(*map(_corner, positions), strict=True)
        middle = sum(lefts) / len(lefts) + _LABEL_MIDDLE
        line = sum(tops) // len(tops) + _LABEL_LINE
        canvas.stamp(floor(middle - (len(text) - 1) / 2), line, (text,), kind)


Walls = tuple[int, ...]  # of a half of a tile: one of these for each way
_NO_WALL, _INNER, _OUTER = range(3)


def walled(drawing: Drawing) -> Iterator[tuple[int, Walls]]:
    """The position of each half of a board's tiles, and its walls: outer ones have no
    tile behind them, and there is none to the other half, if that can be seen."""
    faces = drawing.faces
    partner = dict(drawing.joints) | {second: first for first, second in drawing.joints}
    for position in faces:
        joined = partner.get(position)
        kinds = [
            _NO_WALL if beside == joined else _INNER if beside in faces else _OUTER
            for beside in neighbours(position)
        ]
        yield position, tuple(kinds)


@cache
def _outline(walls: Walls) -> tuple[str, ...]:
    """The walls of a half, from one column left of its cell on."""
    edges = {_INNER: _EDGES, _OUTER: _OUTER_EDGES}
    strokes = [edges[kind][way] for way, kind in enumerate(walls) if kind]
    return lines_of(chain.from_iterable(strokes), -1)


def lines_of(strokes: Iterable[Stroke], left: int = 0) -> tuple[str, ...]:
    """Strokes as lines, from this column on."""
    lines = dict[int, str]()
    for right, down, stroke in sorted(strokes):
        lines[down] = lines.get(down, "").ljust(right - left) + stroke
    return tuple(lines.get(line, "") for line in range(max(lines, default=-1) + 1))


def _corner(position: int) -> tuple[int, int]:
    col, row = position_to_cell(position)
    return col * _COLUMNS, row * _LINES


def _by_text(labels: Mapping[int, Label]) -> list[tuple[Label, list[int]]]:
    shared: dict[Label, list[int]] = {}
    for position, label in labels.items():
        if len(label.text) > _LABEL_WIDTH:
            shared.setdefault(label, []).append(position)
    alone = [(label, [at]) for at, label in labels.items() if label not in shared]
    return alone + list(shared.items())
