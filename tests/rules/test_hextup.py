"""Hextup: tiles of two players beside others and on top of them, what connects, and how
games end."""

import random
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pbm_holomino.draw.reading.hextile import COLUMNS, LINES, SHADE
from pbm_holomino.draw.text import draw
from pbm_holomino.draw.words import describe
from pbm_holomino.errors import BadOption, IllegalMove
from pbm_holomino.rules import load
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.rules.games import hextup
from pbm_holomino.rules.hextiles import Move, State, faces, read
from pbm_holomino.rules.options import configure
from tests.club import Club, take_back
from tests.paths import FIGURES
from tests.prose import plain
from tests.rules import any_hextiles
from tests.rules.any_hextiles import is_accepted, lines
from tests.rules.naive_hextol import NUMBER, SPIRAL, count, tiles, touching, written
from tests.rules.naive_hextup import NaiveHextup
from tests.rules.stacked import Stacked
from tests.rules.told import told
from tests.sizes import sized, some

HEXTUP = hextup.GAME
play, legal = partial(any_hextiles.play, HEXTUP), partial(any_hextiles.legal, HEXTUP)

LIGHT, DARK = 0, 1


def options(**words: str) -> dict[str, Any]:
    """Hextup's options, from the words of a challenge."""
    return configure(load("hextup"), words)


def board(first: str, *moves: str, **words: str) -> State:
    """A board on which Light has the first tile, and the players have played these
    moves in turn, Light first; a dash stands for none. Nobody has tiles, the boneyards
    are empty, and Light is to move."""
    left = tiles(options(**words))
    state = HEXTUP.start(2, options(**words))
    state, _ = HEXTUP.settle(state, Stacked(bytes([left.index(first)]) + bytes(200)))
    for number, text in enumerate(moves):
        seat = number % 2
        if text != "-":
            tile = HEXTUP.parse_move(state, seat, text).tile
            state = hold(state, [tile], [tile], [["66"], ["66"]])._replace(turn=seat)
            state, _ = play(state, text)
    return hold(state, (), ())._replace(turn=LIGHT, last=())


def hold(
    state: State,
    light: Iterable[str],
    dark: Iterable[str],
    sacks: Iterable[Iterable[str]] = ((), ()),
) -> State:
    """The same board with these tiles in the pools and in the boneyards."""
    left = tuple(tuple(sorted(sack)) for sack in sacks)
    return state._replace(pools=(tuple(light), tuple(dark)), sacks=left, due=())


def settled(state: State, *draws: int) -> tuple[State, list[str]]:
    """What is due, with draws of these indices, and of the smallest tile after
    them."""
    chance = Stacked(bytes(state.draws) + bytes(draws) + bytes(99))
    state, events = HEXTUP.settle(state, chance)
    return state, [f"{event.seat} {told(event)}" for event in events]


def refusal(state: State, text: str) -> str:
    with pytest.raises(IllegalMove) as told:
        play(state, text)
    return str(told.value)


# The start


def test_each_player_draws_from_their_own_boneyard_until_a_double_comes() -> None:
    # Light draws the second tile, 01, and Dark the first of a whole set, 00.
    state, told = settled(HEXTUP.start(2, options()), 1, 0)
    assert told == [
        "0 drew 01, which went back",
        "1 drew the double 00, which lies at 0 and 1, and got the first move",
    ]
    assert (state.turn, state.owners) == (DARK, {0: DARK, 1: DARK})
    # Light has 01 again. Dark's 00 is on the board.
    assert state.pools[LIGHT] == ("00", "01", "02", "03", "04", "05", "06")
    assert state.pools[DARK] == ("01", "02", "03", "04", "05", "06", "11")
    assert [len(sack) for sack in state.sacks] == [21, 20]
    assert state.draws == 2 + 7 + 7


def test_what_was_set_aside_is_not_drawn_while_a_double_is_sought() -> None:
    # 01 is the second tile of Light's set; without it 02 is, and then 03 is.
    _, told = settled(HEXTUP.start(2, options()), 1, 1, 1, 1, 1, 0)
    assert told[:5] == [
        "0 drew 01, which went back",
        "1 drew 01, which went back",
        "0 drew 02, which went back",
        "1 drew 02, which went back",
        "0 drew 03, which went back",
    ]
    assert told[5].startswith("1 drew the double 00, ")


def test_a_pool_holds_all_tiles_of_a_set_but_one() -> None:
    state, _ = settled(HEXTUP.start(2, options(max_pips="2", pool_size="5")), 0)
    # Light's 00 is on the board; Dark has one tile left to draw
    assert [len(pool) for pool in state.pools] == [5, 5]
    assert state.sacks == ((), ("22",))
    with pytest.raises(BadOption, match="1 to 5 .*each set has 6 tiles"):
        options(max_pips="2", pool_size="6")


# Moves beside others


def test_opening_moves() -> None:
    # Round a double 22 are 22 edges between two empty cells of which one is beside it:
    # 18 that lead outwards from six cells and 2 each from the two cells that touch both
    # halves. Where both cells are beside the double, both halves would have to be 2.
    assert len(legal(hold(board("22"), ["24"], []))) == 22
    # 8 cells in a ring, so 8 pairs of them beside each other
    assert len(legal(hold(board("22", pool_size="1"), ["22"], []))) == 22 + 8
    assert legal(hold(board("22"), ["35"], [])) == set()


def test_one_equal_neighbour_is_enough() -> None:
    # 9 is beside the 2 at 2 and the 4 at 10.
    state = hold(board("22", "24:2,10"), ["23", "34", "35"], [])
    assert {"23:9,22", "34:22,9"} <= legal(state)
    assert not {"23:22,9", "34:9,22", "35:9,22", "35:22,9"} & legal(state)


def test_owners_and_heights_of_neighbours_do_not_matter() -> None:
    state = board(*STACK, "22:1,8")
    assert (state.owners[1], state.heights[1]) == (DARK, 2)
    for seat in (LIGHT, DARK):
        assert "23:6,16" in legal(hold(state, ["23"], ["23"])._replace(turn=seat))


# Moves on top of others

# Light's 22 at 0 and 1, 02 at 20 and 8, and 14 at 22 and 9; Dark's 24 at 2 and 10
STACK = ("22", "02:20,8", "24:2,10", "14:22,9")


def test_a_tile_on_top_covers_equal_halves_of_two_tiles() -> None:
    state = hold(board(*STACK), ["02", "14", "22", "24", "44"], [])
    above = {move for move in legal(state) if at(move) <= {*state.cells}}
    # Halves of two tiles are beside each other at 0 and 2, 1 and 2, 1 and 8, 2 and 8,
    # 2 and 9, 8 and 9, and 9 and 10.
    twos = {"22:0,2", "22:1,2", "22:1,8", "22:2,8"}
    assert above == twos | {"24:2,9", "24:8,9", "44:9,10"}


def at(move: str) -> set[int]:
    return set(map(int, move.partition(":")[2].split(",")))


def test_what_is_covered_changes_hands_and_keeps_its_pips() -> None:
    before = hold(board(*STACK), [], ["22"], [[], ["01"]])._replace(turn=DARK)
    # Light's 2s, 0, 4 and 1 are connected, and Dark's 2 and 4.
    assert before.scores == (4, 2)
    state, told = play(before, "22:1,8")
    assert told == ["1 played 22:1,8 on top"]
    assert state.cells == before.cells
    assert (state.frontier, state.box) == (before.frontier, before.box)
    assert state.owners == {**before.owners, 1: DARK, 8: DARK}
    assert state.heights == {1: 2, 8: 2}
    # of the tiles that are covered, one half each can be seen
    whole = {frozenset((2, 10)), frozenset((9, 22)), frozenset((1, 8))}
    assert {*map(frozenset, state.joints)} == whole
    assert state.last == (1, 8)
    # Light's 4 and 1 are connected now, and nothing else of Light's
    assert state.scores == (2, 2)


def test_one_may_cover_ones_own_halves() -> None:
    state, told = play(hold(board(*STACK), ["22"], []), "22:1,8")
    assert state.owners == board(*STACK).owners
    assert told[0] == "0 played 22:1,8 on top"


def test_equal_names_are_two_tiles() -> None:
    """A tile may lie on Light's 24 and Dark's 24."""
    state = hold(board("22", "24:8,20", "24:2,10"), ["22"], [])
    assert "22:2,8" in legal(state)


def test_a_tile_may_cover_halves_of_which_others_are_covered() -> None:
    state = board(*STACK, "22:1,8")
    # The other half of the 22 at 0 is covered.
    assert "22:0,2" in legal(hold(state, ["22"], []))


def test_stacks_grow() -> None:
    state = board(*STACK, "22:1,8", "22:0,2")
    for top, height in (("22:0,1", 3), ("22:2,8", 3), ("22:1,8", 4)):
        state, _ = play(hold(state, ["22"], ["22"]), top)
        assert {state.heights[position] for position in at(top)} == {height}
    assert state.heights == {0: 3, 1: 4, 2: 3, 8: 4}


REFUSALS = [
    ("33:4,13", "Tile 33 is not in your pool, which holds 00, 02, 22, 24, 25."),
    ("24:4,4", "A tile takes two cells, and you named 4 twice."),
    ("22:1,1", "A tile takes two cells, and you named 1 twice."),
    ("24:0,9999", "There is no position 9999: the last one is 9918."),
    (
        "24:3,9",
        "Position 9 is taken, and 3 is empty: a tile lies either on two empty cells or "
        "on top of two tiles.",
    ),
    (
        "24:0,4",
        "Position 0 is taken, and 4 is empty: a tile lies either on two empty cells or "
        "on top of two tiles.",
    ),
    ("24:12,27", "Neither 12 nor 27 is beside a tile."),
    ("24:0,9", "Positions 0 and 9 are not beside each other."),
    (
        "24:3,30",
        "Positions 3 and 30 are not beside each other: the empty ones beside 3 are 4, "
        "11, 12.",
    ),
    (
        "22:0,1",
        "0 and 1 are the two halves of one tile: a tile on top must lie on two.",
    ),
    (
        "24:1,8",
        "24:1,8 does not fit: its half at 8 has 4, and would cover 2. On top, both "
        "halves must equal what they cover.",
    ),
    (
        "25:14,4",
        "25:14,4 does not fit: its half at 4 has 5, and beside it there must be "
        "another 5; it can be 2. 25:4,14 would fit.",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSALS)
def test_refusal(text: str, sentence: str) -> None:
    state = hold(board(*STACK), ["00", "02", "22", "24", "25"], ["11"])
    assert refusal(state, text) == sentence


def test_a_tile_on_top_lies_level() -> None:
    state = hold(board(*STACK, "22:1,8"), ["22"], [])
    assert refusal(state, "22:1,2") == (
        "A tile on top must lie level: 1 is 2 high, and 2 is 1 high."
    )
    assert refusal(state, "22:1,8").startswith("1 and 8 are the two halves of one tile")


def test_the_size_of_the_board_limits_what_is_beside_and_not_what_is_on_top() -> None:
    state = hold(board(*STACK, board_size="5"), ["22", "25"], [])
    # the columns 0 to 3; and the rows -5 to 0, of -5 to 4
    assert "22:1,2" in legal(state)
    assert {"25:4,13"} <= legal(state)
    state = hold(board(*STACK, "-", "25:4,13", board_size="5"), ["25"], [])
    assert refusal(state, "25:6,17") == (
        "25:6,17 would spread the board over more than 5 columns or 5 cells from top "
        "to bottom (-board_size)."
    )


# Draws, skips and the end


def full(light: str, dark: str, light_left: str = "", dark_left: str = "") -> State:
    """A board that is as large as it may be, so that tiles can only lie on top of
    others, and these tiles in the pools and in the boneyards."""
    sacks = light_left.split(), dark_left.split()
    state = hold(board(*STACK), light.split(), dark.split(), sacks)
    return state._replace(options=options(board_size="3"))


def test_after_a_move_its_player_draws_from_their_own_boneyard() -> None:
    state = hold(board(*STACK), ["22"], ["22"], [["01", "04"], ["02", "05"]])
    state, _ = play(state, "22:1,8")
    state, told = settled(state, 1)
    assert told == ["0 drew 04"]
    assert (state.pools, state.sacks) == ((("04",), ("22",)), (("01",), ("02", "05")))
    state, _ = play(state, "22:0,2")
    assert settled(state, 0)[1] == ["1 drew 02"]


def test_who_cannot_move_draws_from_their_own_until_they_can() -> None:
    state = full("33", "22", light_left="01 02 22", dark_left="00 11")
    assert HEXTUP.due(state) == "draw"
    state, told = settled(state)
    assert told == ["0 could not move and drew 01, 02, 22"]
    assert (HEXTUP.to_move(state), HEXTUP.due(state)) == ((LIGHT,), "")
    assert state.sacks == ((), ("00", "11"))
    assert HEXTUP.view(state, None).drawn == "22"


def test_a_skip_with_ones_own_boneyard_empty() -> None:
    """Nobody is skipped while their own boneyard has a tile. The other then draws from
    theirs."""
    state, told = settled(full("33", "33", dark_left="00 22"))
    assert told == [
        "0 could not move and lost the turn",
        "1 could not move and drew 00, 22",
    ]
    assert HEXTUP.to_move(state) == (DARK,)
    # They are asked again: after 22:0,2 there is nothing for Light's 33, either.
    state, told = play(state, "22:0,2")
    assert told[1:] == ["0 could not move", "1 could not move either"]


def test_a_preview_ends_where_somebody_must_draw() -> None:
    """It goes on past the draw for a tile that was played, and past a skip."""
    after, told = play(full("22", "33", dark_left="22"), "22:0,2")
    assert told == ["0 played 22:0,2 on top"]
    assert HEXTUP.due(after) == "draw"
    after, told = play(full("22 24", "33", light_left="01"), "22:0,2")
    assert told == ["0 played 22:0,2 on top"]  # who will draw before Dark is skipped
    after, told = play(full("22 24", "33"), "22:0,2")
    assert told == ["0 played 22:0,2 on top", "1 could not move and lost the turn"]
    assert HEXTUP.due(after) == ""
    assert legal(after) == {"24:8,9"}


def test_a_tie_whatever_the_scores() -> None:
    state = full("33", "01")
    assert HEXTUP.outcome(state) is None
    state, told = settled(state)
    assert told == ["0 could not move", "1 could not move either"]
    assert state.scores == (4, 2)
    assert HEXTUP.outcome(state) == (LIGHT, DARK)
    assert HEXTUP.to_move(state) == ()


def test_no_tie_while_a_boneyard_has_a_tile() -> None:
    state, told = settled(full("33", "01", dark_left="03 05"))
    assert told[0] == "0 could not move and lost the turn"
    assert told[1] == "1 could not move and drew 03, 05"
    assert told[2:] == ["1 still could not move", "0 could not move either"]
    assert HEXTUP.outcome(state) == (LIGHT, DARK)


# With 0 to 2 pips, three numbers win.
SHORT = {"max_pips": "2", "pool_size": "1"}


def won(state: State, text: str) -> str:
    """What is said about a move with which Light wins; nothing is drawn any more."""
    state, told = play(hold(state, [text[:2]], ["11"], [["01"], ["02"]]), text)
    assert state.scores[LIGHT] == 3
    assert HEXTUP.outcome(state) == (LIGHT,)
    assert (HEXTUP.to_move(state), HEXTUP.due(state)) == ((), "")
    assert settled(state) == (state, [])
    assert state.sacks == (("01",), ("02",))
    (said,) = told
    return said


def test_a_win_beside_others() -> None:
    state = hold(board("00", **SHORT), ["02"], [], [["01"], []])
    _, told = play(state, "02:6,17")
    assert told == ["0 played 02:6,17 and connected 2 of 3 numbers"]
    said = won(board("00", "02:6,17", **SHORT), "12:59,35")
    assert said == "0 played 12:59,35 and connected all 3 numbers"


def test_a_win_on_top() -> None:
    """Dark's tiles part Light's 0 at 1 from Light's 2 and 1 at 20 and 38."""
    state = board("00", "-", "02:2,9", "-", "22:8,21", "12:38,20", **SHORT)
    assert state.scores == (2, 2)
    said = won(state, "02:1,8")
    assert said == "0 played 02:1,8 on top and connected all 3 numbers"


def test_a_player_who_resigns_loses_whatever_the_scores() -> None:
    state = board(*STACK)
    assert state.scores == (4, 2)
    assert HEXTUP.outcome(HEXTUP.drop(state, LIGHT)) == (DARK,)
    assert HEXTUP.outcome(HEXTUP.drop(state, DARK)) == (LIGHT,)


# Played twice: by the engine, and slowly

# Lines of legal moves to the depths 1, 2, 3 and so on, from these seeds: all were
# counted by both, the longest once.
PERFT: list[tuple[dict[str, str], int, tuple[int, ...]]] = [
    ({}, 0, (22, 1686)),
    ({"pool_size": "1"}, 1, (22, 804, 18236)),
    ({"max_pips": "9", "pool_size": "2"}, 5, (22, 262, 12916)),
    ({"max_pips": "3", "pool_size": "2", "board_size": "3"}, 2, (20, 32, 36, 56)),
    ({"max_pips": "2", "pool_size": "1", "board_size": "3"}, 5, (20, 152, 264)),
    ({"max_pips": "1", "pool_size": "2"}, 3, (22, 0)),  # the first move wins
]


def begun(words: dict[str, str], seed: int) -> tuple[State, NaiveHextup, Chance]:
    """The same new game for both."""
    chance = Chance(bytes([seed]) * 32)
    state, _ = HEXTUP.settle(HEXTUP.start(2, options(**words)), chance)
    return state, NaiveHextup(chance.seed, options(**words)).opened(), chance


@pytest.mark.parametrize(("words", "seed", "counts"), PERFT)
def test_perft(words: dict[str, str], seed: int, counts: tuple[int, ...]) -> None:
    state, slow, chance = begun(words, seed)
    for depth, expected in enumerate(counts, 1):
        assert lines(HEXTUP, state, chance, depth) == expected
        if expected <= sized(300, 5_000):
            assert count(slow, depth) == expected


GAMES = [
    {},
    {"pool_size": "3", "max_pips": "4"},
    {"board_size": "5"},
    {"max_pips": "9", "pool_size": "4", "board_size": "3"},
    {"min_pips": "2", "max_pips": "9", "pool_size": "12"},
    {"min_pips": "3", "max_pips": "8", "pool_size": "20", "board_size": "4"},
]


def preferred(moves: list[Move], state: State, dice: random.Random) -> Move:
    """Any of the moves, more often one on top of others."""
    above = [move for move in moves if move.first in state.cells]
    return dice.choice(above if above and dice.random() < 0.5 else moves)


@pytest.mark.parametrize("words", some(GAMES, 4), ids=str)
def test_whole_games_played_twice(words: dict[str, str]) -> None:
    every = len(faces(options(**words)))
    for seed in range(sized(1, 9)):
        state, slow, chance = begun(words, seed)
        dice = random.Random(seed)
        while not slow.over:
            assert HEXTUP.to_move(state) == (slow.turn,)
            moves = HEXTUP.legal(state, slow.turn)
            slowly = {written(*move): move for move in slow.moves(slow.turn)}
            assert list(moves) == sorted({*moves})
            assert set(map(HEXTUP.format_move, moves)) == {*slowly}
            check_board(state, slow)
            move, seat = preferred([*moves], state, dice), state.turn
            state, _ = HEXTUP.settle(HEXTUP.play(state, seat, move)[0], chance)
            slow = slow.played(*slowly[HEXTUP.format_move(move)])
            # nobody's move completes what the other has connected
            assert state.scores[1 - seat] < every
        check_board(state, slow)
        winners = (0, 1) if slow.winner is None else (slow.winner,)
        assert HEXTUP.outcome(state) == winners


def check_board(state: State, slow: NaiveHextup) -> None:
    """Both know the same tiles, seen and unseen."""
    assert (state.pools, state.sacks, state.draws) == (
        slow.pools,
        slow.left,
        slow.draws,
    )
    drawing = HEXTUP.drawing(state)
    assert drawing.faces == {
        NUMBER[cell]: str(face) for cell, (face, _, _) in slow.top.items()
    }
    assert (drawing.owners, drawing.heights) == (slow.owners(), slow.heights())
    assert {*map(frozenset, drawing.joints)} == slow.whole()
    assert state.scores == slow.scores


def test_games_end_in_a_win_beside_on_top_and_in_a_tie() -> None:
    """Those that are played twice have every end that there is."""
    ends = set()
    for words in GAMES:
        for seed in range(6):
            state, _, chance = begun(words, seed)
            dice, said = random.Random(seed), ""
            while not state.over:
                move = preferred([*HEXTUP.legal(state, state.turn)], state, dice)
                state, events = HEXTUP.play(state, state.turn, move)
                said = told(events[0])
                state, _ = HEXTUP.settle(state, chance)
            ends.add((len(HEXTUP.outcome(state) or ()), " on top" in said))
    assert {(1, False), (1, True), (2, True)} <= ends


@pytest.mark.parametrize("words", [{}, {"board_size": "4"}], ids=str)
def test_play_accepts_exactly_what_legal_holds(words: dict[str, str]) -> None:
    state, _, chance = begun(words, 3)
    dice = random.Random(3)
    for ply in range(14):
        if ply % 4 == 3:
            near = {SPIRAL[at] for at in state.cells}
            for _ in range(2):
                near |= {cell for other in near for cell in touching(other)}
            tried = {
                HEXTUP.parse_move(state, state.turn, f"{tile}:{NUMBER[a]},{NUMBER[b]}")
                for tile in (*state.pools[state.turn], "99")
                for a in near
                for b in (*touching(a), a)
            }
            accepted = {move for move in tried if is_accepted(HEXTUP, state, move)}
            assert accepted == {*HEXTUP.legal(state, state.turn)}
        move = preferred([*HEXTUP.legal(state, state.turn)], state, dice)
        state, _ = HEXTUP.settle(HEXTUP.play(state, state.turn, move)[0], chance)
        if state.over:
            return


# Pictures

# The shaded halves that lie whole in the original's picture, by their cells from a
# first one on; where they lie in it.
ORIGINAL = {(0, -2): "2", (1, -3): "3", (2, -2): "0", (3, 3): "4", (4, 4): "4"}
ORIGINAL |= {(5, 3): "1", (6, 0): "5", (6, 2): "1", (7, 1): "5"}
LEFT, TOP = 4, 6


def inks(picture: str, left: int, top: int, cell: tuple[int, int]) -> list[str]:
    """What is inside a half, in a picture in which the first cell is there."""
    lines = [line.ljust(99) for line in picture.split("\n")]
    x, y = left + COLUMNS * cell[0], top + LINES * cell[1]
    return [lines[y + down][x + right] for right, down in SHADE]


def test_halves_are_shaded_as_in_the_original_picture() -> None:
    original = (FIGURES / "hextup-dark-wins.txt").read_text()
    faces = {NUMBER[cell]: face for cell, face in ORIGINAL.items()}
    owners = dict.fromkeys(faces, DARK)
    picture = draw(Drawing("hextile", faces, owners=owners, sides=hextup.SIDES))
    # Ours begins with the northernmost half, and a column for the thickness of the
    # westernmost one.
    for cell in ORIGINAL:
        ours = inks(picture, 1, 3 * LINES, cell)
        assert ours == inks(original, LEFT, TOP, cell)
        assert "." in ours


COVERED = r"""
   _____
  /.....\
 /..o.o..\
/\ ..... /
\ \_____/
 \/____/
"""


def test_a_half_alone_is_closed_on_six_sides() -> None:
    alone = Drawing("hextile", {0: "2"}, owners={0: DARK}, sides=hextup.SIDES)
    assert draw(alone) == COVERED[1:]


def test_the_figures_of_the_help_text_are_legal_and_dark_wins_the_last() -> None:
    for name, first in (("beside", LIGHT), ("top", LIGHT), ("won", DARK)):
        drawing = HEXTUP.FIGURES[name]
        assert drawing.owners[0] == first
    game = NaiveHextup(bytes(32), options())
    for number, word in enumerate(hextup.WON.split()):
        if move := read(word):
            one, two = ((SPIRAL[at], int(face)) for at, face in move.halves)
            assert not game.laid or game.fits(one, two)
            before = game
            game = replace(game, laid=(*game.laid, (number % 2, one, two)))
    assert (before.scores[DARK], game.scores[DARK]) == (6, 7)
    assert game.owners() == HEXTUP.FIGURES["won"].owners
    assert word[:2] == "35"


def test_words_say_whose_each_half_is_and_how_high() -> None:
    (tiles_told, *_) = describe(HEXTUP.drawing(board(*STACK, "22:1,8")))
    assert [*map(str, tiles_told)] == [
        "5 tiles lie on the board.",
        "Dark's 2 at 1 (2 high), and Dark's 2 at 8 (2 high), north-east of it. "
        "Beside 1: south-east Dark's 2 at 2, south Light's 2 at 0. "
        "Beside 8: north Light's 0 at 20, south-east Light's 4 at 9, "
        "south Dark's 2 at 2.",
        "Dark's 2 at 2, and Dark's 4 at 10, south-east of it. "
        "Beside 2: north Dark's 2 at 8, north-east Light's 4 at 9, "
        "south-west Light's 2 at 0, north-west Dark's 2 at 1. "
        "Beside 10: north Light's 4 at 9.",
        "Light's 1 at 22, and Light's 4 at 9, south-west of it. "
        "Beside 9: south Dark's 4 at 10, south-west Dark's 2 at 2, "
        "north-west Dark's 2 at 8.",
        "Light's 2 at 0, whose other half is covered. "
        "Beside 0: north Dark's 2 at 1, north-east Dark's 2 at 2.",
        "Light's 0 at 20, whose other half is covered. Beside 20: south Dark's 2 at 8.",
    ]


# What letters say


def test_letters_name_every_move_on_top_and_one_of_each_other_tile() -> None:
    state = hold(board(*STACK), ["22", "24", "35", "44", "15"], ["00"])
    proposed = HEXTUP.view(state, None).proposal
    above = {move for move in legal(state) if at(move) <= {*state.cells}}
    assert above == {move for move in proposed.moves if at(move) <= {*state.cells}}
    beside = [move for move in proposed.moves if move not in above]
    # 35 fits nowhere.
    assert sorted(move[:2] for move in beside) == ["15", "22", "24", "44"]
    count = len(legal(state))
    assert proposed.heading
    assert str(proposed.heading.now) == (
        f"Of {count} possible moves, the best with each tile and all on top of others "
        "are:"
    )


def test_of_each_tile_the_move_that_connects_most_is_named() -> None:
    # Light's group has 0, 1, 2 and 4; with 15 beside the 1 at 22, or the 4s, also 5.
    state = hold(board(*STACK), ["15"], ["00"])
    moves = HEXTUP.legal(state, LIGHT)
    gains = dict(zip(moves, HEXTUP.gains(state, moves), strict=True))
    assert max(gains.values()) == 1
    (named,) = HEXTUP.view(state, None).proposal.moves
    assert gains[HEXTUP.parse_move(state, LIGHT, named)] == 1


def to_top(club: Club) -> str:
    """A board on which there is a move on top of others; that move."""
    fields = club.open("hextup").json()
    for _ in range(30):
        above = [m for m in fields["legal"] if {*map(str, at(m))} <= {*fields["cells"]}]
        if above:
            return str(above[0])
        club.move(fields["turn"][0], fields["legal"][0])
        fields = club.json()
    raise AssertionError("no move on top")


def test_an_undo_takes_a_tile_off_and_the_same_move_brings_the_same(club: Club) -> None:
    move = to_top(club)
    before = club.json()
    who = before["turn"][0]
    other = next(player for player in before["players"] if player != who)
    club.move(who, move)
    after = club.json()
    assert {after["heights"][str(position)] for position in at(move)} == {2}
    assert {after["owners"][str(position)] for position in at(move)} == {who}
    take_back(club, who, other)
    assert club.json() == before
    club.move(who, move)
    assert club.json() == after


def test_a_preview_shows_the_stack_and_draws_nothing(club: Club) -> None:
    move = to_top(club)
    before = club.json()
    who = before["turn"][0]
    said = club.say(f"hextup preview 1 {move} -format=list")
    assert "This is a preview: nothing has been played." in said
    side = HEXTUP.SIDES[before["players"].index(who)]
    for position in at(move):
        face = before["cells"][str(position)]
        assert f"{side!s}'s {face} at {position} (2 high)" in plain(said)
    assert f"{who} drew" not in said.partition("Light")[2]
    assert club.json() == before


def test_the_seat_gives_the_colour(club: Club) -> None:
    club.open("hextup", 2, "-random")
    light, dark = club.json()["players"]
    told = plain(club.say("hextup show 1"))
    assert f"{light} (Light)" in told
    assert f"{dark} (Dark)" in told
    assert set(club.json()["owners"].values()) <= {light, dark}
    for player, left in club.json()["sacks"].items():
        assert f"{left} tiles are left in {player}'s boneyard." in told
