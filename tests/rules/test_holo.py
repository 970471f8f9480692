"""Holomino's tiles, its start and draws, and how a tile is turned to fit."""

import hashlib
import hmac
from itertools import permutations

import pytest

from pbm_holomino.errors import IllegalMove
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.games import holo
from tests.rules.holo_table import deal, lay, name_of, options
from tests.rules.spiral import beside
from tests.rules.told import all_told

HOLO = holo.GAME

N, NE, SE = beside(0, "N"), beside(0, "NE"), beside(0, "SE")

# Tiles

# 000, 001 and 002 list the 20 ways to combine the digits.
# fmt: off
TRIPLETS = [
    "123", "124", "125", "126", "134", "135", "136", "145", "146", "156",
    "234", "235", "236", "245", "246", "256", "345", "346", "356", "456",
]
# fmt: on


def test_forty_tiles() -> None:
    clockwise = set(TRIPLETS)
    anticlockwise = {name[0] + name[2] + name[1] for name in TRIPLETS}
    assert holo.tile_set(options()) == tuple(sorted(clockwise | anticlockwise))
    assert len(holo.tile_set(options())) == 40


def test_76_tiles_with_non_unique() -> None:
    tiles = holo.tile_set(options(non_unique="yes"))
    assert len(tiles) == 76
    doubled = {name_of(2 * a + b) for a in "123456" for b in "123456"}
    assert set(tiles) == {*holo.tile_set(options())} | doubled
    assert list(tiles) == sorted(tiles)


@pytest.mark.parametrize("n", range(4, 10))
def test_number_of_tiles(n: int) -> None:
    tiles = holo.tile_set(options(num_digits=str(n)))
    assert len(tiles) == len(set(tiles)) == n * (n - 1) * (n - 2) // 3
    assert {digit for tile in tiles for digit in tile} == set("123456789"[:n])


@pytest.mark.parametrize("n", range(3, 10))
def test_number_of_tiles_with_non_unique(n: int) -> None:
    tiles = holo.tile_set(options(num_digits=str(n), non_unique="yes"))
    assert len(tiles) == len(set(tiles)) == (n**3 + 2 * n) // 3
    assert "111" in tiles
    assert str(111 * n) in tiles


def test_a_tile_has_three_turns_and_the_smallest_names_it() -> None:
    assert set(holo.turns("231")) == {"123", "231", "312"}
    assert {holo.tile_of(face) for face in ("123", "231", "312")} == {"123"}
    assert {holo.tile_of(face) for face in ("132", "321", "213")} == {"132"}
    assert {holo.tile_of(face) for face in ("121", "211", "112")} == {"112"}
    assert set(holo.turns("111")) == {"111"}


# Matching tiles: 20 for one given corner (an erratum of the sources), 4 and 1


def placed_at(position: int, first: str, *moves: str) -> list[str]:
    """The tiles that fit at a position, of all that are not on the board."""
    table = lay(first, *moves)
    on_board = set(map(name_of, table.state.cells.values()))
    rest = [t for t in holo.tile_set(options()) if t not in on_board]
    pools = (rest, []) if table.seat == 0 else ([], rest)
    moves_here = [
        HOLO.parse_move(table.state, table.seat, move)
        for move in table.hold(*pools).legal()
        if move.endswith(f":{position}")
    ]
    return [name_of(m.face) for m in moves_here if isinstance(m, holo.Placing)]


def test_twenty_tiles_match_one_corner() -> None:
    found = placed_at(N, "123")
    assert len(found) == len(set(found)) == 19
    with_a_1 = {t for t in map("".join, permutations("123456", 3)) if t[0] == "1"}
    assert len(with_a_1) == 20
    assert {*found, "123"} == {t for t in with_a_1 if name_of(t) == t}


def test_four_tiles_match_two_corners() -> None:
    # north-east of 123, with 451 north of it: 5 is demanded, then 2 clockwise last
    found = placed_at(NE, "123", f"451:{N}")
    assert sorted(found) == sorted(map(name_of, ("512", "532", "542", "562")))


def test_one_tile_matches_three_corners() -> None:
    moves = (f"451:{N}", f"264:{SE}", f"316:{beside(0, 'NE', 'SE')}")
    assert placed_at(NE, "123", *moves) == [name_of("532")]


def test_fitting_turns() -> None:
    assert holo.fitting_turns("123", "...") == ("123", "231", "312")
    assert holo.fitting_turns("123", ".3.") == ("231",)
    assert holo.fitting_turns("123", "13.") == ()
    assert holo.fitting_turns("112", "1..") == ("112", "121")
    assert holo.fitting_turns("112", "1.1") == ("121",)
    assert holo.fitting_turns("111", "1.1") == ("111",)


# Start and draws

SEED = hashlib.sha256(b"a seed for the deal").digest()


def tiles_by_hand(count: int) -> list[str]:
    """The first tiles that a sack of forty gives."""
    faces = map("".join, permutations("123456", 3))
    left = sorted({name_of(face) for face in faces})
    drawn = []
    for number in range(1, count + 1):
        digest = hmac.new(SEED, b"%d" % number, hashlib.sha256).digest()
        drawn.append(left.pop(int.from_bytes(digest, "big") % len(left)))
    return drawn


def test_deal() -> None:
    state, events = HOLO.settle(HOLO.start(2, options()), Chance(SEED))
    drawn = tiles_by_hand(8)
    assert state.pools == ((*drawn[:3], drawn[7]), tuple(drawn[3:6]))
    assert state.cells == {0: drawn[6]}
    assert state.drawn == drawn[7]
    assert all_told(events) == [(0, f"drew {drawn[7]}")]
    assert state.sacks[0] == tuple(sorted({*tiles_by_hand(40)} - {*drawn}))
    assert state.scores == (0, 0)
    assert HOLO.to_move(state) == (0,)


def test_deal_with_larger_pools_after_the_seats() -> None:
    state, _ = HOLO.settle(HOLO.start(2, options(pool_size="5")), Chance(SEED))
    drawn = tiles_by_hand(12)
    assert state.pools == ((*drawn[:5], drawn[11]), tuple(drawn[5:10]))
    assert state.cells == {0: drawn[10]}


def test_nothing_is_drawn_before_it_is_settled() -> None:
    start = HOLO.start(2, options())
    assert HOLO.due(start) == "draw"
    assert start.pools == ((), ())
    assert len(start.sacks[0]) == 40


def test_each_turn_begins_with_a_draw() -> None:
    chance = Chance(SEED)
    state, _ = HOLO.settle(HOLO.start(2, options()), chance)
    drawn = tiles_by_hand(12)
    for turn in range(4):
        assert state.pools[turn % 2][-1] == state.drawn == drawn[7 + turn]
        played, events = HOLO.play(state, turn % 2, HOLO.legal(state, turn % 2)[0])
        assert (HOLO.to_move(played), HOLO.due(played)) == (
            ((turn + 1) % 2,),
            "draw",
        )
        assert played.sacks[0] == state.sacks[0]
        assert len(events) == 1
        state, events = HOLO.settle(played, chance)
        assert all_told(events) == [(1 - turn % 2, f"drew {drawn[8 + turn]}")]
        assert set(played.sacks[0]) - set(state.sacks[0]) == {drawn[8 + turn]}
        assert HOLO.to_move(state) == (1 - turn % 2,)


def test_settling_again_draws_no_more() -> None:
    state, _ = HOLO.settle(HOLO.start(2, options()), Chance(SEED))
    assert HOLO.settle(state, Chance(SEED)) == (state, ())


def test_a_pool_keeps_the_order_of_drawing() -> None:
    table = deal("123", [["145", "456", "146"], ["165", "356", "156"]], ["134", "234"])
    assert table.state.pools[0] == ("145", "456", "146", "134")
    table.play(f"146:{N}")
    assert table.state.pools == (("145", "456", "134"), ("165", "356", "156", "234"))


def test_an_empty_sack_gives_no_tile() -> None:
    table = deal(
        "123", [["124", "143"], ["134", "142"]], ["132", "234"], num_digits="4"
    )
    assert table.state.sacks[0] == ("234", "243")
    table.play(next(m for m in table.legal() if m.startswith("132")))
    table.play(next(m for m in table.legal() if m.startswith("234")))
    assert len(table.state.sacks[0]) == 0
    assert table.state.drawn == "243"
    table.play(next(m for m in table.legal() if m.startswith("243")))
    assert table.state.drawn is None
    assert [event.seat for event in table.events] == [0]
    assert table.state.pools == (("124", "143"), ("134", "142"))
    assert table.seat == 1


# Turning to fit


# Beside 145 (1 at its upper left, 4 at its right, 5 at its lower left corner), each
# neighbour has one corner that must show the same.
TURNED = [
    ("N", "541"),
    ("NE", "154"),
    ("SE", "415"),
    ("S", "541"),
    ("SW", "154"),
    ("NW", "415"),
]


@pytest.mark.parametrize("typed", ["154", "541", "415"])
@pytest.mark.parametrize(("way", "face"), TURNED)
def test_any_rotation_names_the_tile_and_it_is_turned_to_fit(
    typed: str, way: str, face: str
) -> None:
    table = deal("145", [["154"], ["456"]])
    position = beside(0, way)
    move = HOLO.parse_move(table.state, 0, f"{typed}:{position}")
    assert HOLO.format_move(move) == f"154:{position}"
    assert table.play(f"{typed}:{position}").state.cells == {0: "145", position: face}


def test_a_tile_is_turned_to_fit_at_17() -> None:
    # 17 is the north-western neighbour of 6, and 6 that of 0
    table = lay("123", "516:6").hold(["456"], ["145"])
    # 1 is demanded at position 1, and beside the upper left corner of 6 a 5
    assert table.legal() == {"145:1", "145:17", "145:18"}
    assert table.play("514:17").state.cells[17] == "451"


def test_a_move_is_reported_in_canonical_notation() -> None:
    table = deal("145", [["154"], ["456"]]).play(f"541:{N}")
    assert all_told(table.events)[0] == (0, f"played 154:{N}")


# Several turns, with non_unique

FREE = {"non_unique": "yes", "pool_size": "1"}


def test_several_turns_are_read_as_the_face_lies() -> None:
    # north of 123 the lower left corner must show 1, which 112 can do in two turns
    table = deal("123", [["112"], ["456"]], **FREE).hold(["112"], ["456"])
    assert {m for m in table.legal() if m.endswith(f":{N}")} == {
        f"121:{N}",
        f"211:{N}",
    }
    for face in ("121", "211"):
        move = HOLO.parse_move(table.state, 0, f"{face}:{N}")
        assert HOLO.format_move(move) == f"{face}:{N}"
        state, events = HOLO.play(table.state, 0, move)
        assert state.cells[N] == face
        assert all_told(events) == [(0, f"played {face}:{N}")]


def test_a_face_that_does_not_fit_is_refused_listing_those_that_do() -> None:
    table = deal("123", [["112"], ["456"]], **FREE)
    before = table.state
    with pytest.raises(IllegalMove) as caught:
        table.play(f"112:{N}")
    assert f"112 does not fit at {N}" in str(caught.value)
    assert f"121:{N}" in str(caught.value)
    assert f"211:{N}" in str(caught.value)
    assert table.state == before


@pytest.mark.parametrize("typed", ["112", "121", "211"])
def test_the_only_turn_that_fits_is_found_with_non_unique_too(typed: str) -> None:
    # to the south-east of 123 the upper left corner must show 2
    table = deal("123", [["112"], ["456"]], **FREE)
    move = HOLO.parse_move(table.state, 0, f"{typed}:{SE}")
    assert HOLO.format_move(move) == f"112:{SE}"
    assert table.play(f"{typed}:{SE}").state.cells[SE] == "211"


def test_a_tile_with_one_face_has_its_name() -> None:
    table = deal("123", [["111"], ["456"]], **FREE).hold(["111"], ["456"])
    assert table.legal() == {f"111:{N}", f"111:{beside(0, 'NW')}"}
    assert table.play(f"111:{N}").state.cells[N] == "111"


# What players see


def test_view() -> None:
    table = lay("123", f"265:{SE}", f"354:{beside(0, 'S')}", f"451:{N}")
    table.hold(["136"], ["156", "456"], sack=["124", "125"])
    view = HOLO.view(table.state, None)
    assert HOLO.to_move(table.state) == (1,)
    assert view.scores == (0, 10)
    assert view.pools == (("136",), ("156", "456"))
    assert view.sack == 2
    assert view.drawn == table.state.drawn
    assert set(view.legal) == table.legal()
    assert view.drawing.notation == "bitten"
    assert view.drawing.faces == {0: "123", SE: "265", beside(0, "S"): "354", N: "451"}
    for seat in (0, 1):
        assert HOLO.view(table.state, seat) == view._replace(seat=seat)


def test_between_a_move_and_the_draw_nobody_may_move() -> None:
    table = deal("145", [["154"], ["456"]])
    move = HOLO.parse_move(table.state, 0, f"154:{N}")
    state, _ = HOLO.play(table.state, 0, move)
    view = HOLO.view(state, None)
    assert (HOLO.to_move(state), HOLO.due(state)) == ((1,), "draw")
    assert view.legal == ()
    assert view.drawn is None
    # 145 and 541 demand a 4 each of the cell to the north-east
    assert view.drawing.labels == {NE: ("x", "blocked")}
