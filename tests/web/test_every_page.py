"""Every page that there is, on a phone: it has room, and axe finds nothing.

A new route is added to PAGES, or to NO_PAGES. If PBM_SCREENS names a folder, it gets a
picture of each page on a phone and on a desk, made to be looked at.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from starlette.routing import compile_path

from pbm_holomino import owner
from pbm_holomino.match.signing_in import owners_word
from pbm_holomino.match.tokens import unsubscribe_page
from pbm_holomino.store.contract import TOURNAMENTS
from pbm_holomino.web import lessons
from pbm_holomino.web.app import _CLOSED, _OPEN
from tests.house import House, home
from tests.web import browser as without_scripts
from tests.web.chromium import (
    PHONE,
    SHELL,
    SPOT,
    TILE,
    Clicks,
    Enter,
    Place,
    check_is_accessible,
    chromium,
    enter,
    has_room,
    opened,
)
from tests.web.test_friends import link_of

__all__ = ["chromium", "enter"]

DESK: ViewportSize = {"width": 1280, "height": 800}
# What GET answers with something that is not a page
NO_PAGES = {
    "/learn/{game}/{step}/moves": "data for the script",
    "/play/{game}/moves": "data for the script",
    "/{game}/{board}/moves": "data for the script",
    "/{game}/{board}/try/moves": "data for the script",
    "/waiting": "data for the script",
    "/manifest.webmanifest": "data for the device",
    "/worker.js": "a script",
    "/calendar/{userid}/{file}": "a calendar",
    "/download/{part}": "an archive",
    "/{game}/feed": "a feed",
    "/{game}/{board}/feed": "a feed",
    "/{game}/{board}/thumbnail": "a picture",
    "/{game}/{board}/{revision}.png": "a picture",
    "/learn/{game}": "leads to the first step",
}


class Seen(NamedTuple):
    """The paths of pages as a stranger opens them, and as a player does; words in
    braces are numbers and proofs that the server of the test has made."""

    by_stranger: tuple[str, ...] = ()
    by_player: tuple[str, ...] = ()


# For each route that answers with a page, the pages that are looked at
PAGES = {
    "/": Seen(("/",), ("/",)),
    "/help/{subject}": Seen((), ("/help/holo", "/help/tutorial")),
    "/learn/{game}/{step}": Seen(("/learn/hextol/2",), ("/learn/holo/1",)),
    "/learn/{game}/{step}/preview": Seen(("/learn/holo/1/preview?move={lesson}",)),
    "/signin": Seen(("/signin",)),
    "/signin/link": Seen(("/signin/link",)),
    "/signup": Seen(("/signup",)),
    "/signup/{userid}/{address}/{proof}": Seen(
        ("/signup/erin/erin@example.org/{signup}",)
    ),
    "/forgot": Seen(("/forgot",)),
    "/link/{game}/{board}/{line}/{reader}/{proof}": Seen(
        ("/link/holo/{running}/{line}/{mover}/{link}",)
    ),
    "/unsubscribe/{userid}/{proof}": Seen(("/unsubscribe/bob/{unsubscribe}",)),
    "/settings": Seen((), ("/settings",)),
    "/offline": Seen(("/offline",)),
    "/owner": Seen(("/owner",)),
    "/owner/{proof}": Seen(("/owner/{owner}",)),
    "/challenge/{game}": Seen(
        ("/challenge/holo",), ("/challenge/holo", "/challenge/walomino?others=robot1")
    ),
    "/play/{game}": Seen(("/play/holo", "/play/walomino")),
    "/play/{game}/preview": Seen(("/play/holo/preview?move={guests}",)),
    "/play/{game}/{ply}": Seen(("/play/holo/0",)),
    "/friend": Seen(("/friend",), ("/friend",)),
    "/friend/{game}/{userid}/{proof}": Seen(
        ("/friend/hextol/alice/{friend}",), ("/friend/hextol/alice/{friend}",)
    ),
    "/players": Seen((), ("/players",)),
    "/players/{userid}": Seen((), ("/players/alice", "/players/robot1")),
    "/search": Seen(("/search", "/search?player=alice")),
    "/open": Seen((), ("/open",)),
    "/tournaments": Seen((), ("/tournaments",)),
    "/tournaments/{number}": Seen((), ("/tournaments/{tournament}",)),
    "/{game}": Seen(("/holo",), ("/walomino",)),
    "/{game}/standings": Seen(("/holo/standings",)),
    "/{game}/ratings": Seen((), ("/holo/ratings",)),
    "/{game}/paste": Seen((), ("/holo/paste",)),
    "/{game}/{board}": Seen(
        ("/holo/{over}",),
        ("/holo/{over}", "/holo/{opened}", "/holo/{running}", "/walomino/{pairing}"),
    ),
    "/{game}/{board}/ask": Seen((), ("/holo/{running}/ask?look=1",)),
    "/{game}/{board}/record": Seen((), ("/holo/{over}/record",)),
    "/{game}/{board}/verify": Seen((), ("/holo/{over}/verify",)),
    "/{game}/{board}/review": Seen(
        (), ("/holo/{over}/review", "/walomino/{ended}/review")
    ),
    "/{game}/{board}/review/{ply}": Seen(
        (), ("/holo/{over}/review/1", "/walomino/{ended}/review/1")
    ),
    "/{game}/{board}/preview": Seen((), ("/holo/{running}/preview?move={first}",)),
    "/{game}/{board}/try": Seen((), ("/holo/{running}/try", "/walomino/{pairing}/try")),
    "/{game}/{board}/{ply}": Seen((), ("/holo/{over}/1",)),
}
REFUSED = ("/nothing", "/holo/999", "/search?player=nobody")  # with 404
ROUTES = [*_OPEN, *_CLOSED]


# No route is forgotten


def test_every_route_is_looked_at_or_gives_no_page() -> None:
    assert not {*PAGES} & {*NO_PAGES}
    assert sorted([*PAGES, *NO_PAGES]) == sorted(ROUTES)


def test_the_examples_of_a_route_lead_there() -> None:
    for route, seen in PAGES.items():
        assert any(seen)
        for path in (*seen.by_stranger, *seen.by_player):
            asked = re.sub(r"\{\w+\}", "1", path).partition("?")[0]
            found = (one for one in ROUTES if compile_path(one)[0].match(asked))
            assert next(found) == route


# A server with something to show on every page


def _furnish(place: Place, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Play, and ask for letters: what the words in the examples are for."""
    house = place.house
    house.time = house.store.now()  # as in the server: links grow old
    monkeypatch.setenv("PBM_GAMES", str(house.folder))
    owner.run(["tournament", "open", "holo", "swiss"])
    tournament = max(map(int, house.store.names(TOURNAMENTS)))
    house.type(f"tournament join {tournament} bob {{bob}}")
    running, mover = place.challenge("holo", "-rated=no"), "alice"
    assert house.match(running).turn == (mover,)
    house.type(f"holo hint {running} {mover} {{{mover}}}")
    return {
        "tournament": str(tournament),
        "opened": str(house.challenge(names="bob anyone")),
        "over": str(place.reviewed("holo")),
        "ended": str(place.reviewed("walomino")),
        "pairing": str(_pairing(place)),
        "running": str(running),
        "lesson": lessons.steps("holo", "en")[0].answer,
        "first": house.legal(running)[0],
        "mover": mover,
        **_proofs(house, running, mover),
    }


def _pairing(place: Place) -> int:
    """A board of Walomino, whose players are about to pair their tiles."""
    number = place.challenge("walomino")
    place.play("walomino", number, 2)
    return number


def _proofs(house: House, board: int, reader: str) -> dict[str, str]:
    """What proves that a link is from a letter, or from a player."""
    house.taken()
    house.type(f"holo chat {board} bob {{bob}} -m=hello")
    (letter,) = [one for one in house.taken() if one.to == (home(reader),)]
    *_, line, _, link = letter.page.split("/")
    newcomer = without_scripts.Browser(house, house.config.web)
    fields = {"userid": "erin", "address": home("erin")}
    newcomer.press("/signup", "/signup", **fields)
    (letter,) = house.taken()
    (signup,) = re.findall(r"/signup/\S+/(\w+)", letter.text)
    key = house.library.key
    return {
        "line": line,
        "link": link,
        "signup": signup,
        "friend": link_of(house).rpartition("/")[2],
        "unsubscribe": unsubscribe_page(key, "bob").rpartition("/")[2],
        "owner": owners_word(key, house.store.now()),
    }


# All pages


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A server that sends letters with links to itself."""
    with opened(tmp_path_factory.mktemp("games"), is_known=True) as place:
        yield place


@pytest.mark.needs(SHELL)
@pytest.mark.long
def test_every_page_is_accessible_and_has_room(
    place: Place, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with all that can be opened, and with a tile that has been chosen."""
    words = _furnish(place, monkeypatch)
    page = enter(words["mover"], viewport=PHONE, reduced_motion="reduce")
    page.context.clear_cookies()
    words["guests"] = _guests_move(page, place)
    for path in (path for seen in PAGES.values() for path in seen.by_stranger):
        _look(page, place.address + path.format(**words), f"stranger{path}")
    place.sign_in(page.context, words["mover"])
    for path in (path for seen in PAGES.values() for path in seen.by_player):
        _look(page, place.address + path.format(**words), f"player{path}")
    _look_at_a_chosen_tile(page, f"{place.address}/holo/{words['running']}")
    tab = page.context.new_page()  # where a refusal is no fault of a script
    for path in REFUSED:
        _look(tab, place.address + path, f"refused{path}", 404)


def _guests_move(page: Page, place: Place) -> str:
    """Play as a guest; a move that they can look at then."""
    page.goto(f"{place.address}/play/holo")
    Clicks(page).place_tile()
    expect(page.get_by_text("move 2 of 2")).to_be_visible()
    return str(page.locator("#choice option").first.text_content())


def _look(page: Page, address: str, name: str, status: int = 200) -> None:
    came = page.goto(address)
    assert came is not None
    assert came.status == status, address
    if page.locator("#move").count():
        page.locator(TILE).first.wait_for()  # of its script
    _take_pictures(page, name)
    _open_all(page)
    assert has_room(page), address
    check_is_accessible(page)


def _open_all(page: Page) -> None:
    """Open all that is closed, but for the menus, which lie over other things."""
    page.evaluate(
        "document.querySelectorAll('main details').forEach(one => one.open = true)"
    )


def _look_at_a_chosen_tile(page: Page, board: str) -> None:
    """And at each menu, opened."""
    page.goto(board)
    Clicks(page).press(TILE)
    page.locator(SPOT).first.wait_for()
    check_is_accessible(page)
    for menu in page.locator("nav .menu summary").all():
        menu.click()
        assert has_room(page)
        check_is_accessible(page)


def _take_pictures(page: Page, name: str) -> None:
    if folder := os.environ.get("PBM_SCREENS"):
        page.wait_for_load_state("networkidle")
        page.emulate_media(color_scheme="light")
        file = re.sub(r"\W+", "-", name).strip("-")
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            path = Path(folder) / f"page-{file}-{size['width']}.png"
            page.screenshot(path=path, full_page=True)
