"""Small pictures of hextiles, character by character, and the mark of the last tile in
every notation."""

import pytest

from pbm_holomino.draw.text import draw
from pbm_holomino.rules.contract import Drawing, Label, move_labels
from pbm_holomino.rules.games import hextol

HEXTOL = hextol.GAME

UPRIGHT = r"""
 __
/3 \
\  /
/4 \
\__/
"""
RISING = r"""
    __
 __/4 \
/3  __/
\__/
"""
FALLING = r"""
 __
/3 \__
\__ 4 \
   \__/
"""


@pytest.mark.parametrize(
    ("picture", "first", "second"), [(UPRIGHT, 0, 4), (RISING, 0, 2), (FALLING, 0, 3)]
)
def test_a_tile_has_no_wall_between_its_halves(
    picture: str, first: int, second: int
) -> None:
    faces = {first: "3", second: "4"}
    for joint in ((first, second), (second, first)):
        assert draw(Drawing("hextile", faces, [joint]), small=True) == picture[1:]


def test_two_tiles_are_parted_by_a_wall() -> None:
    faces = dict.fromkeys((0, 1, 2, 3), "1")
    assert draw(Drawing("hextile", faces, [(0, 1), (2, 3)]), small=True) == (
        " __\n/1 \\__\n\\  /1 \\\n/1 \\  /\n\\__/1 \\\n   \\__/\n"
    )


@pytest.mark.parametrize(
    ("number", "line"),
    [
        ("8", "\\__/08\\__/"),
        ("42", "\\__/42\\__/"),
        ("917", "\\__/917__/"),
        ("9918", "\\__9918__/"),
    ],
)
def test_a_position_is_in_its_cell(number: str, line: str) -> None:
    """In the narrowest one: a hole with tiles all round. One digit alone would be pips;
    three digits hide the wall to the right, and four hide both."""
    pairs = [(1, 7), (2, 9), (3, 11), (4, 13), (5, 15), (6, 17)]
    faces = dict.fromkeys((at for pair in pairs for at in pair), "5")
    label = {0: Label(number, "move")}
    shown = draw(Drawing("hextile", faces, pairs, label), small=True)
    assert shown.split("\n")[5][3:13] == line


def test_a_figure_of_the_help_page_is_small() -> None:
    assert draw(HEXTOL.FIGURES["before-36"], small=True) == BEFORE_36[1:]


BEFORE_36 = r"""
       __
    __/2 \
 __/3  __/
/3 \__/
\  /
/3 \      __
\__/   __/4 \
/3 \__/6  __/
\__ 6 \__/
   \__/
"""


def test_an_open_end_is_a_star_and_the_last_tile_has_a_sign() -> None:
    faces = {0: "R", 1: "G", 18: "G", 17: "B"}
    ends = dict.fromkeys((0, 17), Label("end", "end"))
    chain = Drawing("hextile", faces, [(0, 1), (18, 17)], ends, (18, 17))
    assert draw(chain, small=True) == CHAIN[1:]


# 0 is south of 1, 18 north-west of 1, and 17 south-west of 18.
CHAIN = r"""
    __
 __/G#\__
/B# __/G \
\*_/  \  /
      /R \
      \*_/
"""


def test_the_last_tile_is_filled_between_its_digits() -> None:
    board = Drawing("bitten", {0: "134", 3: "342"}, labels=move_labels((1,)), last=(3,))
    assert draw(board) == FILLED[1:]
    assert draw(board, small=True) == draw(board)


FILLED = r"""
   1
 __
/1 \__
\    3\__
/   __/3 \__
\4_/  \### 4\
      /## __/
      \2_/
"""


def test_the_last_tile_has_signs_on_both_sides_of_its_pips() -> None:
    board = Drawing("hextile", {0: "3", 4: "R"}, [(0, 4)], {}, (0, 4))
    assert draw(board) == BESIDE[1:]


BESIDE = r"""
   _____
  /     \
 /##ooo##\
/\       /
\ \     /
 \/     \
 /##RRR##\
/\       /
\ \_____/
 \/____/
"""
