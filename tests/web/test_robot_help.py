"""What robots say on the page of a board: hints, and the review of a game."""

import asyncio
import re
from collections.abc import Callable
from random import Random
from urllib.parse import unquote, urlencode

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
    monkeypatch.setattr(waiting, "to_thread", here)
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


# Positions that are tried

TRY = f"{BOARD}/try"


def on_line(browser: Browser, *words: str) -> Page:
    """The page of the position after a line from now."""
    return browser.get(f"{TRY}?{urlencode({'line': ' '.join(words)})}")


def asks_on_line(page: Page) -> bool:
    return any(form.action == f"{TRY}/hint" for form in page.forms)


def drawn_out(house: House) -> list[str]:
    """A line of one move, and the first draw that it may bring."""
    first = house.legal(2)[0]
    page = on_line(signed_in(house, "alice"), first)
    return [first, *[each for each in page.choices if "draw:" in each][:1]]


def test_a_robot_looks_at_a_position_that_is_tried(unrated: House) -> None:
    alice, line = signed_in(unrated, "alice"), drawn_out(unrated)
    page = on_line(alice, *line)
    legal = [each for each in page.choices if not each.startswith("draw:")]
    page = alice.send(page.form("/try/hint"))
    assert "A robot is thinking about this position." in page.text
    assert not asks_on_line(page)
    assert asks(alice.get(BOARD), "hint")  # which is another question
    unrated.taken()
    advise(unrated)
    page = on_line(alice, *line)
    assert f"A robot would play {legal[0]} ." in page.text
    assert "your opponent" not in page.text  # it is the move of bob
    assert unrated.taken() == []
    following = next(link for link in page.links if legal[0] in unquote(link))
    assert alice.get(following).form("/try").fields["line"].split()[2] == legal[0]


def test_what_it_says_of_ones_own_move_is_as_in_a_hint(unrated: House) -> None:
    bob, line = signed_in(unrated, "bob"), drawn_out(unrated)
    bob.send(on_line(bob, *line).form("/try/hint"))
    advise(unrated)
    page = on_line(bob, *line)
    assert "It is the first. The second best move is" in page.text
    assert page.html.count('class="outline"') == 1


def test_what_a_robot_says_of_a_line_is_for_its_player_alone(unrated: House) -> None:
    alice, bob, line = (
        signed_in(unrated, "alice"),
        signed_in(unrated, "bob"),
        drawn_out(unrated),
    )
    before = {path: bob.get(path).text for path in (BOARD, TRY)}
    alice.send(on_line(alice, *line).form("/try/hint"))
    assert {path: bob.get(path).text for path in before} == before
    advise(unrated)
    assert {path: bob.get(path).text for path in before} == before
    assert "A robot would play" not in on_line(bob, *line).text
    assert "A robot would play" not in alice.get(BOARD).text


def test_the_hint_for_a_move_is_also_that_for_the_empty_line(unrated: House) -> None:
    alice = signed_in(unrated, "alice")
    alice.press(BOARD, "/hint")
    advise(unrated)
    assert "A robot would play" in alice.get(TRY).text


def forged(browser: Browser, line: str) -> Page:
    """What follows when a form asks that no page has offered."""
    form = browser.get(TRY).form("/signout")._replace(action=f"{TRY}/hint")
    return browser.send(form, since="0", line=line)


def test_where_there_are_no_hints_there_are_none_on_lines(house: House) -> None:
    house.challenge()
    house.accept(2)
    alice = signed_in(house, "alice")
    assert not asks_on_line(alice.get(TRY))
    refused = forged(alice, "")
    assert refused.status == 422
    assert "counts in the ratings, so there are no hints" in refused.text
    house.play(2, moves=1)
    house.type("holo resign 2 bob {bob}")
    assert asks_on_line(alice.get(f"{TRY}?since=0"))


def test_a_robot_must_know_what_is_drawn(unrated: House) -> None:
    alice, (first, *_) = signed_in(unrated, "alice"), drawn_out(unrated)
    assert not asks_on_line(on_line(alice, first))
    refused = forged(alice, first)
    assert refused.status == 422
    assert "here a draw is left open" in refused.text
    assert forged(alice, "999:1").status == 422
    assert robot_jobs.waiting(unrated.store) == []


def test_who_does_not_play_asks_no_robot(unrated: House) -> None:
    unrated.sign_up("carol")
    carol = signed_in(unrated, "carol")
    assert not asks_on_line(carol.get(TRY))
    assert "You do not play on holo 2" in forged(carol, "").text


def test_lines_count_as_hints(unrated: House) -> None:
    alice, line = signed_in(unrated, "alice"), drawn_out(unrated)
    for path in (TRY, f"{TRY}?{urlencode({'line': ' '.join(line)})}"):
        alice.send(alice.get(path).form("/try/hint"))
    day = unrated.time[:10]
    assert unrated.store.counters.count_of("hint.asked", day, "alice") == 2
    (asked, other) = robot_jobs.waiting(unrated.store)
    assert asked.position != other.position
    advise(unrated)
    assert robot_jobs.waiting(unrated.store) == []


def test_a_game_that_has_gone_another_way_leaves_no_job(unrated: House) -> None:
    alice = signed_in(unrated, "alice")
    alice.move(BOARD, unrated.legal(2)[0])
    page = alice.get(f"{TRY}?since=1")
    alice.send(page.form("/try/hint"))
    unrated.type("holo move 2 alice {alice} undo")
    unrated.type("holo accept 2 bob {bob}")
    advise(unrated)
    assert robot_jobs.waiting(unrated.store) == []
