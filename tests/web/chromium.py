"""Real browsers for tests: Debian's Chromium, driven by Playwright, and the hands of
those who play in them."""

import socket
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from pbm_holomino.match import account
from pbm_holomino.store.home import Home
from pbm_holomino.web import news
from pbm_holomino.web.serve import serving
from tests import needs
from tests.house import CHEAP, PASSWORDS, House, Seeds

MARKS = [pytest.mark.needs("chromium"), pytest.mark.xdist_group("chromium")]
PHONE: ViewportSize = {"width": 360, "height": 740}
TIMEOUT = 60_000  # milliseconds: a machine may have much else to do

expect.set_options(timeout=TIMEOUT)


class Place:
    """A server that is open to browsers, and its address."""

    def __init__(self, house: House, address: str) -> None:
        self.house = house
        self.address = address

    def challenge(self, game: str, options: str = "", names: str = "alice bob") -> int:
        """The number of a new board, which everybody has accepted."""
        number = self.house.challenge(options, names, game)
        self.house.accept(number, game)
        return number


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Alice, bob and carol have signed up. What others do is news within moments."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(account, "_SCRYPT", CHEAP)
        patch.setattr(news, "_SECONDS", 0.3)
        folder = tmp_path_factory.mktemp("games")
        house = House(folder, Seeds()).sign_up("alice", "bob", "carol")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with serving(Home(str(folder), house.config), ("127.0.0.1", port)):
            yield Place(house, f"http://127.0.0.1:{port}")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=needs.find("chromium"), args=["--no-sandbox"]
        )
        yield browser
        browser.close()


Enter = Callable[..., Page]


@pytest.fixture
def enter(place: Place, chromium: Browser) -> Iterator[Enter]:
    """A function with which a player signs in, in a browser of their own. No page may
    have a fault of its script."""
    opened, faults = [], list[str]()

    def sign_in(name: str, **how: object) -> Page:
        context = chromium.new_context(**how)  # type: ignore[arg-type]
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on(
            "console",
            lambda said: faults.append(said.text) if said.type == "error" else None,
        )
        page.goto(f"{place.address}/signin")
        page.get_by_label("Userid").fill(name)
        page.get_by_label("Password").fill(PASSWORDS[name])
        page.locator("main").get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Your boards")).to_be_visible()
        return page

    yield sign_in
    for context in opened:
        context.close()
    assert not faults


# The buttons of a page, in the order in which they are pressed
TILE, SPOT, YES = ".tiles button", ".place", ".bar button.strong"
COLOUR, LETTER = "[aria-label=Colours] button", "[aria-label='Your tiles'] button"
LOOK, PLAY = "#move button", "#preview button.strong"


class Clicks:
    """A player with a mouse."""

    how: dict[str, object] = {}  # the browser that they have

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, selector: str, last: bool = False) -> None:
        """Press the first such button, or the last."""
        found = self.page.locator(selector)
        (found.last if last else found.first).click()

    def place_tile(self) -> None:
        for selector in (TILE, SPOT, YES):
            self.press(selector)

    def wish(self) -> None:
        """Wish for a colour, then any."""
        self.press(COLOUR)
        self._send()

    def pair(self) -> None:
        """Make all pairs, each of the first tile and the last."""
        self.page.locator(LETTER).first.wait_for()
        while self.page.locator(LETTER).count():
            self.press(LETTER)
            self.press(LETTER, last=True)
        self._send()

    def _send(self) -> None:
        self.press(LOOK)
        self.press(PLAY)


class Fingers(Clicks):
    """A player with a phone, who touches it."""

    how = {"viewport": PHONE, "has_touch": True, "is_mobile": True}

    def press(self, selector: str, last: bool = False) -> None:
        found = self.page.locator(selector)
        (found.last if last else found.first).tap()


class Keys(Clicks):
    """A player who has no mouse: TAB goes from one thing to the next."""

    def press(self, selector: str, last: bool = False) -> None:
        self.page.locator(selector).first.wait_for()
        keyboard = self.page.keyboard
        for _ in range(120):
            if self.page.evaluate(_HAS_FOCUS, [selector, last]):
                keyboard.press("Enter")
                return
            keyboard.press("Tab")
        raise AssertionError(f"TAB does not lead to {selector}")


_HAS_FOCUS = """([selector, last]) => document.activeElement ===
    [...document.querySelectorAll(selector)].at(last ? -1 : 0)
"""


class Forms(Clicks):
    """A player whose browser has no scripts."""

    how = {"java_script_enabled": False}

    def place_tile(self) -> None:
        self._send()  # the first of the list


def play(hands: Clicks, phase: str) -> None:
    """Do what a phase of a game asks of a player."""
    {"take": hands.wish, "pair": hands.pair}.get(phase, hands.place_tile)()
