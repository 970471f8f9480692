"""Somebody to play with: games that wait for players, and robots."""

import re

import pytest

from pbm_holomino import rules
from pbm_holomino.commands import seeks as listing
from pbm_holomino.rules.options import CHALLENGE_OPTIONS
from tests.faults.socks import regulars, socks
from tests.house import House
from tests.web.browser import Browser, Page, signed_in

NEW = "/challenge/holo"


def buttons(page: Page) -> list[str]:
    """Where the buttons of a list lead."""
    return [f.action for f in page.forms if f.action.endswith("/accept")]


# Open challenges


def test_an_open_challenge_is_listed_and_taken_up_there(
    house: House, alice: Browser, bob: Browser
) -> None:
    house.type("walomino challenge bob anyone -draft=random")
    path = "/walomino/1/accept"
    assert path not in buttons(bob.get("/open"))  # it is his own
    stranger = Browser(house).get("/open")
    assert "bob against anyone until 2026-12-11, -draft=random" in stranger.text
    assert buttons(stranger) == []
    assert "/signin" in stranger.links
    done = alice.press("/open", path)
    assert done.url == "/walomino/1"
    assert "bob against alice" in done.text


def test_the_page_of_a_game_has_its_open_challenges(
    house: House, alice: Browser
) -> None:
    house.type("hextol challenge bob anyone")
    assert buttons(alice.get("/hextol")) == ["/hextol/1/accept"]
    assert buttons(alice.get("/walomino")) == []


def test_a_long_list_has_pages(house: House) -> None:
    """Nobody's challenges are hidden by those of accounts that have just been made."""
    regulars(house)
    assert house.type("walomino challenge alice anyone").status == 0
    games = [game for game in rules.names() for _ in range(3)][:10]
    for who in socks(house, 11):
        for game in games:
            assert house.type(f"{game} challenge {who} anyone").status == 0
    browser = Browser(house)

    def boards(page: Page) -> list[str]:
        return [link for link in page.links if re.fullmatch(r"/[a-z]+/\d+", link)]

    def others(page: Page) -> list[str]:
        return [link for link in page.links if "page=" in link]

    first, second = (browser.get(f"/open{more}") for more in ("", "?page=2"))
    assert "/walomino/1" in boards(first)[:2]
    assert [len(boards(page)) for page in (first, second)] == [100, 11]
    assert len({*boards(first), *boards(second)}) == 111
    assert [others(page) for page in (first, second)] == [["/open?page=2"], []]
    for page in ("3", "0", "two"):
        assert browser.get(f"/open?page={page}").status == 404
    assert (
        len(boards(browser.get("/open?game=walomino")))
        == games.count("walomino") * 11 + 1
    )


def test_the_page_of_a_game_leads_to_the_rest_of_its_list(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_LISTED", 2)
    for who in ("alice", "bob", "alice"):
        house.type(f"hextol challenge {who} anyone")
    browser = Browser(house)
    page = browser.get("/hextol")
    assert "/hextol/3" in page.links
    (more,) = (link for link in page.links if "page=" in link)
    assert more == "/open?game=hextol&page=2"
    assert "/hextol/1" in browser.get(more).links


def test_whoever_is_challenged_accepts_there(house: House, bob: Browser) -> None:
    for path in ("/open", "/"):
        assert buttons(bob.get(path)) == ["/holo/1/accept"]
    assert buttons(Browser(house).get("/open")) == []
    page = bob.press("/open", "/holo/1/accept")
    assert page.url == "/holo/1"
    assert house.match().record.unanswered == ()
    assert buttons(bob.get("/open")) == []


def test_where_nobody_waits_the_page_says_how_to_begin(
    house: House, alice: Browser
) -> None:
    page = alice.get("/open")
    assert "No challenge is open to anybody now." in page.text
    assert f"{NEW}?others=robot" in page.links
    assert alice.get(f"{NEW}?others=anyone").form(NEW).fields["others"] == "anyone"


# Robots


def test_robots_are_marked_in_lists(house: House, alice: Browser) -> None:
    house.type("holo challenge alice robot2")
    stranger = Browser(house)
    listed = stranger.get("/players").text
    assert re.findall(r"(\w+) \(robot\)", listed) == ["robot1", "robot2", "robot3"]
    assert "alice, robot2 (robot)" in stranger.get("/holo").text
    assert "alice, robot2 (robot)" in alice.get("/").text
    assert re.search(r"robot2 \(robot\) 0", stranger.get("/holo/2").text)
    assert "(robot)" not in stranger.get("/holo/1").text


def test_robots_are_marked_where_their_games_count(house: House) -> None:
    house.server.robots = house.server.robots._replace(are_rated=True)
    house.type("holo challenge alice robot1 -rated")
    house.type("holo resign 2 alice {alice}")
    for what in ("standings", "ratings"):
        page = Browser(house).get(f"/holo/{what}")
        assert "robot1 (robot)" in page.text
        assert "alice (robot)" not in page.text
        assert "/players/robot1" in page.links


@pytest.mark.parametrize(("name", "level"), [("robot1", 1), ("robot3", 3)])
def test_the_page_of_a_robot_says_what_it_is(
    house: House, alice: Browser, name: str, level: int
) -> None:
    page = alice.get(f"/players/{name}")
    assert f"{name} is a robot" in page.text
    assert f"this one has level {level}" in page.text
    assert "/help/robots" in page.links
    assert not [f for f in page.forms if f.action.endswith("/message")]
    assert f"{NEW}?others={name}" in page.links
    assert "is a robot" not in alice.get("/players/bob").text


def test_a_link_to_a_challenge_names_the_opponent(house: House, alice: Browser) -> None:
    assert f"{NEW}?others=bob" in alice.get("/players/bob").links
    assert alice.get(f"{NEW}?others=bob").form(NEW).fields["others"] == "bob"
    fields = alice.get(f"{NEW}?others=robot2").form(NEW).fields
    assert fields["others"] == ""
    assert fields["robot:"] == "robot2"
    assert alice.get(f"{NEW}?others=-random").form(NEW).fields["others"] == ""


def test_a_robot_is_chosen_by_its_level(house: House, alice: Browser) -> None:
    page = alice.get(NEW)
    for name, words in (
        ("robot1", "looks no further"),
        ("robot2", "what the others can do next"),
        ("robot3", "thinks ahead"),
        ("robot", "nearest to your rating"),
    ):
        assert re.search(rf"\b{name} [^.]*{words}", page.text)
    done = alice.send(page.form(NEW), **{"robot:": "robot3"})
    assert done.url == "/holo/2"
    assert not [f for f in done.forms if f.action.endswith("/chat")]  # nobody reads it
    record = house.match(2).record
    assert record.players == ("alice", "robot3")
    assert record.robots == ("robot3",)
    assert not record.rated


def test_several_robots_sit_at_one_table(house: House, alice: Browser) -> None:
    fields = {"others": "bob"}
    fields |= {f"robot:{name}": name for name in ("robot1", "robot2")}
    path = "/challenge/walomino"
    alice.press(path, path, first="them", **fields)
    record = house.library.match("walomino", 1).record
    assert record.players == ("bob", "robot1", "robot2", "alice")
    fields["others"] = "bob anyone"
    page = alice.press(path, path, **fields)
    assert page.status == 422
    assert "Walomino is a game for 2 to 4 players, not for 5." in page.text
    assert page.form(path).fields["robot:robot2"] == "robot2"


def test_a_game_for_two_has_a_robot_or_none(house: House, alice: Browser) -> None:
    assert alice.get(NEW).form(NEW).fields["robot:"] == ""
    page = alice.press(NEW, NEW, others="bob", **{"robot:": "robot1"})
    assert page.status == 422
    assert "Holomino is a game for 2 players, not for 3." in page.text
    assert page.form(NEW).fields["robot:"] == "robot1"
    assert alice.press(NEW, NEW, others="bob", **{"robot:": ""}).url == "/holo/2"
    assert house.match(2).record.players == ("alice", "bob")


@pytest.mark.parametrize("is_allowed", [False, True])
def test_a_game_against_a_robot_counts_only_as_the_owner_allows(
    house: House, is_allowed: bool
) -> None:
    house.config = house.config._replace(rated_robots="yes" if is_allowed else "no")
    house.server.robots = house.server.robots._replace(are_rated=is_allowed)
    alice = signed_in(house, "alice")
    page = alice.get(NEW)
    told = "The owner allows it here." if is_allowed else "The owner does not allow it"
    assert told in page.text
    form = page.form(NEW)
    done = alice.send(form, **{"robot:": "robot1", "-rated": "yes"})
    if is_allowed:
        assert house.match(2).record.rated
    else:
        assert done.status == 422
        assert "please leave out -rated" in done.text
        assert done.form(NEW).fields["-rated"] == "yes"


def test_a_game_between_people_may_count_for_nothing(
    house: House, alice: Browser
) -> None:
    alice.press(NEW, NEW, others="bob", **{"-rated": "no"})
    assert not house.match(2).record.rated


# Options


@pytest.mark.parametrize("game", rules.names())
def test_every_option_is_explained(house: House, alice: Browser, game: str) -> None:
    page = alice.get(f"/challenge/{game}")
    for option in (*rules.load(game).OPTIONS, *CHALLENGE_OPTIONS):
        assert f'name="-{option.name}"' in page.html
        assert str(option.help) in page.text
    for preset in rules.load(game).PRESETS:
        assert f"{preset}: -" in page.text


def test_an_option_says_what_is_usual_and_possible(
    house: House, alice: Browser
) -> None:
    text = alice.get("/challenge/holo").text
    assert "The tiles carry the digits from 1 to N. From 4 to 9. As usual: 6." in text
    assert "From 1 to 365, or 0 for never. As usual: 7." in text
    assert "yes against people, no against robots (as usual)" in text
    assert "brettspielnetz: -limit_scores=yes -board_size=12 ." in text
