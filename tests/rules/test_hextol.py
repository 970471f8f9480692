"""Hextol's tiles, options, start, draws, skips and end."""

import pytest

from pbm_holomino.errors import BadOption
from pbm_holomino.rules import hextiles
from pbm_holomino.rules.games import hextol
from tests.rules.any_hextiles import hold
from tests.rules.hextol_scene import board, legal, options, play, settle, stack
from tests.rules.spiral import beside
from tests.rules.told import told

HEXTOL = hextol.GAME

# Tiles and options


def test_double_six_is_28_tiles() -> None:
    tiles = hextiles.tile_set(options())
    assert len(tiles) == len(set(tiles)) == 28
    assert (tiles[0], tiles[6], tiles[7], tiles[-1]) == ("00", "06", "11", "66")
    assert all(a <= b for a, b in (tuple(tile) for tile in tiles))


@pytest.mark.parametrize(("least", "most"), [(0, 1), (0, 9), (3, 6), (8, 9)])
def test_number_of_tiles(least: int, most: int) -> None:
    words = {"min_pips": str(least), "max_pips": str(most), "pool_size": "1"}
    tiles = hextiles.tile_set(options(**words))
    faces = most - least + 1
    assert len(set(tiles)) == faces * (faces + 1) // 2
    assert set("".join(tiles)) == set("0123456789"[least : most + 1])


def test_defaults() -> None:
    expected = {"min_pips": 0, "max_pips": 6, "pool_size": 7, "board_size": None}
    assert options() == expected


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("min_pips=9", "0 to 8"),
        ("max_pips=10", "1 to 9"),
        ("max_pips=0", "1 to 9"),
        ("min_pips=5 max_pips=5", "6 to 9 with -min_pips=5"),
        ("min_pips=7", "8 to 9 with -min_pips=7"),
        ("pool_size=0", "1 to 13 .the set has 28 tiles"),
        ("pool_size=14", "1 to 13 .the set has 28 tiles"),
        ("max_pips=9 pool_size=28", "1 to 27 .the set has 55 tiles"),
        ("max_pips=3", "1 to 4 .the set has 10 tiles"),
        ("board_size=2", "3 to 99"),
        ("board_size=100", "3 to 99"),
    ],
)
def test_options_outside_their_limits(words: str, limits: str) -> None:
    with pytest.raises(BadOption, match=f"outside its limits: {limits}"):
        options(**dict(word.split("=") for word in words.split()))


@pytest.mark.parametrize(
    "words",
    ["pool_size=13", "max_pips=9 pool_size=27", "min_pips=8 max_pips=9 pool_size=1"],
)
def test_options_at_their_limits(words: str) -> None:
    options(**dict(word.split("=") for word in words.split()))


# Start

POOLS = ("01", "02", "03", "04", "05", "06", "12")
OTHER_POOL = ("15", "16", "13", "14", "23", "24", "25")


def test_nothing_is_drawn_before_the_start() -> None:
    state = HEXTOL.start(2, options())
    assert HEXTOL.due(state) == "draw"
    assert HEXTOL.outcome(state) is None
    assert len(state.sacks[0]) == 28


@pytest.mark.parametrize("before", [0, 1, 2, 5])
def test_first_double(before: int) -> None:
    others = ["12", "05", "46", "13", "01"][:before]
    chance = stack([*others, "22"], [*POOLS, *OTHER_POOL])
    state, events = HEXTOL.settle(HEXTOL.start(2, options()), chance)
    drawer = before % 2
    drawn = [
        (turn % 2, f"drew {tile}, which went back") for turn, tile in enumerate(others)
    ]
    assert [(event.seat, told(event)) for event in events[:-1]] == drawn
    assert events[-1].seat == drawer
    said = told(events[-1])
    assert said.startswith("drew the double 22, which lies at 0 and 1, and ")
    assert state.cells == {0: "2", 1: "2"}
    assert state.pools == (POOLS, OTHER_POOL)
    assert state.turn == drawer
    assert HEXTOL.to_move(state) == (drawer,)
    assert state.draws == before + 1 + 14
    # the others went back: 28 tiles less the double and two pools
    assert len(state.sacks[0]) == 13
    assert {*state.sacks[0], *POOLS, *OTHER_POOL, "22"} == {
        *hextiles.tile_set(options())
    }


def test_opening_moves() -> None:
    # 8 cells lie round the double, a cycle: of their 48 sides 10 are the double's and
    # 16 their own, so 22 lead outwards.
    state = board("22")
    assert len(legal(hold(state, ["24"]))) == 22
    assert len(legal(hold(state, ["24", "02"]))) == 44
    assert legal(hold(state, ["13", "44"])) == set()
    assert {"24:7,19", "24:2,10", "24:4,13"} < legal(hold(state, ["24"]))


def test_a_double_is_listed_once_smaller_position_first() -> None:
    state = hold(board("22", "24:7,19"), ["44"])
    # Three cells beside the 4 want a 4, in a row; two more want a 2 as well. The
    # middle one has three free cells beside it, and so have the outer ones.
    outer, middle, other = (beside(19, way) for way in ("NW", "N", "NE"))
    pairs = {frozenset((middle, outer)), frozenset((middle, other))}
    for end, ways in (
        (middle, ("NW", "N", "NE")),
        (outer, ("SW", "NW", "N")),
        (other, ("N", "NE", "SE")),
    ):
        pairs |= {frozenset((end, beside(end, way))) for way in ways}
    assert len(pairs) == 11
    assert legal(state) == {f"44:{min(pair)},{max(pair)}" for pair in pairs}


# Draws and skips


def test_the_mover_draws_after_a_move() -> None:
    state = hold(board("22"), ["24", "00"], ["25"], sack=["11", "33", "55"])
    state, told = play(state, "24:7,19")
    assert told == ["0 played 24:7,19"]
    assert state.pools == (("00",), ("25",))
    state, told = settle(state, 1)
    assert told == ["0 drew 33"]
    assert state.pools == (("00", "33"), ("25",))
    assert (state.sacks[0], state.turn, state.drawn) == (("11", "55"), 1, None)


def test_settling_twice_changes_nothing() -> None:
    state = hold(board("22"), ["24", "00"], ["25"], sack=["11", "33"])
    state, _ = settle(play(state, "24:7,19")[0], 0)
    assert settle(state) == (state, [])


def test_forced_draws_go_on_until_a_move_is_possible() -> None:
    yard = ["00", "11", "33", "35", "55"]
    state = hold(board("22"), ["24", "26"], ["01"], sack=yard)
    state, _ = play(state, "24:7,19")
    assert HEXTOL.due(state) == "draw"
    # 11 for the tile played; 55 and 00 fit nowhere, 33 neither, 35 neither
    state, told = settle(state, 1, 3, 0, 0, 0)
    assert told == [
        "0 drew 11",
        "1 could not move and drew 55, 00, 33, 35",
        "1 still could not move and lost the turn",
    ]
    assert state.pools == (("26", "11"), ("01", "55", "00", "33", "35"))
    assert (state.turn, state.sacks[0], state.drawn) == (0, (), None)


def test_forced_draws_stop_at_the_first_tile_that_fits() -> None:
    yard = ["00", "11", "23", "55"]
    state = hold(board("22"), ["24", "26"], ["01"], sack=yard)
    state, _ = play(state, "24:7,19")
    state, told = settle(state, 0, 2, 1)
    assert told == ["0 drew 00", "1 could not move and drew 55, 23"]
    assert (state.turn, state.drawn, state.sacks[0]) == (1, "23", ("11",))
    assert HEXTOL.view(state, None).drawn == "23"
    state, _ = play(state, "23:4,13")
    assert (state.turn, HEXTOL.view(state, None).drawn) == (0, None)


def test_a_skip_with_an_empty_boneyard_needs_no_draw() -> None:
    state = hold(board("22"), ["24", "26"], ["01"])
    state, told = play(state, "24:7,19")
    assert told == ["0 played 24:7,19", "1 could not move and lost the turn"]
    assert HEXTOL.to_move(state) == (0,)
    assert settle(state) == (state, [])


def test_a_preview_goes_on_with_the_tiles_known() -> None:
    state = hold(board("22"), ["24", "26"], ["25"], sack=["00", "11"])
    state, _ = play(state, "24:7,19")
    assert HEXTOL.to_move(state) == (1,)
    state, _ = play(state, "25:4,13")
    assert HEXTOL.to_move(state) == (0,)
    assert state.pools == (("26",), ())
    state, told = settle(state, 0, 0)
    assert told == ["0 drew 00", "1 drew 11"]


def test_the_boneyard_may_run_out_before_all_have_drawn() -> None:
    state = hold(board("22"), ["24", "26"], ["25"], sack=["00"])
    state, _ = play(play(state, "24:7,19")[0], "25:4,13")
    assert settle(state, 0)[1] == ["0 drew 00"]


def test_a_preview_ends_where_a_draw_is_needed() -> None:
    state = hold(board("22"), ["24", "26"], ["01"], sack=["00"])
    state, told = play(state, "24:7,19")
    assert told == ["0 played 24:7,19"]
    assert (HEXTOL.to_move(state), HEXTOL.due(state)) == ((1,), "draw")
    view = HEXTOL.view(state, None)
    assert (view.legal, view.drawing.labels) == ((), {})


# The end


def test_end_when_neither_can_move() -> None:
    state = hold(board("22"), ["24", "00"], ["01", "66"])
    assert HEXTOL.outcome(state) is None
    state, told = play(state._replace(scores=(5, 9)), "24:7,19")
    ends = ["1 could not move", "0 could not move either"]
    assert told == ["0 played 24:7,19", *ends]
    # the pips that are left, 0 and 13, do not count
    assert state.scores == (5, 9)
    assert HEXTOL.outcome(state) == (1,)
    assert HEXTOL.to_move(state) == ()
    assert settle(state) == (state, [])
    view = HEXTOL.view(state, None)
    assert (view.legal, view.scores) == ((), (5, 9))


def test_end_after_vain_draws() -> None:
    state = hold(board("22"), ["24"], ["01"], sack=["00", "11"])
    state, told = settle(play(state, "24:7,19")[0], 1, 0)
    assert told == [
        "0 drew 11",
        "1 could not move and drew 00",
        "1 still could not move",
        "0 could not move either",
    ]
    assert HEXTOL.outcome(state) == (0, 1)
    assert HEXTOL.view(state, None).drawn is None


def test_end_when_the_tiles_run_out() -> None:
    state = hold(board("22"), ["24"], [])
    state, told = play(state, "24:7,19")
    assert told[1:] == ["1 had no tile left", "0 could not move either"]
    assert HEXTOL.outcome(state) == (0, 1)
    assert settle(state) == (state, [])


def test_a_player_who_has_no_tile_left_loses_the_turn() -> None:
    state = hold(board("22"), ["24", "26"], [])
    state, told = play(state, "24:7,19")
    assert told[1:] == ["1 had no tile left and lost the turn"]
    assert HEXTOL.to_move(state) == (0,)


def test_equal_scores_are_a_draw() -> None:
    state = hold(board("22"), ["24"], [])._replace(scores=(7, 7))
    assert HEXTOL.outcome(play(state, "24:7,19")[0]) == (0, 1)


# What is shown


def test_view() -> None:
    state = hold(board("22"), ["24"], ["00"], sack=["11", "12"])
    view = HEXTOL.view(state, 0)
    for seat in (None, 1):
        assert HEXTOL.view(state, seat) == view._replace(seat=seat)
    assert HEXTOL.to_move(state) == (0,)
    assert (view.sack, view.drawn, view.phase) == (2, None, "play")
    assert view.drawing.notation == "hextile"
    assert view.drawing.faces == {0: "2", 1: "2"}
    assert list(view.drawing.joints) == [(0, 1)]
    assert len(view.legal) == 22
    # both halves' cells can be found: the 8 round the tile and the 14 round these
    assert set(view.drawing.labels) == {*range(2, 22), 35, 36}
    assert all(label == (str(at), "move") for at, label in view.drawing.labels.items())
