"""The pages in a real browser."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from pbm_holomino import rules
from pbm_holomino.match.board import Match
from tests.house import PASSWORDS, home, mail_of
from tests.web.chromium import (
    MARKS,
    PHONE,
    SPOT,
    TILE,
    YES,
    Clicks,
    Enter,
    Fingers,
    Forms,
    Keys,
    Place,
    chromium,
    enter,
    place,
    play,
)

__all__ = ["chromium", "enter", "place"]
pytestmark = MARKS


# Whole games: alice clicks


PLAYED = [
    ("holo", "-num_digits=4 -pool_size=2", Keys, ""),
    ("hextol", "-max_pips=2 -pool_size=2", Fingers, ""),
    ("hextad", "-max_pips=2 -pool_size=2", Clicks, ""),
    ("walomino", "", Forms, "carol"),
]


@pytest.mark.parametrize(
    ("game", "options", "hands", "by_mail"),
    [one for one in PLAYED if one[0] in rules.names()],
)
def test_a_game_is_played_to_its_end(
    place: Place,
    enter: Enter,
    game: str,
    options: str,
    hands: type[Clicks],
    by_mail: str,
) -> None:
    """Two players have browsers, and a third plays by mail."""
    names = " ".join(["alice", "bob", *filter(None, [by_mail])])
    number = place.challenge(game, options, names)
    board = f"{place.address}/{game}/{number}"
    players = {
        "alice": Clicks(enter("alice")),
        "bob": hands(enter("bob", **hands.how)),
    }
    for player in players.values():
        player.page.goto(board)
    while (match := _now(place, game, number)).result is None:
        who, phase = match.turn[0], match.view(None).phase
        if who in players:
            _play_on_page(players[who], phase, board)
        else:
            move = {"take": "take:any", "pair": "pairs:any"}.get(phase)
            line = f"{game} move {number} {who} {PASSWORDS[who]}"
            subject = f"{line} {move or match.view(None).legal[0]}"
            place.house.mail(mail_of(subject, home(who)))
        assert _now(place, game, number).record.log[-1].who in names.split()
        assert len(_now(place, game, number).record.log) > len(match.record.log)
    for player in players.values():
        if isinstance(player, Forms):
            player.page.reload()
        expect(player.page.get_by_text("The game is over").first).to_be_visible()


def test_a_player_signs_in_and_out(place: Place, enter: Enter) -> None:
    page = enter("carol")
    page.context.clear_cookies()
    page.goto(f"{place.address}/signin")
    page.get_by_label("Userid").fill("carol")
    page.get_by_label("Password").fill(PASSWORDS["carol"])
    page.locator("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your boards")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Your boards")).to_have_count(0)


def _now(place: Place, game: str, number: int) -> Match:
    return place.house.library.match(game, number)


def _play_on_page(player: Clicks, phase: str, board: str) -> None:
    """A player learns by news that it is their turn, and moves."""
    page = player.page
    if isinstance(player, Forms):
        page.goto(board)
    asked = page.locator(".whose").get_by_text("It is your turn.")
    expect(asked).to_be_visible()
    wanted = page.locator(f"#move[data-phase={phase}]")
    wanted.wait_for(state="attached")
    with page.expect_navigation(url=board):
        play(player, phase)


# Boards


def _open(page: Page, place: Place, game: str, number: int) -> Page:
    page.goto(f"{place.address}/{game}/{number}")
    return page


def test_a_tile_of_two_cells_turns_by_click_and_by_key(
    place: Place, enter: Enter
) -> None:
    number = place.challenge("hextol")
    who = _now(place, "hextol", number).turn[0]
    page = _open(enter(who), place, "hextol", number)
    hands = Clicks(page)
    hands.press(TILE)
    hands.press(SPOT)
    button = page.locator(YES)
    button.wait_for()
    shown = [button.inner_text()]
    for turn in (
        lambda: page.keyboard.press("r"),
        lambda: page.locator("figure.board svg.turns").click(),
        lambda: page.get_by_role("button", name="Turn").click(),
    ):
        turn()
        expect(button).not_to_have_text(shown[-1])
        shown.append(button.inner_text())
    position = page.locator("[data-place]").first.get_attribute("data-place")
    for move in shown:
        assert f"{position}" in re.findall("[0-9]+", move.split(":")[1])
    page.keyboard.press("Escape")
    expect(page.locator(".bar button")).to_have_count(0)
    assert _now(place, "hextol", number).ply == 0


def test_a_phone_has_room_for_a_board(place: Place, enter: Enter) -> None:
    number = place.challenge("holo")
    page = _open(enter("alice", **Fingers.how), place, "holo", number)
    hands = Fingers(page)
    hands.press(TILE)
    _check_is_for_thumbs(page, TILE)
    hands.press(SPOT)
    page.locator(YES).wait_for()
    _check_is_for_thumbs(page, ".bar button")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    board = page.locator("figure.board").bounding_box()
    assert board is not None
    assert board["width"] >= 0.9 * PHONE["width"]


def _check_is_for_thumbs(page: Page, selector: str) -> None:
    for button in page.locator(selector).all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 40
        assert PHONE["height"] / 3 <= box["y"] <= PHONE["height"] - box["height"]


def test_a_large_board_is_dragged(place: Place, enter: Enter) -> None:
    """And a drag is no click on what lies under the mouse."""
    number = place.challenge("holo")
    page = _open(enter("alice"), place, "holo", number)
    Clicks(page).press(TILE)
    figure = page.locator("figure.board")
    for _ in range(3):
        page.get_by_role("button", name="Larger").click()
    figure.scroll_into_view_if_needed()
    figure.evaluate("figure => figure.scrollTo(50, 50)")
    # on a place, if one is in sight there
    at = page.locator(SPOT).evaluate_all(
        """places => places.map(one => one.getBoundingClientRect())
            .map(box => [box.x + box.width / 2, box.y + box.height / 2])
            .find(at => document.elementFromPoint(...at)?.closest(".place"))"""
    )
    assert at is not None
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] - 40, at[1] - 30, steps=4)
    page.mouse.up()
    scrolled = figure.evaluate("figure => [figure.scrollLeft, figure.scrollTop]")
    assert scrolled == [90, 80]
    assert page.locator(YES).count() == 0


def test_moves_are_laid_out_on_the_board_and_queued(place: Place, enter: Enter) -> None:
    number = place.challenge("holo")
    page = _open(enter("bob"), place, "holo", number)  # it is alice's turn
    page.get_by_text("Move ahead").click()
    page.get_by_role("button", name="Lay them out on the board").click()
    hands = Clicks(page)
    hands.press(TILE)
    hands.press(SPOT)
    page.get_by_role("button", name="One more").click()
    expect(page.locator(TILE)).to_have_count(2)
    hands.press(TILE)
    hands.press(SPOT)
    button = page.locator(YES).last
    expect(button).to_have_text(re.compile(r"^Queue \d{3}:\d+ \d{3}:\d+$"))
    planned = button.inner_text().removeprefix("Queue ")
    button.click()
    expect(page.get_by_text(f"Your queue: {planned}")).to_be_visible()
    assert _now(place, "holo", number).ply == 0


def test_wishes_and_pairs_are_dragged(place: Place, enter: Enter) -> None:
    number = place.challenge("walomino")
    page = _open(enter("alice"), place, "walomino", number)
    wishes = page.get_by_role("group", name="Your wishes")
    for colour in "RG":
        page.get_by_role("button", name=colour, exact=True).drag_to(wishes)
    value = page.get_by_label("Your move")
    expect(value).to_have_value("take:RG,any")
    wishes.get_by_role("button").last.drag_to(wishes.get_by_role("button").first)
    expect(value).to_have_value("take:GR,any")
    wishes.get_by_role("button").last.press("ArrowLeft")
    expect(value).to_have_value("take:RG,any")
    wishes.get_by_role("button").first.click()
    expect(value).to_have_value("take:G,any")
    for who in ("alice", "bob"):
        line = f"walomino move {number} {who} {{{who}}} take:any"
        assert place.house.type(line).status == 0
    page.reload()
    tiles = page.get_by_role("group", name="Your tiles").get_by_role("button")
    first, last = tiles.first.inner_text(), tiles.last.inner_text()
    count = tiles.count()
    tiles.first.drag_to(tiles.last)
    expect(tiles).to_have_count(count - 2)
    expect(value).to_have_value(f"pairs:{first}{last}")
    page.get_by_role("group", name="Your pairs").get_by_role("button").click()
    expect(tiles).to_have_count(count)
    expect(value).to_have_value("pairs:any")


def test_what_a_player_has_begun_is_not_lost_by_news(
    place: Place, enter: Enter
) -> None:
    number = place.challenge("holo")
    page = _open(enter("alice"), place, "holo", number)
    page.get_by_label("Write to the other players").fill("Wait")
    line = f"holo chat {number} bob {{bob}} -m=hello"
    assert place.house.type(line).status == 0
    expect(page.get_by_text("Something has happened on this board.")).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\* "))
    expect(page.get_by_label("Write to the other players")).to_have_value("Wait")


def test_the_tabs_of_a_browser_share_a_stream(place: Place, enter: Enter) -> None:
    """Each learns of its own board, also when the one that listens is closed."""
    games = ("holo", "hextol", "walomino")
    numbers = {game: place.challenge(game) for game in games}
    page = enter("alice")
    asked = list[str]()
    page.context.on("request", lambda one: asked.append(one.url))
    tabs = {game: page.context.new_page() for game in games}
    for game, tab in tabs.items():
        _open(tab, place, game, numbers[game])
    tabs.pop("holo").close()
    for game, tab in tabs.items():
        line = f"{game} chat {numbers[game]} bob {{bob}} -m=hello"
        assert place.house.type(line).status == 0
        expect(tab.get_by_text("hello")).to_be_visible()
    streams = [url for url in asked if "/news?" in url]
    assert any(url.count("board=") > 1 for url in streams)


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
    number = place.challenge("hextol")
    who = _now(place, "hextol", number).turn[0]
    page = enter(who, color_scheme=scheme)
    board = f"/hextol/{number}"
    for path in ("/", board, "/settings", "/challenge/holo", "/help/holo", "/players"):
        page.goto(f"{place.address}{path}")
        if path == board:
            Clicks(page).press(TILE)
            page.locator(SPOT).first.wait_for()
        found = axe.run(page, options={"runOnly": rules})
        assert not found.response["violations"], found.generate_report()


def test_the_address_has_no_files_besides(place: Place, enter: Enter) -> None:
    page = enter("carol")
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{place.address}/help/walomino")
    assert asked
    assert all(url.startswith(place.address) for url in asked)
