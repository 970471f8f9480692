"""What robots say on the page of a board: hints, and the review of a game."""

import asyncio
import re
from collections.abc import Callable
from random import Random

import pytest

from pbm_holomino import robots
from pbm_holomino.languages import sentence
from pbm_holomino.match import replay
from pbm_holomino.resident import advising, thinking
from pbm_holomino.resident.work import Work
from pbm_holomino.robots import Analysis
from pbm_holomino.robots.contract import Budget, Forecast
from pbm_holomino.rules.contract import View
from pbm_holomino.store import robot_jobs
from pbm_holomino.store.robot_jobs import REVIEW
from pbm_holomino.web import advised
from pbm_holomino.web import robot_help as waiting
from tests.house import House
from tests.web.browser import Browser, Page, here, signed_in

BOARD = "/holo/2"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No page waits for a robot, which would always play its first move."""

    def analyse(
        name: str, view: View, budget: Budget, rng: Random, played: str = ""
    ) -> Analysis:
        first, last = view.legal[0], view.legal[-1]
        said = sentence("It is the first."), sentence("It is the last.")
        return Analysis(first, said[0], 0.0, Forecast(0.0, 0.5), last, said[1])

    def thought(think: Callable[[], str], *_: object) -> str:
        return think()

    monkeypatch.setattr(robots, "analyse", analyse)
    monkeypatch.setattr(thinking, "thought", thought)
    monkeypatch.setattr(advising, "lower_priority", lambda: None)
    monkeypatch.setattr(waiting, "PATIENCE", 0.0)


@pytest.fixture
def unrated(house: House) -> House:
    """It is alice's turn on board 2, which does not count."""
    house.challenge("-rated=no")
    house.accept(2)
    return house


def asks(page: Page, what: str) -> bool:
    """Whether a page has the button for a hint, or a review."""
    return any(form.action == f"{BOARD}/{what}" for form in page.forms)


def advise(house: House) -> None:
    """The robots do what they are asked for."""
    for _ in Work(house.server, 0.0).do_all():
        pass


# Hints


def test_a_hint_is_on_the_page_that_asks_for_it(unrated: House) -> None:
    alice = signed_in(unrated, "alice")
    page = alice.press(BOARD, "/hint")
    assert "A robot is thinking about your move." in page.text
    assert not asks(page, "hint")
    advise(unrated)
    page = alice.get(BOARD)
    best, *_, second = unrated.legal(2)
    assert f"A robot would play {best} ." in page.text
    compared = (
        "It scores nothing. It is the first. "
        f"The second best move is {second}. It scores nothing. It is the last."
    )
    assert compared in page.text
    assert page.html.count('class="outline"') == 1  # it is drawn on the board
    links = [link for link in page.links if "preview" in link]
    shown = [alice.get(link).form("/move").fields["move"] for link in links]
    assert shown == [best, second]
    alice.move(BOARD, best)
    assert "A robot would play" not in alice.get(BOARD).text


def test_a_hint_says_what_its_move_opens_to_the_other(unrated: House) -> None:
    unrated.type(f"holo move 2 alice {{alice}} {unrated.legal(2)[0]}")
    match, reason = unrated.match(2), "It scores nothing, and the game is over."
    told = {
        move: str(advised.said(match, "bob", robot_jobs.advice(match, move, reason)))
        for move in unrated.legal(2)
    }
    opening = {move: words for move, words in told.items() if "It opens" in words}
    assert 0 < len(opening) < len(told)
    for move, words in opening.items():
        said = (
            r"It scores .+\. It opens the way to (\S+), .+ would score (\d+)\. Then .+"
        )
        found = re.fullmatch(said, words)
        assert found
        answer, points = found.groups()
        after = replay.preview(match, move, "bob")
        assert after
        (gain,) = after.rules.gains(
            after.state, [after.rules.parse_move(after.state, 0, answer)]
        )
        assert gain == int(points)


def test_a_hint_is_for_its_player_and_position_alone(unrated: House) -> None:
    alice, bob = signed_in(unrated, "alice"), signed_in(unrated, "bob")
    alice.press(BOARD, "/hint")
    advise(unrated)
    for browser in (bob, Browser(unrated)):
        assert "A robot would play" not in browser.get(BOARD).text
    alice.move(BOARD, unrated.legal(2)[-1])
    alice.press(BOARD, "/undo")
    bob.press(BOARD, "/accept")
    assert unrated.match(2).turn == ("alice",)
    assert "A robot would play" in alice.get(BOARD).text  # it is the same position


def test_only_the_player_to_move_is_offered_a_hint(unrated: House) -> None:
    assert asks(signed_in(unrated, "alice").get(BOARD), "hint")
    assert not asks(signed_in(unrated, "bob").get(BOARD), "hint")
    assert not asks(Browser(unrated).get(BOARD), "hint")


def test_a_player_who_has_moved_leaves_the_robot_to_the_other(unrated: House) -> None:
    alice, bob = signed_in(unrated, "alice"), signed_in(unrated, "bob")
    alice.press(BOARD, "/hint")
    alice.move(BOARD, unrated.legal(2)[0])
    assert [job.who for job in robot_jobs.waiting(unrated.store)] == ["alice"]
    assert asks(bob.get(BOARD), "hint")


def refused(reader: Browser, what: str, instead_of: str) -> str:
    """What somebody reads who asks for what the page of the board does not offer."""
    page = reader.get(BOARD)
    assert not asks(page, what)
    form = page.form(instead_of)._replace(action=f"{BOARD}/{what}")
    answer = reader.send(form)
    assert answer.status == 422
    return answer.text


def test_there_are_no_hints_on_a_board_that_counts(house: House) -> None:
    house.challenge()
    house.accept(2)
    said = refused(signed_in(house, "alice"), "hint", instead_of="/resign")
    assert "counts in the ratings" in said
    assert robot_jobs.waiting(house.store) == []


def test_there_are_hints_against_robots(house: House) -> None:
    house.type("holo challenge alice robot1")
    assert asks(signed_in(house, "alice").get(BOARD), "hint")


def test_a_player_without_an_address_has_hints_on_the_page(house: House) -> None:
    """There is nowhere else where they would see them."""
    house.type("signup carol {carol}")
    house.challenge("-rated=no", "carol bob")
    house.accept(2)
    house.taken()
    carol = signed_in(house, "carol")
    carol.press(BOARD, "/hint")
    advise(house)
    assert "It is the first." in carol.get(BOARD).text
    assert house.taken() == []


def test_a_page_waits_for_a_hint_while_nobody_else_does(
    unrated: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def taught(seconds: float) -> None:
        advise(unrated)

    monkeypatch.setattr(waiting, "PATIENCE", 60.0)
    monkeypatch.setattr(waiting, "sleep", taught)
    monkeypatch.setattr(waiting, "run_in_threadpool", here)
    page = signed_in(unrated, "alice").press(BOARD, "/hint")
    assert "It is the first." in page.text


def test_however_often_a_player_asks_one_page_waits(
    unrated: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in(unrated, "alice").press(BOARD, "/hint")
    monkeypatch.setattr(waiting, "PATIENCE", 60.0)

    async def ask() -> None:
        hints = waiting.Hints(unrated.store)
        asked = [asyncio.create_task(hints.wait("alice")) for _ in range(60)]
        while sum(one.done() for one in asked) < 59:
            await asyncio.sleep(0.01)
        assert not asked[0].done()
        advise(unrated)
        await asyncio.gather(*asked)

    asyncio.run(ask())


# Reviews


@pytest.fixture
def over(unrated: House) -> House:
    """Board 2 is over: two moves, and bob resigned."""
    unrated.play(2, moves=2)
    unrated.type("holo resign 2 bob {bob}")
    unrated.taken()
    return unrated


def test_a_player_asks_for_a_review_and_everybody_reads_it(over: House) -> None:
    alice, stranger = signed_in(over, "alice"), Browser(over)
    page = alice.press(BOARD, "/review")
    assert "its review is being computed" in page.text
    assert not asks(page, "review")
    for path in (BOARD, f"{BOARD}/review"):
        waits = stranger.get(path)
        assert waits.status == 200
        assert "its review is being computed" in waits.text
    assert [one.kind for one in robot_jobs.waiting(over.store)] == [REVIEW]
    advise(over)
    for browser in (alice, stranger):
        page = browser.get(BOARD)
        assert f"{BOARD}/review" in page.links
        assert "being computed" not in page.text
        assert "polyline" in browser.get(f"{BOARD}/review").html


def test_a_page_that_a_browser_knows_changes_with_the_review(over: House) -> None:
    stranger = Browser(over)
    tag = stranger.get(BOARD).headers["ETag"]
    assert stranger.get(BOARD, If_None_Match=tag).status == 304
    over.type("holo review 2 alice {alice}")
    assert stranger.get(BOARD, If_None_Match=tag).status == 200


def test_only_its_players_ask_for_a_review(over: House) -> None:
    over.sign_up("carol")
    carol = signed_in(over, "carol")
    page = carol.get(BOARD)
    assert not asks(page, "review")
    form = page.form("/signout")._replace(action=f"{BOARD}/review")
    refused = carol.send(form)
    assert refused.status == 422
    assert "only its players can ask" in refused.text


def test_a_board_without_a_move_has_nothing_to_review(unrated: House) -> None:
    unrated.type("holo resign 2 bob {bob}")
    assert not asks(signed_in(unrated, "alice").get(BOARD), "review")


def test_a_running_board_has_no_review(unrated: House) -> None:
    said = refused(signed_in(unrated, "alice"), "review", instead_of="/hint")
    assert "is not over yet" in said
    assert robot_jobs.waiting(unrated.store) == []
