"""Reading a picture of hextiles back, from its characters alone."""

from collections.abc import Iterable
from typing import NamedTuple

from tests.draw.glyphs import Cell, Marks, glyphs, marked

COLUMNS, LINES = 7, 2  # from a cell to the next column and the next row
# A half, with a letter for each of its edges and `.` for its face.
HALF = (
    "  aaaaa",
    " f ... b",
    "f  ...  b",
    "e  ...  c",
    " edddddc",
)
WAYS = {"a": (0, -2), "b": (1, -1), "c": (1, 1), "d": (0, 2), "e": (-1, 1)}
WAYS["f"] = (-1, -1)
INK = {"a": "_", "b": "\\", "c": "/", "d": "_", "e": "\\", "f": "/"}
BEVELS = {
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
HEIGHT = (7, 3)
# The mark of a half of the last tile.
LAST = [(1, 2), (2, 2), (6, 2), (7, 2)]
FACES = {
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


class HextilePicture(NamedTuple):
    """What a picture shows, by cells counted from the first of them."""

    faces: dict[Cell, str]
    joints: set[frozenset[Cell]]
    labels: dict[Cell, str]
    last: frozenset[Cell] = frozenset()
    shaded: frozenset[Cell] = frozenset()
    heights: dict[Cell, str] = {}


def edge(way: str) -> dict[Cell, str]:
    """The strokes of an edge, within its half."""
    return {
        (x, y): INK[way]
        for y, line in enumerate(HALF)
        for x, mark in enumerate(line)
        if mark == way
    }


def has(marks: Marks, corner: Cell, strokes: dict[Cell, str]) -> bool:
    return all(
        marks.get((corner[0] + x, corner[1] + y)) == ink
        for (x, y), ink in strokes.items()
    )


def face_at(marks: Marks, corner: Cell) -> str:
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
    return FACES.get(block, "")


def half_at(marks: Marks, corner: Cell) -> str | None:
    """The one way in which a half at this corner is open to the other half, nothing if
    that one is covered, and None where no half is. Within an empty cell its neighbours'
    bevels show."""
    open_ways = [way for way in WAYS if not has(marks, corner, edge(way))]
    x, y = corner
    bevels = [(x + 2, y + 1, "_"), (x + 6, y + 2, "\\")]
    shown = [marks.get((right, down)) == ink for right, down, ink in bevels]
    if len(open_ways) > 1 or any(shown) or not face_at(marks, corner):
        return None
    return "".join(open_ways)


def shifted(corner: Cell, way: str) -> Cell:
    col, row = WAYS[way]
    return corner[0] + col * COLUMNS, corner[1] + row * LINES


def find_halves(marks: Marks) -> dict[Cell, str]:
    """The corners of all halves, and the way to the other half."""
    spots = {(x - 2, y) for x, y in marks} | {(x, y - 3) for x, y in marks}
    spots |= {(x - 1, y - 1) for x, y in marks}
    found = {spot: way for spot in spots if (way := half_at(marks, spot)) is not None}
    return {
        spot: way
        for spot, way in found.items()
        if not way
        or shifted(shifted(spot, way), found.get(shifted(spot, way)) or way) == spot
        and shifted(spot, way) in found
    }


def find_heights(marks: Marks, halves: Iterable[Cell]) -> dict[Cell, Cell]:
    """Where the height of a half is written, for those that have one."""
    where = {(x, y): (x + HEIGHT[0], y + HEIGHT[1]) for x, y in halves}
    return {corner: point for corner, point in where.items() if point in marks}


def find_shaded(dots: set[Cell], halves: Iterable[Cell], rest: set[Cell]) -> set[Cell]:
    """The corners of the shaded halves; fails if a blank of theirs has no dot, or any
    other place has one."""
    where = {(x, y): {(x + dx, y + dy) for dx, dy in SHADE} for x, y in halves}
    found = {(x, y) for x, y in halves if (x + SHADE[0][0], y + SHADE[0][1]) in dots}
    assert dots == {point for corner in found for point in where[corner]} - rest
    return found


def read(picture: str) -> HextilePicture:
    """The tiles and the labels; fails if there is anything else in the picture."""
    inked, hashes = glyphs(picture)
    marks = {point: ink for point, ink in inked.items() if ink != "."}
    halves = find_halves(marks)
    heights = find_heights(marks, halves)
    shaded = find_shaded({*inked} - {*marks}, halves, {*marks} | hashes)
    left, top = min(halves)
    used = {point for corner in halves for point in points_of(halves, corner, marks)}
    used |= {*heights.values()}
    rest = {point: ink for point, ink in marks.items() if point not in used}

    def cell(corner: Cell) -> Cell:
        return cell_of(corner[0] - left, corner[1] - top)

    return HextilePicture(
        {cell(corner): face_at(marks, corner) for corner in halves},
        {
            frozenset((cell(corner), cell(shifted(corner, way))))
            for corner, way in halves.items()
            if way
        },
        read_labels(rest, left, top),
        frozenset(map(cell, marked(halves, hashes, LAST))),
        frozenset(map(cell, shaded)),
        {cell(corner): marks[point] for corner, point in heights.items()},
    )


def points_of(halves: dict[Cell, str], corner: Cell, marks: Marks) -> set[Cell]:
    """Where a half has its edges, its bevels and its face."""
    strokes = {
        (x, y): ""
        for y in (1, 2, 3)
        for x in (3, 4, 5)
        if face_at(marks, corner) != "0"
        and (y == 2 or face_at(marks, corner).isdigit())  # a label is under a letter
    }
    for way in WAYS:
        if way != halves[corner]:
            strokes |= edge(way)
        if way in BEVELS and shifted(corner, way) not in halves:
            assert has(marks, corner, BEVELS[way])
            strokes |= BEVELS[way]
    return {(corner[0] + x, corner[1] + y) for x, y in strokes}


def cell_of(x: int, y: int) -> Cell:
    """The cell that is so far away, in characters."""
    (col, off_col), (row, off_row) = divmod(x, COLUMNS), divmod(y, LINES)
    assert (off_col, off_row, (col + row) % 2) == (0, 0, 0)
    return col, row


def read_labels(marks: Marks, left: int, top: int) -> dict[Cell, str]:
    """The words that stand in cells, each in the line below the middle, without a
    gap and clear of where a neighbour's strokes may be."""
    words: dict[Cell, str] = {}
    for x, y in sorted(marks):
        corner = x - (x - left) % COLUMNS, y - 3
        assert 2 <= x - corner[0] <= 5
        assert corner not in words or (x - 1, y) in marks
        words[corner] = words.get(corner, "") + marks[x, y]
    return {cell_of(x - left, y - top): word for (x, y), word in words.items()}
