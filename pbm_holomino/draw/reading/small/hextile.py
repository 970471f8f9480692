"""Reading a small picture of hextiles back, from its characters alone."""

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
    marked,
    no_part,
)
from pbm_holomino.languages import sentence

COLUMNS, LINES = 3, 1  # from a cell to the next column and the next row
# The edges of a half, counted from its corner: the way to the neighbour, and strokes.
_EDGES: dict[Point, Marks] = {
    (0, -2): {(1, 0): "_", (2, 0): "_"},
    (1, -1): {(3, 1): "\\"},
    (1, 1): {(3, 2): "/"},
    (0, 2): {(1, 2): "_", (2, 2): "_"},
    (-1, 1): {(0, 2): "\\"},
    (-1, -1): {(0, 1): "/"},
}
_LAST = (2, 1)
_LAST_BELOW = (1, 2)  # of tiles that belong to players
_MANY_HALVES = sentence(
    'No wall parts "{face}" from several others: a tile has two halves.'
)


def read(lines: list[str]) -> Picture:
    """The tiles and the labels; Wrong if there is anything else in the picture. A face
    is one character and a position two to four; the label of a face is a star."""
    inked, hashes = glyphs(lines)
    shaded = {(x - 2, y - 1) for (x, y), ink in inked.items() if ink == "."}
    marks = {point: ink for point, ink in inked.items() if ink != "."}
    words = _words_of(lines)
    faces, heights = _faces(words)
    if not faces:
        raise Wrong(first(inked), NO_TILE)
    numbers = {
        (x - (len(word) < 4), y - 1): word
        for (x, y), word in words.items()
        if len(word) > 1
    }
    stars = {(x - 1, y - 2) for (x, y), ink in marks.items() if ink == "*"}
    last = _last(faces, hashes)
    joints = {_joint(marks, faces, corner, last) for corner in faces}
    letters = {
        (x + i, y): ink for (x, y), w in words.items() for i, ink in enumerate(w)
    }
    _check_strokes({**marks, **dict.fromkeys(hashes, "#")}, faces, joints, letters)
    check_none(((x + 1, y + 2) for x, y in stars - faces.keys()), marks)
    check_none(((x + 2, y + 1) for x, y in shaded - faces.keys()), inked)
    frame = Frame(*min(faces), COLUMNS, LINES)
    cell = frame.cell
    seen = Seen(
        {cell(corner): face for corner, face in faces.items()},
        {frozenset(map(cell, pair)) for pair in joints if len(pair) == 2},
        {cell(corner): number for corner, number in numbers.items()}
        | {cell(corner): "*" for corner in stars},
        frozenset(map(cell, last)),
        frozenset(map(cell, shaded)),
        {cell(corner): height for corner, height in heights.items()},
    )
    return Picture(seen, frame)


def _words_of(lines: Iterable[str]) -> dict[Point, str]:
    """The faces, the heights and the numbers, by their first column and line. No
    position has five digits: the first of them is a height."""
    return {
        (found.start(), y): found[0]
        for y, line in enumerate(lines)
        for found in re.finditer(r"[0-9](?=[0-9]{4})|[0-9]{2,4}|[0-9A-Z]", line)
    }


def _faces(words: Mapping[Point, str]) -> tuple[dict[Point, str], dict[Point, str]]:
    """The faces, and the heights that are written below some of them."""
    faces = {(x - 1, y - 1): word for (x, y), word in words.items() if len(word) == 1}
    heights = {
        corner: faces.pop((corner[0] + 1, corner[1] + 1))
        for corner in sorted(faces)
        if (corner[0] + 1, corner[1] + 1) in faces
    }
    return faces, heights


def _last(faces: Mapping[Point, str], hashes: set[Point]) -> frozenset[Point]:
    """The halves of the last tile."""
    below = hashes <= {(x + _LAST_BELOW[0], y + _LAST_BELOW[1]) for x, y in faces}
    last = marked(faces, hashes, [_LAST_BELOW if below else _LAST])
    if len(last) not in (0, 2):
        no_part(first(hashes), {})
    return last


def _beside(corner: Point, way: Point) -> Point:
    return corner[0] + way[0] * COLUMNS, corner[1] + way[1] * LINES


def _joint(
    marks: Marks, faces: Mapping[Point, str], corner: Point, last: frozenset[Point]
) -> frozenset[Point]:
    """A half and the one other half that no wall parts from it; alone, if that one is
    covered. The marks of the last tile may hide its walls."""
    if corner in last:
        return last
    others = {
        _beside(corner, way)
        for way, strokes in _EDGES.items()
        if _beside(corner, way) in faces
        and not any(
            _inked(marks, corner, point) == ink for point, ink in strokes.items()
        )
    } - last
    if len(others) > 1:
        point = corner[0] + 1, corner[1] + 1
        raise Wrong(point, _MANY_HALVES.of(face=faces[corner]))
    return frozenset((corner, *others))


def _inked(marks: Marks, corner: Point, point: Point) -> str:
    return marks.get((corner[0] + point[0], corner[1] + point[1]), " ")


def _check_strokes(
    marks: Marks,
    faces: Mapping[Point, str],
    joints: Iterable[frozenset[Point]],
    letters: Mapping[Point, str],
) -> None:
    """Wrong unless each wall is there, as far as no number or star hides it, and
    nothing else is but these letters."""
    joined = {*joints}
    walls = {
        (corner[0] + x, corner[1] + y): ink
        for corner in faces
        for way, strokes in _EDGES.items()
        if frozenset((corner, _beside(corner, way))) not in joined
        for (x, y), ink in strokes.items()
    }
    hidden = {p for p, ink in marks.items() if ink in "*#"} | letters.keys()
    there = {point: ink for point, ink in marks.items() if point not in hidden}
    seen = {point: ink for point, ink in walls.items() if point not in hidden}
    odd = {point for point, _ in there.items() ^ seen.items()}
    check_none(odd, {point: marks.get(point, " ") for point in odd})
