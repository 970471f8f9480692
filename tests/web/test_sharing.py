"""Pictures for those who share the link of a board, and feeds of games."""

import re
from xml.etree import ElementTree

import pytest

from pbm_holomino.draw import png
from pbm_holomino.web import sharing
from tests.house import House
from tests.web.browser import Browser, signed_in
from tests.web.test_profiles import finish

WEB = "https://games.example.org"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def secure(house: House) -> Browser:
    """A stranger's, while alice and bob play holo 1, at a server with an address."""
    house.config = house.config._replace(web=WEB)
    return Browser(house, WEB)


def picture_of(browser: Browser) -> str:
    """The path of the picture that the page of holo 1 names for other sites."""
    html = browser.get("/holo/1").html
    (path,) = re.findall(rf'property="og:image" content="{WEB}([^"]+)"', html)
    return str(path)


def test_a_board_has_a_picture_for_other_sites(
    house: House, secure: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(png, "is_possible", lambda: True)
    first = picture_of(secure)
    came = secure.ask("GET", first)
    assert came.sent[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(came.sent) <= 100_000
    assert came.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert came.headers["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in came.headers["Cache-Control"]
    house.accept()
    house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}")
    assert picture_of(secure) != first
    moved = secure.ask("GET", first)  # no other one is drawn
    assert (moved.status, moved.headers["Location"]) == (303, picture_of(secure))


def test_the_fullest_picture_is_small_and_drawn_once(
    secure: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []

    def render(svg: str, width: int) -> bytes:
        drawn.append(width)
        return bytes(200 * width)

    monkeypatch.setattr(png, "render", render)
    monkeypatch.setattr(png, "is_possible", lambda: True)
    for _ in range(2):
        assert len(secure.ask("GET", picture_of(secure)).sent) <= 100_000
    assert drawn == [1000, 850, 722, 614, 522, 444]


@pytest.mark.parametrize(
    ("setting", "has_png"), [("web_public", True), ("web", True), ("", False)]
)
def test_there_is_no_picture_where_boards_are_not_public(
    house: House, setting: str, has_png: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(png, "is_possible", lambda: has_png)
    house.config = house.config._replace(
        web="" if setting == "web" else WEB,
        web_public="no" if setting == "web_public" else "yes",
    )
    alice = signed_in(house, "alice")
    pages = [alice.get("/holo/1"), Browser(house).get("/holo/1")]
    assert not any("og:image" in page.html for page in pages)
    revision = re.findall(r'data-revision="(\w+)"', pages[0].html)[0]
    assert alice.get(f"/holo/1/{revision}.png").status == 404
    came = Browser(house).ask("GET", f"/holo/1/{revision}.png")
    assert came.status == (303 if setting == "web_public" else 404)
    if setting:  # neither are there feeds
        assert alice.get("/holo/feed").status == 404
        assert not any("feed" in link for page in pages for link in page.links)


def entries(browser: Browser, path: str) -> list[tuple[str, str, str]]:
    """The entries of a feed: titles, times and links."""
    came = browser.ask("GET", path)
    assert (came.status, came.headers["Content-Type"]) == (200, "application/atom+xml")
    feed = ElementTree.fromstring(came.text)
    assert feed.findtext(f"{ATOM}id") == f"{WEB}{path}"
    return [
        (
            str(entry.findtext(f"{ATOM}title")),
            str(entry.findtext(f"{ATOM}updated")),
            str(entry.findtext(f"{ATOM}id")),
        )
        for entry in feed.iter(f"{ATOM}entry")
    ]


def test_a_game_has_a_feed(house: House, secure: Browser) -> None:
    house.time = "2026-11-21T08:00:00Z"
    finish(house, "holo", "bob alice", "bob")
    assert "/holo/feed" in secure.get("/holo").links
    assert entries(secure, "/holo/feed") == [
        ("holo 2: bob and alice", "2026-11-21T08:00:00Z", f"{WEB}/holo/2"),
        ("holo 1: alice and bob", "2026-11-20T08:00:00Z", f"{WEB}/holo/1"),
    ]
    came = secure.ask("GET", "/holo/feed")
    again = secure.ask("GET", "/holo/feed", If_None_Match=came.headers["ETag"])
    assert (again.status, again.sent) == (304, b"")
    assert entries(secure, "/hextol/feed") == []


def test_a_board_has_a_feed_of_its_moves(house: House, secure: Browser) -> None:
    finish(house, "holo", "alice bob", "bob")
    played = [
        str(house.library.match("holo", 2).record.log[i].action)
        for i in house.library.match("holo", 2).moves
    ]
    assert "/holo/2/feed" in secure.get("/holo/2").links
    time = "2026-11-20T08:00:00Z"
    end, *moves = entries(secure, "/holo/2/feed")
    assert end == (
        "The game is over: alice won, as bob resigned.",
        time,
        f"{WEB}/holo/2",
    )
    assert [title for title, _, _ in moves] == [
        f"Move 2: bob played {played[1]}",
        f"Move 1: alice played {played[0]}",
    ]
    assert secure.get("/holo/9/feed").status == 404


def test_a_feed_ends_somewhere(
    house: House, secure: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "_MOST_ENTRIES", 2)
    finish(house, "holo", "alice bob", "bob")
    for path in ("/holo/feed", "/holo/2/feed"):
        assert len(entries(secure, path)) == 2
