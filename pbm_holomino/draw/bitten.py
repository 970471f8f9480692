"""Holomino's tiles: hexagons with three corners bitten off (seeds/002)."""

from pbm_holomino.draw.canvas import Canvas
from pbm_holomino.game import Drawing
from pbm_holomino.hexes import position_to_cell

# `a`, `b` and `c` are the digits at the upper left, right and lower left corner.
_SMALL = (
    " __",
    "/a \\__",
    "\\    b\\",
    "/   __/",
    "\\c_/",
)
_LARGE = (
    "  ____",
    " /    \\",
    "/  a   \\____",
    "\\           \\",
    " \\        b  \\",
    " /           /",
    "/       ____/",
    "\\  c   /",
    " \\____/",
)
# From a cell to the next: 6 columns a col, 2 lines a row. A label of up to four
# characters stands in the middle of the cell's five, on its lower line.
_COLUMNS, _LINES = 6, 2
_LABEL_LEFT, _LABEL_LINE, _LABEL_WIDTH = 1, 3, 5


def put(canvas: Canvas, drawing: Drawing) -> None:
    """Draw the board with the small tiles."""
    for position, face in drawing.faces.items():
        _stamp(canvas, position, 0, 0, _with_digits(_SMALL, face))
    for position, label in drawing.labels.items():
        indent = _LABEL_LEFT + (_LABEL_WIDTH - len(label) + 1) // 2
        _stamp(canvas, position, indent, _LABEL_LINE, [label])


def large(face: str) -> str:
    """One tile as the help file draws it large."""
    canvas = Canvas()
    canvas.stamp(0, 0, _with_digits(_LARGE, face))
    return canvas.text()


def _with_digits(template: tuple[str, ...], face: str) -> list[str]:
    digits = str.maketrans("abc", face)
    return [line.translate(digits) for line in template]


def _stamp(
    canvas: Canvas, position: int, indent: int, skip: int, lines: list[str]
) -> None:
    col, row = position_to_cell(position)
    canvas.stamp(col * _COLUMNS + indent, row * _LINES + skip, lines)
