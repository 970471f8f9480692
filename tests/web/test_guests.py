"""Guests play against a robot without an account, and may keep their game."""

import re
from urllib.parse import unquote

import pytest

from pbm_holomino import rules
from pbm_holomino.commands import allowance
from pbm_holomino.errors import NotAllowed
from pbm_holomino.match.board import Match
from pbm_holomino.web import guests
from pbm_holomino.web.sessions import GUEST, VISITOR
from tests.house import House
from tests.web.browser import Browser, Page

GAMES = rules.names()
LINK = re.compile(r"http://\S+/signup/\S+")


def guest_of(browser: Browser) -> guests.Guest:
    found = guests.unpacked(browser.cookies[GUEST], browser.house.library.key)
    assert found is not None
    return found


def match_of(browser: Browser, game: str) -> Match:
    """A guest's game, by the cookie alone."""
    house = browser.house
    guest, now = guest_of(browser), house.store.now()
    return guests.match(guest, game, house.library.key, "robot1", now)


def legal(browser: Browser, game: str) -> list[str]:
    """What the guest can play."""
    match = match_of(browser, game)
    return [match.rules.format_move(one) for one in match.rules.legal(match.state, 0)]


def look(browser: Browser, game: str) -> Page:
    """A legal move, looked at before it is played."""
    return browser.get(f"/play/{game}/preview?move={legal(browser, game)[0]}")


def play(browser: Browser, game: str) -> Page:
    """Play a legal move; the page then."""
    return browser.send(look(browser, game).form("/move"))


def started(house: House, game: str = "holo", moves: int = 2) -> Browser:
    """The browser of a guest who has made so many moves."""
    browser = Browser(house)
    browser.get(f"/play/{game}")
    for _ in range(moves):
        play(browser, game)
    return browser


@pytest.mark.parametrize("game", GAMES)
def test_a_guest_plays_a_whole_game_and_then_another(house: House, game: str) -> None:
    before = house.files()
    browser = Browser(house)
    first = browser.get(f"/play/{game}")
    assert "It is your turn." in first.text
    assert "hint" not in first.text
    assert browser.get(f"/play/{game}").status == 200
    while not match_of(browser, game).result:
        seen = len(match_of(browser, game).log)
        assert play(browser, game).status == 200
        assert len(match_of(browser, game).log) > seen
    page = browser.get(f"/play/{game}")
    assert "It is your turn." not in page.text
    ended = match_of(browser, game)
    browser.send(page.form("/again"))
    anew = match_of(browser, game)
    assert anew.record.seed != ended.record.seed
    assert {line.who for line in anew.log[1:]} <= {"robot1"}  # who may begin
    counted = {name for name in house.files() if name not in before}
    assert not any(name.endswith(".yaml") for name in counted)
    assert house.library.lists.boards(game) == ([1] if game == "holo" else [])


def test_each_game_of_a_guest_waits_while_another_is_played(house: House) -> None:
    browser = started(house)
    ply = match_of(browser, "holo").ply
    browser.get("/play/hextol")
    play(browser, "hextol")
    assert match_of(browser, "hextol").ply >= 2
    assert match_of(browser, "holo").ply == ply
    assert f"move {ply} of {ply}" in browser.get("/play/holo").text


def test_a_robot_that_begins_does_so_in_the_same_way_each_time(house: House) -> None:
    began = 0
    for _ in range(12):
        browser = Browser(house)
        browser.get("/play/hextol")
        first, second = match_of(browser, "hextol"), match_of(browser, "hextol")
        assert first.state == second.state
        assert first.turn == ("you",)
        began += first.ply
    assert 0 < began < 12


def test_nobody_keeps_a_game_before_they_have_moved(house: House) -> None:
    browser = started(house, moves=1)
    browser.sign_in("alice")
    form = browser.get("/play/holo").form("/keep")
    browser.send(browser.get("/play/holo").form("/again"))
    page = browser.send(form)
    assert (page.status, "make a move first" in page.text) == (422, True)


def test_a_form_that_is_sent_twice_plays_once(house: House) -> None:
    browser = started(house)
    form = look(browser, "holo").form("/move")
    first = browser.send(form)
    ply = match_of(browser, "holo").ply
    again = browser.send(form)
    assert (first.status, again.status) == (200, 200)
    assert match_of(browser, "holo").ply == ply


def test_a_stale_tab_is_told_so_and_shows_the_game_as_it_is(house: House) -> None:
    browser = started(house)
    stale = look(browser, "holo").form("/move")
    move = legal(browser, "holo")[-1]
    assert move != stale.fields["move"]
    browser.send(browser.get(f"/play/holo/preview?move={move}").form("/move"))
    ply = match_of(browser, "holo").ply
    page = browser.send(stale)
    assert page.status == 422
    assert "counts only as move 5" in page.text
    assert match_of(browser, "holo").ply == ply


def test_a_guest_whose_cookie_is_lost_begins_a_new_game(house: House) -> None:
    browser = started(house)
    form = look(browser, "holo").form("/move")
    del browser.cookies[GUEST]
    page = browser.send(form)
    assert page.status == 422
    assert "the next move" in page.text
    assert match_of(browser, "holo").ply == 0
    del browser.cookies[VISITOR]
    assert browser.send(form).status == 403


@pytest.mark.parametrize("cookie", ["", ".", "x", "é.x", "a.b.c", "=" * 5000])
def test_a_forged_cookie_is_none(house: House, cookie: str) -> None:
    key = house.library.key
    assert guests.unpacked(cookie, key) is None
    good = guests.packed(guests.fresh(), key)
    body, _, proof = good.partition(".")
    assert guests.unpacked(f"{body}A.{proof}", key) is None
    assert guests.unpacked(good, b"another") is None


def test_a_game_of_400_moves_that_cannot_be_is_one_that_has_not_begun(
    house: House,
) -> None:
    browser = Browser(house)
    guest = guests.fresh().playing("holo", ["999:9"] * 400)
    browser.cookies[GUEST] = guests.packed(guest, house.library.key)
    page = browser.get("/play/holo")
    assert page.status == 200
    assert "It is your turn." in page.text


def test_where_a_cookie_has_no_room_the_game_played_last_is_in_it(
    house: House,
) -> None:
    key = house.library.key
    long = [f"{no}{no * no % 977}:{no * 7919 % 99991}" for no in range(700)]
    guest = guests.fresh().playing("hextol", long).playing("holo", ["1:2"])
    kept = guests.unpacked(guests.packed(guest, key), key)
    assert kept is not None
    assert [*kept.games] == ["holo"]
    with pytest.raises(NotAllowed, match="too long"):
        guests.packed(guest.playing("holo", long), key)


def test_a_network_has_so_many_moves_an_hour(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = started(house, moves=1)
    monkeypatch.setattr(allowance, "GUEST_MOVES", 1)
    page = play(browser, "holo")
    assert page.status == 429
    assert "Your game is still there" in page.text
    assert match_of(browser, "holo").ply == 2


@pytest.mark.parametrize("move", ["", "999:999", "resign", "undo", "-x", "a b", "é"])
def test_what_is_not_a_move_is_refused(house: House, move: str) -> None:
    browser = started(house, moves=1)
    form = look(browser, "holo").form("/move")
    page = browser.send(form._replace(fields={**form.fields, "move": move}))
    assert page.status == 422
    for number in ("9" * 5000, "²", "-1"):
        fields = {**form.fields, "no": number}
        assert browser.send(form._replace(fields=fields)).status in (200, 422)


def test_a_server_that_is_closed_to_strangers_has_no_guests(house: House) -> None:
    house.config = house.config._replace(web_public="no")
    browser = Browser(house)
    assert "/play/" not in browser.get("/").html
    assert browser.get("/play/holo").url.endswith("/signin")


# Keeping a game


def test_a_game_is_kept_by_a_name_and_an_address(house: House) -> None:
    """In the browser where the letter is read, whichever that is."""
    house.config = house.config._replace(web="http://localhost")
    browser = started(house)
    game = match_of(browser, "holo")
    form = browser.get("/play/holo").form("/signup")
    words = {"userid": "erin", "address": "erin@example.org"}
    sent = browser.send(form._replace(fields={**form.fields, **words}))
    assert "A letter is on its way" in sent.text
    (letter,) = house.taken()
    link = LINK.search(letter.text)
    assert link
    phone = Browser(house)
    page = phone.get(unquote(link[0].partition("localhost")[2]))
    form = page.form(page.url.partition("?")[0])
    board = phone.send(form._replace(fields={**form.fields, "password": "pass-erin"}))
    assert board.url.endswith("/holo/2")
    kept = house.match(2)
    assert kept.record.players == ("erin", "robot1")
    assert not kept.record.rated
    assert kept.state == game.state
    (about,) = house.taken()
    assert about.to == ("erin@example.org",)
    assert play_on(phone, house) == game.ply + 1


def play_on(browser: Browser, house: House) -> int:
    """Play a move of the board that was kept, on its page; how many there are then."""
    move = house.legal(2)[0]
    browser.send(browser.get(f"/holo/2/preview?move={move}").form("/move"))
    return house.match(2).ply


def test_a_player_who_is_signed_in_keeps_a_game_once(house: House) -> None:
    browser = started(house)
    old = browser.cookies[GUEST]
    browser.sign_in("alice")
    form = browser.get("/play/holo").form("/keep")
    for _ in range(2):
        assert browser.send(form).url.endswith("/holo/2")
        browser.cookies[GUEST] = old  # as another tab has it
    assert house.library.lists.boards("holo") == [1, 2]
    other = Browser(house)
    other.cookies[GUEST] = old
    other.sign_in("bob")
    page = other.send(other.get("/play/holo").form("/keep"))
    assert page.status == 422
    assert "Somebody else has kept this game." in page.text


def test_an_errand_leads_to_no_other_site(house: House) -> None:
    for then in ("//x.example", "https://x.example", "a/../../b/c", "\\\\x", "a b"):
        page = Browser(house).get(f"/signin?then={then}")
        assert 'name="then"' not in page.html
