"""A board in the `/ \\__` notation of the help files."""

from collections.abc import Callable
from functools import cached_property
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
    canvas = Canvas()
    _putting(drawing.notation, small)(canvas, drawing)
    return canvas.text(paint)


def _putting(notation: str, small: bool) -> Callable[[Canvas, Drawing], None]:
    """The function that puts drawings in this notation on a canvas."""
    package = "pbm_holomino.draw.small" if small else "pbm_holomino.draw"
    put: Callable[[Canvas, Drawing], None]
    put = import_module(f"{package}.{notation}").put
    return put


class Drawn:
    """A drawing as text, large and small, with the width of each in columns. Each is
    drawn when it is first needed, and then is there for all who show it."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Drawn) and other.drawing == self.drawing

    @cached_property
    def large(self) -> str:
        return draw(self.drawing)

    @cached_property
    def small(self) -> str:
        large, small = (_putting(self.drawing.notation, how) for how in (False, True))
        return self.large if small is large else draw(self.drawing, small=True)

    @cached_property
    def width(self) -> int:
        return _width(self.large)

    @cached_property
    def small_width(self) -> int:
        return _width(self.small)


def _width(text: str) -> int:
    return max(map(len, text.splitlines()))
