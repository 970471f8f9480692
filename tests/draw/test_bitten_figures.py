"""Holomino's pictures: the help files' figures, character by character."""

import pytest

from pbm_holomino.draw.text import draw
from pbm_holomino.rules.contract import Drawing, Label
from pbm_holomino.rules.games import holo
from tests.draw.readers import read_bitten as read
from tests.paths import FIGURES
from tests.rules.spiral import NUMBER, SPIRAL, Cell

HOLO = holo.GAME

# What the figures show, read off them: cells by column and row.
BOARDS: dict[str, tuple[dict[Cell, str], dict[Cell, str]]] = {
    "holo-tile-cw": ({(0, 0): "231"}, {}),
    "holo-tile-acw": ({(0, 0): "321"}, {}),
    "holo-hole-6": ({(0, 0): ".21", (1, 1): "2.3", (0, 2): "13."}, {}),
    "holo-hole-10": ({(0, 0): "123", (1, 1): "265", (0, 2): "354"}, {}),
    "holo-hole-15": ({(0, 0): ".54", (1, 1): "5.6", (0, 2): "46."}, {}),
    "holo-blocked": ({(1, -1): "325", (0, 0): "351"}, {(0, -2): "x"}),
    "holo-triple-3375": (
        {
            (0, -2): ".64",
            (1, -1): "6.5",
            (1, 1): "5.4",
            (0, 2): "64.",
            (-1, 1): "56.",
            (-1, -1): ".45",
            (0, 0): "456",
        },
        {},
    ),
}


def picture(faces: dict[Cell, str], labels: dict[Cell, str] | None = None) -> str:
    numbered = {NUMBER[cell]: face for cell, face in faces.items()}
    words = {NUMBER[cell]: Label(label) for cell, label in (labels or {}).items()}
    return draw(Drawing("bitten", numbered, (), words))


def test_every_figure_of_holomino_is_here() -> None:
    names = {path.stem for path in FIGURES.glob("holo-*.txt")}
    assert names == {*BOARDS, "holo-tile-large"}


@pytest.mark.parametrize("name", BOARDS)
def test_figure(name: str) -> None:
    assert picture(*BOARDS[name]) == (FIGURES / f"{name}.txt").read_text()


def test_large_tile() -> None:
    text = draw(Drawing("large", {0: "231"}))
    assert text == (FIGURES / "holo-tile-large.txt").read_text()


HELP = {
    "large": "holo-tile-large",
    "clockwise": "holo-tile-cw",
    "anticlockwise": "holo-tile-acw",
    "hole": "holo-hole-10",
    "after": "holo-triple-3375",
    "blocked": "holo-blocked",
}


@pytest.mark.parametrize("figure", HELP)
def test_the_help_file_has_the_figures(figure: str) -> None:
    expected = (FIGURES / f"{HELP[figure]}.txt").read_text()
    assert draw(HOLO.FIGURES[figure]) == expected


def test_before_the_triple_only_the_middle_is_missing() -> None:
    before, after = (read(draw(HOLO.FIGURES[name])) for name in ("before", "after"))
    (middle,) = before.labels
    assert after.faces == before.faces | {middle: "456"}
    assert len(before.faces) == 6


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("cell", [(1, 1), (-1, -3), (5, -9), (-8, 0), (40, 40)])
def test_a_board_looks_the_same_wherever_it_lies(name: str, cell: Cell) -> None:
    faces, labels = (
        {(col + cell[0], row + cell[1]): mark for (col, row), mark in marks.items()}
        for marks in BOARDS[name]
    )
    assert picture(faces, labels) == (FIGURES / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", BOARDS)
def test_the_order_in_which_tiles_came_does_not_matter(name: str) -> None:
    faces, labels = BOARDS[name]
    backwards = dict(reversed(faces.items()))
    assert picture(backwards, labels) == (FIGURES / f"{name}.txt").read_text()


@pytest.mark.parametrize("faces", [(0, 4), (4, 0)])
def test_a_digit_is_not_covered_by_the_tile_beneath(faces: tuple[int, int]) -> None:
    drawing = Drawing("bitten", dict.fromkeys(faces, "123"))
    expected = [" __", "/1 \\__", "\\    2\\", "/   __/", "\\3_/"]
    below = ["/1 \\__", "\\    2\\", "/   __/", "\\3_/"]
    assert draw(drawing) == "\n".join([*expected, *below, ""])


@pytest.mark.parametrize("label", ["x", "7", "42", "917", "9918"])
def test_a_label_is_within_its_cell(label: str) -> None:
    ring = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    faces = {cell: f"{n}{n}{n}" for n, cell in enumerate(ring, 1)}
    shown = read(picture(faces, {(0, 0): label}))
    assert list(shown.labels.values()) == [label]
    (col, row), (dcol, drow) = next(iter(shown.labels)), (-1, -1)
    assert {(c - col, r - row): f for (c, r), f in shown.faces.items()} == faces
    assert shown.faces[col + dcol, row + drow] == "666"


@pytest.mark.parametrize("label", ["x", "42", "917", "9918"])
def test_a_label_is_in_the_middle(label: str) -> None:
    # south of a tile at the left edge: five characters, from the second column on
    line = picture({(0, 0): "123"}, {(0, 2): label}).split("\n")[7]
    before, after = line.index(label) - 1, 6 - len(line)
    assert line.strip() == label
    assert before + len(label) + after == 5
    assert abs(before - after) <= 1


@pytest.mark.parametrize("label", ["x", "42", "9918"])
@pytest.mark.parametrize("cell", [(0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)])
def test_a_label_at_the_edge_is_in_the_picture(label: str, cell: Cell) -> None:
    shown = read(picture({(0, 0): "123"}, {cell: label}))
    assert (shown.faces, shown.labels) == ({(0, 0): "123"}, {cell: label})


def test_no_trailing_blanks_and_no_empty_lines_round_it() -> None:
    faces = dict.fromkeys(SPIRAL[:200:3], "123")
    labels = {cell: str(NUMBER[cell]) for cell in SPIRAL[1:200:3]}
    text = picture(faces, labels)
    lines = text.split("\n")
    assert lines.pop() == ""
    assert lines[0].strip()
    assert lines[-1].strip()
    assert [line for line in lines if line != line.rstrip()] == []
    assert min(len(line) - len(line.lstrip()) for line in lines if line.strip()) == 0


def test_an_empty_board_has_no_picture() -> None:
    assert picture({}) == ""


def test_a_wide_board_is_drawn_whole() -> None:
    faces = {(col, col % 2): "123" for col in range(40)}
    shown = read(picture(faces))
    assert shown.faces == faces
    assert shown.labels == {}
