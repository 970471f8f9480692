"""The legal moves of the games, from what is on the board and in a pool: written from
"help json" and the games' pages, and importing nothing of the package."""

from collections.abc import Iterator, Mapping, Sequence
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


def around(position: int) -> list[int]:
    found = (beside(position, way) for way in WAYS)
    return [there for there in found if there is not None]


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


# The corners of a neighbour that the upper left, right and lower left digit meet.
MEETS = (((N, 2), (NW, 1)), ((NE, 2), (SE, 0)), ((S, 0), (SW, 1)))


def face_beside(cells: Cells, position: int, way: Cell) -> str:
    """The face that lies that way; empty where none does."""
    there = beside(position, way)
    return "" if there is None else cells.get(there, "")


def _fits(cells: Cells, position: int, face: str) -> bool:
    for digit, meets in zip(face, MEETS, strict=True):
        for way, corner in meets:
            other = face_beside(cells, position, way)
            if other and other[corner] != digit:
                return False
    return True


def holo_moves(
    cells: Cells, pool: Sequence[str], options: Mapping[str, Any]
) -> dict[str, str]:
    """The moves but for passes, each with the face as it lies."""
    found = {}
    for position in free_around(cells):
        if not is_within(cells, [position], options):
            continue
        for tile in pool:
            turns = {tile, tile[1:] + tile[0], tile[2] + tile[:2]}
            faces = [face for face in turns if _fits(cells, position, face)]
            for face in faces:
                name = tile if len(faces) == 1 else face
                found[f"{name}:{position}"] = face
    return found


def intersections(cells: Cells, halves: Sequence[int]) -> list[list[int]]:
    """The three numbers round each point where three taken cells meet, one of them
    among these."""
    points = {
        frozenset((half, one, other))
        for half in halves
        for way, following in zip(WAYS, WAYS[1:] + WAYS[:1], strict=True)
        if (one := beside(half, way)) is not None
        and (other := beside(half, following)) is not None
    }
    full = (point for point in points if all(at in cells for at in point))
    return [sorted(int(cells[at]) for at in point) for point in full]


def hextad_moves(
    cells: Cells, pool: Sequence[str], options: Mapping[str, Any]
) -> set[str]:
    """Every way to lay a tile; with the strict rules each intersection that it forms
    must be valid."""
    found = set()
    for here in free_around(cells):
        for there in set(around(here)) - {*cells}:
            if not is_within(cells, [here, there], options):
                continue
            for tile in pool:
                for one, other in (tuple(tile), tuple(tile[::-1])):
                    after = {**cells, here: one, there: other}
                    formed = intersections(after, [here, there])
                    valid = all(low + middle == high for low, middle, high in formed)
                    if valid or options["strict"] in ("no", False):
                        (a, p), (b, q) = sorted([(one, here), (other, there)])
                        found.add(f"{a}{b}:{p},{q}")
    return found


def hextol_moves(
    cells: Cells, pool: Sequence[str], options: Mapping[str, Any]
) -> set[str]:
    """Every way to lay a tile."""
    found = set()
    wanted = {
        free: {cells[taken] for taken in around(free) if taken in cells}
        for free in free_around(cells)
    }
    for here in wanted:
        for there in set(around(here)) - {*cells}:
            if not is_within(cells, [here, there], options):
                continue
            for tile in pool:
                for one, other in (tuple(tile), tuple(tile[::-1])):
                    if wanted[here] <= {one} and wanted.get(there, set()) <= {other}:
                        (a, p), (b, q) = sorted([(one, here), (other, there)])
                        found.add(f"{a}{b}:{p},{q}")
    return found


def walomino_moves(
    path: Sequence[int],
    cells: Cells,
    pool: Sequence[str],
    ends: Sequence[int] = (0, -1),
) -> set[str]:
    """Every way to join a pair to an open end: the chain's first position, its last
    one, or either."""
    found = set()
    for end in ends:
        tip, partner = path[end], path[1 if end == 0 else -2]
        allowed = {tip} if len(path) == 2 else {tip, partner}
        for p in set(around(tip)) - {*cells}:
            for q in set(around(p)) - {*cells}:
                touches = [(0, at) for at in around(p) if at in cells]
                touches += [(1, at) for at in around(q) if at in cells]
                if len(touches) > 2 or not {at for _, at in touches} <= allowed:
                    continue
                for pair in {turned for one in pool for turned in (one, one[::-1])}:
                    if all(pair[half] == cells[at] for half, at in touches):
                        found.add(f"{pair}:{p},{q}")
    return found
