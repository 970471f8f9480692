"""Reading a picture of hextiles back, from its characters alone."""

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


def half_at(marks: Marks, corner: Cell) -> str:
    """The one way in which a half at this corner is open to the other half, or
    nothing where no half is. Within an empty cell its neighbours' bevels show."""
    open_ways = [way for way in WAYS if not has(marks, corner, edge(way))]
    x, y = corner
    bevels = [(x + 2, y + 1, "_"), (x + 6, y + 2, "\\")]
    shown = [marks.get((right, down)) == ink for right, down, ink in bevels]
    if len(open_ways) != 1 or any(shown) or not face_at(marks, corner):
        return ""
    return open_ways[0]


def shifted(corner: Cell, way: str) -> Cell:
    col, row = WAYS[way]
    return corner[0] + col * COLUMNS, corner[1] + row * LINES


def find_halves(marks: Marks) -> dict[Cell, str]:
    """The corners of all halves, and where the other half is."""
    spots = {(x - 2, y) for x, y in marks} | {(x, y - 3) for x, y in marks}
    spots |= {(x - 1, y - 1) for x, y in marks}
    found = {spot: way for spot in spots if (way := half_at(marks, spot))}
    return {
        spot: way
        for spot, way in found.items()
        if shifted(shifted(spot, way), found.get(shifted(spot, way), way)) == spot
        and shifted(spot, way) in found
    }


def read(picture: str) -> HextilePicture:
    """The tiles and the labels; fails if there is anything else in the picture."""
    marks, hashes = glyphs(picture)
    halves = find_halves(marks)
    left, top = min(halves)
    used = {point for corner in halves for point in points_of(halves, corner, marks)}
    rest = {point: ink for point, ink in marks.items() if point not in used}
    return HextilePicture(
        {cell_of(x - left, y - top): face_at(marks, (x, y)) for x, y in halves},
        {
            frozenset(
                cell_of(x - left, y - top) for x, y in (corner, shifted(corner, w))
            )
            for corner, w in halves.items()
        },
        read_labels(rest, left, top),
        frozenset(cell_of(x - left, y - top) for x, y in marked(halves, hashes, LAST)),
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
