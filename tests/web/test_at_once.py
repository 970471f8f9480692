"""Two people and a robot play at once, the people each with a page that is open all the
time."""

import pytest
from playwright.sync_api import Page, expect

from pbm_holomino import rules
from pbm_holomino.match.board import Match
from pbm_holomino.resident import thinking
from pbm_holomino.resident.work import Work
from pbm_holomino.server import waking
from pbm_holomino.web import boards
from tests.boards import short, typed
from tests.web.chromium import (
    MARKS,
    Clicks,
    Enter,
    Fingers,
    Place,
    chromium,
    enter,
    place,
    play,
)

__all__ = ["chromium", "enter", "place"]
pytestmark = MARKS

FOR_THREE = [game for game in rules.names() if rules.load(game).SEATS[1] >= 3]


@pytest.mark.parametrize("game", FOR_THREE)
def test_two_people_and_a_robot_play_at_once(
    place: Place, enter: Enter, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Each move, whoever makes it, comes to both pages by itself, until each of the
    three has put down a tile."""
    monkeypatch.setattr(waking, "wake", lambda home: True)  # the robot is in here
    monkeypatch.setattr(thinking, "thought", lambda think, *_: think())
    number = place.challenge(game, typed(short(game)), "alice bob robot1")
    hands = {
        "alice": Clicks(enter("alice")),
        "bob": Fingers(enter("bob", **Fingers.how)),
    }
    for one in hands.values():
        one.page.goto(f"{place.address}/{game}/{number}")
    waited_for = {"alice", "bob", "robot1"}
    while waited_for:
        match = place.house.library.match(game, number)
        who, phase = match.turn[0], match.view(None).phase
        for one in hands.values():
            _comes_to(one.page, match)
        if who in hands:
            expect(hands[who].page.get_by_text("It is your turn.")).to_be_visible()
            with hands[who].page.expect_response("**/move"):
                play(hands[who], phase)
        else:
            for _ in Work(place.house.server, 0.0).do_all():
                pass
        if phase == "play":
            waited_for.discard(who)
        now = place.house.library.match(game, number)
        assert len(now.record.log) > len(match.record.log)
    for one in hands.values():
        _comes_to(one.page, place.house.library.match(game, number))


def _comes_to(page: Page, match: Match) -> None:
    """Wait until a page shows a board as it is; nothing here loads it."""
    page.locator(f"main[data-revision='{boards.revision(match)}']").wait_for()
