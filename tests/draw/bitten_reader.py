"""Reading a picture of Holomino tiles back, from its characters alone."""

from typing import NamedTuple

from tests.draw.glyphs import Marks, glyphs, marked
from tests.rules.spiral import Cell

# A tile, as the help files draw it; the three letters are its digits. A blank in the
# first and last line may be anybody's, within the tile it is the tile's own.
TILE = (
    "?__",
    "/a-\\__",
    "\\----b\\",
    "/---__/",
    "\\c_/",
)
# The mark of the last tile, counted from the `/` of its second line.
LAST = [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2)]
COLUMNS, LINES = 6, 2  # from a cell to the next column and the next row


class BittenPicture(NamedTuple):
    """What a picture shows, by cells counted from one of its tiles."""

    tiles: dict[Cell, str]
    labels: dict[Cell, str]
    last: frozenset[Cell] = frozenset()


def read(picture: str) -> BittenPicture:
    """The tiles and the labels of a picture; fails if there is anything else in it."""
    marks, hashes = glyphs(picture)
    found = {(x, y): tile_at(marks, x, y) for x, y in marks}
    corners = {corner: face for corner, face in found.items() if face}
    left, top = min(corners)
    tiles = {cell_of(x - left, y - top): face for (x, y), face in corners.items()}
    strokes = {point for x, y in corners for point in strokes_of(x, y)}
    rest = {point: mark for point, mark in marks.items() if point not in strokes}
    last = {cell_of(x - left, y - top) for x, y in marked(corners, hashes, LAST)}
    return BittenPicture(tiles, read_labels(rest, left, top), frozenset(last))


def tile_at(marks: Marks, x: int, y: int) -> str | None:
    """The face of the tile whose `/` of the second line stands here."""
    digits = {}
    for dy, line in enumerate(TILE, -1):
        for dx, wanted in enumerate(line):
            mark = marks.get((x + dx, y + dy), " ")
            if wanted in "abc" and (mark.isdigit() or mark == "."):
                digits[wanted] = mark
            elif wanted == "_" and dy == -1 and dx == 1 and mark.isdigit():
                continue  # the lower left digit of the tile to the north
            elif wanted != "?" and mark != wanted.replace("-", " "):
                return None
    return digits["a"] + digits["b"] + digits["c"]


def strokes_of(x: int, y: int) -> list[tuple[int, int]]:
    """Where a tile has its strokes and digits."""
    return [
        (x + dx, y + dy)
        for dy, line in enumerate(TILE, -1)
        for dx, wanted in enumerate(line)
        if wanted not in "?-"
    ]


def cell_of(x: int, y: int) -> Cell:
    """The cell that is so far away, in characters."""
    (col, off_col), (row, off_row) = divmod(x, COLUMNS), divmod(y, LINES)
    assert (off_col, off_row) == (0, 0)
    assert (col + row) % 2 == 0
    return col, row


def read_labels(marks: Marks, left: int, top: int) -> dict[Cell, str]:
    """The words that stand in cells, each within the five characters of the lower
    middle line, and without a gap."""
    words: dict[tuple[int, int], str] = {}
    for x, y in sorted(marks):
        cell_x = x - (x - left) % COLUMNS
        assert 1 <= x - cell_x <= 5
        word = words.get((cell_x, y), "")
        assert not word or (x - 1, y) in marks
        words[cell_x, y] = word + marks[x, y]
    return {cell_of(x - left, y - 2 - top): word for (x, y), word in words.items()}
