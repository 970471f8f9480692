"""Lines that are tried in a real browser: on a board, and on one that was pasted."""

import pytest
from playwright.sync_api import expect

from pbm_holomino import rules
from tests.web.chromium import (
    CHOICE,
    LOOK,
    MARKS,
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
    has_room,
    place,
    play,
    same_deals,
)

__all__ = ["chromium", "enter", "place", "same_deals"]
pytestmark = MARKS

LINE, STEP, TURNS = "form.move [name=line]", "ol.line li", ".bar .cancel"
# The script is the same on both, so each game has a mouse on one and keys on the other;
# the one whose moves are also words has more.
Ways = list[tuple[str, type[Clicks]]]
MORE: Ways = [("walomino", Fingers), ("walomino", Forms)]
ON_A_BOARD: Ways = [(game, Clicks) for game in rules.names()]
PASTED: Ways = [(game, Keys) for game in rules.names()]


def _go_on(hands: Clicks) -> bool:
    """Do what a line asks for next; whether that has put down a tile."""
    page = hands.page
    page.locator(LINE).first.wait_for(state="attached")
    before = page.locator(LINE).first.input_value()
    form = page.locator("#move")
    phase = form.get_attribute("data-phase") if form.count() else ""
    if not phase:
        hands.press("text=Draw by chance")
    elif phase == "play" and not isinstance(hands, Forms):
        _place_tile(hands)
    else:
        play(hands, str(phase))
    expect(page.locator(LINE).first).not_to_have_value(before)
    return phase == "play"


def _place_tile(hands: Clicks) -> None:
    """A tile that fits in one way only is there at once."""
    count = hands.page.locator(STEP).count()
    hands.press(TILE)
    hands.press(SPOT)
    there, turns = hands.page.locator(STEP).nth(count), hands.page.locator(TURNS)
    expect(there.or_(turns).first).to_be_visible()
    if turns.is_visible():
        hands.press(YES)


@pytest.mark.parametrize(("game", "how"), ON_A_BOARD + MORE)
def test_a_line_is_tried_on_the_board(
    place: Place, enter: Enter, game: str, how: type[Clicks]
) -> None:
    """In Walomino from the first take on, through all that chance does."""
    number = place.challenge(game)
    page = enter("alice", **how.how)
    page.goto(f"{place.address}/{game}/{number}/try")
    hands, placed = how(page, [LOOK]), 0
    while placed < 2:
        placed += _go_on(hands)
        assert has_room(page)
    assert page.locator(STEP).count() > 2  # the first of them is the board as it is
    assert place.house.library.match(game, number).ply == 0


def test_a_tile_that_fits_in_several_ways_is_turned_first(
    place: Place, enter: Enter
) -> None:
    number = place.challenge("hextol")
    page = enter("alice")
    page.goto(f"{place.address}/hextol/{number}/try")
    hands, steps = Clicks(page, [LOOK]), page.locator(STEP).count()
    hands.press(TILE)
    hands.press(SPOT)
    expect(page.locator(TURNS)).to_be_visible()
    expect(page.locator(STEP)).to_have_count(steps)


@pytest.mark.parametrize(("game", "how"), PASTED + MORE)
def test_a_line_is_tried_on_a_board_that_was_pasted(
    place: Place, enter: Enter, game: str, how: type[Clicks]
) -> None:
    options = "-draft=random" if game == "walomino" else ""
    number = place.challenge(game, options)
    for who in ("alice", "bob") if options else ():
        line = f"walomino move {number} {who} {{{who}}} pairs:any"
        assert place.house.type(line).status == 0
    before = place.house.library.match(game, number).ply
    page = enter("carol", **how.how)
    page.goto(f"{place.address}/{game}/paste")
    page.locator("textarea").fill(place.house.type(f"{game} show {number}").text)
    hands = how(page, [LOOK])
    hands.press("text=Show this board")
    for count in (1, 2):
        assert _go_on(hands)
        expect(page.locator(STEP)).to_have_count(count)
        assert has_room(page)
    hands.press("text=Take the last one back")
    expect(page.locator(STEP)).to_have_count(1)
    if how is Keys:
        check_is_accessible(page)
    assert place.house.library.match(game, number).ply == before


@pytest.mark.parametrize("how", [Clicks, Keys])
def test_a_record_is_played_on_from_its_first_take(
    place: Place, enter: Enter, how: type[Clicks]
) -> None:
    number = place.challenge("walomino")
    assert place.house.type(f"walomino resign {number} bob {{bob}}").status == 0
    record = place.house.type(f"walomino history {number} -format=json").text
    page = enter("carol", **how.how)
    page.goto(f"{place.address}/walomino/paste")
    page.locator("textarea").fill(record)
    hands = how(page, [LOOK])
    hands.press("text=Show this board")
    while not _go_on(hands):
        assert has_room(page)


def test_the_words_of_a_line_stay_in_the_address(place: Place, enter: Enter) -> None:
    """What has been put together is there again after another page."""
    number = place.challenge("walomino")
    page = enter("alice")
    page.goto(f"{place.address}/walomino/{number}/try?since=0&line=")
    Clicks(page).press("[aria-label=Colours] button")
    chosen = page.locator(CHOICE).input_value()
    assert "/try?since=0&line=#take:" in page.url
    page.reload()
    expect(page.locator(CHOICE)).to_have_value(chosen)
