"""Pages on a phone in each language that has a catalogue: they have room, and nothing
on them is English."""

import pytest

from tests.languages import catalogues, english
from tests.web.chromium import (
    MARKS,
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
CODES = [path.rpartition("/")[2] for path in catalogues.languages()]
PATHS = ("", "open", "settings", "players", "holo", "help/holo", "learn/holo")
OF_GUESTS = ("signin", "signup", "forgot", "challenge/holo")


@pytest.mark.parametrize("code", CODES)
def test_main_pages_have_room_and_no_english(
    place: Place, enter: Enter, code: str
) -> None:
    games = {game: place.challenge(game) for game in ("holo", "hextup", "walomino")}
    boards = [f"{game}/{number}" for game, number in games.items()]
    with english.everybody_reads(code):
        page = enter("alice", **Fingers.how, locale=code)
        for path in (*PATHS, *boards, *OF_GUESTS):
            page.goto(f"{place.address}/{path}")
            page.evaluate(
                "document.querySelectorAll('details').forEach(one => one.open = true)"
            )
            assert has_room(page), path
            assert english.left_in(page.locator("body").inner_text()) == "", path


@pytest.mark.parametrize("code", ["en", *CODES])
def test_nothing_of_the_tutorial_is_cut_off(
    place: Place, enter: Enter, code: str
) -> None:
    page = enter("alice", **Fingers.how, locale=code)
    page.goto(f"{place.address}/help/tutorial")
    examples = page.locator("article pre")
    assert examples.count()
    for example in examples.all():
        is_whole = "one => one.scrollWidth <= one.clientWidth"
        assert example.evaluate(is_whole), example.inner_text()
