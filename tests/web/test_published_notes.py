"""Notes that players publish from the pages of a board, and who reads them there."""

import pytest

from pbm_holomino.match.reviews import Judged, Review, digest
from pbm_holomino.store import reviews
from tests.house import House
from tests.web.browser import Browser, Page, signed_in

BOARD = "/holo/1"
HOSTILE = '<script>alert("1")</script> \u202e & {{ 7 * 7 }}'


@pytest.fixture
def over(house: House) -> House:
    """Board 1 is over; alice has a note on its start, and one on a line from there."""
    house.accept()
    line = house.legal()[0]
    for words, text in (("", "It looked good."), (line, HOSTILE)):
        house.type(f"holo note 1 alice {{alice}} {words}", f"-m={text}")
    house.type("holo resign 1 bob {bob}")
    return house


def offers(page: Page) -> bool:
    return any(form.action == f"{BOARD}/publish" for form in page.forms)


def test_nobody_else_sees_them_before(over: House) -> None:
    alice, bob = signed_in(over, "alice"), signed_in(over, "bob")
    page = alice.get(BOARD)
    assert "Your notes, which only you can see" in page.text
    assert "It looked good." in page.text
    assert offers(page)
    assert offers(alice.get(f"{BOARD}/try"))
    for browser in (bob, Browser(over)):
        for path in (BOARD, f"{BOARD}/record"):
            shown = browser.get(path)
            assert "looked good" not in shown.text
            assert "Notes by" not in shown.text
            assert not offers(shown)


def test_they_are_below_the_record_for_their_owner(over: House) -> None:
    """While the game goes on, and when it is over; once, when they are published."""
    alice, bob = signed_in(over, "alice"), signed_in(over, "bob")
    over.accept(over.challenge())
    over.type("holo note 2 alice {alice}", "-m=It goes well.")
    running, ended = "/holo/2/record", f"{BOARD}/record"
    assert "It goes well." in alice.get(running).text
    assert not offers(alice.get(running))
    for reader in (bob, Browser(over)):
        assert "goes well" not in reader.get(running).text
    page = alice.get(ended)
    assert "Your notes, which only you can see" in page.text
    assert "It looked good." in page.text
    alice.send(page.form("/publish"))
    assert alice.get(ended).text.count("It looked good.") == 1
    assert "which only you can see" not in alice.get(ended).text


def test_they_are_published_for_everybody(over: House) -> None:
    alice, bob, stranger = (
        signed_in(over, "alice"),
        signed_in(over, "bob"),
        Browser(over),
    )
    known = {path: stranger.get(path) for path in (BOARD, f"{BOARD}/record")}
    page = alice.press(BOARD, "/publish")
    assert "Your notes, as you have published them" in page.text
    assert "which only you can see" not in page.text
    assert not offers(page)
    for browser in (bob, stranger):
        assert "Notes by alice At the start:" in browser.get(BOARD).text
        assert "It looked good." in browser.get(f"{BOARD}/record").text
        assert "Notes by" not in browser.get(f"{BOARD}/0").text
    for path, before in known.items():
        tag = before.headers["ETag"]
        assert stranger.get(path, If_None_Match=tag).status == 200
    line = f"{BOARD}/try?since=0&line="
    assert any(link.startswith(line) for link in bob.get(BOARD).links)
    assert not any(link.startswith(line) for link in stranger.get(BOARD).links)


def test_what_is_hostile_is_text(over: House) -> None:
    signed_in(over, "alice").press(BOARD, "/publish")
    html = Browser(over).get(BOARD).html
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html
    assert "\u202e" not in html
    assert "49" not in html[html.index('id="notes"') : html.index("Rules</a>")]


def test_what_is_noted_later_waits_until_it_is_published(over: House) -> None:
    alice = signed_in(over, "alice")
    alice.press(BOARD, "/publish")
    again = alice.get(BOARD).form("/signout")._replace(action=f"{BOARD}/publish")
    assert alice.send(again).status == 200
    note = alice.get(f"{BOARD}/try").form("/note")
    page = alice.send(note, text="I know better now.")
    assert offers(page)
    for heading in ("Your notes, which only you can see", "as you have published them"):
        assert heading in page.text
    assert "know better" not in Browser(over).get(BOARD).text
    alice.send(page.form("/publish"))
    shown = Browser(over).get(BOARD).text
    assert "I know better now." in shown
    assert "It looked good." not in shown


def test_a_running_game_publishes_nothing(house: House) -> None:
    house.accept()
    house.type("holo note 1 alice {alice}", "-m=A plan.")
    alice = signed_in(house, "alice")
    page = alice.get(f"{BOARD}/try")
    assert "A plan." in page.text
    assert not offers(page)
    form = page.form("/signout")._replace(action=f"{BOARD}/publish")
    refused = alice.send(form)
    assert refused.status == 422
    assert "is not over yet: you can publish your notes when it is" in refused.text
    assert "A plan." not in signed_in(house, "bob").get(BOARD).text


def test_only_ones_own_notes_are_published(over: House) -> None:
    bob = signed_in(over, "bob")
    form = bob.get(BOARD).form("/signout")._replace(action=f"{BOARD}/publish")
    refused = bob.send(form)
    assert refused.status == 422
    assert "You have no notes on holo 1." in refused.text
    stranger = Browser(over)
    form = stranger.get("/signin").form("/signin")._replace(action=f"{BOARD}/publish")
    assert "Password" in stranger.send(form).text
    assert "looked good" not in stranger.get(BOARD).text


def test_they_are_below_the_review_too(over: House) -> None:
    over.challenge("-rated=no")
    over.accept(2)
    over.play(2, moves=2)
    over.type("holo note 2 alice {alice}", "-m=It was close.")
    over.type("holo resign 2 bob {bob}")
    over.type("holo publish 2 alice {alice}")
    match = over.match(2)
    moved = match.moves[0]
    action = str(match.record.log[moved].action)
    judged = (Judged(moved, action, 0.0, (0.5, 0.5)),)
    reviews.save(over.store, match, Review(digest(match), judged))
    assert "It was close." in Browser(over).get("/holo/2/review").text


def test_notes_fit_where_the_other_player_has_left(over: House) -> None:
    over.type("signoff bob {bob}")
    page = signed_in(over, "alice").get(BOARD)
    assert "It looked good." in page.text
    assert "gone another way" not in page.text
