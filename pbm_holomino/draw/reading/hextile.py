"""Reading a picture of hextiles back, from its characters alone."""

import re
from collections.abc import Iterable, Mapping

from pbm_holomino.draw.reading.marks import (
    NO_TILE,
    Frame,
    Marks,
    Picture,
    Point,
    Seen,
    Wrong,
    check_none,
    first,
    glyphs,
    labels,
    marked,
    no_part,
)

COLUMNS, LINES = 7, 2  # from a cell to the next column and the next row
# A half, with a letter for each of its edges and `.` for its face.
_HALF = (
    "  aaaaa",
    " f ... b",
    "f  ...  b",
    "e  ...  c",
    " edddddc",
)
_WAYS = {"a": (0, -2), "b": (1, -1), "c": (1, 1), "d": (0, 2), "e": (-1, 1)}
_WAYS["f"] = (-1, -1)
_INK = {"a": "_", "b": "\\", "c": "/", "d": "_", "e": "\\", "f": "/"}
_EDGES = {
    way: {
        (x, y): _INK[way]
        for y, line in enumerate(_HALF)
        for x, mark in enumerate(line)
        if mark == way
    }
    for way in _WAYS
}
_BEVELS = {
    "e": {(-1, 3): "/", (-1, 4): "\\", (0, 5): "\\"},
    "d": {(1, 5): "/", (6, 5): "/"} | {(x, 5): "_" for x in (2, 3, 4, 5)},
}
# What is blank in a shaded half, of which its face, its height and the mark of the last
# tile hide some; the first is never hidden.
SHADE = [
    (x, y)
    for y, xs in ((1, "23456"), (2, "1234567"), (3, "23456"))
    for x in map(int, xs)
]
_HEIGHT = (7, 3)
# The mark of a half of the last tile.
_LAST = [(1, 2), (2, 2), (6, 2), (7, 2)]
_FACES = {
    "         ": "0",
    "    o    ": "1",
    "   o o   ": "2",
    "   ooo   ": "3",
    "o o   o o": "4",
    "o o o o o": "5",
    "o oo oo o": "6",
    "o ooooo o": "7",
    "oooo oooo": "8",
    "ooooooooo": "9",
}


def read(lines: list[str]) -> Picture:
    """The tiles and the labels; Wrong if there is anything else in the picture."""
    inked, hashes = glyphs(lines)
    marks = {point: ink for point, ink in inked.items() if ink != "."}
    halves = _halves(marks, lines)
    if not halves:
        raise Wrong(first(inked), NO_TILE)
    frame = Frame(*min(halves), COLUMNS, LINES)
    cells = {corner: frame.cell(corner) for corner in halves}
    heights = _heights(marks, halves)
    shaded = _shaded({*inked} - {*marks}, halves, {*marks} | hashes)
    used = {point for corner in halves for point in _points_of(halves, corner, marks)}
    used |= {*heights.values()}
    rest = {point: ink for point, ink in marks.items() if point not in used}
    seen = Seen(
        {cell: _face_at(marks, corner) for corner, cell in cells.items()},
        {
            frozenset((cell, cells[_shifted(corner, halves[corner])]))
            for corner, cell in cells.items()
            if halves[corner]
        },
        labels(rest, frame, 3, 2, 5),
        frozenset(map(frame.cell, marked(halves, hashes, _LAST))),
        frozenset(map(frame.cell, shaded)),
        {cells[corner]: marks[point] for corner, point in heights.items()},
    )
    return Picture(seen, frame)


def _has(marks: Marks, corner: Point, strokes: Mapping[Point, str]) -> bool:
    return all(
        marks.get((corner[0] + x, corner[1] + y)) == ink
        for (x, y), ink in strokes.items()
    )


def _face_at(marks: Marks, corner: Point) -> str:
    """The face of a half, or nothing."""
    x, y = corner
    block = "".join(
        marks.get((x + right, y + down), " ")
        for down in (1, 2, 3)
        for right in (3, 4, 5)
    )
    middle = block[3:6]
    if middle.isalpha() and middle.isupper() and len(set(middle)) == 1:
        return middle[0]
    return _FACES.get(block, "")


def _half_at(marks: Marks, corner: Point) -> str | None:
    """The one way in which a half at this corner is open to the other half, nothing if
    that one is covered, and None where no half is. Within an empty cell its neighbours'
    bevels show."""
    way = ""
    for edge, strokes in _EDGES.items():
        if not _has(marks, corner, strokes):
            if way:
                return None
            way = edge
    x, y = corner
    bevels = [(x + 2, y + 1, "_"), (x + 6, y + 2, "\\")]
    shown = [marks.get((right, down)) == ink for right, down, ink in bevels]
    return None if any(shown) or not _face_at(marks, corner) else way


def _shifted(corner: Point, way: str) -> Point:
    col, row = _WAYS[way]
    return corner[0] + col * COLUMNS, corner[1] + row * LINES


def _halves(marks: Marks, lines: Iterable[str]) -> dict[Point, str]:
    """The corners of all halves, and the way to the other half. A half has a whole edge
    above or below."""
    found = {}
    for y, line in enumerate(lines):
        for edge in re.finditer("(?<!_)_{5}(?!_)", line):
            for spot in ((edge.start() - 2, y), (edge.start() - 2, y - 4)):
                if (way := _half_at(marks, spot)) is not None:
                    found[spot] = way
    return {
        spot: way
        for spot, way in found.items()
        if not way
        or _shifted(spot, way) in found
        and _shifted(_shifted(spot, way), found[_shifted(spot, way)] or way) == spot
    }


def _heights(marks: Marks, halves: Iterable[Point]) -> dict[Point, Point]:
    """Where the height of a half is written, for those that have one."""
    where = {(x, y): (x + _HEIGHT[0], y + _HEIGHT[1]) for x, y in halves}
    return {
        corner: point
        for corner, point in where.items()
        if marks.get(point, " ").isdecimal()
    }


def _shaded(dots: set[Point], halves: Iterable[Point], rest: set[Point]) -> set[Point]:
    """The corners of the shaded halves; Wrong if a blank of theirs has no dot, or any
    other place has one."""
    where = {(x, y): {(x + dx, y + dy) for dx, dy in SHADE} for x, y in halves}
    found = {(x, y) for x, y in halves if (x + SHADE[0][0], y + SHADE[0][1]) in dots}
    wanted = {point for corner in found for point in where[corner]} - rest
    check_none(dots ^ wanted, dict.fromkeys(dots, ".") | dict.fromkeys(wanted, " "))
    return found


def _points_of(halves: Mapping[Point, str], corner: Point, marks: Marks) -> set[Point]:
    """Where a half has its edges, its bevels and its face."""
    face = _face_at(marks, corner)
    points = {
        (x, y)
        for y in (1, 2, 3)
        for x in (3, 4, 5)
        if face != "0" and (y == 2 or face.isdecimal())  # a label is under a letter
    }
    for way in _WAYS:
        if way != halves[corner]:
            points |= {*_EDGES[way]}
        if way in _BEVELS and _shifted(corner, way) not in halves:
            _check_bevel(marks, corner, _BEVELS[way])
            points |= {*_BEVELS[way]}
    return {(corner[0] + x, corner[1] + y) for x, y in points}


def _check_bevel(marks: Marks, corner: Point, strokes: Mapping[Point, str]) -> None:
    for (x, y), ink in strokes.items():
        point = corner[0] + x, corner[1] + y
        if marks.get(point) != ink:
            no_part(point, {point: marks.get(point, " ")})
