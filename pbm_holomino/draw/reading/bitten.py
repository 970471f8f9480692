"""Reading a picture of bitten hexagons back, from its characters alone."""

import re

from pbm_holomino.draw.reading.marks import (
    NO_TILE,
    Frame,
    Marks,
    Picture,
    Point,
    Seen,
    Wrong,
    first,
    glyphs,
    labels,
    marked,
)

# A tile, as the help files draw it; the three letters are its digits. A blank in the
# first and last line may be anybody's, within the tile it is the tile's own.
_TILE = (
    "?__",
    "/a-\\__",
    "\\----b\\",
    "/---__/",
    "\\c_/",
)
# The mark of the last tile, counted from the `/` of its second line.
_LAST = [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2)]
COLUMNS, LINES = 6, 2  # from a cell to the next column and the next row


def read(lines: list[str]) -> Picture:
    """The tiles and the labels of a picture; Wrong if there is anything else in it."""
    marks, hashes = glyphs(lines)
    found = {
        (edge.start(), y): _tile_at(marks, edge.start(), y)
        for y, line in enumerate(lines)
        for edge in re.finditer(r"/[0-9.] \\__", line)
    }
    corners = {corner: face for corner, face in found.items() if face}
    if not corners:
        raise Wrong(first(marks), NO_TILE)
    frame = Frame(*min(corners), COLUMNS, LINES)
    tiles = {frame.cell(corner): face for corner, face in corners.items()}
    strokes = {point for x, y in corners for point in _strokes_of(x, y)}
    rest = {point: mark for point, mark in marks.items() if point not in strokes}
    written = labels(rest, frame, 2, 1, COLUMNS - 1)
    last = frozenset(map(frame.cell, marked(corners, hashes, _LAST)))
    return Picture(Seen(tiles, labels=written, last=last), frame)


def _tile_at(marks: Marks, x: int, y: int) -> str | None:
    """The face of the tile whose `/` of the second line is here."""
    digits = {}
    for dy, line in enumerate(_TILE, -1):
        for dx, wanted in enumerate(line):
            mark = marks.get((x + dx, y + dy), " ")
            if wanted in "abc" and (mark.isdecimal() or mark == "."):
                digits[wanted] = mark
            elif wanted == "_" and dy == -1 and dx == 1 and mark.isdecimal():
                continue  # the lower left digit of the tile to the north
            elif wanted != "?" and mark != wanted.replace("-", " "):
                return None
    return digits["a"] + digits["b"] + digits["c"]


def _strokes_of(x: int, y: int) -> list[Point]:
    """Where a tile has its strokes and digits."""
    return [
        (x + dx, y + dy)
        for dy, line in enumerate(_TILE, -1)
        for dx, wanted in enumerate(line)
        if wanted not in "?-"
    ]
