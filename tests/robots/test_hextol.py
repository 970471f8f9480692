"""What level 3 of Hextol looks at."""

from typing import Any

from pbm_holomino.robots.games import hextol
from pbm_holomino.robots.search import later
from tests import boards
from tests.boards import Case

WIDTH = 10  # the moves of a position that are searched


def test_what_can_be_prevented_is_prevented_by_a_move_that_is_searched() -> None:
    """Where nothing can be scored, but after some moves, and not after all, the other
    player can score."""
    checked = 0
    for turned in range(2):
        states: list[Any] = [*boards.states(Case("hextol", 2, {}), turned)]
        for position in map(hextol.Position, states):
            moves = position.moves()
            scored = {move: -later(position, move, 1) for _, move in moves}
            if position.over or moves[0][0] or len({*map(bool, scored.values())}) < 2:
                continue
            searched = [move for _, move in position.moves(WIDTH)]
            assert min(scored[move] for move in searched) == 0
            checked += 1
    assert checked > 20
