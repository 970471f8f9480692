"""The rim of the grid: 9918, the last position, is played on; 9919 is refused.

9918 lies south-west of 9577, the northernmost cell; 9919 would lie north of 9577.
"""

import pytest

from pbm_holomino.errors import IllegalMove
from pbm_holomino.rules.games import hextol
from pbm_holomino.rules.games.walomino.chain import Chain, Placing, judge, placings
from pbm_holomino.rules.hextiles import Move
from tests.rules.any_hextiles import hold
from tests.rules.hextol_scene import board
from tests.rules.spiral import GRID, NUMBER, SPIRAL, beside

HEXTOL = hextol.GAME

LAST, NORTH = 9918, 9577
BEYOND = "There is no position 9919: the last one is 9918."


def test_where_9918_and_9919_lie() -> None:
    assert GRID == LAST + 1
    assert SPIRAL[NORTH] == (0, -2 * 57)
    assert beside(NORTH, "SW") == LAST
    assert beside(NORTH, "N") == LAST + 1


def test_hextol_plays_on_9918_and_not_on_9919() -> None:
    south = beside(NORTH, "S")
    state = hold(board("22"), ["22"], ["24"])._replace(frontier={NORTH: "2"})
    state, _ = HEXTOL.play(state, 0, Move("22", NORTH, south))
    played = {at for move in HEXTOL.legal(state, 1) for at in (move.first, move.second)}
    assert LAST in played
    assert max(played) == LAST
    after, _ = HEXTOL.play(state, 1, HEXTOL.parse_move(state, 1, "24:9918,9917"))
    assert (after.cells[LAST], after.cells[LAST - 1]) == ("2", "4")
    with pytest.raises(IllegalMove) as refused:
        HEXTOL.play(state, 1, HEXTOL.parse_move(state, 1, "24:9918,9919"))
    assert str(refused.value) == BEYOND


@pytest.fixture
def chain() -> Chain:
    """A start pair whose green end is south of 9918, and whose red one is away from
    it."""
    green = beside(LAST, "S")
    red = beside(green, "S")
    return Chain((red, green), {red: "R", green: "G"})


def test_walomino_plays_on_9918_and_not_on_9919(chain: Chain) -> None:
    played = {at for move in placings(chain, ("GR",)) for at in move[2:]}
    assert {LAST, NORTH} <= played
    assert max(played) == LAST
    judge(chain, Placing("G", "R", LAST, NORTH))
    with pytest.raises(IllegalMove) as refused:
        judge(chain, Placing("G", "R", NORTH, LAST + 1))
    assert str(refused.value) == BEYOND


def test_walomino_names_the_neighbours_that_are_on_the_grid(chain: Chain) -> None:
    on_grid = sorted(NUMBER[cell] for cell in [(1, -113), (0, -112), (-1, -113)])
    assert on_grid[-1] == LAST
    with pytest.raises(IllegalMove) as refused:
        judge(chain, Placing("G", "R", NORTH, 5))
    listed = ", ".join(map(str, on_grid))
    assert str(refused.value).endswith(f"beside {NORTH} are {listed}.")
