"""Going back in a browser: nothing is played, sent or made a second time."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from pbm_holomino.match import session
from tests.house import PASSWORDS
from tests.web.chromium import (
    LOOK,
    MARKS,
    PLAY,
    Clicks,
    Enter,
    Forms,
    Place,
    chromium,
    enter,
    opened,
)

__all__ = ["chromium", "enter"]
pytestmark = MARKS


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A server that sends letters with links to itself."""
    with opened(tmp_path_factory.mktemp("games"), is_known=True) as place:
        yield place


def _stranger(enter: Enter) -> Page:
    """The browser of somebody who is not signed in."""
    page = enter("carol")
    page.context.clear_cookies()
    return page


def _sent(page: Page) -> list[str]:
    """The paths to which forms are sent from now on."""
    paths = list[str]()
    page.on(
        "request",
        lambda one: paths.append(one.url) if one.method == "POST" else None,
    )
    return paths


def _to_and_fro(page: Page) -> None:
    """Go back as far as one can, and forward again as far."""
    for go, times in ((page.go_back, 3), (page.go_forward, 3)):
        for _ in range(times):
            go()
            page.wait_for_load_state()


# After a move


def test_going_back_after_a_move_plays_nothing(place: Place, enter: Enter) -> None:
    number = place.challenge("holo")
    page = enter("alice")
    sent = _sent(page)
    page.goto(place.address)
    page.goto(f"{place.address}/holo/{number}")
    Clicks(page).place_tile()
    expect(page.get_by_text("You played").first).to_be_visible()
    _to_and_fro(page)
    page.goto(f"{place.address}/holo/{number}")
    expect(page.get_by_text("You played").first).to_be_visible()
    assert len(sent) == 1
    assert place.house.match(number).ply == 1


def test_a_move_that_has_been_gone_back_to_is_not_played_again(
    place: Place, enter: Enter
) -> None:
    """Nor is another one in its place, by its form or by the list behind it."""
    number = place.challenge("holo")
    page = enter("alice", **Forms.how)
    page.goto(f"{place.address}/holo/{number}")
    hands = Clicks(page)
    hands.press(LOOK)
    hands.press(PLAY)
    expect(page.get_by_text("You played").first).to_be_visible()
    page.go_back()
    assert "/preview" in page.url
    for selector in (PLAY, LOOK):
        if page.locator(selector).count():
            hands.press(selector)
    assert place.house.match(number).ply == 1
    page.goto(f"{place.address}/holo/{number}")
    expect(page.get_by_text("You played").first).to_be_visible()


# After signing in


def test_going_back_after_signing_in_leaves_one_session(
    place: Place, enter: Enter
) -> None:
    page = _stranger(enter)
    before, sent = _sessions(place, "bob"), _sent(page)
    page.goto(place.address)
    page.goto(f"{place.address}/signin")
    page.get_by_label("Userid").fill("bob")
    page.get_by_label("Password").fill(PASSWORDS["bob"])
    page.locator("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your boards")).to_be_visible()
    _to_and_fro(page)
    page.goto(place.address)
    expect(page.get_by_role("heading", name="Your boards")).to_be_visible()
    assert len(sent) == 1
    assert _sessions(place, "bob") == before + 1


def test_a_link_that_has_been_gone_back_to_begins_no_other_session(
    place: Place, enter: Enter
) -> None:
    """Its player is still signed in, and it is of no use to anybody else."""
    page = _stranger(enter)
    link = _mailed(page, place, "alice")
    before = _sessions(place, "alice")
    _press_link(page, link)
    expect(page.get_by_role("heading", name="Your boards")).to_be_visible()
    page.go_back()
    _press_link(page, link)
    expect(page.get_by_role("heading", name="Your boards")).to_be_visible()
    assert _sessions(place, "alice") == before + 1
    other = _stranger(enter)
    _press_link(other, link)
    expect(other.get_by_text("This link has been used")).to_be_visible()
    assert not place.house.taken()


def _mailed(page: Page, place: Place, name: str) -> str:
    """A link that signs a player in, which somebody has had mailed to them."""
    place.house.taken()
    page.goto(f"{place.address}/signin")
    page.get_by_label("Userid").fill(name)
    page.get_by_role("button", name="Mail me a link").click()
    expect(page.get_by_text("a letter with a link")).to_be_visible()
    (letter,) = place.house.taken()
    return str(re.findall(rf"{place.address}/signin/link\S+", letter.text)[0])


def _press_link(page: Page, link: str) -> None:
    """Open a link, and press the button of its page."""
    page.goto(link)
    page.get_by_role("button", name="Sign in as alice").click()


def _sessions(place: Place, name: str) -> int:
    player = place.house.library.player(name)
    assert player is not None
    return len(session.running(player.sessions, place.house.time))


# After keeping a guest's game


def test_going_back_after_a_game_was_kept_keeps_it_once(
    place: Place, enter: Enter
) -> None:
    page = enter("alice")
    before = place.house.library.lists.boards("holo")
    page.goto(f"{place.address}/play/holo")
    Clicks(page).place_tile()
    expect(page.get_by_text("move 2 of 2")).to_be_visible()
    sent = _sent(page)
    keep = page.get_by_role("button", name="Keep this game")
    keep.click()
    page.wait_for_url(re.compile("/holo/[0-9]+$"))
    kept = page.url
    _to_and_fro(page)
    assert len(sent) == 1
    page.goto(f"{place.address}/play/holo")  # a game that has not begun
    expect(keep).to_have_count(0)
    after = place.house.library.lists.boards("holo")
    assert [*map(str, {*after} - {*before})] == [kept.rpartition("/")[2]]


def test_going_back_after_a_newcomer_has_kept_a_game_sends_one_letter(
    place: Place, enter: Enter
) -> None:
    page = _stranger(enter)
    before = place.house.library.lists.boards("holo")
    place.house.taken()
    page.goto(f"{place.address}/play/holo")
    Clicks(page).place_tile()
    expect(page.get_by_text("move 2 of 2")).to_be_visible()
    page.locator("#keep summary").first.click()
    page.locator("#userid").fill("erin")
    page.locator("#address").fill("erin@example.org")
    page.locator("#keep .fields button").click()
    expect(page.get_by_text("A letter is on its way")).to_be_visible()
    page.go_back()
    expect(page.locator("#keep summary").first).to_be_visible()
    (letter,) = place.house.taken()
    (link,) = re.findall(rf"{place.address}/signup/\S+", letter.text)
    page.goto(link)
    page.locator("#password").fill("quokka9")
    page.locator("main button.strong").click()
    page.wait_for_url(re.compile("/holo/[0-9]+$"))
    kept = page.url
    page.go_back()
    page.locator("#password").fill("quokka9")
    page.locator("main button.strong").click()
    expect(page.locator(".who summary")).to_have_text("erin")
    after = place.house.library.lists.boards("holo")
    assert [*map(str, {*after} - {*before})] == [kept.rpartition("/")[2]]
    assert not [one for one in place.house.taken() if "signup" in one.text]
