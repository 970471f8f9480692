"""Holomino's scores, blocked cells and the size of the board, in games that lay out
the help files' figures."""

import pytest

from pbm_holomino.errors import IllegalMove
from pbm_holomino.rules.games import holo
from tests.rules.holo_table import HoloTable, deal, lay, name_of
from tests.rules.spiral import beside
from tests.rules.told import told

HOLO = holo.GAME

N, NE, SE, S = (beside(0, way) for way in ("N", "NE", "SE", "S"))

# Scores

# The figures' boards, with digits where these leave them open. The first tile is
# the one that lies as its name says.
HOLES = {
    6: ("136", f"421:{N}", f"253:{NE}"),
    10: ("123", f"265:{SE}", f"354:{S}"),
    15: ("154", f"516:{SE}", f"461:{S}"),
}


@pytest.mark.parametrize("limited", ["yes", "no"])
@pytest.mark.parametrize("worth", HOLES)
def test_one_hole_is_worth_its_three_numbers(worth: int, limited: str) -> None:
    first, one, other = HOLES[worth]
    for moves in ((one, other), (other, one)):
        table = lay(first, *moves, limit_scores=limited)
        assert table.state.scores == (0, worth)
        written = f"{name_of(moves[1][:3])}:{moves[1][4:]}"
        assert told(table.events[0]) == f"played {written} and scored {worth}"


def test_two_tiles_make_no_hole() -> None:
    table = lay("123", f"265:{SE}")
    assert table.state.scores == (0, 0)
    assert "scored" not in told(table.events[0])


# The figure of 3375 points, its north-western tile being the first of the game, so
# that the middle is to the south-east of 0.
RING = {
    "N": "164",
    "NE": "615",
    "SE": "524",
    "S": "642",
    "SW": "562",
}
MIDDLE = "456"


def ring(*ways: str, **words: str) -> HoloTable:
    """A game in which those tiles of the ring are laid, and then the middle."""
    moves = [f"{RING[way]}:{beside(SE, way)}" for way in ways]
    return lay("145", *moves, f"{MIDDLE}:{SE}", **words)


def test_three_holes_are_multiplied() -> None:
    table = ring("N", "NE", "SE", "S", "SW")
    assert table.state.scores == (0, 15 * 15 * 15) == (0, 3375)
    deed = told(table.events[0])
    assert deed.startswith(f"played 456:{SE} and scored 3375 ")
    assert "15, 15 and 15" in deed


def test_three_holes_are_added_and_multiplied_by_three_with_limit_scores() -> None:
    table = ring("N", "NE", "SE", "S", "SW", limit_scores="yes")
    assert table.state.scores == (0, (15 + 15 + 15) * 3) == (0, 135)


# Without one tile of the ring there are two holes, and the other player makes them.
TWO_HOLES = [("N", "NE", "SW", "S"), ("N", "NE", "SE", "SW"), ("N", "SW", "S", "SE")]


@pytest.mark.parametrize("ways", TWO_HOLES)
def test_two_holes_are_multiplied(ways: tuple[str, ...]) -> None:
    table = ring(*ways)
    assert table.state.scores == (15 * 15, 0)
    assert told(table.events[0]).startswith(f"played 456:{SE} and scored 225 ")
    assert told(table.events[0]).endswith(" 15 and 15")


@pytest.mark.parametrize("ways", TWO_HOLES)
def test_two_holes_are_added_and_doubled_with_limit_scores(
    ways: tuple[str, ...],
) -> None:
    assert ring(*ways, limit_scores="yes").state.scores == ((15 + 15) * 2, 0)


def test_each_hole_bears_its_value_once() -> None:
    """The figure "hole" of the help text: 2 and 3 and 5."""
    cells = {0: "123", 3: "265", 4: "354"}
    state = holo.State({}, (), (), cells, last=(4,))
    (hole,) = HOLO.closed(state)
    assert ({*hole.cells}, hole.value, hole.is_new) == ({0, 3, 4}, 10, True)
    (hole,) = HOLO.closed(state._replace(last=(9,)))
    assert not hole.is_new


def test_move_score() -> None:
    worth = [([], 0, 0), ([6], 6, 6), ([6, 10], 60, 32), ([6, 10, 15], 900, 93)]
    for values, multiplied, limited in worth:
        assert holo.move_score(list(values), limit_scores=False) == multiplied
        assert holo.move_score(list(values), limit_scores=True) == limited


def test_scores_add_up_over_moves() -> None:
    # after the figure of 10, a hole of 1 + 2 + 5 at the upper right of 123
    first, *ten = HOLES[10]
    eight = (f"451:{N}", f"512:{NE}")
    assert lay(first, *ten, *eight).state.scores == (0, 10 + 8)
    between = f"216:{beside(0, 'NW')}"
    assert lay(first, *ten, eight[0], between, eight[1]).state.scores == (8, 10)


# Blocked cells

BLOCKED = beside(0, "N", "N")
# The figure's two tiles stand to the north of the first one.
FIGURE = ("124", f"351:{N}", f"325:{beside(0, 'N', 'NE')}")


def test_a_blocked_cell_is_marked() -> None:
    view = HOLO.view(lay(*FIGURE).state, None)
    assert view.blocked == (BLOCKED,)
    assert view.drawing.labels[BLOCKED] == ("x", "blocked")


def test_no_tile_of_the_set_can_lie_on_a_blocked_cell() -> None:
    table = lay(*FIGURE)
    everything = holo.tile_set(table.state.options)
    legal = table.hold(everything, everything).legal()
    assert len(legal) > 40
    assert not [move for move in legal if move.endswith(f":{BLOCKED}")]


def test_with_non_unique_nothing_is_blocked() -> None:
    table = lay(*FIGURE, non_unique="yes")
    assert HOLO.view(table.state, None).blocked == ()
    table.hold(["334", "456"], ["334", "456"])
    # 3 is demanded at the right and at the lower left corner
    table.play(f"334:{BLOCKED}")
    assert table.state.cells[BLOCKED] == "433"


def test_outside_the_board_nothing_is_marked() -> None:
    south = f"461:{S}"
    assert HOLO.view(lay(*FIGURE, south).state, None).blocked == (BLOCKED,)
    # on a board of three cells from top to bottom there is no room further north
    view = HOLO.view(lay(*FIGURE, south, board_size="3").state, None)
    assert view.blocked == ()
    assert "x" not in {label.text for label in view.drawing.labels.values()}


def test_a_cell_whose_only_tile_is_on_the_board_is_not_marked() -> None:
    # position 4 demands 3, 1 and 2: its only tile is 123, the first of this game
    south_west = beside(S, "SW")
    table = lay("123", f"241:{SE}", f"435:{beside(0, 'SW')}", f"526:{south_west}")
    assert table.state.frontier[S] == "312"
    rest = [t for t in holo.tile_set(table.state.options) if t != "123"]
    assert not [m for m in table.hold(rest, rest).legal() if m.endswith(f":{S}")]
    view = HOLO.view(table.state, None)
    assert S not in view.blocked
    assert S not in view.drawing.labels


# The size of the board


def reach(table: HoloTable) -> set[int]:
    """Where the player to move could go with any tile of the set."""
    everything = holo.tile_set(table.state.options)
    legal = table.hold(everything, everything).legal()
    return {int(move.split(":")[1]) for move in legal}


# Three tiles in a line from 123 to each side; the cells that prolong it at its far
# end, and at its near one.
LINES = [
    (("N", "N"), ("451", "264"), ["N"], ["S"]),
    (("S", "S"), ("345", "561"), ["S"], ["N"]),
    (("SE", "NE"), ("254", "165"), ["SE", "NE"], ["SW", "NW"]),
    (("SW", "NW"), ("435", "546"), ["SW", "NW"], ["SE", "NE"]),
]


@pytest.mark.parametrize(("ways", "faces", "far", "near"), LINES)
def test_board_size_counts_both_ways_and_to_every_side(
    ways: tuple[str, ...], faces: tuple[str, ...], far: list[str], near: list[str]
) -> None:
    moves = (f"{faces[0]}:{beside(0, ways[0])}", f"{faces[1]}:{beside(0, *ways)}")
    ends = {beside(0, *ways, way) for way in far} | {beside(0, way) for way in near}
    open_board = reach(lay("123", *moves))
    assert ends <= open_board
    # what lies beside the line spreads it by half a cell at most
    assert reach(lay("123", *moves, board_size="3")) == open_board - ends
    assert reach(lay("123", *moves, board_size="4")) == open_board


def test_a_move_that_spreads_the_board_too_far_is_refused() -> None:
    table = lay("123", f"451:{N}", f"264:{beside(0, 'N', 'N')}", board_size="3")
    table.hold(["136"], ["456"])
    before = table.state
    with pytest.raises(IllegalMove) as caught:
        table.play(f"136:{S}")
    assert "board_size" in str(caught.value)
    assert "3 columns" in str(caught.value)
    assert str(S) in str(caught.value)
    assert table.state == before


def test_the_grid_ends_with_ring_57() -> None:
    # a straight line of tiles to the north, as far as the grid goes
    left = sorted(holo.tile_set({"num_digits": 9, "non_unique": True}))
    first = corner = left.pop(0)
    moves = []
    for away in range(1, 58):
        name = next(tile for tile in left if corner[0] in tile)
        left.remove(name)
        corner = next(face for face in holo.turns(name) if face[2] == corner[0])
        moves.append(f"{corner}:{beside(0, *['N'] * away)}")
    table = lay(first, *moves, num_digits="9", non_unique="yes")
    assert 1 + 3 * 57 * 56 in table.state.cells
    # the last position of all lies beside the first one of its ring
    assert max(table.state.frontier) == 9918
    assert max(reach(table)) == 9918
    for way in ("N", "NE", "NW"):
        with pytest.raises(IllegalMove, match="no position") as caught:
            table.play(f"111:{beside(1 + 3 * 57 * 56, way)}")
        assert "9918" in str(caught.value)


def test_the_first_tile_lies_at_0_read_from_the_upper_left() -> None:
    assert deal("465", [["123"], ["132"]]).state.cells == {0: "465"}
