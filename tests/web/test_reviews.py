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


def judged(house: House, *chances: float, robots: tuple[str, ...] = ()) -> None:
    """Board 1 is reviewed: the chances of alice before each move, and what the robot
    would have played where that is another move."""
    match = house.match()
    log, lines = match.record.log, match.moves
    moves = (
        Judged(
            n, dict(enumerate(robots)).get(at) or str(log[n].action), 1.0, (c, 1 - c)
        )
        for at, (n, c) in enumerate(zip(lines, chances, strict=True))
    )
    reviews.save(house.store, match, Review(digest(match), tuple(moves)))


def test_each_move_is_a_page_with_the_better_one_on_the_board(
    house: House, browser: Browser
) -> None:
    house.play(moves=1)
    better = house.legal()[-1]
    house.play(moves=2)
    house.type("holo resign 1 alice {alice}")
    judged(house, 0.5, 0.6, 0.2, robots=("", better))
    page = browser.get("/holo/1/review/2")
    assert f"A robot would have played {better}." in page.text
    # bob, whose chances were 40%, has 80% before alice's next move
    assert "bob's chances rose from 40% to 80%." in page.text
    assert page.html.count('class="outline"') == 1
    assert {f"/holo/1/review/{n}" for n in (0, 1, 3)} <= {*page.links}
    same = browser.get("/holo/1/review/3")
    assert "A robot would have played the same." in same.text
    assert 'class="outline"' not in same.html
    start = browser.get("/holo/1/review/0")
    assert "This is the board before the first move." in start.text


def test_what_changed_little_is_no_turning_point_and_a_resignation_is_no_move(
    house: House, browser: Browser
) -> None:
    house.play(moves=8)
    house.type("holo resign 1 alice {alice}")
    judged(house, 0.5, 0.51, 0.6, 0.2, 0.3, 0.4, 0.8, 0.9)
    page = browser.get("/holo/1/review")
    turning = page.html.partition("Turning points")[2].partition("</ol>")[0]
    # changes: .01 .09 .4 .1 .1 .4 .1, and after the last nothing is known
    assert [n for n in range(1, 9) if f'value="{n}"' in turning] == [3, 4, 5, 6, 7]
    assert "to 0%" not in page.text
    judged(house, *[0.5] * 8)
    none = browser.get("/holo/1/review").text
    assert "Turning points" not in none
    assert "No single move changed the chances much." in none


@pytest.mark.parametrize("ply", ["3", "x", "99999999999"])
def test_there_is_no_move_after_the_last(
    reviewed: House, browser: Browser, ply: str
) -> None:
    assert browser.get("/holo/1/review/2").status == 200
    assert browser.get(f"/holo/1/review/{ply}").status == 404


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
