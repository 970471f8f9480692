"""Passing in Holomino, and how a game ends."""

import re

import pytest

from pbm_holomino.errors import IllegalMove
from pbm_holomino.rules.games import holo
from tests.rules.holo_table import HoloTable, deal, lay
from tests.rules.spiral import beside
from tests.rules.told import all_told, told

HOLO = holo.GAME

N, S = beside(0, "N"), beside(0, "S")

# With nine digits, tiles from 4 to 9 fit nowhere beside 123.
STUCK = [["456", "457"], ["567", "568"]]


def stuck() -> HoloTable:
    """A game in which neither player has a move."""
    return deal("123", STUCK, ["678", "689", "789"], num_digits="9")


# Passing


def test_without_a_move_every_tile_may_be_passed() -> None:
    table = stuck()
    assert table.state.pools[0] == ("456", "457", "678")
    assert table.legal() == {"pass:456", "pass:457", "pass:678"}


@pytest.mark.parametrize("typed", ["pass:457", "pass:574", "PASS:745"])
def test_a_tile_is_passed_back_into_the_sack(typed: str) -> None:
    table = stuck()
    state, events = HOLO.play(table.state, 0, HOLO.parse_move(table.state, 0, typed))
    assert state.pools[0] == ("456", "678")
    assert state.sacks[0] == tuple(sorted((*table.state.sacks[0], "457")))
    assert state.cells == {0: "123"}
    assert state.scores == (0, 0)
    assert all_told(events) == [(0, "passed and put 457 back into the sack")]


def test_plain_pass_returns_the_last_tile() -> None:
    table = stuck()
    move = HOLO.parse_move(table.state, 0, "pass")
    assert HOLO.format_move(move) == "pass:678"
    assert table.play("pass").state.pools[0] == ("456", "457")


def test_after_a_pass_the_next_player_draws_from_the_sack() -> None:
    table = stuck()
    before = table.state.sacks[0]
    table.play("pass:456")
    assert table.seat == 1
    (event,) = [event for event in table.events if event.seat == 1]
    tile = told(event).removeprefix("drew ")
    assert table.state.drawn == tile == table.state.pools[1][-1]
    assert table.state.sacks[0] == tuple(sorted({*before, "456"} - {tile}))


@pytest.mark.parametrize("typed", ["pass", "pass:145", "pass:456"])
def test_passing_is_refused_while_there_is_a_move(typed: str) -> None:
    table = deal("123", [["145", "456"], ["567", "568"]], ["678"], num_digits="9")
    before = table.state
    with pytest.raises(IllegalMove) as caught:
        table.play(typed)
    examples = re.findall(r'"([^"]*)"', str(caught.value))
    assert len(examples) == 1
    # only the 1 of 145 fits, north and north-west of the first tile
    assert examples[0] in {f"145:{N}", f"145:{beside(0, 'NW')}"}
    assert table.state == before


def test_a_move_outside_the_board_does_not_forbid_passing() -> None:
    # the only 6 is at the right corner of the last of three columns
    moves = (f"254:{beside(0, 'SE')}", f"165:{beside(0, 'SE', 'NE')}")
    east = {beside(0, "SE", "NE", way) for way in ("NE", "SE")}
    table = lay("123", *moves, num_digits="9").hold(["678"], ["679"])
    assert table.legal() == {f"678:{position}" for position in east}
    table = lay("123", *moves, num_digits="9", board_size="3").hold(["678"], ["679"])
    assert table.legal() == {"pass:678"}
    assert table.play("pass").state.sacks[0] == ("678",)


def test_passing_a_tile_of_the_other_player_is_refused() -> None:
    table = stuck()
    with pytest.raises(IllegalMove) as caught:
        table.play("pass:567")
    assert "567" in str(caught.value)
    for tile in table.state.pools[0]:
        assert tile in str(caught.value)


# The ends


def test_both_passing_in_succession_ends_the_game() -> None:
    table = stuck()
    table.play("pass")
    assert HOLO.outcome(table.state) is None
    sack = table.state.sacks[0]
    pool = table.state.pools[1]
    table.play("pass:567")
    assert HOLO.to_move(table.state) == ()
    assert HOLO.outcome(table.state) == (0, 1)
    # nothing is drawn any more
    assert [event.seat for event in table.events] == [1]
    assert table.state.sacks[0] == tuple(sorted((*sack, "567")))
    assert table.state.pools[1] == tuple(tile for tile in pool if tile != "567")


def test_a_move_between_two_passes_lets_the_game_go_on() -> None:
    table = stuck().play("pass:678").hold(["678", "689"], ["145", "679"])
    table.play(f"145:{N}", "pass:678")
    assert HOLO.outcome(table.state) is None
    assert table.seat == 1
    assert table.state.pools == (("689",), ("679", "678"))
    table.play("pass:679")
    assert HOLO.to_move(table.state) == ()
    assert HOLO.outcome(table.state) == (0, 1)


def test_passing_ones_last_tile_ends_the_game() -> None:
    table = stuck().hold(["456"], ["124", "567"]).play("pass")
    assert table.state.pools[0] == ()
    assert table.state.sacks[0] == ("456",)
    assert HOLO.to_move(table.state) == ()
    assert HOLO.outcome(table.state) == (0, 1)


def test_playing_ones_last_tile_ends_the_game() -> None:
    table = stuck().hold(["145"], ["124", "567"]).play(f"145:{N}")
    assert table.state.pools == ((), ("124", "567"))
    assert HOLO.to_move(table.state) == ()
    assert HOLO.view(table.state, None).legal == ()
    assert len(table.events) == 1


def test_the_last_tile_of_the_sack_does_not_end_the_game() -> None:
    table = stuck().hold(["145", "146"], ["124"], sack=["134"])
    table.play(f"145:{N}")
    assert table.state.sacks[0] == ()
    assert table.state.pools == (("146",), ("124", "134"))
    assert HOLO.outcome(table.state) is None


def play_out(table: HoloTable) -> HoloTable:
    """Make the first legal move until the game is over."""
    while HOLO.outcome(table.state) is None:
        table.play(min(table.legal()))
    return table


def test_a_whole_game_ends_with_an_empty_pool() -> None:
    # 40 tiles: 6 dealt and 1 laid, and a draw with each of the next 33 moves
    state = play_out(deal("123", [["124", "125", "126"], ["134", "135", "136"]])).state
    assert state.sacks[0] == ()
    assert () in state.pools
    assert len(state.cells) + sum(map(len, state.pools)) == 40


@pytest.mark.parametrize("worth", [0, 10])
def test_the_highest_score_wins(worth: int) -> None:
    moves = [f"265:{beside(0, 'SE')}", f"354:{S}"][: 2 if worth else 1]
    table = lay("123", *moves)
    assert table.state.scores == (0, worth)
    table.hold(["145"], ["145"]).play(f"145:{N}")
    assert HOLO.outcome(table.state) == ((1,) if worth else (0, 1))


def test_the_first_player_may_win_too() -> None:
    moves = [f"451:{N}", f"265:{beside(0, 'SE')}", f"354:{S}"]
    table = lay("123", *moves).hold(["124"], ["124"])
    assert table.state.scores == (10, 0)
    table.play(f"124:{beside(0, 'NW')}")
    assert HOLO.outcome(table.state) == (0,)


def test_equal_scores_are_a_draw() -> None:
    # 10 for the second player; then 10 for the first: 1 + 2 + 7 beside the same tile
    moves = [f"265:{beside(0, 'SE')}", f"354:{S}", f"471:{N}"]
    between = f"216:{beside(0, 'NW')}"
    table = lay("123", *moves, between, num_digits="9")
    table.hold(["278"], ["456"]).play(f"278:{beside(0, 'NE')}")
    assert table.state.scores == (10, 10)
    assert HOLO.outcome(table.state) == (0, 1)
