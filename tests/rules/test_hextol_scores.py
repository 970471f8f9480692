"""Hextol's regions and what they score, and the boards and sums of its help text."""

import re
from pathlib import Path

import pytest

from pbm_holomino.errors import BadMove
from pbm_holomino.rules.games import hextol
from pbm_holomino.rules.games.hextol import region_values
from pbm_holomino.rules.grid import Box
from pbm_holomino.rules.hextiles import Move
from tests.rules.any_hextiles import hold
from tests.rules.hextol_scene import FIGURE, FIGURE_MOVE, board, legal, play
from tests.rules.naive_hextol import NUMBER
from tests.rules.spiral import STEPS, beside

HEXTOL = hextol.GAME

# Six cells closed in by the last of these moves, and a tile laid across them.
SIX = ("36:2,9", "46:24,23", "03:13,4", "44:25,46", "05:27,48", "45:73,74")
ACROSS = "34:3,11"


def told_of(first: str, *moves: str) -> str:
    """What is told of the score of the last of these moves."""
    state = hold(board(first, *moves[:-1]), [moves[-1][:2]], ["00"], sack=["01"])
    assert moves[-1] in legal(state)
    state, told = play(state, moves[-1])
    score = re.search(r"scored (\d+)", told[0])
    assert state.scores == (int(score[1]) if score else 0, 0)
    return told[0].removeprefix(f"0 played {moves[-1]}")


def test_the_figure_is_36() -> None:
    assert told_of("33", *FIGURE, FIGURE_MOVE) == " and scored 36"


def test_nothing_is_scored_in_the_open() -> None:
    for number in range(len(FIGURE)):
        assert told_of("33", *FIGURE[: number + 1]) == ""


def test_a_move_that_closes_nothing_scores_nothing_beside_a_region() -> None:
    # 33:0,1 borders the region; what is laid beyond it does not
    assert told_of("33", *FIGURE, FIGURE_MOVE, "03:19,7") == ""


def test_a_region_of_six_cells() -> None:
    # 33, 36, 46, 03, 44, 05 and 45 stand round it, 50 pips in all; only the 3 at 1
    # touches none of the six cells
    assert told_of("33", *SIX) == " and scored 47"


def test_two_smaller_regions_inside_a_closed_one() -> None:
    # cell 10 has 3 3 4 4 6 6 round it; 12, 26 and 47 have 0 0 3 3 4 4 4 4 5 5
    assert told_of("33", *SIX, ACROSS) == " and scored 58 with regions of 26 and 32"


def test_scores_add_up_for_their_seat() -> None:
    state = hold(board("33", *FIGURE), ["00"], ["24"], sack=["01"])
    state = state._replace(turn=1, scores=(3, 4))
    assert play(state, FIGURE_MOVE)[0].scores == (3, 40)


# Regions on boards that no tiles make


def enclosed(empty: set[int], faces: str = "1") -> tuple[dict[int, str], Box]:
    """A disc of five rings, full but for these cells."""
    cells = {at: faces[at % len(faces)] for at in range(91) if at not in empty}
    return cells, (-5, 5, -10, 10)


def values(cells: dict[int, str], box: Box, first: int, second: int) -> list[int]:
    return region_values(cells, box, Move("00", first, second))


def test_each_half_counts_once_for_a_region() -> None:
    # 0 and 1 together have eight neighbours; 2 and 6 touch both of them
    cells, box = enclosed({0, 1}, "0123456789")
    ring = (2, 3, 4, 5, 6, 7, 8, 18)
    assert values(cells, box, 7, 8) == [sum(at % 10 for at in ring)]


def test_a_region_that_the_tile_does_not_touch_scores_nothing() -> None:
    cells, box = enclosed({0, 1})
    assert values(cells, box, 19, 20) == []


def test_filling_up_scores_nothing() -> None:
    cells, box = enclosed(set())
    assert values(cells, box, 0, 1) == []


def test_a_half_between_two_regions_counts_for_both() -> None:
    west, east = beside(0, "NW"), beside(0, "SE")
    cells, box = enclosed({west, east})
    cells[0] = "9"
    assert values(cells, box, 0, beside(0, "N")) == [14, 14]


def test_four_regions_round_one_tile() -> None:
    ring = (7, 8, 2, 3, 4, 5, 6, 18)  # clockwise round 0 and 1
    cells, box = enclosed(set(ring[::2]))
    assert values(cells, box, 0, 1) == [6, 6, 6, 6]


@pytest.mark.parametrize("ways", [["N"] * 5, ["SE"] * 5, ["N", "N", "NE", "NE", "NE"]])
def test_one_gap_opens_a_region(ways: list[str]) -> None:
    path = {beside(0, *ways[:steps]) for steps in range(len(ways) + 1)}
    cells, box = enclosed(path)
    laid = beside(0, "S"), beside(0, "SW")
    assert values(cells, box, *laid) == []
    (outermost,) = path & set(range(61, 91))
    # with the gap shut, five cells in the disc's four inner rings
    cells[outermost] = "1"
    around = {beside(at, way) for at in path - {outermost} for way in STEPS}
    assert values(cells, box, *laid) == [len(around - path) + 1]


def test_the_edge_of_the_grid_closes_nothing() -> None:
    corner = NUMBER[0, -114]
    laid = [beside(corner, way) for way in ("SE", "S", "SW")]
    cells = dict.fromkeys(laid, "1")
    assert values(cells, (-1, 1, -113, -112), laid[1], laid[2]) == []


def test_the_edge_of_a_small_board_closes_nothing() -> None:
    state = hold(board("22", board_size="3"), ["24"], ["00"], sack=["11"])
    state, told = play(state, "24:5,16")
    assert state.scores == (0, 0)
    assert told == ["0 played 24:5,16"]


# The help text

HELP = Path(hextol.__file__).parents[2] / "letters/help/hextol.txt"


def test_help_is_plain() -> None:
    text = HELP.read_text(encoding="ascii")
    assert max(map(len, text.splitlines())) <= 72
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_help_shows_every_figure_and_the_options() -> None:
    shown = re.findall(r"^\{figure (.+)\}$", HELP.read_text(), re.MULTILINE)
    assert sorted(shown) == sorted(HEXTOL.FIGURES)
    assert re.search(r"^\{options\}$", HELP.read_text(), re.MULTILINE)


def test_sums_in_the_help_text() -> None:
    text = " ".join(HELP.read_text().split())
    sums = re.findall(r"((?:\d \+ )+\d) = (\d+)", text)
    assert [int(total) for _, total in sums] == [26, 32]
    assert all(sum(map(int, re.findall(r"\d", s))) == int(t) for s, t in sums)
    (parts,) = re.findall(r"scores 36, which is ((?:\d \+ )+\d):", text)
    assert sum(map(int, parts.split(" + "))) == 36


def test_examples_in_the_help_text_can_be_played() -> None:
    state = hold(board("22"), ["24"], ["00"])
    moves = re.findall(r"^  hextol .*?(\d\d:\S+)$", HELP.read_text(), re.MULTILINE)
    with pytest.raises(BadMove) as told:
        HEXTOL.parse_move(state, 0, "x")
    moves += re.findall(r"\d\d:[\d,]+", str(told.value))
    assert len(moves) == 3
    for text in moves:
        HEXTOL.play(state, 0, HEXTOL.parse_move(state, 0, text))
    same = HEXTOL.parse_move(state, 0, "42:19,7")
    assert HEXTOL.format_move(same) == "24:7,19"


def test_the_figures_are_boards_that_the_rules_allow() -> None:
    for name, moves in {
        "start": (),
        "move": ("24:7,19",),
        "before-36": FIGURE,
        "after-36": (*FIGURE, FIGURE_MOVE),
        "inside": (*SIX, ACROSS),
    }.items():
        figure = HEXTOL.FIGURES[name]
        state = board(figure.faces[0] * 2, *moves)
        assert (state.cells, set(state.joints)) == (figure.faces, set(figure.joints))
    labels = HEXTOL.FIGURES["start"].labels
    assert labels == HEXTOL.view(hold(board("22"), ["24"]), None).drawing.labels
    assert set(HEXTOL.FIGURES["faces"].faces.values()) == set("0123456789")


def test_each_closed_region_is_worth_the_halves_round_it() -> None:
    """As on the figure "inside" of the help text: the last tile parts six cells."""
    one, other = HEXTOL.closed(board("33", *SIX, ACROSS))
    assert (one.cells, one.value, one.is_new) == ((10,), 26, True)
    assert ({*other.cells}, other.value, other.is_new) == ({12, 26, 47}, 32, True)
