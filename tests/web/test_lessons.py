"""The lessons: every step can be done by what its text asks for, and nothing else does
it; and nobody needs an account, or a script."""

from typing import Any
from urllib.parse import quote

import pytest

from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.rules import names
from pbm_holomino.web import lessons
from pbm_holomino.web.lessons import Step
from tests.house import House
from tests.sizes import full
from tests.web.browser import Browser, signed_in

WITH_LESSON = [game for game in names() if lessons.has_lesson(game)]
STEPS = [
    pytest.param(game, no, id=f"{game}-{no}")
    for game in WITH_LESSON
    for no in range(1, len(lessons.steps(game, "en")) + 1)
]


def step_of(game: str, no: int) -> Step:
    return lessons.steps(game, "en")[no - 1]


def test_every_game_has_a_lesson_of_six_to_ten_steps() -> None:
    assert [*names()] == WITH_LESSON
    for game in WITH_LESSON:
        steps = lessons.steps(game, "en")
        assert 6 <= len(steps) <= 10
        assert all(step.title and step.task and step.why for step in steps)


@pytest.mark.parametrize(("game", "no"), STEPS)
def test_a_step_is_done_by_its_own_answer_with_forms_alone(
    browser: Browser, game: str, no: int
) -> None:
    step = step_of(game, no)
    here = f"/learn/{game}/{no}"
    looked = browser.press(here, "/preview", move=step.answer)
    assert "Nothing has been played yet." in looked.text
    done = browser.send(looked.form(here))
    assert done.status == 200
    assert "Well done." in done.text
    is_last = no == len(lessons.steps(game, "en"))
    assert (f"/learn/{game}/{no + 1}" in done.links) is not is_last
    assert (f"/help/{game}" in done.links) is is_last


# A wrong answer to the steps that ask for more than any move, by the rules


WRONG = [
    ("holo", 2, "164:3", "There is a move that scores more"),  # no hole
    ("holo", 3, "142:18", "There is a move that scores more"),  # 7, not 8
    ("holo", 5, "465:4", "That blocks no cell"),
    ("hextup", 2, "03:2,9", "does not lie on top"),
    ("hextup", 5, "33:68,100", "does not win the game yet"),  # 1 is lacking
    ("walomino", 5, "YY:10,11", "your opponent can still move"),
]


@pytest.mark.parametrize(
    ("game", "no", "move", "said"), [wrong for wrong in WRONG if wrong[0] in names()]
)
def test_what_is_possible_but_not_asked_for_is_not_enough(
    browser: Browser, game: str, no: int, move: str, said: str
) -> None:
    page = browser.get(f"/learn/{game}/{no}?move={move}")
    assert page.status == 422
    assert said in page.text
    assert "Well done." not in page.text
    assert page.form("/preview")  # it can be tried again


def test_the_engine_says_what_is_against_the_rules(browser: Browser) -> None:
    for page in ("", "/preview"):
        refused = browser.get(f"/learn/holo/1{page}?move=456:3")
        assert refused.status == 422
        assert "456" in refused.text
        assert "Well done." not in refused.text


@pytest.mark.parametrize(
    "move",
    ["x", "-m=1", "!resign", "264:6#99", "take:any", "1" * 3000, "<b>", "\0", "é 1"],
)
def test_whatever_is_no_move_is_refused(browser: Browser, move: str) -> None:
    for page in ("", "/preview"):
        came = browser.get(f"/learn/holo/1{page}?move={quote(move)}")
        assert 400 <= came.status < 500
        assert "<b>" not in came.html


@pytest.mark.parametrize(
    "path",
    ["holo/0", "holo/7", "holo/x", "holo/999999999999", "chess", "chess/1", "holo/1/x"],
)
def test_there_is_no_other_step(browser: Browser, path: str) -> None:
    assert browser.get(f"/learn/{path}").status == 404


def test_a_lesson_is_open_to_strangers_where_boards_are_not(house: House) -> None:
    house.config = house.config._replace(web_public="no")
    stranger = Browser(house)
    assert stranger.get("/learn/holo").url == "/learn/holo/1"
    assert stranger.cookies == {}
    assert (
        "/challenge/holo"
        in signed_in(house, "alice")
        .get(f"/learn/holo/6?move={step_of('holo', 6).answer}")
        .links
    )


def test_the_script_gets_the_moves_of_a_step(browser: Browser) -> None:
    came = browser.ask("GET", "/learn/holo/2/moves")
    assert '"move":"364:2"' in came.text
    assert came.headers["Content-Type"] == "application/json"


def test_the_page_of_a_game_leads_there(browser: Browser) -> None:
    assert "/learn/hextol" in browser.get("/hextol").links
    assert PLACEHOLDER not in browser.get("/learn/holo/1").text


def moved(game: str, no: int) -> list[Any]:
    step = step_of(game, no)
    return [step.match.view(None).legal, step]


@pytest.mark.parametrize(("game", "no"), STEPS if full else STEPS[:: len(STEPS) // 5])
def test_a_step_asks_for_something_that_few_moves_do(game: str, no: int) -> None:
    """Where more than any move is asked for, most moves do not do it."""
    legal, step = moved(game, no)
    if step.goal == "any":
        return
    goal = lessons._GOALS[step.goal]
    some = legal[:: max(1, len(legal) // 40)]
    assert sum(goal(step.match, lessons._played(step, m)) for m in some) < len(some)
