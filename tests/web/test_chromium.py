"""The pages in a real browser: Debian's Chromium, driven by Playwright."""

import re
import socket
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from pbm_holomino.match import account
from pbm_holomino.rules import names
from pbm_holomino.store.home import Home
from pbm_holomino.web import news
from pbm_holomino.web.serve import serving
from tests import needs
from tests.house import CHEAP, PASSWORDS, House

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.xdist_group("chromium")]

expect.set_options(timeout=20_000)
PHONE: ViewportSize = {"width": 360, "height": 740}


class Place:
    """A server that is open to browsers, and its address."""

    def __init__(self, house: House, address: str) -> None:
        self.house = house
        self.address = address

    def challenge(self, game: str, options: str = "") -> int:
        """The number of a new board of alice and bob, who has accepted."""
        number = self.house.challenge(options, game=game)
        self.house.accept(number, game)
        return number


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Alice, bob and carol have signed up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(account, "_SCRYPT", CHEAP)
        patch.setattr(news, "_SECONDS", 0.2)
        folder = tmp_path_factory.mktemp("games")
        house = House(folder).sign_up("alice", "bob", "carol")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with serving(Home(str(folder), house.config), ("127.0.0.1", port)):
            yield Place(house, f"http://127.0.0.1:{port}")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as driver:
        yield driver.chromium.launch(
            executable_path=needs.find("chromium"), args=["--no-sandbox"]
        )


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
        page.set_default_timeout(20_000)
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


def play(page: Page) -> str:
    """Play the first tile at its first place, by clicks; the move."""
    page.locator(".tiles button").first.click()
    page.locator(".place").first.click()
    strong = page.locator(".bar button.strong")
    move = strong.inner_text().removeprefix("Play ")
    strong.click()
    page.wait_for_function("document.querySelector('.bar button') === null")
    return move


SHORT = {
    "holo": "-num_digits=4 -pool_size=2",
    "hextol": "-max_pips=2 -pool_size=2",
    "hextad": "-max_pips=2 -pool_size=2",
}


@pytest.mark.parametrize("game", [name for name in names() if name in SHORT])
def test_two_browsers_play_to_the_end_by_clicks(
    place: Place, enter: Enter, game: str
) -> None:
    house = place.house
    number = place.challenge(game, SHORT[game])
    pages = {name: enter(name) for name in ("alice", "bob")}
    for page in pages.values():
        page.goto(f"{place.address}/{game}/{number}")
    while (match := house.library.match(game, number)).result is None:
        who = match.turn[0]
        page = pages[who]
        expect(page.get_by_text("It is your turn.")).to_be_visible()  # by news
        legal = match.view(None).legal
        if legal[0].startswith("pass"):
            page.get_by_text("Choose from a list").or_(
                page.get_by_label("Your move")
            ).first.click()
            page.get_by_role("button", name="Look at it").click()
            page.locator("button.strong").click()
            continue
        assert play(page) in legal
        expect(
            page.get_by_text("It is your turn.")
            .or_(page.get_by_text(re.compile("'s turn|The game is over")))
            .first
        ).to_be_visible()
    for page in pages.values():
        expect(page.get_by_text("The game is over").first).to_be_visible()


def test_a_move_is_made_by_keys_alone(place: Place, enter: Enter) -> None:
    number = place.challenge("hextol")
    who = place.house.library.match("hextol", number).turn[0]
    page = enter(who)
    page.goto(f"{place.address}/hextol/{number}")
    page.locator(".tiles button").first.wait_for()

    def tab_to(selector: str) -> None:
        for _ in range(80):
            if page.evaluate(f"document.activeElement.matches('{selector}')"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(selector)

    tab_to(".tiles button")
    page.keyboard.press("Enter")
    page.locator(".place").first.wait_for()
    tab_to(".place")
    page.keyboard.press("Enter")
    page.locator(".bar button.strong").wait_for()
    before = page.locator(".bar button.strong").inner_text()
    if page.get_by_role("button", name="Turn").count():
        page.keyboard.press("r")
        page.wait_for_function(
            "text => document.querySelector('.bar .strong')?.innerText !== text",
            arg=before,
        )
    page.keyboard.press("Escape")
    expect(page.locator(".bar button")).to_have_count(0)
    tab_to(".place")
    page.keyboard.press("Enter")
    page.locator(".bar button.strong").wait_for()
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("'s turn"))).to_be_visible()
    assert place.house.library.match("hextol", number).ply == 1


def test_a_phone_is_enough(place: Place, enter: Enter) -> None:
    number = place.challenge("holo")
    page = enter("alice", viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"{place.address}/holo/{number}")
    page.locator(".tiles button").first.tap()
    page.locator(".place").first.tap()
    bar = page.locator(".bar button.strong")
    bar.wait_for()
    box = bar.bounding_box()
    assert box is not None
    assert box["height"] >= 40  # for a thumb
    bar.tap()
    expect(page.get_by_text("It is bob's turn.")).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]


def test_walongs_are_wished_and_paired_by_buttons(place: Place, enter: Enter) -> None:
    house = place.house
    number = place.challenge("walomino")
    board = f"{place.address}/walomino/{number}"
    alice = enter("alice")
    alice.goto(board)
    for colour in "RRG":
        alice.get_by_role("button", name=colour, exact=True).click()
    alice.get_by_role("button", name="Take one back").click()
    expect(alice.get_by_label("Your move")).to_have_value("take:RR,any")
    alice.get_by_role("button", name="Look at it").click()
    alice.locator("button.strong").click()
    # bob plays by mail, as it were
    assert house.type(f"walomino move {number} bob {{bob}} take:any").status == 0
    match = house.library.match("walomino", number)
    assert match.view(None).phase == "pair"
    expect(alice.get_by_role("group", name="Your tiles")).to_be_visible()
    tiles = alice.locator(".tiles button.tile")
    while tiles.count():
        tiles.first.click()
    alice.get_by_role("button", name="Look at it").click()
    alice.locator("button.strong").click()
    expect(alice.get_by_text("sent sealed pairs").first).to_be_visible()
    assert house.type(f"walomino move {number} bob {{bob}} pairs:any").status == 0
    expect(alice.get_by_text("made the pairs").first).to_be_visible()
    assert play(alice) != ""


def test_past_positions_have_a_slider_and_keys(place: Place, enter: Enter) -> None:
    house = place.house
    number = place.challenge("holo")
    house.play(number, moves=4)
    page = enter("bob")
    page.goto(f"{place.address}/holo/{number}")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**/holo/{number}/3")
    page.get_by_label("Position after move").fill("1")
    page.wait_for_url(f"**/holo/{number}/1")
    expect(page.get_by_role("heading", name="after move 1")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(place: Place, enter: Enter, scheme: str) -> None:
    """By axe, with all rules of WCAG 2.2 AA."""
    axe = Axe()
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    number = place.challenge("hextad")
    page = enter("alice", color_scheme=scheme)
    board = f"/hextad/{number}"
    for path in ("/", board, "/settings", "/challenge/holo", "/help/holo", "/players"):
        page.goto(f"{place.address}{path}")
        if path == board and page.locator(".tiles button").count():
            page.locator(".tiles button").first.click()
        found = axe.run(page, options={"runOnly": rules})
        assert not found.response["violations"], found.generate_report()


def test_the_address_has_no_files_besides(place: Place, enter: Enter) -> None:
    page = enter("carol")
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{place.address}/help/walomino")
    assert asked
    assert all(url.startswith(place.address) for url in asked)
