"""Hextad, verified."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from tests.match.verified import hextol
from tests.match.verified.grid import (
    WAYS,
    Cells,
    around,
    beside,
    free_around,
    is_within,
)


@cache
def points(half: int) -> frozenset[frozenset[int]]:
    """The points where this position and two others meet, as these three."""
    return frozenset(
        frozenset((half, one, other))
        for way, following in zip(WAYS, WAYS[1:] + WAYS[:1], strict=True)
        if (one := beside(half, way)) is not None
        and (other := beside(half, following)) is not None
    )


def intersections(cells: Cells, halves: Sequence[int]) -> list[list[int]]:
    """The three numbers round each point where three taken cells meet, one of them
    among these."""
    met = frozenset[frozenset[int]]().union(*map(points, halves))
    full = (point for point in met if point <= cells.keys())
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


def hextad_score(cells: Mapping[int, str], halves: Sequence[int]) -> int:
    """What the tile that was laid last scores."""
    formed = intersections(cells, halves)
    return sum(high for low, middle, high in formed if low + middle == high)


class Game(hextol.Game):
    def moves(self, seat: int) -> set[str]:
        return hextad_moves(self.cells, self.pools[seat], self.options)

    def score(self, halves: list[int]) -> int:
        return hextad_score(self.cells, halves)


def moves(fields: dict[str, Any], cells: Cells, pool: Sequence[str]) -> set[str]:
    """The legal moves, as a client finds them."""
    return hextad_moves(cells, pool, fields["options"])
