"""A newcomer's first five minutes: a guest's game, an account, a link to sign in by, a
lesson and a review.

On a phone and on a desk, by touch, mouse and keys, in light, dark and forced colours.
A page that fails is left as a picture in the folder of its test; if PBM_SCREENS names a
folder, it gets pictures of all of them.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from pbm_holomino.resident.work import Work
from pbm_holomino.server import waking
from tests.web.chromium import (
    COLOURS,
    MARKS,
    RULES,
    TIMEOUT,
    Clicks,
    Fingers,
    Keys,
    Place,
    check_as_shown,
    chromium,
    go_far_away,
    has_room,
    opened,
    stands_still,
)

__all__ = ["chromium"]
pytestmark = MARKS

SIZES = {360: {"width": 360, "height": 740}, 1280: {"width": 1280, "height": 800}}
_LIGHT = {"color_scheme": "light", "forced_colors": "none", "contrast": "null"}
# Each page is seen in each of them; in the others only colours differ from the last.
LOOKS: dict[str, tuple[dict[str, str], list[str]]] = {
    "dark": ({**_LIGHT, "color_scheme": "dark"}, COLOURS),
    "forced": ({**_LIGHT, "forced_colors": "active", "contrast": "more"}, COLOURS),
    "light": (_LIGHT, RULES),
}
# Each width and each hand, with the looks in which the pages are seen. With keys they
# are those that the mouse has seen in all of them.
WAYS: list[tuple[int, type[Clicks], list[str]]] = [
    (360, Fingers, [*LOOKS]),
    (1280, Clicks, [*LOOKS]),
    (1280, Keys, ["light"]),
]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A server that sends letters with links to itself."""
    with opened(tmp_path_factory.mktemp("games"), is_known=True) as place:
        yield place


class Newcomer:
    """Somebody with a browser of their own, who looks closely at each page."""

    def __init__(self, hands: Clicks, who: str, looks: list[str]) -> None:
        self.hands = hands
        self.page = hands.page
        self.who = who
        self._looks = looks
        self._seen = 0

    def press(self, selector: str) -> None:
        self.page.wait_for_load_state("networkidle")
        self.hands.press(selector)

    def go(self, selector: str, where: str) -> None:
        """Press a link that leads to a path with this end."""
        self.press(selector)
        self.page.wait_for_url(re.compile(f"{where}$"))

    def write(self, selector: str, text: str) -> None:
        self.page.wait_for_load_state("networkidle")
        self.hands.reach(selector)
        self.page.keyboard.type(text)

    def place_tile(self) -> None:
        self.page.wait_for_load_state("networkidle")
        self.hands.place_tile()

    def look(self, name: str) -> None:
        """Nothing of the page is cut off, or moves while it comes, or is there only for
        those who see it."""
        self.page.wait_for_load_state("networkidle")
        self._seen += 1
        assert stands_still(self.page), name
        for look in self._looks:
            how, rules = LOOKS[look]
            self.page.emulate_media(**how)  # type: ignore[arg-type]
            if album := os.environ.get("PBM_SCREENS"):
                page = f"newcomer-{self.who}-{look}-{self._seen:02}-{name}.png"
                self.page.screenshot(path=Path(album) / page)
            assert has_room(self.page), (name, look)
            check_as_shown(self.page, rules)


@pytest.mark.parametrize(("width", "hands", "looks"), WAYS)
def test_the_first_five_minutes(
    known: Place,
    chromium: Browser,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    width: int,
    hands: type[Clicks],
    looks: list[str],
) -> None:
    monkeypatch.setattr(waking, "wake", lambda home: True)  # they think in this process
    how = {**hands.how, "viewport": SIZES[width]}
    context = chromium.new_context(**how)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    go_far_away(page)
    faults = list[str]()
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    one = Newcomer(hands(page), f"{hands.__name__.lower()}{width}", looks)
    try:
        _plays_as_a_guest(one, known)
        board = _keeps_the_game(one, known)
        _comes_back_by_a_link(one, known)
        _learns(one)
        _asks_for_a_review(one, known, board)
    except BaseException:
        page.screenshot(path=tmp_path / "failed.png")
        raise
    finally:
        context.close()
    assert faults == []


def _plays_as_a_guest(one: Newcomer, known: Place) -> None:
    one.page.goto(known.address)
    one.look("front")
    one.go("a:text('Play the robot now')", "/play/holo")
    for move in range(3):
        expect(one.page.get_by_text("It is your turn.")).to_be_visible()
        one.look(f"guest-{move}")
        with one.page.expect_response("**/move"):
            one.place_tile()
    expect(one.page.get_by_text("It is your turn.")).to_be_visible()
    one.look("guest-3")


def _keeps_the_game(one: Newcomer, known: Place) -> str:
    """The address of the board that the game becomes."""
    who = one.who
    one.press("#keep summary")
    one.look("keep")
    one.write("#userid", who)
    one.write("#address", f"{who}@example.org")
    one.press("#keep .fields button")
    expect(one.page.get_by_text("A letter is on its way")).to_be_visible()
    one.look("letter")
    one.page.goto(_link_in_letters(known, "signup/"))
    one.look("welcome")
    one.write("#password", "quokka9")
    one.press("main button.strong")
    expect(one.page.locator(".who summary")).to_have_text(who)
    expect(one.page.get_by_text("It is your turn.")).to_be_visible()
    one.look("board")
    return one.page.url


def _link_in_letters(known: Place, path: str) -> str:
    """The only link to such a path in the letters that have just left."""
    text = "".join(letter.text for letter in known.house.taken())
    (link,) = re.findall(rf"{known.address}/{path}\S+", text)
    return str(link)


def _comes_back_by_a_link(one: Newcomer, known: Place) -> None:
    """They sign out, and in again without a password."""
    one.press(".who summary")
    one.press("form[action$='/signout'] button")
    one.go(".who a", "/signin")
    one.look("signin")
    one.write("#userid", one.who)
    one.press("button[formaction$='/signin/letter']")
    expect(one.page.get_by_text("a letter with a link")).to_be_visible()
    one.look("linked")
    one.page.goto(_link_in_letters(known, "signin/link#"))
    one.look("link")
    one.press("main button.strong")
    expect(one.page.locator(".who summary")).to_have_text(one.who)


def _learns(one: Newcomer) -> None:
    one.press("nav > .menu:not(.look) summary")
    one.go("nav .menu a[href$='/holo']", "/holo")
    one.look("game")
    one.go("main a[href$='/learn/holo']", "/learn/holo/1")
    one.look("lesson")
    one.press("a:text('Show me')")
    expect(one.page.get_by_text("Well done.")).to_be_visible()
    one.look("learned")
    one.go("a:text('Next')", "/learn/holo/2")


def _asks_for_a_review(one: Newcomer, known: Place, board: str) -> None:
    one.go("header .home", "/")
    one.look("mine")
    path = board.removeprefix(known.address)
    one.go(f".boards a[href$='{path}']", path)
    one.press("summary:text('Resign')")
    one.press("form[action$='/resign'] button")
    one.press("form[action$='/review'] button")
    expect(one.page.locator("[data-awaited]")).to_be_visible()
    one.look("over")
    for _ in Work(known.house.server, 0.0).do_all():
        pass
    expect(one.page.locator("a[href$='/review']")).to_be_visible()  # by itself
    one.go("a[href$='/review']", "/review")
    one.look("review")
    one.page.keyboard.press("ArrowLeft")
    one.page.wait_for_url(re.compile(r"/review/[0-9]+$"))
    one.look("reviewed")
