"""A board in the `/ \\__` notation of the help files."""

from importlib import import_module

from pbm_holomino.draw.canvas import Canvas
from pbm_holomino.game import Drawing


def draw(drawing: Drawing) -> str:
    """The picture: lines with no trailing blanks, each ended by a newline.

    A drawing's notation is the module of this package that knows its tiles.
    """
    global _latest
    known, text = _latest
    if known != drawing:
        canvas = Canvas()
        import_module(f"pbm_holomino.draw.{drawing.notation}").put(canvas, drawing)
        text = canvas.text()
        _latest = drawing, text
    return text


# A board is drawn for its file and for each who reads of it, in succession.
_latest: tuple[Drawing | None, str] = None, ""
