"""PNG pictures: they are what the SVG shows, and small enough for a letter."""

import sys
from importlib import invalidate_caches
from itertools import product
from pathlib import Path

import pytest

from pbm_holomino.draw import png, svg
from pbm_holomino.draw.svg.shapes import TILE
from pbm_holomino.errors import NotAllowed
from pbm_holomino.rules.contract import Drawing, move_labels
from tests.draw.png_reader import Pixel, read, size_of
from tests.sizes import some

POSSIBLE = png.is_possible  # before it is replaced in other tests' servers
ONE = Drawing("bitten", {0: "123"}, labels=move_labels(range(1, 7)), last=(0,))
PAIR = Drawing("hextile", {0: "R", 1: "G"}, [(0, 1)])


def rgb(colour: str) -> Pixel:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue, 255


@pytest.mark.parametrize(
    ("drawing", "is_compact", "width"),
    some([*product([ONE, PAIR], [False, True], [80, 333])], 4),
)
def test_it_has_the_width_that_is_asked_for(
    drawing: Drawing, is_compact: bool, width: int
) -> None:
    across, down = svg.size(drawing)
    file = png.render(svg.draw(drawing, "", ""), width, is_compact)
    shown = read(file)
    assert shown.width == width == size_of(file)[0]
    assert shown.height == pytest.approx(width * down / across, abs=1)


@pytest.mark.parametrize("is_compact", [False, True])
def test_it_shows_paper_tiles_and_their_mark(is_compact: bool) -> None:
    shown = read(png.render(svg.draw(ONE, "", ""), 320, is_compact))
    assert shown.border == {rgb(svg.PAPER)}
    assert {rgb(TILE), rgb(svg.LAST), rgb(svg.NUMBER)} < shown.colours


def test_halves_have_their_colours() -> None:
    shown = read(png.render(svg.draw(PAIR, "", ""), 140))  # two pixels for each unit
    # a quarter of a cell from the left corner of each: 0 is below 1
    left, middle, lower = 10 + 30, 10 + 52, 10 + 52 + 104
    assert shown.rows[lower][left] == rgb("#cc4400")
    assert shown.rows[middle][left] == rgb("#2bb98f")


def test_a_compact_one_has_no_mixed_colours_and_is_shorter() -> None:
    smooth, compact = (
        png.render(svg.draw(ONE, "", ""), 320, is_compact)
        for is_compact in (False, True)
    )
    # paper, the edge of an empty cell, its number, the mark of the last tile; of a tile
    # its face, its digits, its outline and its side
    assert len(read(compact).colours) == 8
    assert len(read(smooth).colours) > 50
    assert 2 * len(compact) < len(smooth)


def test_whether_it_is_possible_is_known_without_loading_the_library(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delitem(sys.modules, "resvg_py", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert not POSSIBLE()
    (tmp_path / "resvg_py.py").write_text("raise ImportError")
    invalidate_caches()
    assert POSSIBLE()


def test_without_the_library_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(NotAllowed, match='"pbm help owner" tells the owner'):
        png.render(svg.draw(ONE, "", ""), 100)
