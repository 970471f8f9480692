"""Boards and records that are pasted on a page, for the eyes of one player alone."""

import json

import pytest

from pbm_holomino import rules
from tests.club import Club
from tests.house import House
from tests.web.browser import Browser, Form, Page, signed_in, without_threads

__all__ = ["without_threads"]

every_game = pytest.mark.parametrize("game", rules.names())


def pasted(browser: Browser, game: str, text: str) -> Page:
    """The page of a text that is pasted."""
    (form,) = _forms(browser.get(f"/{game}/paste"))
    return browser.send(form, text=text)


def _forms(page: Page) -> list[Form]:
    return [form for form in page.forms if form.action.endswith("/paste")]


def begun(club: Club, game: str, moves: int = 4) -> str:
    """A board on which some moves have been played, as letters show it."""
    club.open(game, 2, "-draft=random" if game == "walomino" else "").play(3, moves)
    return club.say(f"{game} show 1")


@every_game
def test_a_board_is_played_on_and_a_move_taken_back(club: Club, game: str) -> None:
    """As by the command, and nothing of it is kept. The blanks in front of its first
    line are a part of the board."""
    text = begun(club, game)
    alice, before = signed_in(club.server, "alice"), club.server.records()
    page = pasted(alice, game, text)
    assert page.status == 200
    assert "of the board in your text: nothing has been played." in page.text
    assert "A picture does not hold whose turn it is" in page.text
    move = page.choices[0]
    after = alice.send(_forms(page)[0], move=move)
    assert after.status == 200
    back = _forms(after)[0]
    assert back.fields["line"] == ""
    again = alice.send(back)
    assert again.choices == page.choices
    typed = f"{game} analyse alice {{alice}} -format=json"
    command = json.loads(club.server.type(typed, f"-m={text}").text)
    assert {*page.choices} == {*command["legal"]}
    assert club.server.records() == before


@every_game
def test_a_record_is_played_on_with_its_own_draws(club: Club, game: str) -> None:
    begun(club, game)
    while turn := club.json()["turn"]:
        club.resign(turn[0])
    record = club.say(f"{game} history 1 -format=json")
    page = pasted(signed_in(club.server, "carol"), game, record)
    assert page.status == 200
    assert "Its seed fits its seal, its moves and its draws." in page.text


def test_what_is_no_board_is_refused_with_the_text_as_it_was(house: House) -> None:
    alice = signed_in(house, "alice")
    page = pasted(alice, "holo", "  </textarea><b>no board")
    assert page.status == 422
    assert "I see no board there." in page.text
    assert "\n  &lt;/textarea&gt;&lt;b&gt;no board</textarea>" in page.html
    assert pasted(alice, "holo", "").status == 422


def test_a_move_that_is_refused_leaves_the_position(club: Club) -> None:
    text = begun(club, "holo")
    alice = signed_in(club.server, "alice")
    page = pasted(alice, "holo", text)
    for move in ("999:1", "draw:123"):
        refused = alice.send(_forms(page)[0], move=move)
        assert refused.status == 422
        assert move in refused.text
        assert refused.choices == page.choices


def test_nobody_else_sees_such_a_page(house: House) -> None:
    stranger = Browser(house)
    form = stranger.get("/signin").form("/signin")
    fields = {**form.fields, "text": "__"}
    for page in (stranger.get("/holo/paste"), stranger.post("/holo/paste", fields)):
        assert page.form("/signin")
        assert _forms(page) == []
    assert signed_in(house, "alice").get("/chess/paste").status == 404
