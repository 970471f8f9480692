"""The grid, against a spiral that is walked step by step."""

import pytest

from pbm_holomino.rules import grid
from tests.rules.spiral import GRID, NUMBER, SPIRAL, STEPS, step

RING_57 = range(GRID - 6 * 57, GRID)


def test_last_position() -> None:
    assert grid.LAST_POSITION == 9918 == GRID - 1
    assert SPIRAL.index((0, -2 * 57)) == RING_57[0]
    assert SPIRAL[GRID] == (0, -2 * 58)


def test_positions_run_round_the_centre() -> None:
    first = {0: (0, 0), 1: (0, -2), 2: (1, -1), 3: (1, 1), 4: (0, 2)}
    first |= {5: (-1, 1), 6: (-1, -1), 7: (0, -4), 8: (1, -3)}
    assert {p: grid.position_to_cell(p) for p in first} == first


def test_every_position_is_where_the_walk_meets_it() -> None:
    assert [grid.position_to_cell(p) for p in range(GRID)] == SPIRAL[:GRID]


def test_cell_to_position_is_the_inverse() -> None:
    cells = [grid.position_to_cell(p) for p in range(GRID)]
    assert len(set(cells)) == GRID
    assert [grid.cell_to_position(cell) for cell in cells] == list(range(GRID))


def test_ring_58_is_numbered_on() -> None:
    outside = SPIRAL[GRID:]
    assert len(outside) == 6 * 58
    assert [grid.cell_to_position(cell) for cell in outside] == list(
        range(GRID, GRID + 6 * 58)
    )


@pytest.mark.parametrize("number", [0, 1, 6, 17, 18, 5000, 9918])
def test_neighbours_stand_in_the_order_of_the_ways(number: int) -> None:
    assert list(STEPS) == ["N", "NE", "SE", "S", "SW", "NW"]
    around = [NUMBER[step(SPIRAL[number], way)] for way in STEPS]
    assert list(grid.neighbours(number)) == around


def test_ways_index_the_neighbours() -> None:
    ways = (grid.N, grid.NE, grid.SE, grid.S, grid.SW, grid.NW)
    assert [grid.neighbours(0)[way] for way in ways] == [1, 2, 3, 4, 5, 6]


def test_neighbours_are_symmetric() -> None:
    for position in range(GRID):
        around = grid.neighbours(position)
        assert len(set(around)) == 6
        for way, other in enumerate(around):
            assert grid.neighbours(other)[(way + 3) % 6] == position


def test_only_the_last_ring_has_neighbours_off_the_grid() -> None:
    for position in range(GRID):
        off = [other for other in grid.neighbours(position) if other >= GRID]
        # a corner of a ring has three neighbours in the next one, a side has two
        corner = (position - RING_57[0]) % 57 == 0
        assert len(off) == (0 if position < RING_57[0] else 3 if corner else 2)


def test_spread_takes_a_position_in() -> None:
    box = grid.spread((0, 0, 0, 0), 8)
    assert box == (0, 1, -3, 0)
    assert grid.spread(box, 15) == (-2, 1, -3, 2)
    assert grid.spread(box, 0) == box


@pytest.mark.parametrize(
    ("box", "size", "held"),
    [
        ((0, 2, 0, 0), 3, True),
        ((-1, 2, 0, 0), 3, False),
        ((0, 0, -3, 2), 3, True),
        ((0, 0, -3, 3), 3, False),
        ((-6, 5, -11, 12), 12, True),
        ((-6, 6, -11, 12), 12, False),
        ((-57, 57, -114, 114), None, True),
    ],
)
def test_fits_board(box: grid.Box, size: int | None, held: bool) -> None:
    assert grid.fits_board(box, size) is held
