"""Programs that look through mail open each of its links, and as often as they like:
that changes nothing, and leaves each link as good as it was."""

import re

import pytest

from pbm_holomino.letters.letter import Letter
from tests.house import House, home, mail_of
from tests.web.browser import Browser

WEB = "https://games.example.org"
SESSION = "__Host-pbm"


@pytest.fixture
def reader(house: House) -> Browser:
    """The browser of whoever gets the letters."""
    house.config = house.config._replace(web=WEB)
    return Browser(house, WEB)


def scanned(house: House) -> str:
    """The first link to a page in the letter that has just left, after a scanner has
    opened all of them, as it opens links: without a cookie, and what is behind a # is
    sent to no server."""
    readers = home("alice"), home("erin")
    (letter,) = (one for one in house.sent if one.to[0] in readers)
    links, before = _links(letter), house.files()
    for method in ("GET", "HEAD", "GET"):
        for link in links:
            scanner = Browser(house, WEB, "198.51.100.7")
            came = scanner.ask(method, link.partition("#")[0])
            assert came.status == 200
            assert SESSION not in scanner.cookies
    assert house.files() == before
    house.taken()
    return links[0]


def _links(letter: Letter) -> list[str]:
    """The links of ours in a letter, first those of its head and of its button."""
    pages = [f"/{page}" for page in (letter.unsubscribe_page, letter.page) if page]
    return [*pages, *re.findall(rf"{WEB}(/\S+)", letter.text)]


def test_a_link_to_sign_in_is_not_used_up(house: House, reader: Browser) -> None:
    form = reader.get("/signin").form("/signin")
    reader.post("/signin/letter", {**form.fields, "userid": "alice"})
    path, _, end = scanned(house).partition("#")
    assert "alice's boards" in reader.press(path, path, link=end).text


def test_a_link_to_a_turn_is_not_used_up(house: House, reader: Browser) -> None:
    house.taken()
    house.type("holo chat 1 bob {bob} -m=hello")
    page = reader.get(scanned(house))
    (form,) = (form for form in page.forms if form.action.startswith("/link/"))
    board = reader.send(form)
    assert reader.move("/holo/1", board.choices[0]).status == 200
    assert house.match().ply == 1


def test_a_link_to_sign_up_is_not_used_up(house: House, reader: Browser) -> None:
    reader.press("/signup", "/signup", userid="erin", address=home("erin"))
    link = scanned(house)
    assert house.library.account("erin") is None
    (form,) = (form for form in reader.get(link).forms if "password" in form.fields)
    assert "erin's boards" in reader.send(form, password="quokka77").text


def test_a_link_to_unsubscribe_takes_a_button(house: House, reader: Browser) -> None:
    house.type("change digest alice {alice} on")
    house.taken()
    house.mail(mail_of("broadcast bob better4", home("bob"), "Hello!"))
    link = scanned(house)
    assert _is_told(house)
    reader.send(reader.get(link).form(link))
    assert not _is_told(house)


def _is_told(house: House) -> bool:
    player = house.library.player("alice")
    assert player is not None
    return player.broadcasts
