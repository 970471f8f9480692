"""The pages in a real browser."""

import re
from collections.abc import Callable
from time import monotonic

import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

from pbm_holomino import rules
from pbm_holomino.match import queue
from pbm_holomino.match.board import Match
from pbm_holomino.resident.work import Work
from pbm_holomino.server import waking
from pbm_holomino.web import boards
from pbm_holomino.web import robot_help as waiting
from pbm_holomino.web.clients import Client
from pbm_holomino.web.news import News
from tests.boards import ANY, sent, short, typed
from tests.house import PASSWORDS, home, mail_of
from tests.processes import wait_until
from tests.web.chromium import (
    CHOSEN,
    COLOUR,
    LETTER,
    LOOK,
    MARKS,
    OTHERS,
    PHONE,
    PLAY,
    SPOT,
    TILE,
    YES,
    Clicks,
    Enter,
    Fingers,
    Forms,
    Keys,
    Place,
    check_is_accessible,
    chromium,
    enter,
    go_far_away,
    has_room,
    place,
    play,
    same_deals,
    stands_still,
)
from tests.web.stacks import STACKING, to_top

__all__ = ["chromium", "enter", "place", "same_deals"]
pytestmark = MARKS


# Whole games: who plays, and how those do it who have a browser


# Of the first games; others are played with a mouse and with keys.
PLAYED: list[tuple[str, str, dict[str, type[Clicks]]]] = [
    ("holo", "alice bob", {"alice": Clicks, "bob": Keys}),
    ("hextol", "alice bob", {"alice": Clicks, "bob": Fingers}),
    ("walomino", "alice bob carol", {"alice": Keys, "bob": Forms}),
]
LATER = {*rules.names()} - {game for game, *_ in PLAYED}
PLAYED += [
    (game, "alice bob", {"alice": Clicks, "bob": Keys}) for game in sorted(LATER)
]


FIRST_BY_HAND, LAST_BY_HAND = 9, 4  # moves of a long game


@pytest.mark.parametrize(("game", "names", "hands"), PLAYED)
def test_a_game_is_played_to_its_end(
    place: Place,
    enter: Enter,
    game: str,
    names: str,
    hands: dict[str, type[Clicks]],
) -> None:
    """Whoever has no browser plays by mail. The middle of a long game is typed, once
    everybody has moved in each phase."""
    number = place.challenge(game, typed(short(game)), names)
    board = f"{place.address}/{game}/{number}"
    players = {who: how(enter(who, **how.how)) for who, how in hands.items()}
    for player in players.values():
        player.page.goto(board)
    while (match := _now(place, game, number)).result is None:
        if match.ply == FIRST_BY_HAND:
            place.play(game, number, _left(match) - LAST_BY_HAND)
            match = _now(place, game, number)
        who = match.turn[0]
        if who in players:
            _play_on_page(players[who], match, board)
            _wait_for(_now(place, game, number), players[who].page)
        else:
            view = match.view(None)
            move = ANY.get(view.phase)
            line = f"{game} move {number} {who} {PASSWORDS[who]}"
            subject = f"{line} {move or view.legal[0]}"
            place.house.mail(mail_of(subject, home(who)))
        assert _now(place, game, number).record.log[-1].who in names.split()
        assert len(_now(place, game, number).record.log) > len(match.record.log)
    for player in players.values():
        if isinstance(player, Forms):
            player.page.reload()
        expect(player.page.get_by_text("The game is over").first).to_be_visible()


@pytest.mark.parametrize("game", ["holo", "walomino"])  # with a board, and with letters
def test_a_turn_that_ends_while_its_page_comes_is_no_fault(
    place: Place, enter: Enter, game: str
) -> None:
    number = place.challenge(game)
    page = enter(_now(place, game, number).turn[0])

    def after_a_move(route: Route) -> None:
        place.play(game, number, 1)
        route.continue_()

    page.route("**/moves*", after_a_move, times=1)
    with page.expect_response("**/moves*"):
        _open(page, place, game, number)
    _wait_for(_now(place, game, number), page)


def test_a_player_signs_in_and_out(place: Place, enter: Enter) -> None:
    page = enter("carol")
    page.context.clear_cookies()
    page.goto(f"{place.address}/signin")
    page.get_by_label("Userid").fill("carol")
    page.get_by_label("Password").fill(PASSWORDS["carol"])
    page.locator("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your boards")).to_be_visible()
    page.locator(".who summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator(".who").get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.get_by_role("heading", name="Your boards")).to_have_count(0)


def _left(match: Match) -> int:
    """How many moves there are until the end, each the first that is legal."""
    played = match.ply
    while match.result is None:
        match = sent(match, match.turn[0], match.view(None).legal[0])
    return match.ply - played


def _now(place: Place, game: str, number: int) -> Match:
    return place.house.library.match(game, number)


def _play_on_page(player: Clicks, match: Match, board: str) -> None:
    """A player learns by news that it is their turn, and moves."""
    page = player.page
    if isinstance(player, Forms):
        page.goto(board)
    _wait_for(match, page)  # until then it may be loaded again at any moment
    asked = page.locator(".whose").get_by_text("It is your turn.")
    expect(asked).to_be_visible()
    with page.expect_response(f"{board}/move"):
        play(player, match.view(None).phase)


def _wait_for(match: Match, page: Page) -> None:
    """Wait until the page of a board shows it as it is now."""
    page.locator(f"main[data-revision='{boards.revision(match)}']").wait_for()


# Boards


# Two frames have begun, so that the first of them has been drawn.
FRAMES = """() => new Promise(
    begun => requestAnimationFrame(() => requestAnimationFrame(begun))
)"""


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


@pytest.mark.parametrize("hands", [Clicks, Keys, Fingers])
def test_a_tile_is_put_on_top_of_others(
    place: Place, enter: Enter, hands: type[Clicks]
) -> None:
    for game in STACKING:
        _put_on_top(place, enter, game, hands)


def _put_on_top(place: Place, enter: Enter, game: str, hands: type[Clicks]) -> None:
    number = place.challenge(game)
    move = to_top(place.house, game, number)
    tile, _, positions = move.partition(":")
    first, second = positions.split(",")
    page = enter(_now(place, game, number).turn[0], **hands.how)
    player = hands(_open(page, place, game, number))
    player.press(f".tiles button:has([data-tile='{tile}'])")
    spot = page.locator(f"[data-place='{first}']")
    expect(spot).to_have_attribute("aria-label", re.compile(r", on top of \w+'s \d"))
    if hands is Keys:
        spot.focus()  # arrow keys lead to it, as to every place
        page.keyboard.press("Enter")
    else:
        player.press(f"[data-place='{first}']")
    page.locator(YES).wait_for()
    while move not in page.locator(YES).inner_text():
        before = page.locator(YES).inner_text()
        player.press(".rotate")
        expect(page.locator(YES)).not_to_have_text(before)
    counted = str(rules.load(game).SCORING.points)
    expect(page.get_by_role("status")).to_contain_text(counted)
    player.press(YES)
    expect(page.get_by_text(f"You played {move} on top").first).to_be_visible()
    heights = _now(place, game, number).view(None).drawing.heights
    assert {*heights} == {int(first), int(second)}


def test_a_phone_has_room_for_a_board(place: Place, enter: Enter) -> None:
    number = place.challenge("holo")
    page = _open(enter("alice", **Fingers.how), place, "holo", number)
    hands = Fingers(page)
    hands.press(TILE)
    page.locator(SPOT).first.wait_for()
    _check_is_for_thumbs(page, TILE)
    hands.press(SPOT)
    page.locator(YES).wait_for()
    _check_is_for_thumbs(page, ".bar button")
    assert has_room(page)
    board = page.locator("figure.board").bounding_box()
    assert board is not None
    assert board["width"] >= 0.9 * PHONE["width"]


def _check_is_for_thumbs(page: Page, selector: str) -> None:
    for button in page.locator(selector).all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 40
        assert PHONE["height"] / 3 <= box["y"] <= PHONE["height"] - box["height"]


def test_a_board_fits_again_when_a_phone_is_turned(place: Place, enter: Enter) -> None:
    number = place.challenge("hextol")
    still = {"reduced_motion": "reduce"}
    page = enter("carol", viewport={"width": 740, "height": 360}, **still)
    lying = _seen(_open(page, place, "hextol", number))
    page.set_viewport_size(PHONE)
    wait_until(lambda: page.evaluate(_WINDOW) != lying)
    upright = _seen(page)
    other = _open(enter("carol", viewport=PHONE, **still), place, "hextol", number)
    assert _seen(other) == upright


_WINDOW = "() => document.querySelector('figure.board svg').getAttribute('viewBox')"


def _seen(page: Page) -> str:
    """What is seen of the plane of a board."""
    page.locator(".zoom").wait_for()
    page.evaluate(FRAMES)  # before which it is what the server made
    return str(page.evaluate(_WINDOW))


def test_a_board_is_seen_as_before_even_if_scripts_come_late(
    place: Place, enter: Enter
) -> None:
    number = place.challenge("holo")
    place.play("holo", number, 4)
    page = enter("carol", reduced_motion="reduce")
    whole = _seen(_open(page, place, "holo", number))
    for _ in range(2):
        page.get_by_role("button", name="Larger").click()
    near = _seen(page)
    assert near != whole
    page.route("**/page.js", lambda route: None)  # no answer comes
    page.reload(wait_until="commit")
    page.locator("figure.board svg").wait_for()
    assert page.evaluate(_WINDOW) == near
    assert page.locator(".zoom").count() == 0
    page.unroute("**/page.js")
    page.reload()
    assert _seen(page) == near
    page.get_by_role("button", name="The whole board").click()
    assert _seen(page) == whole


def test_what_a_browser_keeps_of_a_board_may_be_damaged(
    place: Place, enter: Enter
) -> None:
    number = place.challenge("holo")
    page = enter("carol", reduced_motion="reduce")
    whole = _seen(_open(page, place, "holo", number))
    page.evaluate(_DAMAGE)
    page.reload()
    assert _seen(page) == whole


_DAMAGE = """addEventListener("pagehide", () => {
    for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, "{");
})"""


def test_a_large_board_is_dragged(place: Place, enter: Enter) -> None:
    """And a drag is no click on what lies under the mouse."""
    number = place.challenge("holo")
    page = _open(enter("alice"), place, "holo", number)
    Clicks(page).press(TILE)
    for _ in range(3):
        page.get_by_role("button", name="Larger").click()
    spot = page.locator(SPOT).first
    x, y = spot.evaluate(
        """place => {
            const box = place.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round);
        }"""
    )
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 10, y - 10)
    before = spot.bounding_box()
    page.mouse.move(x - 40, y - 30, steps=4)
    after = spot.bounding_box()
    page.mouse.up()
    assert before is not None
    assert after is not None
    # it stops where the board ends, which is much larger than its frame
    assert 0 <= before["x"] - after["x"] <= 31
    assert 0 <= before["y"] - after["y"] <= 21
    assert (before["x"], before["y"]) != (after["x"], after["y"])
    assert page.locator(YES).count() == 0


@pytest.mark.parametrize("how", [Clicks, Fingers])
def test_moves_are_laid_out_on_the_board_and_queued(
    place: Place, enter: Enter, how: type[Clicks]
) -> None:
    number = place.challenge("holo")
    page = _open(enter("bob", **how.how), place, "holo", number)  # it is alice's turn
    page.get_by_text("Move ahead").click()
    page.get_by_role("button", name="Lay them out on the board").click()
    hands = how(page)
    button = _plan_two(page, hands)
    expect(button).to_have_text(re.compile(r"^Queue \d{3}:\d+ \d{3}:\d+$"))
    planned = button.inner_text().removeprefix("Queue ")
    button.click()
    expect(page.get_by_text(f"Your queue: {planned}")).to_be_visible()
    assert _now(place, "holo", number).ply == 0


def _plan_two(page: Page, hands: Clicks) -> Locator:
    """Lay two tiles on the board; the button that sends both."""
    hands.press(TILE)
    hands.press(SPOT)
    page.get_by_role("button", name="Plan one more").click()
    expect(page.locator(CHOSEN)).to_have_count(0)
    hands.press(TILE)
    hands.press(SPOT)
    return page.locator(YES).last


@pytest.mark.parametrize("how", [Clicks, Fingers, Keys])
def test_an_answer_is_chosen_on_the_board_and_queued(
    place: Place, enter: Enter, how: type[Clicks]
) -> None:
    number = place.challenge("holo")
    page = _open(enter("bob", **how.how), place, "holo", number)  # it is alice's turn
    hands = how(page)
    hands.press("text=If they play this")
    played = []
    for mover in ("alice", "bob"):
        hands.press(TILE)
        hands.press(SPOT)
        step = page.locator(f"[aria-current=page]:has-text('{mover}: ')")
        expect(step).to_be_visible()
        played.append(step.inner_text().split()[-1])
    assert has_room(page)
    theirs, mine = played
    hands.press("text=If they play")
    expect(page.get_by_text(f"if {theirs} {mine}")).to_be_visible()
    match = _now(place, "holo", number)
    assert match.ply == 0
    assert queue.tree(match, "bob") == ((theirs, mine),)


def test_a_board_is_dropped_on_the_page(place: Place, enter: Enter) -> None:
    """As a file or as words; what is no board is refused, and can be mended."""
    number = place.challenge("holo")
    page, shown = enter("carol"), place.house.type(f"holo show {number}").text
    page.goto(f"{place.address}/holo/paste")
    expect(page.get_by_text("A file can also be dropped")).to_be_visible()
    _drop(page, "(text, words) => words.setData('text', text)", "no board")
    expect(page.get_by_role("alert")).to_contain_text("I see no board there.")
    expect(page.get_by_role("textbox")).to_have_value("no board")
    expect(page.get_by_text("A file can also be dropped")).to_be_visible()
    _drop(page, "(text, words) => words.items.add(new File([text], 'it.txt'))", shown)
    expect(page.locator("figure.board svg")).to_be_visible()
    hands = Clicks(page)
    hands.press(TILE)
    hands.press(SPOT)
    expect(page.locator("ol.line li")).to_have_count(1)
    check_is_accessible(page)


def _drop(page: Page, fill: str, text: str) -> None:
    """Drop something on a page, which a function fills with this text."""
    made = (
        f"text => {{ const it = new DataTransfer(); ({fill})(text, it); return it; }}"
    )
    dropped = page.evaluate_handle(made, text)
    page.locator("h1").dispatch_event("drop", {"dataTransfer": dropped})


def test_what_follows_a_move_is_planned_with_it(place: Place, enter: Enter) -> None:
    """The first move is played at once, and the other waits for its turn."""
    number = place.challenge("holo")
    page = _open(enter("alice"), place, "holo", number)
    button = _plan_two(page, Clicks(page))
    expect(button).to_have_text(re.compile(r"^Play \d{3}:\d+, then \d{3}:\d+$"))
    first, then = button.inner_text().removeprefix("Play ").split(", then ")
    button.click()
    expect(page.get_by_text(f"Your queue: {then}")).to_be_visible()
    match = _now(place, "holo", number)
    assert match.ply == 1
    assert [line.action for line in match.record.log if line.no] == [first]


def test_places_are_found_by_key(place: Place, enter: Enter) -> None:
    """Arrow keys go from place to place. What comes of it is announced."""
    page = _at_turn(place, enter, "hextol")
    keys, keyboard = Keys(page), page.keyboard
    announced = page.get_by_role("status")
    expect(announced).to_have_text("Choose a tile, then a place on the board.")
    keys.press(TILE)
    tile = page.locator(CHOSEN).inner_text()
    expect(announced).to_contain_text(f"{tile} fits at ")
    keys.reach(SPOT)
    focus = page.locator(":focus")
    start, before = focus.get_attribute("data-place"), focus.bounding_box()
    keyboard.press("ArrowDown")
    after = focus.bounding_box()
    assert before is not None
    assert after is not None
    assert after["y"] > before["y"]
    keyboard.press("ArrowUp")
    assert focus.get_attribute("data-place") == start
    keyboard.press("Enter")
    expect(page.locator(YES)).to_be_focused()
    expect(announced).to_contain_text(" scores ")


def test_the_focus_is_not_lost(place: Place, enter: Enter) -> None:
    """It stays on the button that turns a tile, and each Escape goes one step back."""
    page = _at_turn(place, enter, "hextol")
    keys, focus = Keys(page), page.locator(":focus")
    keys.press(TILE)
    tile = focus.inner_text()
    keys.reach(SPOT)
    start = focus.get_attribute("data-place")
    page.keyboard.press("Enter")
    for turn in "2 of 2", "1 of 2":
        keys.press(".rotate")
        expect(focus).to_have_text(f"Turn ({turn})")
    page.keyboard.press("Escape")
    assert focus.get_attribute("data-place") == start
    page.keyboard.press("Escape")
    expect(focus).to_have_text(tile)
    assert page.locator(CHOSEN).count() == page.locator(SPOT).count() == 0


def _at_turn(place: Place, enter: Enter, game: str) -> Page:
    """The page of a new board, with the player whose turn it is."""
    number = place.challenge(game)
    return _open(enter(_now(place, game, number).turn[0]), place, game, number)


def test_pairs_are_looked_at_when_none_is_missing(place: Place, enter: Enter) -> None:
    number = place.challenge("walomino")
    for who in ("alice", "bob"):
        line = f"walomino move {number} {who} {{{who}}} take:any"
        assert place.house.type(line).status == 0
    page = _open(enter("alice"), place, "walomino", number)
    hands = Clicks(page)
    hands.press(LETTER)
    hands.press(LETTER, last=True)
    hands.press(LOOK)
    expect(page.get_by_text("Please pair the other 22 tiles, too.")).to_be_visible()
    hands.press(OTHERS)
    expect(page.locator(LETTER)).to_have_count(0)
    hands.press(LOOK)
    expect(page.locator(PLAY)).to_be_visible()
    pairs = page.get_by_role("group", name="Your pairs").get_by_role("button")
    page.get_by_role("link", name="Back to the board").click()
    expect(pairs).to_have_count(12)
    pairs.first.click()
    expect(page.locator(LETTER)).to_have_count(2)
    page.reload()
    expect(pairs).to_have_count(11)
    expect(page.locator(LETTER)).to_have_count(2)
    with page.expect_response("**/move"):
        hands.pair()
    assert _now(place, "walomino", number).turn == ("bob",)


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}])
@pytest.mark.parametrize("phase", ["take", "pair"])
def test_letters_have_room_before_their_script_comes(
    place: Place, enter: Enter, phase: str, size: object
) -> None:
    number = place.challenge("walomino")
    for who in ("alice", "bob") if phase == "pair" else ():
        line = f"walomino move {number} {who} {{{who}}} take:any"
        assert place.house.type(line).status == 0
    page = enter("alice", viewport=size)
    go_far_away(page)
    button = _open(page, place, "walomino", number).locator(LOOK)
    button.wait_for()
    first = button.bounding_box()
    page.locator(f"{LETTER}, {COLOUR}").first.wait_for()
    page.evaluate(FRAMES)
    assert button.bounding_box() == first
    assert stands_still(page)


@pytest.mark.parametrize("game", rules.names())
def test_nothing_moves_while_a_tile_is_put(
    place: Place, enter: Enter, game: str
) -> None:
    number = place.challenge(game)
    place.play(game, number, 4)
    while (match := _now(place, game, number)).view(None).phase in ANY:
        place.play(game, number, 1)
    page = enter(match.turn[0], **Fingers.how)
    go_far_away(page)
    hands = Fingers(_open(page, place, game, number))
    hands.press(TILE)
    page.locator(SPOT).first.wait_for()
    hands.press(SPOT)
    page.locator(YES).wait_for()
    page.evaluate(FRAMES)
    assert stands_still(page, when_touched=True)
    with page.expect_navigation():
        hands.press(YES)
    page.wait_for_load_state("networkidle")
    page.evaluate(FRAMES)
    assert stands_still(page, when_touched=True)


# The widths at which a mark such as a full stop is not right after its tile
_APART = """() => {
    const [said] = document.querySelectorAll(".happened"), apart = [];
    for (let width = 200; width < 600; width += 2) {
        said.style.width = `${width}px`;
        for (const tile of said.querySelectorAll(".tile")) {
            const mark = tile.nextSibling;
            if (!/^[.,]/.test(mark?.data ?? "")) continue;
            const range = document.createRange();
            range.setStart(mark, 0);
            range.setEnd(mark, 1);
            const { left } = range.getBoundingClientRect();
            const { right } = tile.firstChild.getBoundingClientRect();
            if (left < right || left > right + 4) apart.push(width);
        }
    }
    return apart;
}"""


@pytest.mark.parametrize(("game", "ply"), [("holo", 8), ("walomino", 4)])
def test_no_line_begins_with_the_full_stop_after_a_tile(
    place: Place, enter: Enter, game: str, ply: int
) -> None:
    """Nor are tiles, of which there may be many in a row, wider than the page."""
    number = place.challenge(game)
    place.play(game, number, ply)
    page = _open(enter("alice", viewport=PHONE), place, game, number)
    assert has_room(page)
    assert page.locator(".happened .tile").count() > 1
    assert page.evaluate(_APART) == []


def test_tiles_to_be_paired_are_shown_once_on_a_phone(
    place: Place, enter: Enter
) -> None:
    number = place.challenge("walomino")
    place.play("walomino", number, 2)
    page = _open(enter("alice", viewport=PHONE), place, "walomino", number)
    mine, theirs = page.locator("[data-mine] .rack"), page.locator(".rack").last
    page.locator(LETTER).first.wait_for()
    expect(mine.locator(".tile:visible")).to_have_count(0)
    expect(theirs.locator(".tile:visible")).to_have_count(page.locator(LETTER).count())
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(mine.locator(".tile:visible")).to_have_count(page.locator(LETTER).count())


def test_a_record_has_room_on_a_phone(place: Place, enter: Enter) -> None:
    """Its lines go on in the next one."""
    number = place.reviewed("walomino")
    page = enter("alice", viewport=PHONE)
    for part in ("record", "verify"):
        page.goto(f"{place.address}/walomino/{number}/{part}")
        lines = page.locator("pre")
        assert lines.evaluate("it => it.scrollWidth - it.clientWidth") == 0, part


def test_wishes_and_pairs_are_dragged(place: Place, enter: Enter) -> None:
    number = place.challenge("walomino")
    page = _open(enter("alice"), place, "walomino", number)
    wishes = page.get_by_role("group", name="Your wishes")
    for colour in "RG":
        page.get_by_role("button", name=f"{colour} 10").drag_to(wishes)
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


def test_a_board_that_waits_is_one_click_away(place: Place, enter: Enter) -> None:
    """And it is offered once nothing is left to do on this one."""
    here, there = place.challenge("holo"), place.challenge("hextol")
    (who,) = _now(place, "hextol", there).turn
    page = _open(enter(who), place, "holo", here)
    expect(page).to_have_title(re.compile(r"^\([0-9]+\) holo "))
    page.get_by_role("link", name="for you").click()
    page.wait_for_url(re.compile(r"/[a-z]+/[0-9]+$"))
    if who in _now(place, "holo", here).turn:
        place.house.play(here, moves=1)
    _open(page, place, "holo", here)
    page.get_by_role("link", name="Next: ").click()
    expect(page.locator(".whose")).to_have_text("It is your turn.")
    page.goto(f"{place.address}/hextol/{there}/0")
    expect(page).to_have_title(re.compile(r"^\([0-9]+\) hextol "))
    expect(page.locator(".offered")).to_have_count(0)  # an earlier position is here


@pytest.mark.parametrize("width", [320, 360])
def test_the_next_board_is_offered_beside_the_slider(
    place: Place, enter: Enter, width: int
) -> None:
    """On a phone, and nothing moves when it comes."""
    here, there = place.challenge("holo"), place.challenge("hextol")
    (who,) = _now(place, "hextol", there).turn
    place.house.play(here, moves=1 + (who not in _now(place, "holo", here).turn))
    page = enter(who, viewport={**PHONE, "width": width})
    go_far_away(page)
    _open(page, place, "holo", here)
    offered = page.locator(".offered")
    offered.wait_for()
    offered.evaluate("it => { it.textContent = 'Next: walomino 123'; }")
    for each in (page.get_by_label("Position after move"), page.locator("figure")):
        assert not _overlap(offered, each)
    page.get_by_text("All positions").click(position={"x": 20, "y": 10})
    assert not _overlap(offered, page.locator(".moves details p"))
    assert stands_still(page)


def _overlap(one: Locator, other: Locator) -> bool:
    boxes = [it.bounding_box() for it in (one, other)]
    tops = [box["y"] for box in boxes if box]
    ends = [box["y"] + box["height"] for box in boxes if box]
    assert len(tops) == 2
    return max(tops) < min(ends)


def test_tiles_are_of_the_colours_that_somebody_has_chosen(
    place: Place, enter: Enter
) -> None:
    page = _open(enter("alice"), place, "holo", place.challenge("holo"))
    page.locator(".look summary").click()
    for name, attribute in ("dark", "theme"), ("stone", "tiles"), ("hidden", "numbers"):
        page.get_by_role("radio", name=name).check()
        expect(page.locator(f"html[data-{attribute}]")).to_have_count(1)
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    expect(page.locator("[data-kind=move]").first).to_be_hidden()


def test_a_board_stays_where_it_is_while_a_tile_is_put(
    place: Place, enter: Enter
) -> None:
    page = _at_turn(place, enter, "hextol")
    laid = page.locator("svg:not([hidden]) > g > .laid > g").first
    page.locator(TILE).first.wait_for()
    page.evaluate(FRAMES)  # what the scripts have made of the page is drawn
    before = laid.bounding_box()
    page.evaluate(
        """() => {
            window.moved = 0;
            const add = ({ hadRecentInput, value }) => { window.moved += value; };
            const seen = (list) => list.getEntries().forEach(add);
            new PerformanceObserver(seen).observe({ type: "layout-shift" });
        }"""
    )
    Clicks(page).press(TILE)
    Clicks(page).press(SPOT)
    page.locator(YES).wait_for()
    page.evaluate(FRAMES)
    assert laid.bounding_box() == before
    assert page.evaluate("window.moved") <= 0.02


def test_a_board_stays_where_it_is_while_moves_are_played(
    place: Place, enter: Enter
) -> None:
    """By a player, and by the opponent, which comes by news. A board that does not grow
    out of its frame has no reason to move."""
    number = place.challenge("hextad")
    place.play("hextad", number, 6)
    who = _now(place, "hextad", number).turn[0]
    page = enter(who, viewport=PHONE, reduced_motion="reduce")
    _open(page, place, "hextad", number)
    page.locator(TILE).first.wait_for()
    before = pytest.approx(_first_laid(page), abs=1)  # pixel
    with page.expect_response("**/move"):
        Clicks(page).place_tile()
    _wait_for(_now(place, "hextad", number), page)
    page.locator(".zoom").wait_for()
    assert _first_laid(page) == before
    place.play("hextad", number, 1)
    _wait_for(_now(place, "hextad", number), page)
    page.locator(TILE).first.wait_for()  # the places of the next move have room too
    assert _first_laid(page) == before


def _first_laid(page: Page) -> object:
    """Where the first tile of a board is on the screen, and its size."""
    page.evaluate(FRAMES)
    return page.locator("svg:not([hidden]) > g > .laid > g").first.bounding_box()


def _wheel(page: Page, x: float, y: float) -> None:
    page.mouse.move(x, y)
    page.mouse.wheel(0, -100)


def _pinch(page: Page, x: float, y: float) -> None:
    """Put two fingers on the screen, and move them apart."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *places: float) -> None:
        points = [{"x": at, "y": y, "id": no} for no, at in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", x - 30, x + 30)
    for far in range(35, 65, 5):
        touch("touchMove", x - far, x + far)
    touch("touchEnd")


@pytest.mark.parametrize(("hands", "enlarge"), [(Clicks, _wheel), (Fingers, _pinch)])
def test_a_board_gets_larger_smoothly_and_fits_again(
    place: Place,
    enter: Enter,
    hands: type[Clicks],
    enlarge: Callable[[Page, float, float], None],
) -> None:
    """And its page stays as it is."""
    number = place.challenge("holo")
    page = _open(enter("carol", **hands.how), place, "holo", number)
    whole = _seen(page)
    box = page.locator("figure.board").bounding_box()
    assert box is not None
    page.evaluate(_WATCHED)
    enlarge(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_until(lambda: page.evaluate("widths.at(-1) < 0.7 * widths[0]"))
    widths = page.evaluate("widths")
    assert len({*widths}) > 3  # also on a slow machine
    assert widths == sorted(widths, reverse=True)
    assert page.evaluate("[visualViewport.scale, scrollY]") == [1, 0]
    hands(page).press("[aria-label='The whole board']")
    expect(page.locator("figure.board svg")).to_have_attribute("viewBox", whole)


# How wide a view is, each time that it changes
_WATCHED = """() => {
    const svg = document.querySelector("figure.board svg");
    window.widths = [svg.viewBox.baseVal.width];
    new MutationObserver(() => {
        widths.push(svg.viewBox.baseVal.width);
    }).observe(svg, { attributeFilter: ["viewBox"] });
}"""


def test_a_move_is_played_at_once_by_those_who_like_that(
    place: Place, enter: Enter
) -> None:
    """If there is one way only to play it."""
    page = _at_turn(place, enter, "holo")
    number = int(page.url.rpartition("/")[2])
    page.locator(".look summary").click()
    page.get_by_label("is played at once").check()
    page.reload()
    Clicks(page).press(TILE)
    Clicks(page).press(SPOT)
    expect(page.get_by_text("You played").first).to_be_visible()
    assert _now(place, "holo", number).ply == 1


def test_what_the_last_move_closed_is_shown_until_the_next_touch(
    place: Place, enter: Enter
) -> None:
    """Without motion, it stays until then."""
    number = place.challenge("holo")
    while not (new := _closed(match := _now(place, "holo", number))):
        gains = match.rules.gains(match.state, match.view(None).moves)
        move = match.view(None).legal[gains.index(max(gains))]
        line = f"holo move {number} {match.turn[0]} {{{match.turn[0]}}} {move}"
        assert place.house.type(line).status == 0
    page = enter("carol", reduced_motion="reduce")
    drawn = _open(page, place, "holo", number).locator(".closed .new")
    expect(drawn).to_have_count(len(new))
    assert drawn.first.get_attribute("data-value") == str(new[0])
    ground = drawn.first.locator("rect")
    filled = ground.evaluate("one => getComputedStyle(one).fill")
    page.locator(".zoom").wait_for()  # its script has begun
    page.mouse.move(5, 5)
    page.mouse.down()
    assert ground.evaluate("one => getComputedStyle(one).fill") != filled


def _closed(match: Match) -> list[int]:
    """What the holes are worth that the last move has closed."""
    return [one.value for one in match.rules.closed(match.state) if one.is_new]


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


def test_the_board_on_the_front_page_changes_as_it_is_played(
    place: Place, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place.house, "time", "2099-01-01T00:00:00Z")  # the latest
    number = place.challenge("holo")
    page = enter("alice")
    page.context.clear_cookies()
    page.goto(place.address)
    picture = page.locator("[data-live]")
    shown = picture.get_attribute("src") or ""
    assert f"/holo/{number}/" in shown
    wait_until(lambda: place.streams > 0, "a stream")
    for _ in range(2):
        place.house.play(number, moves=1)
        expect(picture).not_to_have_attribute("src", shown)
        shown = picture.get_attribute("src") or ""


def test_the_tabs_of_a_browser_share_a_stream(place: Place, enter: Enter) -> None:
    """Each learns of its own board, also when the one that listens is closed."""
    games = ("holo", "hextol", "walomino")
    numbers = {game: place.challenge(game) for game in games}
    page = enter("alice")
    wait_until(lambda: place.streams == 0, "no stream")  # of other tests
    tabs = {game: page.context.new_page() for game in games}
    with page.context.expect_event("request", lambda one: _boards_in(one.url) == 3):
        for game, tab in tabs.items():
            _open(tab, place, game, numbers[game])
    wait_until(lambda: place.streams == 1, "a stream for all")
    tabs.pop("holo").close()
    for game, tab in tabs.items():
        line = f"{game} chat {numbers[game]} bob {{bob}} -m=hello"
        assert place.house.type(line).status == 0
        expect(tab.get_by_text("hello")).to_be_visible()


def test_a_reader_who_was_refused_news_asks_again_and_each_time_later(
    place: Place, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = place.challenge("holo")
    has_room, times = News._has_room, list[float]()

    def refusing(source: News, network: str, client: Client) -> bool:
        times.append(monotonic())
        return len(times) > 2 and has_room(source, network, client)

    monkeypatch.setattr(News, "_has_room", refusing)
    page = enter("bob")
    page.add_init_script("Math.random = () => 0")
    page.goto(f"{place.address}/holo/{number}")
    late = page.get_by_text("This page keeps trying.")
    expect(late).to_be_visible()
    wait_until(lambda: len(times) == 3, "the third time")
    wait_until(lambda: place.streams, "a stream")
    expect(late).to_have_count(0)
    place.house.play(number, moves=1)
    expect(page).to_have_title(re.compile(f"holo {number}: It is your turn.$"))
    first, second, third = times[:3]
    assert second - first >= 2
    assert third - second >= 4


def _boards_in(url: str) -> int:
    """How many boards a stream is for."""
    return url.count("board=") if "/news?" in url else 0


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


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}])
def test_board_slider_and_graph_are_seen_at_once(
    place: Place, enter: Enter, size: ViewportSize
) -> None:
    page = enter("alice", viewport=size)
    page.goto(f"{place.address}/holo/{place.reviewed('holo')}/review")
    slider = page.get_by_label("Position after move").bounding_box()
    graph = page.get_by_role("img", name="chances of winning").bounding_box()
    assert slider
    assert graph
    assert 0 < graph["y"] - slider["y"] - slider["height"] < 40
    assert graph["height"] < 160
    assert graph["y"] + graph["height"] < size["height"]


def test_a_step_of_a_lesson_is_done_by_keys(place: Place, enter: Enter) -> None:
    page = enter("carol")
    page.context.clear_cookies()
    page.goto(f"{place.address}/learn/holo/1")
    Keys(page).place_tile()
    expect(page.get_by_text("Well done.")).to_be_visible()


def test_a_hint_shows_itself_when_it_is_there(
    place: Place, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a form has been refused meanwhile, which is not sent again. No process
    but this one thinks, and it does when the form has been refused."""
    monkeypatch.setattr(waking, "wake", lambda home: True)
    monkeypatch.setattr(waiting, "PATIENCE", 0.0)
    number = place.challenge("holo", "-rated=no")
    board = f"{place.address}/holo/{number}"
    page = enter(_now(place, "holo", number).turn[0])
    page.goto(board)
    page.get_by_role("button", name="Ask a robot for a hint").click()
    expect(page.get_by_text("A robot is thinking about your move.")).to_be_visible()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_be_visible()
    for _ in Work(place.house.server, 0.0).do_all():
        pass
    expect(page.get_by_text("A robot would play")).to_be_visible()
    assert page.url == board


def test_the_address_has_no_files_besides(place: Place, enter: Enter) -> None:
    page = enter("carol")
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{place.address}/help/walomino")
    assert asked
    assert all(url.startswith(place.address) for url in asked)


@pytest.mark.parametrize("game", rules.names())
def test_a_page_has_little_script(place: Place, enter: Enter, game: str) -> None:
    """In each phase of a game; and, with the first game, other pages that have many."""
    number, left, sizes = place.challenge(game), {*ANY, "play"}, dict[str, int]()
    path = f"/{game}/{number}"
    while (phase := (match := _now(place, game, number)).view(None).phase) in left:
        left.remove(phase)
        page = enter(match.turn[0])
        is_first = phase == "play" and game == rules.names()[0]
        others = ("/", "/settings") if is_first else ()
        for each in (path, f"{path}/try", *others):
            page.goto(f"{place.address}{each}")
            page.wait_for_load_state("networkidle")
            sizes[f"{phase} {each}"] = page.evaluate(_BYTES_OF_SCRIPTS)
        for who in match.record.players if phase in ANY else ():
            line = f"{game} move {number} {who} {{{who}}} {ANY[phase]}"
            assert place.house.type(line).status == 0
    assert {page: size for page, size in sizes.items() if size >= 40_000} == {}
    assert min(sizes.values()) > 15_000  # each has come


_BYTES_OF_SCRIPTS = """performance.getEntriesByType("resource")
    .filter(({ name }) => name.endsWith(".js") && !name.endsWith("/worker.js"))
    .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)"""
