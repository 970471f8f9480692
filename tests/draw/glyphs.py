"""The characters of a picture by column and line, and what readers of it share."""

from collections.abc import Iterable

Cell = tuple[int, int]
Marks = dict[tuple[int, int], str]

LAST = "#"  # fills the tile that was played last


def glyphs(picture: str) -> tuple[Marks, set[tuple[int, int]]]:
    """All characters but the blanks and the marks of the last tile; and where these
    marks are."""
    marks = {
        (x, y): ink
        for y, line in enumerate(picture.split("\n"))
        for x, ink in enumerate(line)
        if ink > " "
    }
    last = {point for point, ink in marks.items() if ink == LAST}
    return {point: ink for point, ink in marks.items() if point not in last}, last


def marked(
    corners: Iterable[Cell], last: set[Cell], mark: Iterable[Cell]
) -> frozenset[Cell]:
    """Those of these corners that have the mark of the last tile, all of it; fails if
    there is any of it elsewhere."""
    where = {(x, y): {(x + dx, y + dy) for dx, dy in mark} for x, y in corners}
    found = frozenset(corner for corner, points in where.items() if points <= last)
    assert last == {point for corner in found for point in where[corner]}
    return found
