"""Hextol's pictures: the help files' figures, character by character."""

import pytest

from pbm_holomino.draw.reading.marks import Cell, Seen
from pbm_holomino.draw.text import draw
from pbm_holomino.rules.contract import Drawing, Label
from pbm_holomino.rules.games import hextol
from tests.boards import Case, moments
from tests.draw.readers import read_hextiles as read
from tests.paths import FIGURES
from tests.rules.naive_hextol import NUMBER, SPIRAL
from tests.sizes import sized

HEXTOL = hextol.GAME


@pytest.mark.parametrize("name", ["before-36", "after-36"])
def test_figure(name: str) -> None:
    figure = (FIGURES / f"hextol-{name}.txt").read_text()
    assert draw(HEXTOL.FIGURES[name]) == figure


def test_every_figure_of_hextol_is_here() -> None:
    names = {path.stem for path in FIGURES.glob("hextol-*.txt")}
    assert names == {"hextol-before-36", "hextol-after-36"}


def tile(first: Cell, face: str, second: Cell, other: str) -> str:
    """The picture of one tile."""
    halves = NUMBER[first], NUMBER[second]
    return draw(
        Drawing("hextile", dict(zip(halves, face + other, strict=True)), [halves])
    )


UPRIGHT = r"""
   _____
  /     \
 /  ooo  \
/\       /
\ \     /
 \/ o o \
 /       \
/\  o o  /
\ \_____/
 \/____/
"""
RISING = r"""
          _____
         / o o \
   _____/       \
  /        o o  /
 /  ooo   _____/
/\       /____/
\ \_____/
 \/____/
"""
FALLING = r"""
   _____
  /     \
 /  ooo  \_____
/\         o o \
\ \_____        \
 \/____/\  o o  /
       \ \_____/
        \/____/
"""


@pytest.mark.parametrize("at", [(0, 0), (3, -5), (-4, -2), (0, 20), (-15, 7)])
@pytest.mark.parametrize(
    ("picture", "way"), [(UPRIGHT, (0, 2)), (RISING, (1, -1)), (FALLING, (1, 1))]
)
def test_a_tile_lies_in_three_ways_anywhere(picture: str, way: Cell, at: Cell) -> None:
    beside = at[0] + way[0], at[1] + way[1]
    assert tile(at, "3", beside, "4") == picture[1:]
    assert tile(beside, "4", at, "3") == picture[1:]


def test_two_tiles_are_parted_by_an_edge_and_hide_the_bevel() -> None:
    faces = dict.fromkeys((0, 1, 2, 3), "1")
    assert draw(Drawing("hextile", faces, [(0, 1), (2, 3)])) == (
        "   _____\n"
        "  /     \\\n"
        " /   o   \\_____\n"
        "/\\       /     \\\n"
        "\\ \\     /   o   \\\n"
        " \\/     \\       /\n"
        " /   o   \\     /\n"
        "/\\       /     \\\n"
        "\\ \\_____/   o   \\\n"
        " \\/____/\\       /\n"
        "       \\ \\_____/\n"
        "        \\/____/\n"
    )


@pytest.mark.parametrize(
    ("face", "pips"),
    [
        ("0", "   /   /   "),
        ("1", "   / o /   "),
        ("2", "   /o o/   "),
        ("3", "   /ooo/   "),
        ("4", "o o/   /o o"),
        ("5", "o o/ o /o o"),
        ("6", "o o/o o/o o"),
        ("7", "o o/ooo/o o"),
        ("8", "ooo/o o/ooo"),
        ("9", "ooo/ooo/ooo"),
        ("R", "   /RRR/   "),
        ("P", "   /PPP/   "),
    ],
)
def test_faces(face: str, pips: str) -> None:
    lines = tile((0, 0), face, (1, 1), "0").split("\n")
    assert [line.ljust(9)[4:7] for line in lines[1:4]] == pips.split("/")


@pytest.mark.parametrize(
    ("label", "line"),
    [
        ("7", r" \   7   /"),
        ("18", r" \  18   /"),
        ("x", r" \   x   /"),
        ("127", r" \  127  /"),
        ("9918", r" \ 9918  /"),
    ],
)
def test_a_label_is_clear_of_every_stroke_round_its_cell(label: str, line: str) -> None:
    """In the narrowest cell: a hole with tiles all round."""
    pairs = [(1, 7), (2, 9), (3, 11), (4, 13), (5, 15), (6, 17)]
    faces = dict.fromkeys((at for pair in pairs for at in pair), "0")
    picture = draw(Drawing("hextile", faces, pairs, {0: Label(label)}))
    assert read(picture).labels[relative(0, faces)] == label
    assert label in picture
    bare = draw(Drawing("hextile", faces, pairs))
    changed = [a for a, b in zip(picture, bare, strict=True) if a != b]
    assert "".join(changed) == label


def test_a_label_on_a_letter_is_below_it() -> None:
    drawing = Drawing(
        "hextile", {0: "R", 4: "G"}, [(0, 4)], {0: Label("*"), 4: Label("12")}
    )
    assert draw(drawing).split("\n")[2:8] == [
        " /  RRR  \\",
        "/\\   *   /",
        "\\ \\     /",
        " \\/     \\",
        " /  GGG  \\",
        "/\\  12   /",
    ]


def test_the_same_short_label_is_in_each_of_its_cells() -> None:
    drawing = Drawing(
        "hextile", {0: "R", 4: "R"}, [(0, 4)], {0: Label("*"), 4: Label("*")}
    )
    assert draw(drawing).count("*") == 2


# Reading back


def relative(position: int, faces: dict[int, str]) -> Cell:
    """A cell, counted from the first of a board's."""
    col, row = min(SPIRAL[at] for at in faces)
    return SPIRAL[position][0] - col, SPIRAL[position][1] - row


def shown(drawing: Drawing) -> Seen:
    faces = dict(drawing.faces)
    return Seen(
        {relative(at, faces): face for at, face in faces.items()},
        {frozenset(relative(at, faces) for at in pair) for pair in drawing.joints},
        {relative(at, faces): label.text for at, label in drawing.labels.items()},
        frozenset(relative(at, faces) for at in drawing.last),
    )


@pytest.mark.parametrize(
    "words",
    [
        {},
        {"board_size": "6"},
        {"board_size": "4", "max_pips": "9"},
        {"board_size": "10", "max_pips": "9", "pool_size": "20"},
    ],
)
@pytest.mark.parametrize("seed", range(sized(2, 5)))
def test_a_picture_is_read_back(words: dict[str, str], seed: int) -> None:
    case = Case("hextol", 2, words)
    for state in moments(case, seed):
        drawing = case.game.view(state, None).drawing
        picture = draw(drawing)
        assert read(picture) == shown(drawing)
        if "board_size" in words:
            assert max(map(len, picture.split("\n"))) <= 80


@pytest.mark.parametrize("name", ["faces", "start", "move", "before-36", "inside"])
def test_the_help_files_figures_are_read_back(name: str) -> None:
    drawing = HEXTOL.FIGURES[name]
    assert read(draw(drawing)) == shown(drawing)
