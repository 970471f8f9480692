"""One bitten hexagon, drawn large for the help file, as on the inventor's help page."""

from pbm_holomino.draw.canvas import Canvas
from pbm_holomino.rules.contract import Drawing

# `a`, `b` and `c` are the digits at the upper left, right and lower left corner.
_TILE = (
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


def put(canvas: Canvas, drawing: Drawing) -> None:
    """Draw the only tile of a drawing."""
    (face,) = drawing.faces.values()
    digits = str.maketrans("abc", face)
    canvas.stamp(0, 0, tuple(line.translate(digits) for line in _TILE))
