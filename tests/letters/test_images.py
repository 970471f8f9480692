"""Boards as images: how large they are, and what is said of them."""

import pytest

from pbm_holomino.errors import NotAllowed
from pbm_holomino.letters.images import Image, attachment, image
from pbm_holomino.match.board import Match
from pbm_holomino.rules.contract import Drawing
from tests.boards import Case, opened, plain_cases, played, sent, states, written
from tests.draw.png_reader import size_of
from tests.draw.svg_reader import read

HOLO = Case("holo", 2, {})


def shown(match: Match, past: bool = False) -> Image:
    found = image(match, None, past)
    assert found is not None
    return found


def sized(*faces: int) -> tuple[int, int]:
    """The size of the PNG of a board with tiles at these positions."""
    drawing = Drawing("bitten", dict.fromkeys(faces, "123"))
    return size_of(Image(drawing, "", "").png())


def test_one_tile_is_small_and_a_wide_board_is_no_wider_than_a_telephone() -> None:
    assert sized(0) == (140, 124)  # twice 60 by 52, with a margin of 5 on each side
    assert sized(0, 9) == (320, 228)  # two columns to the right, and one cell higher
    assert sized(9850, 9900)[0] == 900


def test_a_high_board_has_an_end() -> None:
    width, height = sized(0, 9748)  # the north corner of ring 57
    assert height == pytest.approx(3600, abs=30)
    assert width < 140


@pytest.mark.parametrize("case", plain_cases(), ids=str)
def test_a_letter_has_room_for_the_fullest_board(case: Case) -> None:
    views = (case.game.view(state, None) for state in states(case, 3))
    drawings = [view.drawing for view in views]
    most = max(drawings, key=lambda d: len(d.faces) + len(d.labels))
    assert len(most.faces) >= 28
    assert len(Image(most, "", "").png(is_compact=True)) < 60_000


def test_it_says_what_happened_last_and_the_score() -> None:
    match = opened(HOLO)
    (who,) = match.turn
    move = written(match, who)[0]
    match = sent(match, who, move)
    picture = shown(match)
    assert picture.title == "Holomino, board 1, after move 1: " + " against ".join(
        match.record.players
    )
    assert f"{who} played {move}." in picture.description
    assert f"Points: {who} 0 and {match.turn[0]} 0." in picture.description
    root = read(picture.svg()).root
    assert [root[0].text, root[1].text] == [picture.title, picture.description]


def test_the_past_has_no_moves() -> None:
    match = opened(HOLO)
    now, then = (read(shown(match, past).svg()) for past in (False, True))
    faces = match.view(None).drawing.faces
    assert now.bitten() == then.bitten() == faces
    assert len(now.labels(faces)) > 3
    assert then.labels(faces) == {}


def test_before_the_first_tile_there_is_no_picture() -> None:
    match = opened(Case("walomino", 2, {}))
    assert image(match, None) is None
    with pytest.raises(NotAllowed, match="There is no tile on walomino 1 yet"):
        attachment(match, None, "svg")


def test_between_two_rounds_the_one_that_has_ended_is_shown() -> None:
    match = opened(Case("walomino", 2, {"rounds": "2"}))
    while match.view(None).ended is None:
        match = played(match, 1, most=1)
    view = match.view(None)
    assert view.ended
    assert not view.drawing.faces
    assert read(shown(match).svg()).hextiles() == view.ended.faces


@pytest.mark.parametrize(("form", "kind"), [("svg", "svg+xml"), ("png", "png")])
def test_a_file_is_named_after_its_board(form: str, kind: str) -> None:
    match = opened(HOLO)
    file = attachment(match, None, form)
    assert (file.name, file.kind) == (f"holo-1.{form}", f"image/{kind}")
    picture = shown(match)
    assert file.content == (picture.svg().encode() if form == "svg" else picture.png())
