"""Hextiles in half the width, for narrow screens: a cell is two lines of two characters
with its pips as a digit, or its letter, and there is no wall between a tile's halves.
"""

from functools import cache

from pbm_holomino.draw.canvas import LAST, Canvas
from pbm_holomino.draw.hextile import Walls, lines_of, walled
from pbm_holomino.rules.contract import Drawing, Label
from pbm_holomino.rules.grid import NE, NW, SE, SW, N, S, position_to_cell

# From a cell to the next: 3 columns a col, 1 line a row. A cell is 4 wide, and shares
# its outermost strokes with its neighbours.
_COLUMNS, _LINES = 3, 1
# The strokes of a cell's edges, each as (columns in, lines down, what is there).
_EDGES = {
    N: (1, 0, "__"),
    NE: (3, 1, "\\"),
    SE: (3, 2, "/"),
    S: (1, 2, "__"),
    SW: (0, 2, "\\"),
    NW: (0, 1, "/"),
}
_FACE = (1, 1)
# Beside the face of a half of the tile that was played last; below it where that place
# is for the shade of a player's tiles.
_LAST = (2, 1, "#")
_LAST_BELOW = (1, 2, "#")
_SHADE = (2, 1, ".")
# Below the shade, how many halves lie in a cell that has two and more: on the left it
# would join the three digits of a position.
_HEIGHT_RIGHT, _HEIGHT_LINE = 3, 2
# Under a face that has a label, for which there is no room.
_LABELLED = (1, 2, "*")
# A position of two digits and more, so that it is not taken for pips: from the second
# column on, and of four digits from the first. Where it is too long for the cell it
# hides the stroke of an edge, behind which there is no tile's other half.
_LABEL_LINE, _LABEL_ROOM = 1, 3


def put(canvas: Canvas, drawing: Drawing) -> None:
    """Draw the board."""
    for position, walls in walled(drawing):
        col, row = position_to_cell(position)
        canvas.stamp(col * _COLUMNS, row * _LINES, _outline(walls))
    for position, face in drawing.faces.items():
        _stamp(canvas, position, *_FACE, face)
    for position, owner in drawing.owners.items():
        if owner:
            _stamp(canvas, position, *_SHADE)
    for position in drawing.last:
        mark = _LAST_BELOW if drawing.owners else _LAST
        _stamp(canvas, position, *mark, ink=LAST)
    for position, height in drawing.heights.items():
        text = str(height)
        _stamp(canvas, position, _HEIGHT_RIGHT - len(text), _HEIGHT_LINE, text)
    for position, label in drawing.labels.items():
        if position in drawing.faces:
            _stamp(canvas, position, *_LABELLED, ink=label.kind)
        else:
            text = _label(label)
            right = len(text) <= _LABEL_ROOM
            _stamp(canvas, position, right, _LABEL_LINE, text, label.kind)


@cache
def _outline(walls: Walls) -> tuple[str, ...]:
    return lines_of(_EDGES[way] for way, kind in enumerate(walls) if kind)


def _label(label: Label) -> str:
    return label.text.zfill(2) if label.kind == "move" else label.text


def _stamp(
    canvas: Canvas, position: int, right: int, down: int, text: str, ink: str = ""
) -> None:
    col, row = position_to_cell(position)
    canvas.stamp(col * _COLUMNS + right, row * _LINES + down, (text,), ink)
