"""A board in the `/ \\__` notation of the help files."""

from importlib import import_module

from pbm_holomino.draw.canvas import UNPAINTED, Canvas, Paint
from pbm_holomino.rules.contract import Drawing

# The notations that have a small one, and the modules of this package that draw it.
_SMALL = {"hextile": "small"}


def draw(drawing: Drawing, small: bool = False, paint: Paint = UNPAINTED) -> str:
    """The picture: lines with no trailing blanks, each ended by a newline.

    A drawing's notation is the module of this package that knows its tiles. A `small`
    picture is half as wide, if the notation is not small already. `paint` is for the
    inks `last`, of what marks the tile that was played last, and `move`, `blocked`,
    `end` and `note`, of labels of these kinds.
    """
    notation = drawing.notation
    if small:
        notation = _SMALL.get(notation, notation)
    canvas = Canvas()
    import_module(f"pbm_holomino.draw.{notation}").put(canvas, drawing)
    return canvas.text(paint)
