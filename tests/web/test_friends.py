"""A private link, by which a friend of a player begins a game with them."""

import re

from tests.house import PASSWORDS, House
from tests.web.browser import Browser, signed_in

WHERE = "/friend/hextol/alice/"


def link_of(house: House) -> str:
    """The path of alice's link."""
    found = re.search(rf"{WHERE}\w+", signed_in(house, "alice").get("/friend").html)
    assert found
    return found[0]


def test_a_player_finds_a_link_for_each_game(house: House) -> None:
    house.config = house.config._replace(web="http://play.example")
    alice = signed_in(house, "alice")
    page = alice.get("/friend")
    link = link_of(house)
    assert f'value="http://play.example{link}"' in page.html
    assert "This is your link" in alice.get(link).text


def test_a_friend_who_is_signed_in_begins_the_game(house: House) -> None:
    bob, link = signed_in(house, "bob"), link_of(house)
    form = bob.get(link).form(link)
    for _ in range(2):  # the same form
        page = bob.send(form)
        assert page.url == "/hextol/1"
    assert house.library.lists.boards("hextol") == [1]
    match = house.library.match("hextol", 1)
    assert match.record.players == ("bob", "alice")


def test_a_friend_without_an_account_makes_one_on_the_way(house: House) -> None:
    house.config = house.config._replace(web="http://localhost")
    browser, asked = Browser(house), link_of(house)
    form = browser.get(asked).form("/signup")
    browser.send(form, userid="erin", address="erin@example.org")
    (letter,) = house.taken()
    link = re.search(r"http://localhost(\S+)", letter.text)
    assert link
    phone = Browser(house)
    page = phone.get(link[1])
    form = page.form(page.url.partition("?")[0])
    then = phone.send(form, password="pass-erin")
    assert then.url == asked
    assert phone.send(then.form(asked)).url == "/hextol/1"


def test_a_friend_signs_in_on_the_way(house: House) -> None:
    browser, link = Browser(house), link_of(house)
    (there,) = (one for one in browser.get(link).links if "signin?" in one)
    form = browser.get(there).form("/signin")
    wrong = browser.send(form, userid="bob", password="wrong")
    page = browser.send(wrong.form("/signin"), userid="bob", password=PASSWORDS["bob"])
    assert (page.status, page.url) == (200, link)


def test_nobody_plays_themselves_or_somebody_who_blocks_them(house: House) -> None:
    assert house.type("block alice {alice} bob").status == 0
    link = link_of(house)
    for name in ("alice", "bob"):
        browser = signed_in(house, name)
        fields = browser.get("/settings").forms[0].fields
        wanted = {key: fields[key] for key in ("source", "token")}
        page = browser.post(link, wanted)
        assert page.status == 422
        assert 'role="alert"' in page.html
    assert not house.library.lists.boards("hextol")


def test_a_link_that_is_not_from_its_player_leads_nowhere(house: House) -> None:
    _, proof = link_of(house).split(WHERE)
    for path in (
        f"{WHERE}x",
        f"/friend/holo/alice/{proof}",
        f"/friend/hextol/bob/{proof}",
    ):
        assert Browser(house).get(path).status == 404
    assert house.type("holo decline 1 alice {alice}").status == 0
    assert house.type("delete alice {alice}").status == 0
    assert Browser(house).get(f"{WHERE}{proof}").status == 404
