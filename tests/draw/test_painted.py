"""Pictures in colour: the same as without, and only what an ink says has one."""

import re

import pytest

from pbm_holomino.draw.text import draw
from pbm_holomino.rules import names
from pbm_holomino.rules.contract import Drawing
from tests.boards import Case, opened, played

PAINT = {"last": ("<", ">"), "move": ("{", "}")}
MARKS = re.compile("[<>{}]")


def drawing_of(name: str, plies: int) -> Drawing:
    words = {"draft": "random"} if name == "walomino" else {}
    return played(opened(Case(name, 2, words), 4), 7, plies).view(None).drawing


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("plies", [3, 9, 14])
@pytest.mark.parametrize("name", names())
def test_a_painted_picture_is_the_plain_one_with_marks(
    name: str, plies: int, small: bool
) -> None:
    drawing = drawing_of(name, plies)
    painted = draw(drawing, small, PAINT)
    assert MARKS.sub("", painted) == draw(drawing, small)
    # the tile that was played last is marked with #, and nothing else is
    assert set(re.findall("<(.)>", painted)) == {"#"}
    assert "#" not in re.sub("<.>", "", painted)


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("name", names())
def test_the_places_are_what_is_painted_as_places(name: str, small: bool) -> None:
    drawing = drawing_of(name, 9)
    painted = draw(drawing, small, PAINT)
    runs = re.findall(r"(?:\{\d\})+", painted)
    places = {at for at, label in drawing.labels.items() if label.kind == "move"}
    assert places
    assert len(runs) == len(places)
    # where digits touch a stroke of a tile, they are cut; elsewhere they are whole
    assert {int(MARKS.sub("", run)) for run in runs} == places


def test_inks_that_are_not_painted_are_as_they_are() -> None:
    drawing = drawing_of("holo", 9)
    assert draw(drawing, paint={"end": ("<", ">")}) == draw(drawing)
