"""The grid, from "help json": positions, what is beside them, and how far a board may
spread."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

Cell = tuple[int, int]
Cells = Mapping[int, str]

N, NE, SE, S, SW, NW = (0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)
WAYS = (N, NE, SE, S, SW, NW)
LAST_RING = 57


def _spiral() -> Iterator[Cell]:
    yield 0, 0
    for ring in range(1, LAST_RING + 1):
        col, row = 0, -2 * ring
        for way in (SE, S, SW, NW, N, NE):
            for _ in range(ring):
                yield col, row
                col, row = col + way[0], row + way[1]


CELL = tuple(_spiral())  # by position
POSITION = {cell: position for position, cell in enumerate(CELL)}


def beside(position: int, way: Cell) -> int | None:
    """The neighbour that way, None where the grid ends."""
    col, row = CELL[position]
    return POSITION.get((col + way[0], row + way[1]))


@cache
def around(position: int) -> tuple[int, ...]:
    found = (beside(position, way) for way in WAYS)
    return tuple(there for there in found if there is not None)


def free_around(cells: Cells) -> set[int]:
    """The empty positions beside a tile."""
    return {free for taken in cells for free in around(taken)} - {*cells}


def is_within(cells: Cells, more: Sequence[int], options: Mapping[str, Any]) -> bool:
    """Whether the board may spread so far."""
    if "board_size" not in options:
        return True
    size = int(options["board_size"])
    cols: tuple[int, ...]
    rows: tuple[int, ...]
    cols, rows = zip(*(CELL[position] for position in (*cells, *more)), strict=True)
    return max(cols) - min(cols) < size and max(rows) - min(rows) < 2 * size


def face_beside(cells: Cells, position: int, way: Cell) -> str:
    """The face that lies that way; empty where none does."""
    there = beside(position, way)
    return "" if there is None else cells.get(there, "")
