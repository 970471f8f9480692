"""The page about the review of a game."""

import pytest

from pbm_holomino.match.reviews import Judged, Review, digest
from pbm_holomino.store import reviews
from tests.house import House
from tests.web.browser import Browser


@pytest.fixture
def reviewed(house: House) -> House:
    """Board 1 is over and reviewed: every move was the robot's own."""
    house.play(moves=2)
    house.type("holo resign 1 bob {bob}")
    match = house.match()
    log = match.record.log
    moves = (Judged(n, str(log[n].action), 0.0, (0.5, 0.5)) for n in match.moves)
    reviews.save(house.store, match, Review(digest(match), tuple(moves)))
    return house


def test_it_has_the_graph_and_the_moves(reviewed: House, browser: Browser) -> None:
    page = browser.get("/holo/1/review")
    assert page.status == 200
    assert page.html.count("<polyline") == 2  # a line for each player
    assert 'id="review-title"' in page.html  # other pictures have names like these
    assert page.text.count("the same -") == 2


def test_the_record_leads_there(reviewed: House, browser: Browser) -> None:
    page = browser.get("/holo/1/record")
    assert "/holo/1/review" in page.links
    assert page.text.count("(A robot would have played the same.)") == 2


@pytest.mark.parametrize("is_over", [False, True])
def test_without_a_review_there_is_no_page(
    house: House, browser: Browser, is_over: bool
) -> None:
    if is_over:
        house.play(moves=1)
        house.type("holo resign 1 bob {bob}")
    page = browser.get("/holo/1/review")
    assert page.status == 404
    assert "There is no review of holo 1 yet." in page.text
    assert "/holo/1/review" not in browser.get("/holo/1/record").links


@pytest.mark.parametrize("path", ["/holo/9/review", "/holo/x/review"])
def test_without_a_board_there_is_none_either(browser: Browser, path: str) -> None:
    assert browser.get(path).status == 404
    assert browser.get(path.replace("review", "record")).status == 404
