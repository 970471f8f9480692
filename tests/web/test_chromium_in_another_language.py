"""Pages on a phone, in a language whose sentences are a third longer than English."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from pbm_holomino import rules
from tests.house import House
from tests.languages.walk import bare, in_the_pseudo_language
from tests.web.chromium import (
    CHOSEN,
    LOOK,
    MARKS,
    SPOT,
    TILE,
    YES,
    Enter,
    Fingers,
    Place,
    chromium,
    enter,
    has_room,
    place,
)

__all__ = ["chromium", "enter", "place"]
pytestmark = MARKS

PATHS = ("", "open", "settings", "players", "players/bob", "players/robot1")
PATHS_OF_A_GAME = ("{game}", "{game}/ratings", "{game}/1", "challenge/{game}")


@pytest.fixture(scope="module", autouse=True)
def in_another_language() -> Iterator[None]:
    """All players read the pseudo-language."""
    with in_the_pseudo_language():
        yield


@pytest.fixture
def page(place: Place, enter: Enter) -> Page:
    """A telephone, on which alice has signed in."""
    return enter("alice", **Fingers.how)


def test_no_page_is_wider_than_a_telephone(place: Place, page: Page) -> None:
    for game in rules.names():
        place.challenge(game)
    more = [
        path.format(game=game) for game in rules.names() for path in PATHS_OF_A_GAME
    ]
    for path in (*PATHS, *more):
        page.goto(f"{place.address}/{path}")
        expect(page.locator("html")).to_have_attribute("lang", "xx")
        page.evaluate(
            "document.querySelectorAll('details').forEach(one => one.open = true)"
        )
        assert has_room(page), path
    for path in ("signin", "signup", "forgot"):
        page.goto(f"{place.address}/{path}")
        assert has_room(page), path


# One game of each kind: scores decide, or the script says what else moves add.
GAMES = ["holo", *(name for name in rules.names() if rules.load(name).SCORING.gains)]


@pytest.mark.parametrize("game", GAMES)
def test_a_move_has_room_on_a_telephone(place: Place, page: Page, game: str) -> None:
    """And all that the script says meanwhile is in its language."""
    number = place.challenge(game)
    play_to_the_places(place.house, game, number)
    page.goto(f"{place.address}/{game}/{number}")
    hands = Fingers(page)
    for button, shown in ((TILE, CHOSEN), (SPOT, YES)):
        check(page)
        hands.press(button)
        page.locator(shown).wait_for()
    if page.locator(".rotate").count():
        before = page.locator(YES).inner_text()
        hands.press(".rotate")
        expect(page.locator(YES)).not_to_have_text(before)
    check(page)


def play_to_the_places(house: House, game: str, number: int) -> None:
    """Until it is alice's turn to lay a tile: what comes before is left to chance."""
    while True:
        match = house.library.match(game, number)
        who, move = match.turn[0], match.view(None).legal[0]
        word = move.partition(":")[0]
        if word in match.rules.WORDS:
            move = f"{word}:any"
        elif who == "alice":
            return
        assert house.type(f"{game} move {number} {who} {{{who}}} {move}").status == 0


def check(page: Page) -> None:
    """What the script has made is in the pseudo-language, and fits."""
    assert has_room(page)
    made = page.locator(".hand p, .bar, .zoom, .hand button:not(.tile), .moves span")
    assert [bare(text) for text in made.all_inner_texts() if bare(text)] == []
    labels = page.locator(".place, .tiles, .moves input").evaluate_all(
        "found => found.map(one => one.getAttribute('aria-label'))"
    )
    assert [bare(label) for label in labels if bare(label)] == []


def test_moves_are_laid_out_in_another_language(place: Place, page: Page) -> None:
    number = place.challenge("holo")
    page.goto(f"{place.address}/holo/{number}")
    hands = Fingers(page)
    for button in (TILE, SPOT, ".bar button:not(.strong, .rotate, .cancel)"):
        hands.press(button)
    expect(page.locator(CHOSEN)).to_have_count(0)
    check(page)


@pytest.mark.parametrize("options", ["-draft=pot", "-draft=random"])
def test_letters_are_put_together_in_another_language(
    place: Place, page: Page, options: str
) -> None:
    number = place.challenge("walomino", options)
    page.goto(f"{place.address}/walomino/{number}")
    page.locator(".side .tiles button").first.wait_for()
    for _ in range(2):
        Fingers(page).press(".side .tiles button")
    assert has_room(page)
    said = page.locator(".side .tiles ~ p.fine").first.inner_text()
    assert bare(said) == ""
    page.locator(LOOK).wait_for()
