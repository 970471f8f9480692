"""The grid: flat-topped cells in doubled-height coordinates, numbered in a spiral.

A cell is `(col, row)` with `col + row` even. Its position is its number, which never
changes: 0 is the centre, ring k starts at its north corner `(0, -2k)` and runs
clockwise, so 1 is north of 0, 2 north-east, ... 7 two to the north.
"""

from functools import cache
from math import isqrt

Cell = tuple[int, int]
Box = tuple[int, int, int, int]  # least col, greatest col, least row, greatest row

N, NE, SE, S, SW, NW = range(6)
STEPS: tuple[Cell, ...] = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))

# A ring runs round by these six directions, from its north corner.
_SIDES = (SE, S, SW, NW, N, NE)
LAST_RING = 57
LAST_POSITION = 3 * LAST_RING * (LAST_RING + 1)


def _first_of_ring(ring: int) -> int:
    return 1 + 3 * ring * (ring - 1)


@cache
def position_to_cell(position: int) -> Cell:
    """The cell with this number (0 and up)."""
    if position == 0:
        return (0, 0)
    ring = (3 + isqrt(12 * position - 3)) // 6
    side, steps = divmod(position - _first_of_ring(ring), ring)
    col, row = 0, -2 * ring
    for walked in range(side):
        dcol, drow = STEPS[_SIDES[walked]]
        col, row = col + ring * dcol, row + ring * drow
    dcol, drow = STEPS[_SIDES[side]]
    return (col + steps * dcol, row + steps * drow)


@cache
def cell_to_position(cell: Cell) -> int:
    """The number of a cell."""
    col, row = cell
    ring = abs(col) + max(0, (abs(row) - abs(col)) // 2)
    if ring == 0:
        return 0
    if col >= 0 and row == col - 2 * ring:
        around = col
    elif col == ring:
        around = ring + (row + ring) // 2
    elif col >= 0:
        around = 2 * ring + ring - col
    elif row == col + 2 * ring:
        around = 3 * ring - col
    elif col == -ring:
        around = 4 * ring + (ring - row) // 2
    else:
        around = 5 * ring + ring + col
    return _first_of_ring(ring) + around


@cache
def neighbours(position: int) -> tuple[int, ...]:
    """The six positions beside this one: N, NE, SE, S, SW, NW.

    Beside a cell of the last ring some are greater than LAST_POSITION: these are off
    the grid, and nobody may play there.
    """
    col, row = position_to_cell(position)
    return tuple(cell_to_position((col + dc, row + dr)) for dc, dr in STEPS)


def spread(box: Box, position: int) -> Box:
    """The box that also holds this position."""
    col, row = position_to_cell(position)
    left, right, top, bottom = box
    return min(left, col), max(right, col), min(top, row), max(bottom, row)


def holds(box: Box, position: int) -> bool:
    """Whether a cell lies in the box."""
    col, row = position_to_cell(position)
    left, right, top, bottom = box
    return left <= col <= right and top <= row <= bottom


def fits_board(box: Box, size: int | None) -> bool:
    """Whether the box fits on a board that has `size` columns and as many cells from
    top to bottom; None is a board without an edge."""
    left, right, top, bottom = box
    return size is None or (right - left < size and bottom - top < 2 * size)
