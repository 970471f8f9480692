"""What a move scores, from "help verify": nothing of the package is imported."""

from collections.abc import Mapping, Sequence
from math import prod

from tests.match.verified_moves import (
    CELL,
    NE,
    NW,
    SE,
    SW,
    WAYS,
    N,
    S,
    around,
    face_beside,
    intersections,
)

UPPER_LEFT, RIGHT, LOWER_LEFT = 0, 1, 2
# Two neighbours, two digits of the tile, and one of the first neighbour's.
HOLES = (
    (N, NE, UPPER_LEFT, RIGHT, RIGHT),
    (SE, S, RIGHT, LOWER_LEFT, LOWER_LEFT),
    (SW, NW, LOWER_LEFT, UPPER_LEFT, UPPER_LEFT),
)


def holo_score(cells: Mapping[int, str], at: int, limited: bool) -> int:
    """What the tile that was laid last scores."""
    face, values = cells[at], []
    for first, second, one, other, far in HOLES:
        there = face_beside(cells, at, first)
        if there and face_beside(cells, at, second):
            values.append(int(face[one]) + int(face[other]) + int(there[far]))
    if not values:
        return 0
    return sum(values) * len(values) if limited else prod(values)


def hextad_score(cells: Mapping[int, str], halves: Sequence[int]) -> int:
    """What the tile that was laid last scores."""
    formed = intersections(cells, halves)
    return sum(high for low, middle, high in formed if low + middle == high)


def hextol_score(cells: Mapping[int, str], halves: Sequence[int]) -> int:
    """What the tile that was laid last scores."""
    outside = _outside(cells)
    seen: set[int] = set()
    score = 0
    for half in halves:
        for begin in around(half):
            if begin in cells or begin in seen or CELL[begin] in outside:
                continue
            region = _region(cells, begin)
            seen |= region
            border = {at for cell in region for at in around(cell) if at in cells}
            score += sum(int(cells[at]) for at in border)
    return score


def _region(cells: Mapping[int, str], begin: int) -> set[int]:
    region, ahead = {begin}, [begin]
    while ahead:
        for there in around(ahead.pop()):
            if there not in cells and there not in region:
                region.add(there)
                ahead.append(there)
    return region


def _outside(cells: Mapping[int, str]) -> set[tuple[int, int]]:
    """The empty cells from which a way leads out of the board, and a frame round it."""
    cols, rows = zip(*(CELL[at] for at in cells), strict=True)
    left, right, top, bottom = (
        min(cols) - 2,
        max(cols) + 2,
        min(rows) - 3,
        max(rows) + 3,
    )
    taken = {CELL[at] for at in cells}
    start = (left, top + (left + top) % 2)
    found, ahead = {start}, [start]
    while ahead:
        col, row = ahead.pop()
        for dcol, drow in WAYS:
            cell = col + dcol, row + drow
            inside = left <= cell[0] <= right and top <= cell[1] <= bottom
            if inside and cell not in taken and cell not in found:
                found.add(cell)
                ahead.append(cell)
    return found
