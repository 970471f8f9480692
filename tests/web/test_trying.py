"""Moves tried on a page, for both sides, and answers queued from it."""

import json
import re

import pytest

from pbm_holomino.match import queue
from tests.house import House
from tests.web.browser import Browser, Page, signed_in

BOARD = "/holo/1"
TRY = f"{BOARD}/try"


@pytest.fixture
def bob(house: House) -> Browser:
    """His browser, while it is alice's turn, and he has accepted."""
    house.accept()
    return signed_in(house, "bob")


def on(browser: Browser, page: Page, choice: int = 0) -> Page:
    """The page after one of the moves of a page."""
    return browser.send(page.form("/try"), move=page.choices[choice])


def lines(house: House, who: str = "bob") -> list[str]:
    return [" ".join(line) for line in queue.tree(house.match(), who)]


def test_an_answer_is_queued_from_the_board(
    house: House, alice: Browser, bob: Browser
) -> None:
    assert TRY in bob.get(BOARD).links
    page = bob.get(TRY)
    assert "Choose a move that alice may play, then your answer." in page.text
    assert page.choices == [*house.legal()]
    theirs = page.choices[1]
    page = on(bob, page, 1)
    assert "It is your turn." in page.text
    assert not any(form.action.endswith("/queue") for form in page.forms)
    mine = page.choices[0]
    page = on(bob, page)
    assert f"If they play {theirs}, play {mine}" in page.text
    assert house.match().ply == 0
    done = bob.send(page.form("/queue"))
    assert f"if {theirs} {mine}" in done.text
    assert lines(house) == [f"{theirs} {mine}"]
    assert mine not in alice.get(BOARD).text
    alice.move(BOARD, theirs)
    assert [line.action for line in house.match().record.log if line.no] == [
        theirs,
        mine,
    ]


def test_a_further_answer_comes_before_the_others(
    house: House, alice: Browser, bob: Browser
) -> None:
    """A line that it contradicts is left out, and a queue goes on after it."""
    bob.press(BOARD, "/queue", moves="123:99")
    for choice in (0, 1, 0):
        answered = on(bob, bob.get(TRY), choice)
        bob.send(on(bob, answered, choice).form("/queue"))
        if choice == 0:
            first = f"{house.legal()[0]} {answered.choices[0]}"
        else:
            second = f"{house.legal()[1]} {answered.choices[1]}"
    assert lines(house) == [first, second, "* 123:99"]
    other = on(bob, on(bob, bob.get(TRY)), 1)
    bob.send(other.form("/queue"))
    shown = lines(house)
    assert shown[0].startswith(f"{house.legal()[0]} ")
    assert shown[0] != first
    assert shown[1:] == [second, "* 123:99"]


def test_of_ones_own_turn_the_first_move_is_played_at_once(
    house: House, alice: Browser, bob: Browser
) -> None:
    page = on(alice, alice.get(TRY))
    first = house.legal()[0]
    assert page.form("/queue").fields["moves"] == f"{first}#1"
    page = on(alice, on(alice, page))
    again = alice.get(page.url)  # in another tab
    assert f"Play {first} now, and queue the rest" in page.text
    done = alice.send(page.form("/queue"))
    assert house.match().ply == 1
    assert "Your answers ahead" in done.text
    (line,) = lines(house, "alice")
    alice.send(again.form("/queue"))
    assert house.match().ply == 1
    assert line in lines(house, "alice")


def test_a_longer_line_is_queued_whole(house: House, bob: Browser) -> None:
    page = bob.get(TRY)
    for _ in range(5):
        page = on(bob, page)
    assert "Queue this line" in page.text
    bob.send(page.form("/queue"))
    (line,) = lines(house)
    assert len(line.split()) == 4  # up to the last move of bob's
    back = next(link for link in page.links if "since=0&line=" in link)
    assert "It is your turn." in bob.get(back).text


def test_a_line_that_was_kept_is_queued_from_where_the_game_has_come_to(
    house: House, alice: Browser, bob: Browser
) -> None:
    """As long as the game goes the same way."""
    page = bob.get(TRY)
    for _ in range(4):
        page = on(bob, page)
    first, second, third, fourth = page.form("/note").fields["line"].split()
    bob.send(page.form("/note"), text="Until then.")
    alice.move(BOARD, first)
    bob.move(BOARD, second)
    (kept,) = [link for link in bob.get(TRY).links if link.count("%3A") > 3]
    page = bob.get(kept)
    assert f"If they play {third}, play {fourth}" in page.text
    bob.send(page.form("/queue"))
    assert lines(house) == [f"{third} {fourth}"]
    other = next(move for move in house.legal() if move != third)
    alice.move(BOARD, other)
    assert not any(form.action.endswith("/queue") for form in bob.get(kept).forms)


def test_a_line_begins_where_the_board_was(
    house: House, alice: Browser, bob: Browser
) -> None:
    moves = house.legal()[:1]
    alice.move(BOARD, moves[0])
    page = bob.get(f"{BOARD}/0")
    assert f"{TRY}?since=0" in page.links
    page = on(bob, bob.get(f"{TRY}?since=0"))
    assert not any(form.action.endswith("/queue") for form in page.forms)
    assert bob.get(f"{TRY}?since=2").status == 404
    assert bob.get(f"{TRY}?since=x").status == 404


def test_a_refused_move_leaves_the_line_as_it_is(house: House, bob: Browser) -> None:
    page = on(bob, bob.get(TRY))
    refused = bob.send(page.form("/try"), move="999:1")
    assert refused.status == 422
    assert "Move 2 of the line" in refused.text
    assert refused.form("/try").fields["line"] == house.legal()[0]
    assert bob.get(f"{TRY}?line=nothing").status == 422


def test_scripts_ask_for_the_moves_of_whoever_is_to_move(
    house: House, bob: Browser
) -> None:
    first = house.legal()[0]
    found = json.loads(bob.get(f"{TRY}/moves").html)
    assert [one["move"] for one in found["moves"]] == [*house.legal()]
    page = bob.get(f"{TRY}?line={first}")
    found = json.loads(bob.get(f"{TRY}/moves?since=0&line={first}").html)
    fitting = [choice for choice in page.choices if not choice.startswith("draw:")]
    assert [one["move"] for one in found["moves"]] == fitting


def test_who_does_not_play_queues_nothing(house: House, bob: Browser) -> None:
    house.sign_up("carol")
    carol = signed_in(house, "carol")
    page = on(carol, on(carol, carol.get(TRY)))
    assert not any(form.action.endswith("/queue") for form in page.forms)
    stranger = Browser(house)
    for path in (TRY, f"{TRY}/moves"):
        assert "Password" in stranger.get(path).text
    assert TRY not in "".join(stranger.get(BOARD).links)


def test_where_nobody_can_answer_own_moves_are_queued(house: House) -> None:
    house.type("walomino challenge alice bob -draft=random")
    house.type("walomino accept 1 bob {bob}")
    alice = signed_in(house, "alice")
    assert "If they play this" not in alice.get("/walomino/1").text
    page = alice.get("/walomino/1/try")
    assert page.status == 200


def notes(house: House, who: str) -> str:
    return house.type(f"holo notes 1 {who} {{{who}}}").text


def test_a_line_is_kept_with_a_note_for_its_player_alone(
    house: House, alice: Browser, bob: Browser
) -> None:
    page = on(bob, on(bob, bob.get(TRY)))
    theirs, mine = page.form("/note").fields["line"].split()
    page = bob.send(page.form("/note"), text="Closes <both> ends.\nThen 145.")
    assert "Your notes, which only you can see" in page.text
    assert "Closes <both> ends. Then 145." in page.text
    assert "Closes <both> ends." in notes(house, "bob")
    page = on(bob, bob.get(f"{TRY}?since=0&line={theirs}"), 1)
    page = bob.send(page.form("/note")._replace(action=f"{TRY}/keep"))
    other = page.form("/note").fields["line"].split()[1]
    for words in (theirs, mine, other):
        assert words in notes(house, "bob")
    assert f"{TRY}?since=0&line={theirs}+{mine}" in [
        link.replace("%3A", ":") for link in page.links
    ]
    assert "Closes" not in alice.get(TRY).text
    assert "You have no notes" in notes(house, "alice")
    page = bob.get(f"{TRY}?since=0&line={theirs}+{mine}")
    out = page.forms[-1]
    assert "text" not in out.fields
    bob.send(out)
    assert "Closes" not in notes(house, "bob")
    assert mine not in notes(house, "bob")


def test_a_note_that_is_refused_is_said_where_it_was_written(
    house: House, bob: Browser
) -> None:
    page = bob.send(bob.get(TRY).form("/note"), text=" ")
    assert page.status == 422
    assert "You have no note there" in page.text
    house.sign_up("carol")
    carol = signed_in(house, "carol")
    page = carol.get(TRY)
    assert not any(form.action.endswith("/note") for form in page.forms)


def test_what_is_drawn_is_chosen_or_left_to_chance(house: House, bob: Browser) -> None:
    first = on(bob, bob.get(TRY))
    assert "draw:" not in first.form("/try").fields["line"]
    draws = [choice for choice in first.choices if choice.startswith("draw:")]
    choosing = next(f for f in first.forms if f.fields.get("move") in draws)
    tiles = re.findall(
        r'value="draw:(\w+)"[^>]*> <span class="tile" [^>]*data-tile="(\w+)"',
        first.html,
    )
    assert [f"draw:{name}" for name, drawn in tiles if name == drawn] == draws
    page = bob.send(choosing, move=draws[-1])
    assert page.form("/try").fields["line"].split()[1] == draws[-1]
    assert not [choice for choice in page.choices if choice.startswith("draw:")]
    drawn = bob.send(choosing, by="chance").form("/try").fields["line"].split()
    assert len(drawn) == 2
    assert drawn[1] in draws


def test_lines_that_were_kept_before_the_game_went_another_way(
    house: House, alice: Browser, bob: Browser
) -> None:
    alice.move(BOARD, house.legal()[0])
    bob.send(bob.get(TRY).form("/note"), text="Before it is undone.")
    house.type("holo move 1 alice {alice} undo")
    house.type("holo accept 1 bob {bob}")
    page = bob.get(TRY)
    assert "The game has gone another way since then." in page.text
    assert "Before it is undone." in page.text
