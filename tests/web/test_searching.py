"""Looking for games by player, game, result and day; and taking one's own away."""

import io
import zipfile

import pytest

from pbm_holomino.match.times import later
from pbm_holomino.store import yaml
from pbm_holomino.web import searching
from tests.house import House
from tests.web.browser import Browser, signed_in
from tests.web.test_profiles import finish


@pytest.fixture
def club(house: House) -> House:
    """Alice and bob play holo 1. On the next days alice wins holo 2 and hextol 1, bob
    wins holo 3, and holo 4 is declined by carol."""
    house.sign_up("carol")
    for game, loser in (("holo", "bob"), ("hextol", "bob"), ("holo", "alice")):
        house.time = later(house.time, 1)
        finish(house, game, "alice bob", loser)
    house.challenge("", "alice carol", "holo")
    assert house.type("holo decline 4 carol {carol}").status == 0
    return house


def found(house: House, query: str) -> set[str]:
    page = Browser(house).get(f"/search?{query}")
    assert page.status == 200, page.text
    boards = {"/holo/1", "/holo/2", "/holo/3", "/holo/4", "/hextol/1"}
    return {link.strip("/") for link in page.links if link in boards}


@pytest.mark.parametrize(
    ("query", "boards"),
    [
        ("player=", "holo/1 holo/2 holo/3 holo/4 hextol/1"),
        ("player=Alice", "holo/1 holo/2 holo/3 holo/4 hextol/1"),
        ("player=bob", "holo/1 holo/2 holo/3 hextol/1"),
        ("player=bob&against=carol", ""),
        ("against=carol", "holo/4"),
        ("game=hextol", "hextol/1"),
        ("player=alice&result=won", "holo/2 hextol/1"),
        ("player=alice&result=lost", "holo/3"),
        ("player=bob&result=lost&game=holo", "holo/2"),
        ("result=won", "holo/2 holo/3 hextol/1"),
        ("result=tied", ""),
        ("result=running", "holo/1"),
        ("result=cancelled", "holo/4"),
        ("since=2026-11-22&until=2026-11-22", "hextol/1"),
        ("player=alice&until=2026-11-21", "holo/1 holo/2"),
        ("since=2026-11-23", "holo/3 holo/4"),
    ],
)
def test_games_are_found(club: House, query: str, boards: str) -> None:
    assert found(club, query) == {*boards.split()}


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("player=nobody", 404, "There is no player of that name here."),
        ("player=%00../x", 404, "There is no player of that name here."),
        ("since=yesterday", 422, '"yesterday" is not a day'),
        ("result=lost", 422, "Please say which player has lost."),
        ("game=chess", 404, "There is no such page"),
        ("result=good", 404, "There is no such page"),
        ("page=0", 404, "There is no such page"),
        ("page=99999", 404, "There is no such page"),
    ],
)
def test_what_cannot_be_looked_for_is_said(
    club: House, query: str, status: int, said: str
) -> None:
    page = Browser(club).get(f"/search?{query}")
    assert page.status == status
    assert said in page.text


def test_nobody_finds_the_games_of_those_who_show_none(club: House) -> None:
    club.type("change profile alice {alice} off")
    for query in ("player=alice", "player=bob&against=alice"):
        page = signed_in(club, "bob").get(f"/search?{query}")
        assert "alice shows games and results to nobody" in page.text
        assert "/holo/2" not in page.links
    assert "/holo/2" in signed_in(club, "alice").get("/search?player=alice").links


def test_long_lists_have_pages(club: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "_MOST", 2)
    browser, query, boards = Browser(club), "/search?player=alice", list[str]()
    while query:
        page = browser.get(query)
        boards += [link for link in page.links if link in ("/holo/2", "/hextol/1")]
        boards += [link for link in page.links if link in ("/holo/1", "/holo/3")]
        query = next((link for link in page.links if "page=" in link), "")
    assert sorted(boards) == ["/hextol/1", "/holo/1", "/holo/2", "/holo/3"]


def test_a_player_takes_away_what_is_kept(
    club: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = signed_in(club, "alice")
    (link,) = (x for x in alice.get("/settings").links if "download" in x)
    came = alice.ask("GET", link)
    assert came.headers["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(came.sent)) as files:
        names = files.namelist()
        running, over = (
            yaml.load(files.read(f"games/holo-{number}.yaml")) for number in (1, 2)
        )
        account = yaml.load(files.read("account.yaml"))
    games = ["hextol-1", *(f"holo-{n}" for n in range(1, 5))]
    assert names == ["account.yaml", *(f"games/{name}.yaml" for name in games)]
    assert account["userid"] == "alice"
    assert "seed" in over
    assert "seed" not in running  # nor anything else that is secret
    monkeypatch.setattr(searching, "_PART", 2)
    links = [x for x in alice.get("/settings").links if "download" in x]
    assert links == ["/download/1", "/download/2", "/download/3"]
    assert alice.get("/download/4").status == 404
    assert alice.get("/download/0").status == 404
    assert Browser(club).get("/download/1").url.endswith("/signin")


def test_nobody_takes_files_for_ever(club: House) -> None:
    alice = signed_in(club, "alice")
    statuses = [alice.ask("GET", "/download/1").status for _ in range(21)]
    assert statuses == [200] * 20 + [429]
