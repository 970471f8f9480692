"""A board in the `/ \\__` notation of the help files."""

from importlib import import_module

from pbm_holomino.draw.canvas import Canvas
from pbm_holomino.rules.contract import Drawing


def draw(drawing: Drawing) -> str:
    """The picture: lines with no trailing blanks, each ended by a newline.

    A drawing's notation is the module of this package that knows its tiles.
    """
    canvas = Canvas()
    import_module(f"pbm_holomino.draw.{drawing.notation}").put(canvas, drawing)
    return canvas.text()
