"""The sentences that tell why a word is not a move in Hextol, or not allowed."""

import pytest

from pbm_holomino.errors import BadMove, IllegalMove
from pbm_holomino.rules.games import hextol
from pbm_holomino.rules.hextiles import Move, State
from tests.rules.any_hextiles import hold
from tests.rules.hextol_scene import board, legal
from tests.rules.naive_hextol import NUMBER, SPIRAL
from tests.rules.spiral import beside

HEXTOL = hextol.GAME

LAST = 9918


def table(**words: str) -> State:
    return hold(board("22", "24:7,19", **words), ["02", "24", "44"], ["11"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pass",
        "24",
        "24:7",
        "24:7,",
        "24:7,8,9",
        "24:7;8",
        "2:7,8",
        "246:7,8",
        "24:-7,8",
        "24:7,+8",
        " 24:7,8",
        "24:7,8\n",
        "24:7, 8",
        "xy:7,8",
        "24:7,x",
        "24:1234567890,8",
        "\u0662\u0664:\u0667,\u0668",
        "24:\u00b2,8",
    ],
)
def test_no_move(text: str) -> None:
    with pytest.raises(BadMove) as told:
        HEXTOL.parse_move(table(), 0, text)
    assert not isinstance(told.value, IllegalMove)
    assert f'"{text}" is not a move. A Hextol move is tile:position,' in str(told.value)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("24:7,19", Move("24", 7, 19)),
        ("42:7,19", Move("24", 19, 7)),
        ("24:19,7", Move("24", 19, 7)),
        ("44:7,19", Move("44", 7, 19)),
        ("44:19,7", Move("44", 7, 19)),
        ("20:007,019", Move("02", 19, 7)),
    ],
)
def test_notation(text: str, move: Move) -> None:
    assert HEXTOL.parse_move(table(), 0, text) == move


REFUSALS = [
    ("33:4,13", "Tile 33 is not in your pool, which holds 02, 24, 44."),
    ("89:4,13", "Tile 89 is not in your pool, which holds 02, 24, 44."),
    ("24:4,4", "A tile takes two cells, and you named 4 twice."),
    (f"24:4,{LAST + 1}", f"There is no position 9919: the last one is {LAST}."),
    ("24:999999999,4", f"There is no position 999999999: the last one is {LAST}."),
    ("24:0,4", "Position 0 is taken, by 2."),
    ("24:20,19", "Position 19 is taken, by 4."),
    (
        "24:4,2",
        "Positions 4 and 2 are not beside each other: the empty ones beside 4 are "
        "3, 5, 12, 13, 14.",
    ),
    ("24:11,26", "Neither 11 nor 26 is beside a tile."),
    # 8 is beside the 2 at 1 and the 2 at 7
    (
        "44:8,21",
        "44:8,21 does not fit: its half at 8 has 4, and the neighbour at 1 has 2.",
    ),
    (
        "24:13,4",
        "24:13,4 does not fit: its half at 4 has 4, and the neighbour at 0 has 2. "
        "24:4,13 would fit.",
    ),
    # 20 is beside the 2 at 7 and the 4 at 19, and 39 is free
    (
        "24:20,39",
        "24:20,39 does not fit: its half at 20 has 2, and the neighbour at 19 has 4.",
    ),
    (
        "42:20,39",
        "24:39,20 does not fit: its half at 20 has 4, and the neighbour at 7 has 2.",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSALS)
def test_refusal(text: str, sentence: str) -> None:
    state = table()
    with pytest.raises(IllegalMove) as told:
        HEXTOL.play(state, 0, HEXTOL.parse_move(state, 0, text))
    assert str(told.value) == sentence
    assert state == table()


def test_the_last_position_is_on_the_grid() -> None:
    with pytest.raises(IllegalMove, match=r"Positions 4 and 9918 are not beside"):
        HEXTOL.play(table(), 0, Move("24", 4, LAST))


def test_nothing_lies_beyond_the_grid() -> None:
    # the northernmost cell, of which only three neighbours are on the grid
    corner = NUMBER[0, -114]
    on_grid = [beside(corner, way) for way in ("SE", "S", "SW")]
    state = hold(board("22"), ["24"], ["22"])._replace(frontier={corner: "2"})
    moves = HEXTOL.legal(state, 0)
    assert set(moves) == {Move("24", corner, at) for at in on_grid}
    free = ", ".join(map(str, sorted(on_grid)))
    with pytest.raises(IllegalMove, match=f"empty ones beside {corner} are {free}[.]"):
        HEXTOL.play(state, 0, Move("24", corner, 4))
    state, _ = HEXTOL.play(state, 0, moves[0])
    assert max(state.frontier) <= LAST


def test_no_cell_beside_is_free() -> None:
    ring = dict.fromkeys((1, 2, 3, 4, 5, 6), "1")
    state = hold(board("22"), ["24"], [])._replace(cells=ring, frontier={0: "1"})
    with pytest.raises(IllegalMove, match="no cell beside 0 is empty[.]"):
        HEXTOL.play(state, 0, Move("24", 0, 7))


def test_board_size() -> None:
    # 22:0,1 24:7,19 stands four cells high
    state = table(board_size="4")
    south = f"24:4,{beside(4, 'S')}"
    with pytest.raises(IllegalMove) as told:
        HEXTOL.play(state, 0, HEXTOL.parse_move(state, 0, south))
    assert str(told.value) == (
        f"{south} would spread the board over more than 4 columns or 4 cells from "
        "top to bottom (-board_size)."
    )


def test_board_size_counts_columns_and_cells() -> None:
    def moves(size: str) -> set[str]:
        return legal(hold(board("22", board_size=size), ["24"], []))

    # four cells high; half a cell less, such as 24:7,36, still is within three
    assert moves("99") - moves("3") == {"24:7,19", "24:4,13"}
    east = board("22", "24:2,9", board_size="3")
    for move in legal(hold(east, ["26"], [])):
        cols = [SPIRAL[int(position)][0] for position in move[3:].split(",")]
        assert 0 <= min(cols) <= max(cols) <= 2
