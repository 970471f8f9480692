"""Real browsers for tests: Debian's Chromium, driven by Playwright, and the hands of
those who play in them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from pbm_holomino.match.reviews import Judged, Review, digest
from pbm_holomino.owner.overview import sections
from pbm_holomino.store import reviews
from pbm_holomino.store.home import Home
from pbm_holomino.store.people import People
from pbm_holomino.web import serve, sessions
from pbm_holomino.web.news import News
from pbm_holomino.web.site import Site
from tests import needs
from tests.boards import ANY
from tests.house import House, Seeds
from tests.processes import free_port

# What shows pages and nothing around them takes two thirds of the work. Tests of tabs
# and of workers did not end in it, so they have the whole browser.
SHELL, WHOLE = "chromium-headless-shell", "chromium"
MARKS = [pytest.mark.needs(SHELL), pytest.mark.long]
PHONE: ViewportSize = {"width": 360, "height": 740}
# Of two such words the last counts, so these are Playwright's own, and pages that a
# window has around each page of ours: nobody sees them, and each context draws them.
_WITHOUT = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"),
    *("HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LensOverlay"),
    *("MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning", "Translate"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"),
    *("PreloadTopChromeWebUI", "WebUIOmniboxPopup"),
)
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]
ARGUMENTS += [f"--disable-features={','.join(_WITHOUT)}"]
# Nothing runs long enough on a page to be worth compiling well, axe least of all.
ARGUMENTS += ["--js-flags=--no-opt,--no-maglev"]
TIMEOUT = 60_000  # milliseconds: a machine may have much else to do

expect.set_options(timeout=TIMEOUT)


class Place:
    """A server that is open to browsers, and its address."""

    def __init__(self, house: House, seeds: Seeds, address: str, news: News) -> None:
        self.house = house
        self.seeds = seeds
        self.address = address
        self._news = news

    @property
    def streams(self) -> int:
        """How many streams of news are open."""
        return self._news.streams

    def sign_in(self, context: BrowserContext, name: str) -> None:
        """Give a browser the cookie of a player who has just signed in."""
        context.add_cookies([self.cookie(name)])  # type: ignore[list-item]

    def cookie(self, name: str) -> dict[str, str]:
        """The cookie of a player who has just signed in, and for which address."""
        player = People(self.house.library).player(name)
        assert player is not None
        now = self.house.store.now()
        value = sessions.begin(self.house.library, player, now)
        return {"name": sessions.SESSION, "value": value, "url": self.address}

    def challenge(self, game: str, options: str = "", names: str = "alice bob") -> int:
        """The number of a new board, which everybody has accepted."""
        number = self.house.challenge(options, names, game)
        self.house.accept(number, game)
        return number

    def play(self, game: str, number: int, moves: int) -> None:
        """Play so many moves on a board: the first that is legal, or what leaves a turn
        to chance."""
        for _ in range(moves):
            match = self.house.library.match(game, number)
            who, view = match.turn[0], match.view(None)
            move = ANY.get(view.phase) or view.legal[0]
            line = f"{game} move {number} {who} {{{who}}} {move}"
            assert self.house.type(line).status == 0

    def reviewed(self, game: str) -> int:
        """The number of a board that is over, and that a robot has reviewed."""
        number = self.challenge(game)
        self.play(game, number, 6)
        self.house.type(f"{game} resign {number} bob {{bob}}")
        match = self.house.library.match(game, number)
        made = ((no, str(match.record.log[no].action)) for no in match.moves)
        judged = tuple(Judged(*one, 0.0, (0.5, 0.5)) for one in made)
        reviews.save(self.house.store, match, Review(digest(match), judged))
        return number


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Alice, bob and carol have signed up. What others do is news within moments."""
    with opened(tmp_path_factory.mktemp("games")) as place:
        yield place


@pytest.fixture(autouse=True)
def same_deals(place: Place) -> None:
    """What a test deals does not depend on the tests before it."""
    place.seeds.given = 0


@contextmanager
def opened(folder: Path, is_known: bool = False) -> Iterator[Place]:
    """A place that is open for a while. One that `is_known` puts its address into its
    letters, which are kept in the house."""
    found: list[News] = []

    def often(site: Site, most: int) -> News:
        found.append(News(site, 0.1, most))
        return found[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serve, "News", often)
        seeds = Seeds()
        house = House(folder, seeds).sign_up("alice", "bob", "carol")
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        if is_known:
            house.config = house.config._replace(web=address)
            patch.setattr(serve, "sender", lambda home, store: house.keep)
        home = Home(str(folder), house.config)
        with serve.serving(home, ("127.0.0.1", port), sections):
            yield Place(house, seeds, address, *found)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with launched(SHELL) as browser:
        yield browser


@pytest.fixture(scope="module", name="chromium")
def whole_chromium() -> Iterator[Browser]:
    """With its windows and tabs, for tests that are about more than pages."""
    with launched(WHOLE) as browser:
        yield browser


@contextmanager
def launched(program: str, *arguments: str, **how: object) -> Iterator[Browser]:
    """A browser, while the block runs."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=needs.find(program),
            args=[*ARGUMENTS, *arguments],
            **how,  # type: ignore[arg-type]
        )
        yield browser
        browser.close()


def _faults(said: ConsoleMessage) -> list[str]:
    """What is wrong by the console of a browser; a refusal is not."""
    is_refused = any(f"a status of {code}" in said.text for code in (422, 503))
    is_fault = said.type == "error" and not is_refused
    return [f"{said.text} {said.location}"] if is_fault else []


Enter = Callable[..., Page]


@pytest.fixture
def enter(place: Place, chromium: Browser) -> Iterator[Enter]:
    """A function that gives a player a browser of their own in which they are signed
    in. No page may have a fault of its script."""
    opened, faults = [], list[str]()

    def give(name: str, **how: object) -> Page:
        context = chromium.new_context(**how)  # type: ignore[arg-type]
        place.sign_in(context, name)
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("console", lambda said: faults.extend(_faults(said)))
        return page

    yield give
    for context in opened:
        context.close()
    assert not faults, faults


def has_room(page: Page) -> bool:
    """Whether a page is no wider than the window."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    return int(page.evaluate("document.documentElement.scrollWidth")) <= width


_SHIFTS = """
window.moved = window.movedAtAll = 0;
new PerformanceObserver((list) => {
    for (const one of list.getEntries()) {
        if (!one.hadRecentInput) moved += one.value;
        movedAtAll += one.value;
    }
}).observe({ type: "layout-shift", buffered: true });
"""
_FAR_AWAY = {
    "offline": False,
    "latency": 100,  # milliseconds
    "downloadThroughput": 50_000,  # bytes a second
    "uploadThroughput": -1,
}
_MOST_MOVED = 0.02


def go_far_away(page: Page) -> None:
    """From now on pages are there before their scripts."""
    page.add_init_script(_SHIFTS)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", _FAR_AWAY)


def stands_still(page: Page, when_touched: bool = False) -> bool:
    """Whether nothing has moved by itself on a page that has come from far away; or not
    even right after it was touched, which lets menus open."""
    moved = page.evaluate("movedAtAll" if when_touched else "moved")
    return float(moved) <= _MOST_MOVED


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast"]  # the rules for which other colours make a difference


def check_is_accessible(page: Page) -> None:
    """By axe, with all rules of WCAG 2.2 AA; in the dark only colours are others."""
    for scheme, tried in (("dark", COLOURS), ("light", RULES)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        check_as_shown(page, tried)


_RUN = "options => axe.run(options).then(({ violations }) => ({ violations }))"


def check_as_shown(page: Page, rules: list[str]) -> None:
    """By these rules of axe, in the colours that a page has now."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"runOnly": rules, "resultTypes": ["violations"], "preload": False}
    found = AxeResults(page.evaluate(_RUN, options))
    assert not found.response["violations"], (page.url, found.generate_report())


# The buttons of a page, in the order in which they are pressed
TILE, SPOT, YES = ".tiles button", ".place", ".bar button.strong"
CHOSEN = ".tiles [aria-pressed=true]"
COLOUR, LETTER = "[aria-label=Colours] button", "[aria-label='Your tiles'] button"
WISH, OTHERS = "[aria-label^='Your wishes'] button", "text=Pair the others"
LOOK, PLAY = "#move button", "#preview button.strong"
CHOICE = "#choice"


class Clicks:
    """A player with a mouse. `sends` are the buttons after words are put together."""

    how: dict[str, object] = {}  # the browser that they have

    def __init__(self, page: Page, sends: Sequence[str] = (LOOK, PLAY)) -> None:
        self.page = page
        self.sends = sends

    def press(self, selector: str, last: bool = False) -> None:
        """Press the first such button, or the last."""
        found = self.page.locator(selector)
        (found.last if last else found.first).click()

    def reach(self, selector: str, last: bool = False) -> None:
        """Go to the first such field, or to the last, to write into it."""
        self.press(selector, last)

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
        for selector in self.sends:
            self.press(selector)


class Fingers(Clicks):
    """A player with a phone, who touches it."""

    how = {"viewport": PHONE, "has_touch": True, "is_mobile": True}

    def press(self, selector: str, last: bool = False) -> None:
        found = self.page.locator(selector)
        (found.last if last else found.first).tap()


class Keys(Clicks):
    """A player who has no mouse: TAB goes from one thing to the next."""

    def press(self, selector: str, last: bool = False) -> None:
        self.reach(selector, last)
        self.page.keyboard.press("Enter")

    def reach(self, selector: str, last: bool = False) -> None:
        """Go to the first such thing, or to the last: again, where the page has changed
        on the way."""
        found = self.page.locator(selector)
        found.first.wait_for()
        self.page.wait_for_load_state()  # scripts change what TAB goes to
        wanted = found.last if last else found.first
        for _ in range(3):
            steps = wanted.evaluate(_STEPS)
            for _ in range(abs(steps)):
                self.page.keyboard.press("Tab" if steps > 0 else "Shift+Tab")
            if wanted.evaluate(_HAS_FOCUS):
                return
        raise AssertionError(f"no way by TAB to {selector}")

    def wish(self) -> None:
        """Wish for two colours, the second one first, and then for any."""
        self.press(COLOUR)
        self.press(COLOUR, last=True)
        self.reach(WISH, last=True)
        self.page.keyboard.press("ArrowLeft")
        self._send()

    def pair(self) -> None:
        """Make a pair of the first tile and the last, and leave the others."""
        self.press(LETTER)
        self.press(LETTER, last=True)
        self.press(OTHERS)
        self._send()


_STEPS = """wanted => {
    const all = [...document.querySelectorAll(
        "a[href], button, input:not([type=hidden], [type=radio]:not(:checked)), "
        + "select, textarea, summary, [tabindex='0']"
    )].filter(one => one.checkVisibility());
    return all.indexOf(wanted) - all.indexOf(document.activeElement);
}"""
_HAS_FOCUS = "wanted => document.activeElement === wanted"


class Forms(Clicks):
    """A player whose browser has no scripts."""

    how = {"java_script_enabled": False}

    def place_tile(self) -> None:
        self._send()  # the first of the list

    def wish(self) -> None:
        self.page.locator(CHOICE).fill("take:GY,any")
        self._send()

    def pair(self) -> None:
        self.page.locator(CHOICE).fill("pairs:any")
        self._send()


def play(hands: Clicks, phase: str) -> None:
    """Do what a phase of a game asks of a player."""
    {"take": hands.wish, "pair": hands.pair}.get(phase, hands.place_tile)()
