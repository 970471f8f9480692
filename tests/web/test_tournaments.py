"""The pages of tournaments: all see them, and players enter them by a button."""

import re

import pytest

from pbm_holomino import owner
from pbm_holomino.store import tournaments
from tests.club import Club, day
from tests.web.browser import Browser, Page, signed_in

START = day(14)
FIRST = "/tournaments/1"


@pytest.fixture
def club(club: Club) -> Club:
    """Tournament 1 can be entered."""
    owner.run(["tournament", "open", "holo", "swiss", "forfeit=10"])
    return club


def players(club: Club) -> tuple[str, ...]:
    return tournaments.find(club.server.library, 1).players


def actions(page: Page) -> list[str]:
    """What the forms of a tournament's page do."""
    found = (re.search("/tournaments/1/(.+)", form.action) for form in page.forms)
    return [action[1] for action in found if action]


def begun(club: Club, *names: str) -> Browser:
    """A stranger's browser; these players have entered, and the first round is on."""
    for name in names:
        club.say(f"tournament join 1 {name} {{{name}}}")
    assert club.tick(START) == ["Tournament 1: round 1 has begun."]
    return Browser(club.server)


def test_a_player_joins_and_leaves_by_a_button(club: Club) -> None:
    alice = signed_in(club.server, "alice")
    page = alice.press(FIRST, "/join")
    assert page.url == FIRST
    assert players(club) == ("alice",)
    assert actions(page) == ["leave"]
    page = alice.send(page.form("/leave"))
    assert players(club) == ()
    assert "Nobody has entered it yet." in page.text
    assert actions(page) == ["join"]


def test_a_form_that_is_sent_twice_enters_once(club: Club) -> None:
    alice = signed_in(club.server, "alice")
    form = alice.get(FIRST).form("/join")
    pages = [alice.send(form) for _ in range(2)]
    assert [page.status for page in pages] == [200, 200]
    assert players(club) == ("alice",)


def test_two_tabs_join_and_the_second_is_told(club: Club) -> None:
    alice = signed_in(club.server, "alice")
    first, second = (alice.get(FIRST).form("/join") for _ in range(2))
    alice.send(first)
    page = alice.send(second)
    assert page.status == 422
    assert "You have already entered tournament 1." in page.text
    assert actions(page) == ["leave"]


def test_a_stranger_is_asked_to_sign_in(club: Club) -> None:
    stranger = Browser(club.server)
    page = stranger.get(FIRST)
    assert actions(page) == []
    assert {"/signin", "/signup"} <= {*page.links}
    form = signed_in(club.server, "alice").get(FIRST).form("/join")
    assert stranger.send(form).status == 403  # it is a form of alice's
    assert players(club) == ()


def test_who_has_signed_off_cannot_join(club: Club) -> None:
    alice = signed_in(club.server, "alice")
    form = alice.get(FIRST).form("/join")
    club.say("signoff alice {alice}")
    page = alice.send(form)
    assert page.status == 422
    assert "please sign up again first" in page.text


def test_the_list_says_which_can_be_entered(club: Club) -> None:
    begun(club, "alice", "bob")
    owner.run(["tournament", "open", "hextol", "robin"])
    owner.run(["tournament", "open", "holo", "robin"])
    owner.run(["tournament", "cancel", "3"])
    page = Browser(club.server).get("/tournaments")
    order = ["Open for entry", "tournament 2", "Being played", "tournament 1"]
    order += ["Finished", "tournament 3"]
    places = [page.text.index(words) for words in order]
    assert places == sorted(places)
    assert "Holomino, Swiss 2 players, round 1 of 1" in page.text
    assert "Hextol, round robin 0 players, open until" in page.text
    assert "cancelled" in page.text
    assert {"/tournaments/1", "/tournaments/2", "/tournaments/3"} <= {*page.links}


def test_the_page_has_the_table_and_the_rounds(club: Club) -> None:
    """As alice and bob entered first they meet, and carol has a free round."""
    stranger = begun(club, "alice", "bob", "carol")
    page = stranger.get(FIRST)
    assert "Round 1 of 2." in page.text
    assert "-forfeit=10" in page.text
    assert {"/holo/1", "/players/alice", "/players/carol"} <= {*page.links}
    assert "alice - bob holo 1 not over" in page.text
    assert "carol no game 1 point" in page.text
    club.say("holo resign 1 alice {alice}")
    page = stranger.get(FIRST)
    assert "alice - bob holo 1 0-1" in page.text
    # Bob and carol have a point each. A bye counts as an opponent with one's own
    # points, and bob has met alice, who has none.
    head = "place player points Buchholz direct won"
    assert f"{head} 1 carol 1.0 1.0 0.0 0 2 bob 1.0 0.0 0.0 1 3 alice 0.0" in page.text


def test_a_round_robin_has_its_own_way_to_break_ties(club: Club) -> None:
    owner.run(["tournament", "open", "holo", "robin", "--at-once", "--days", "3"])
    for name in ("alice", "bob", "carol"):
        club.say(f"tournament join 2 {name} {{{name}}}")
    club.tick(day(3))
    page = Browser(club.server).get("/tournaments/2")
    assert "place player points direct Sonneborn-Berger won" in page.text
    assert "All 3 rounds are being played at once" in page.text
    assert page.html.count("<details open>") == 3  # all of them go on
    assert {"/holo/1", "/holo/2", "/holo/3"} <= {*page.links}


def test_who_leaves_a_running_one_is_told_what_that_means(club: Club) -> None:
    begun(club, "alice", "bob", "carol")
    carol = signed_in(club.server, "carol")
    page = carol.get(FIRST)
    assert "You get no more games in this tournament." in page.text
    page = carol.send(page.form("/leave"))
    assert "carol (left)" in page.text
    assert actions(page) == []


def test_a_page_that_the_browser_knows_is_not_sent_again(club: Club) -> None:
    stranger = begun(club, "alice", "bob")
    tag = stranger.get(FIRST).headers["ETag"]
    assert stranger.get(FIRST, If_None_Match=tag).status == 304
    club.say("holo resign 1 alice {alice}")  # before the tournament's log has it
    assert stranger.get(FIRST, If_None_Match=tag).status == 200


def test_pages_lead_to_tournaments(club: Club) -> None:
    stranger = begun(club, "alice", "bob")
    assert "/tournaments" in stranger.get("/").links
    assert "/tournaments" in signed_in(club.server, "alice").get("/").links
    assert FIRST in stranger.get("/players/alice").links
    assert FIRST not in stranger.get("/players/dave").links
    assert FIRST in stranger.get("/holo/1").links


@pytest.mark.parametrize("path", ["9", "x", "0", "1/2", "9" * 5000])
def test_what_is_not_there_is_said_in_a_sentence(club: Club, path: str) -> None:
    page = Browser(club.server).get(f"/tournaments/{path}")
    assert page.status == 404
    assert "There is no" in page.text


def test_players_cannot_do_what_is_the_owners(club: Club) -> None:
    alice = signed_in(club.server, "alice")
    form = alice.get(FIRST).form("/join")
    page = alice.send(form._replace(action=f"{FIRST}/cancel"))
    assert page.status == 404
    assert tournaments.find(club.server.library, 1).status == "open"
    page = alice.send(form._replace(action="/tournaments/7/join"))
    assert page.status == 404


def test_the_owner_may_close_them_to_strangers(club: Club) -> None:
    club.server.config = club.server.config._replace(web_public="no")
    stranger = Browser(club.server)
    for path in ("/tournaments", FIRST, "/open"):
        assert "Password" in stranger.get(path).text
    assert {"/tournaments", "/open"}.isdisjoint(stranger.get("/").links)
    assert signed_in(club.server, "alice").get(FIRST).status == 200


def test_a_table_names_nobody_who_wants_to_be_named_no_more(club: Club) -> None:
    stranger = begun(club, "alice", "bob")
    club.say("holo resign 1 alice {alice}")
    assert "Tournament 1 is over." in club.tick(day(15))
    club.say("delete alice {alice} nameless")
    for text in (stranger.get(FIRST).text, club.say("tournament 1")):
        assert "a former player" in text
        assert "alice" not in text
    assert "/players/bob" in stranger.get(FIRST).links
    assert not [link for link in stranger.get(FIRST).links if "former" in link]
    assert "alice" in club.say("tournament 1 -format=json")
