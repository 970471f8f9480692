"""Reading a small picture of hextiles back, from its characters alone."""

import re

from tests.draw.glyphs import Cell, Marks, glyphs, marked
from tests.draw.hextile_reader import HextilePicture

COLUMNS, LINES = 3, 1  # from a cell to the next column and the next row
# The edges of a half, counted from its corner: the way to the neighbour, and strokes.
EDGES: dict[Cell, Marks] = {
    (0, -2): {(1, 0): "_", (2, 0): "_"},
    (1, -1): {(3, 1): "\\"},
    (1, 1): {(3, 2): "/"},
    (0, 2): {(1, 2): "_", (2, 2): "_"},
    (-1, 1): {(0, 2): "\\"},
    (-1, -1): {(0, 1): "/"},
}
FACE, LAST, LABELLED, HEIGHT = (1, 1), (2, 1), (1, 2), (2, 2)
SHADE, LAST_BELOW = (2, 1), (1, 2)  # of tiles that belong to players


def read(picture: str) -> HextilePicture:
    """The tiles and the labels; fails if there is anything else in the picture. A face
    is one character and a position two to four; the label of a face is a star."""
    inked_all, hashes = glyphs(picture)
    shaded = {(x - 2, y - 1) for (x, y), ink in inked_all.items() if ink == "."}
    marks = {point: ink for point, ink in inked_all.items() if ink != "."}
    words = words_of(picture)
    faces = {(x - 1, y - 1): word for (x, y), word in words.items() if len(word) == 1}
    heights = {
        corner: faces.pop((corner[0] + 1, corner[1] + 1))
        for corner in sorted(faces)
        if (corner[0] + 1, corner[1] + 1) in faces
    }
    numbers = {
        (x - (len(word) < 4), y - 1): word
        for (x, y), word in words.items()
        if len(word) > 1
    }
    stars = {(x - 1, y - 2) for (x, y), ink in marks.items() if ink == "*"}
    below = hashes <= {(x + LAST_BELOW[0], y + LAST_BELOW[1]) for x, y in faces}
    last = marked(faces, hashes, [LAST_BELOW if below else LAST])
    joints = {pair for corner in faces for pair in [joint(marks, faces, corner, last)]}
    check_strokes({**marks, **dict.fromkeys(hashes, "#")}, faces, joints)
    letters = {
        (x + i, y): ink for (x, y), w in words.items() for i, ink in enumerate(w)
    }
    assert letters == {p: ink for p, ink in marks.items() if ink not in "/\\_*"}
    assert stars | shaded <= faces.keys()
    left, top = min(faces)

    def cell(corner: Cell) -> Cell:
        (col, off), row = divmod(corner[0] - left, COLUMNS), (corner[1] - top) // LINES
        assert (off, (col + row) % 2) == (0, 0)
        return col, row

    return HextilePicture(
        {cell(corner): face for corner, face in faces.items()},
        {frozenset(map(cell, pair)) for pair in joints if len(pair) == 2},
        {cell(corner): number for corner, number in numbers.items()}
        | {cell(corner): "*" for corner in stars},
        frozenset(map(cell, last)),
        frozenset(map(cell, shaded)),
        {cell(corner): height for corner, height in heights.items()},
    )


def words_of(picture: str) -> dict[Cell, str]:
    """The faces, the heights and the numbers, by their first column and line. No
    position has five digits: the first of them is a height."""
    return {
        (found.start(), y): found[0]
        for y, line in enumerate(picture.split("\n"))
        for found in re.finditer(r"[0-9](?=[0-9]{4})|[0-9]{2,4}|[0-9A-Z]", line)
    }


def beside(corner: Cell, way: Cell) -> Cell:
    return corner[0] + way[0] * COLUMNS, corner[1] + way[1] * LINES


def joint(
    marks: Marks, faces: dict[Cell, str], corner: Cell, last: frozenset[Cell]
) -> frozenset[Cell]:
    """A half and the one other half that no wall parts from it; alone, if that one is
    covered. The marks of the last tile may hide its walls."""
    if corner in last:
        return last
    others = {
        beside(corner, way)
        for way, strokes in EDGES.items()
        if beside(corner, way) in faces
        and not any(
            inked(marks, corner, point) == ink for point, ink in strokes.items()
        )
    } - last
    assert len(others) <= 1
    return frozenset((corner, *others))


def inked(marks: Marks, corner: Cell, point: Cell) -> str:
    return marks.get((corner[0] + point[0], corner[1] + point[1]), " ")


def check_strokes(
    marks: Marks, faces: dict[Cell, str], joints: set[frozenset[Cell]]
) -> None:
    """Fail unless each wall is there, as far as no number or star hides it, and no
    other stroke is."""
    walls = {
        (corner[0] + x, corner[1] + y): ink
        for corner in faces
        for way, strokes in EDGES.items()
        if frozenset((corner, beside(corner, way))) not in joints
        for (x, y), ink in strokes.items()
    }
    seen = {p: ink for p, ink in walls.items() if not hidden(marks.get(p, " "))}
    assert seen == {p: ink for p, ink in marks.items() if ink in "/\\_"}


def hidden(ink: str) -> bool:
    return ink.isdigit() or ink in "*#"
