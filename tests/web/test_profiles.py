"""The page of a player: ratings, results against others, and whether it shows them."""

import re

import pytest

from pbm_holomino.draw import course
from pbm_holomino.match.times import later
from pbm_holomino.store.ratings import Courses, current_ratings
from pbm_holomino.web import profiles
from tests.house import House
from tests.web.browser import Browser, signed_in

RESULTS = (  # game, players, and who resigns after both have moved
    ("holo", "alice bob", "bob"),
    ("holo", "bob alice", "bob"),
    ("holo", "alice carol", "alice"),
    ("hextol", "alice bob", "alice"),
)


def finish(house: House, game: str, players: str, loser: str) -> None:
    """A game that counts, and that a player resigns."""
    number = house.challenge("", players, game)
    house.accept(number, game)
    for _ in range(2):
        match = house.library.match(game, number)
        who, move = match.turn[0], match.view(None).legal[0]
        assert house.type(f"{game} move {number} {who} {{{who}}} {move}").status == 0
    assert house.type(f"{game} resign {number} {loser} {{{loser}}}").status == 0


@pytest.fixture
def club(house: House) -> House:
    """In which four games have been finished, one a day."""
    house.sign_up("carol")
    for game, players, loser in RESULTS:
        finish(house, game, players, loser)
        house.time = later(house.time, 1)
    return house


def test_a_player_sees_how_the_ratings_went(club: House) -> None:
    page = Browser(club).get("/players/alice")
    for game, games in (("holo", 3), ("hextol", 1)):
        points = current_ratings(club.library, game)["alice"].points
        assert f"{points} after {games} game" in page.text
    assert page.html.count('<polyline class="course"') == 1  # one game draws no line
    (line,) = re.findall(r'<polyline class="course" points="([^"]+)"', page.html)
    ys = [float(spot.partition(",")[2]) for spot in line.split()]
    assert ys[0] > ys[1] < ys[2]  # two games won, and then one lost
    assert "won 2, lost 1, tied 0" in page.text


def test_results_against_each_other_player(club: House) -> None:
    page = Browser(club).get("/players/alice")
    assert "bob 3 2 1 0" in page.text
    assert "carol 1 0 1 0" in page.text
    assert "alice 3 1 2 0" in Browser(club).get("/players/bob").text


def test_whether_games_are_shown_is_for_their_player_to_choose(club: House) -> None:
    assert club.type("change profile alice {alice} off").status == 0
    alice, others = signed_in(club, "alice"), [signed_in(club, "bob"), Browser(club)]
    for browser in others:
        page = browser.get("/players/alice")
        assert "alice shows games and results to nobody" in page.text
        assert not {"/holo/1", "/hextol/1"} & {*page.links}
        assert "Ratings" not in page.text
    own = alice.get("/players/alice")
    assert "You alone see your games" in own.text
    assert {"/holo/1", "/hextol/1"} <= {*own.links}
    alice.press("/settings", "/choices", profile="on")
    assert "/holo/1" in others[0].get("/players/alice").links


def test_a_robot_and_a_newcomer_have_pages(house: House, browser: Browser) -> None:
    assert "Ratings" not in browser.get("/players/robot1").text
    house.sign_up("carol")
    assert "carol is not playing now" in browser.get("/players/carol").text


def test_courses_are_the_ratings_whatever_comes_between(club: House) -> None:
    courses = Courses(club.library)
    for _ in range(2):
        for player, rating in current_ratings(club.library, "holo").items():
            went = courses.of("holo", player)
            assert (len(went), went[-1][1]) == (rating.games, rating.points)
        finish(club, "holo", "carol bob", "carol")  # and only this is new
    assert courses.of("holo", "nobody") == ()


def test_a_course_is_folded_anew_where_the_results_are_others(club: House) -> None:
    """As after a backup has been restored."""
    courses = Courses(club.library)
    right = courses.of("holo", "alice")
    course_of = courses._courses["holo"]
    course_of.totals = course_of.totals._replace(total=1)
    course_of.points.clear()
    assert courses.of("holo", "alice") == right


# Following, and reporting


def follow(browser: Browser, who: str) -> None:
    page = browser.get(f"/players/{who}")
    assert browser.send(page.form("/follow")).status == 200


def test_a_follower_sees_what_is_played(club: House) -> None:
    club.accept(club.challenge("", "bob carol", "holo"), "holo")
    alice = signed_in(club, "alice")
    for _ in range(2):  # as a form is sent twice
        form = alice.get("/players/bob").form("/follow")
        alice.send(form._replace(fields={**form.fields, "value": "on"}))
    follow(alice, "carol")
    page = alice.get("/")
    assert "Players you follow" in page.text
    assert page.links.count("/players/bob") == 1
    assert page.links.count("/holo/5") == 1  # and no board of her own twice
    club.type("change profile bob {bob} off")
    club.type("change profile carol {carol} off")
    assert "/holo/5" not in alice.get("/").links
    follow(alice, "bob")  # which ends it
    assert "/players/bob" not in alice.get("/").links
    assert "Players whom" not in signed_in(club, "bob").get("/").text


def test_nobody_follows_themselves_or_too_many(
    club: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "MOST_FOLLOWED", 1)
    alice = signed_in(club, "alice")
    form = alice.get("/players/bob").form("/follow")
    alice.send(form)
    for path, said in (
        ("/players/alice/follow", "You cannot follow yourself."),
        ("/players/carol/follow", "You can follow at most 1 players."),
        ("/players/nobody/follow", "There is no player of that name here."),
    ):
        page = alice.send(form._replace(action=path), value="on")
        assert said in page.text, path
    assert Browser(club).get("/players/bob").text.count("Follow") == 0


def test_a_player_is_reported_to_the_owner(club: House) -> None:
    assert "Report" not in signed_in(club, "alice").get("/players/bob").text
    club.config = club.config._replace(owner="owner@example.org")
    alice = signed_in(club, "alice")
    form = alice.get("/players/bob").form("/report")
    club.taken()
    for _ in range(2):  # as a form is sent twice
        page = alice.send(form, text="He swears.\r\n\x07<b>A lot.</b>")
        assert "The owner of this server gets what you have written." in page.text
    (letter,) = club.taken()
    assert letter.to == ("owner@example.org",)
    assert letter.subject == "alice reports bob"
    for words in ("alice has written to you about bob", "He swears.", "<b>A lot.</b>"):
        assert words in letter.text
    assert "\x07" not in letter.text


def test_reports_are_counted(club: House) -> None:
    club.config = club.config._replace(owner="owner@example.org")
    alice = signed_in(club, "alice")
    club.taken()
    pages = [
        alice.press("/players/bob", "/report", text=text) for text in ("", *"abcdef")
    ]
    assert "Please say what is wrong." in pages[0].text
    assert [page.status for page in pages] == [422, *[200] * 5, 429]
    assert len(club.taken()) == 5


@pytest.mark.parametrize(
    ("points", "lines"),
    [
        ([1500, 1500], ["1500", "1510"]),
        ([1499, 1531], ["1480", "1500", "1520", "1540"]),
        ([1480, 1699], ["1400", "1500", "1600", "1700"]),
    ],
)
def test_a_graph_has_few_lines_with_round_numbers(
    points: list[int], lines: list[str]
) -> None:
    went = [(f"2026-11-2{n}T08:00:00Z", p) for n, p in enumerate(points)]
    drawn = course.draw(went, "", str)
    found = re.findall(r">(\d+)</text>", drawn)
    assert found == lines


def test_games_of_one_second_are_side_by_side() -> None:
    drawn = course.draw(
        [("2026-11-20T08:00:00Z", p) for p in (1500, 1600, 1550)], "", str
    )
    (line,) = re.findall(r'points="([^"]+)"', drawn)
    xs = [float(spot.partition(",")[0]) for spot in line.split()]
    assert xs[0] < xs[1] < xs[2]
