"""Pages do not name players who have left and want to be named no more."""

from tests.commands.test_former_players import left, over
from tests.house import PASSWORDS, House
from tests.web.browser import Browser, signed_in

__all__ = ["over"]

PAGES = [
    "/",
    "/holo",
    "/holo/1",
    "/holo/1/1",
    "/holo/1/record",
    "/holo/1/verify",
    "/holo/1/review",
    "/players/alice",
    "/search?player=alice",
]


def test_pages_do_not_tell_it_either(over: House) -> None:
    alice = signed_in(over, "alice")
    for path in (*PAGES, "/holo/1/ask?look=1"):
        for browser in (alice, Browser(over)):
            text = browser.get(path).text
            assert "bob" not in text, path
    for path in PAGES[1:]:
        assert "former player" in alice.get(path).text, path


def test_a_page_that_was_remembered_is_made_anew(house: House) -> None:
    house.type("holo resign 1 bob {bob}")
    browser = Browser(house)
    assert "bob" in browser.get("/holo/1").text
    left(house, "bob")
    assert "bob" not in browser.get("/holo/1").text


def test_they_choose_it_in_the_form_by_which_they_leave(house: House) -> None:
    house.type("holo resign 1 bob {bob}")
    bob = signed_in(house, "bob")
    bob.press("/settings", "/delete", password=PASSWORDS["bob"], value="nameless")
    assert "a former player" in Browser(house).get("/holo/1").text
