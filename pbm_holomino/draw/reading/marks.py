"""The characters of a picture by column and line, what is read from them, and where
they go wrong."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Never

from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.named_tuples import NamedTuple

Point = tuple[int, int]  # column and line, from 0 on
Cell = tuple[int, int]  # column and row, as the grid has them
Marks = dict[Point, str]

LAST = "#"  # fills the tile that was played last


class Wrong(Exception):
    """What cannot be read, and the point of the picture where it is."""

    def __init__(self, point: Point, why: Sentence) -> None:
        super().__init__(point, why)
        self.point, self.why = point, why


NO_TILE = sentence("I see no whole tile there.")
_NO_PART = sentence('"{mark}" is not part of a tile that I can read.')
_OUT_OF_LINE = sentence("A tile there is out of line with the first.")


class Seen(NamedTuple):
    """What a picture shows, by cells counted from the first of them that has a tile:
    first by columns, then by rows."""

    faces: dict[Cell, str]
    joints: Collection[frozenset[Cell]] = frozenset()
    labels: Mapping[Cell, str] = {}
    last: frozenset[Cell] = frozenset()
    shaded: frozenset[Cell] = frozenset()
    heights: Mapping[Cell, str] = {}


class Frame(NamedTuple):
    """Where the cells of a picture are: the point of the first one's upper left corner,
    and how far it is from there to the next column and the next row."""

    left: int
    top: int
    columns: int
    lines: int

    def cell(self, point: Point) -> Cell:
        """The cell with this corner; Wrong where none has it."""
        col, off_col = divmod(point[0] - self.left, self.columns)
        row, off_row = divmod(point[1] - self.top, self.lines)
        if off_col or off_row or (col + row) % 2:
            raise Wrong(point, _OUT_OF_LINE)
        return col, row

    def corner(self, cell: Cell) -> Point:
        """The corner of a cell."""
        return self.left + cell[0] * self.columns, self.top + cell[1] * self.lines


class Picture(NamedTuple):
    """What was seen in a picture, and where."""

    seen: Seen
    frame: Frame


def glyphs(lines: Iterable[str]) -> tuple[Marks, set[Point]]:
    """All characters but the blanks and the marks of the last tile; and where these
    marks are."""
    marks = {
        (x, y): ink
        for y, line in enumerate(lines)
        for x, ink in enumerate(line)
        if ink > " "
    }
    last = {point for point, ink in marks.items() if ink == LAST}
    return {point: ink for point, ink in marks.items() if point not in last}, last


def first(points: Iterable[Point]) -> Point:
    """The one that is read first."""
    return min(points, key=lambda point: (point[1], point[0]), default=(0, 0))


def check_none(points: Iterable[Point], marks: Mapping[Point, str]) -> None:
    """Wrong at the first of these points, if there is any."""
    if left := {*points}:
        no_part(first(left), marks)


def no_part(point: Point, marks: Mapping[Point, str]) -> Never:
    """Wrong: no tile has what is there."""
    mark = marks.get(point, LAST)
    raise Wrong(point, _NO_PART.of(mark=mark))


def marked(
    corners: Iterable[Point], last: set[Point], mark: Iterable[Point]
) -> frozenset[Point]:
    """Those of these corners that have the mark of the last tile, all of it; Wrong if
    there is any of it elsewhere."""
    where = {(x, y): {(x + dx, y + dy) for dx, dy in mark} for x, y in corners}
    found = frozenset(corner for corner, points in where.items() if points <= last)
    check_none(last.difference(*(where[corner] for corner in found)), {})
    return found


def words(marks: Marks) -> Iterator[tuple[Point, str]]:
    """What is written without a gap, from its first point on, in reading order; Wrong
    for what is no word."""
    texts: dict[Point, str] = {}
    begins: dict[Point, Point] = {}
    for x, y in sorted(marks, key=lambda point: (point[1], point[0])):
        begin = begins[x, y] = begins.get((x - 1, y), (x, y))
        texts[begin] = texts.get(begin, "") + marks[x, y]
    for point, text in texts.items():
        if not re.fullmatch(r"(?a)\w+|\*", text) or "_" in text:
            no_part(point, marks)
        yield point, text


def labels(
    marks: Marks, frame: Frame, line: int, least: int, most: int
) -> dict[Cell, str]:
    """The words in cells, by cell: each on this line of its cell, and between these of
    its columns."""
    found: dict[Cell, str] = {}
    for (x, y), word in words(marks):
        indent = (x - frame.left) % frame.columns
        if indent < least or indent + len(word) - 1 > most:
            no_part((x, y), marks)
        found[_cell(frame, (x, y), (x - indent, y - line), marks)] = word
    return found


def _cell(frame: Frame, point: Point, corner: Point, marks: Marks) -> Cell:
    try:
        return frame.cell(corner)
    except Wrong:
        no_part(point, marks)
