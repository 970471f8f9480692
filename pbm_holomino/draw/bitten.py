"""Hexagons with three corners bitten off, as the inventor of Holomino draws them on his
help page."""

from functools import cache

from pbm_holomino.draw.canvas import LAST, Canvas
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.rules.grid import position_to_cell

# `a`, `b` and `c` are the digits at the upper left, right and lower left corner.
_TILE = (
    " __",
    "/a \\__",
    "\\    b\\",
    "/   __/",
    "\\c_/",
)
# From a cell to the next: 6 columns a col, 2 lines a row. A label of up to four
# characters is in the middle of the cell's five, on its lower line.
_COLUMNS, _LINES = 6, 2
_LABEL_LEFT, _LABEL_LINE, _LABEL_WIDTH = 1, 3, 5
# What fills the tile that was played last, clear of its digits.
_LAST = ("", "", " ###", " ##")


def put(canvas: Canvas, drawing: Drawing) -> None:
    """Draw the board."""
    for position, face in drawing.faces.items():
        _stamp(canvas, position, 0, 0, _tile(face))
    for position in drawing.last:
        _stamp(canvas, position, 0, 0, _LAST, LAST)
    for position, label in drawing.labels.items():
        indent = _LABEL_LEFT + (_LABEL_WIDTH - len(label.text) + 1) // 2
        _stamp(canvas, position, indent, _LABEL_LINE, (label.text,), label.kind)


@cache
def _tile(face: str) -> tuple[str, ...]:
    digits = str.maketrans("abc", face)
    return tuple(line.translate(digits) for line in _TILE)


def _stamp(
    canvas: Canvas,
    position: int,
    indent: int,
    skip: int,
    lines: tuple[str, ...],
    ink: str = "",
) -> None:
    col, row = position_to_cell(position)
    canvas.stamp(col * _COLUMNS + indent, row * _LINES + skip, lines, ink)
