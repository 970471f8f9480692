"""A sheet of characters to put small pictures on."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from pbm_holomino.named_tuples import NamedTuple

_Glyphs = tuple[tuple[int, int, str], ...]  # by column and line

# What goes before and after a character that is stamped in an ink, such as the codes
# by which a terminal shows it in colour. Inks without an entry are as they are.
Paint = Mapping[str, tuple[str, str]]
UNPAINTED: Paint = MappingProxyType({})
LAST = "last"  # the ink of what marks the tile that was played last


class _Shape(NamedTuple):
    """A small picture: its strokes, and over them what is read (letters and digits);
    and the edges of both."""

    strokes: _Glyphs
    letters: _Glyphs
    left: int
    right: int
    top: int
    bottom: int

    def painted(self, before: str, after: str) -> "_Shape":
        """The shape with this before and after each of its characters."""
        strokes, letters = (
            tuple((x, y, before + glyph + after) for x, y, glyph in glyphs)
            for glyphs in (self.strokes, self.letters)
        )
        return self._replace(strokes=strokes, letters=letters)


class Canvas:
    """Characters by column and line, either of which may be negative."""

    def __init__(self) -> None:
        self._stamps: list[tuple[int, int, _Shape, str]] = []

    def stamp(self, left: int, top: int, lines: tuple[str, ...], ink: str = "") -> None:
        """Put a picture here, in an ink that can be painted. Its blanks are
        transparent, and a stroke never covers what a reader reads (digits and
        letters)."""
        shape = _shape(lines)
        if shape is not None:
            self._stamps.append((left, top, shape, ink))

    def text(self, paint: Paint = UNPAINTED) -> str:
        """All of it, cut at its edges, with no trailing blanks; each line ends in
        a newline. An empty sheet gives an empty text."""
        stamps = self._stamps
        if not stamps:
            return ""
        if paint:
            stamps = [
                (x, y, shape.painted(*paint[ink]) if ink in paint else shape, ink)
                for x, y, shape, ink in stamps
            ]
        left = min([x + shape.left for x, _, shape, _ in stamps])
        width = max([x + shape.right for x, _, shape, _ in stamps]) - left + 1
        top = min([y + shape.top for _, y, shape, _ in stamps])
        height = max([y + shape.bottom for _, y, shape, _ in stamps]) - top + 1
        sheet = [[" "] * width for _ in range(height)]
        for x, y, shape, _ in stamps:
            _put(sheet, x - left, y - top, shape.strokes)
        for x, y, shape, _ in reversed(stamps):  # so that the first letter stays
            _put(sheet, x - left, y - top, shape.letters)
        return "".join(["".join(line).rstrip() + "\n" for line in sheet])


def _put(sheet: list[list[str]], left: int, top: int, glyphs: _Glyphs) -> None:
    for x, y, glyph in glyphs:
        sheet[top + y][left + x] = glyph


@lru_cache(maxsize=1000)
def _shape(lines: tuple[str, ...]) -> _Shape | None:
    """A small picture, unless it is blank."""
    glyphs = [
        (x, y, glyph)
        for y, line in enumerate(lines)
        for x, glyph in enumerate(line)
        if glyph != " "
    ]
    if not glyphs:
        return None
    columns, rows, _ = zip(*glyphs, strict=True)
    return _Shape(
        tuple(glyph for glyph in glyphs if not glyph[2].isalnum()),
        tuple(glyph for glyph in glyphs if glyph[2].isalnum()),
        min(columns),
        max(columns),
        min(rows),
        max(rows),
    )
