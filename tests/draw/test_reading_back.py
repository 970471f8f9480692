"""Pictures of random games of all kinds, read back from their characters alone."""

from collections.abc import Callable
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.draw.reading.marks import Cell, Seen
from pbm_holomino.draw.text import draw
from pbm_holomino.match.board import Match
from pbm_holomino.rules import names
from pbm_holomino.rules.contract import Drawing, Label
from tests.boards import Case, chronicle, opened, played, played_east
from tests.draw.readers import read_bitten, read_hextiles, read_small_hextiles
from tests.rules.spiral import SPIRAL
from tests.sizes import sized

LARGE = {"bitten": read_bitten, "hextile": read_hextiles}
SMALL = {"bitten": read_bitten, "hextile": read_small_hextiles}


def shown(drawing: Drawing, label: Callable[[Label], str]) -> Seen:
    """What a reader should find, by cells counted from the first taken one."""
    col, row = min(SPIRAL[at] for at in drawing.faces)

    def cell(position: int) -> Cell:
        return SPIRAL[position][0] - col, SPIRAL[position][1] - row

    faces = {cell(at): face for at, face in drawing.faces.items()}
    labels = {cell(at): label(words) for at, words in drawing.labels.items()}
    last = frozenset(map(cell, drawing.last))
    joints = {frozenset(map(cell, pair)) for pair in drawing.joints}
    shaded = frozenset(cell(at) for at, seat in drawing.owners.items() if seat)
    heights = {cell(at): str(height) for at, height in drawing.heights.items()}
    return Seen(faces, joints, labels, last, shaded, heights)


def as_written(label: Label) -> str:
    return label.text


def as_in_small(label: Label) -> str:
    """An open end is a star; a position has two digits at least."""
    return "*" if label.kind == "end" else f"{int(label.text):02}"


def check(drawing: Drawing) -> None:
    """Read both pictures of a board back."""
    if not drawing.faces:
        assert draw(drawing) == draw(drawing, small=True) == ""
        return
    read = LARGE[drawing.notation]
    assert read(draw(drawing)) == shown(drawing, as_written)
    is_small = LARGE[drawing.notation] is SMALL[drawing.notation]
    label = as_written if is_small else as_in_small
    assert SMALL[drawing.notation](draw(drawing, small=True)) == shown(drawing, label)


def drawings(board: Match) -> list[Drawing]:
    """The boards that a screen shows."""
    view = board.view(None)
    return [view.drawing, *([view.ended] if view.ended else [])]


@pytest.mark.parametrize("name", names())
@settings(max_examples=sized(4, 12))
@given(seed=st.integers(0, 10**6), lines=st.integers(1, 90))
def test_a_picture_read_back_gives_the_board(name: str, seed: int, lines: int) -> None:
    *_, board = islice(chronicle(seed, name), lines)
    for drawing in drawings(board):
        check(drawing)


@pytest.mark.parametrize("name", names())
def test_so_does_every_figure_of_the_help_pages(name: str) -> None:
    figures = opened(Case(name, 2, {})).rules.FIGURES.values()
    boards = [figure for figure in figures if figure.notation in LARGE]
    assert boards
    for drawing in boards:
        if all(label.kind != "note" for label in drawing.labels.values()):
            check(drawing)


@pytest.mark.parametrize("name", names())
def test_so_does_a_board_with_positions_of_four_digits(name: str) -> None:
    words = {"draft": "random"} if name == "walomino" else {}
    board = played_east(opened(Case(name, 2, words)))
    before = board.after_ply(board.ply - 1)
    for drawing in (before.view(None).drawing, board.view(None).drawing):
        assert max(map(len, map(str, drawing.faces))) >= 3
        check(drawing)


@pytest.mark.parametrize("name", names())
def test_nothing_but_its_mark_tells_the_last_tile(name: str) -> None:
    board = played(opened(Case(name, 2, {})), 2)
    drawing = board.view(None).drawing
    assert drawing.last
    for small in (False, True):
        plain = draw(drawing._replace(last=()), small)
        with_mark = draw(drawing, small)
        assert "#" not in plain
        assert {
            ink for ink, was in zip(with_mark, plain, strict=True) if ink != was
        } == {"#"}


@pytest.mark.parametrize("name", names())
def test_a_small_picture_is_half_as_wide(name: str) -> None:
    drawing = played(opened(Case(name, 2, {})), 3).view(None).drawing
    wide, narrow = (
        max(map(len, draw(drawing, small).splitlines())) for small in (False, True)
    )
    large_cells, small_cells = (wide - 3) // 7, (narrow - 1) // 3
    if LARGE[drawing.notation] is SMALL[drawing.notation]:
        assert narrow == wide
    else:
        assert (large_cells, narrow < wide / 2) == (small_cells, True)
