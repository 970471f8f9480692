"""A board in the `/ \\__` notation of the help files."""

from importlib import import_module

from pbm_holomino.draw.canvas import UNPAINTED, Canvas, Paint
from pbm_holomino.rules.contract import Drawing


def draw(drawing: Drawing, small: bool = False, paint: Paint = UNPAINTED) -> str:
    """The picture: lines with no trailing blanks, each ended by a newline.

    A drawing's notation is the module of this package that knows its tiles. A `small`
    picture is half as wide, if the notation is not small already: so is its module in
    `draw.small`. `paint` is for the inks `last`, of what marks the tile that was played
    last, and `move`, `blocked`, `end` and `note`, of labels of these kinds.
    """
    package = "pbm_holomino.draw.small" if small else "pbm_holomino.draw"
    canvas = Canvas()
    import_module(f"{package}.{drawing.notation}").put(canvas, drawing)
    return canvas.text(paint)
