"""The page of the owner: its link, and what it shows."""

import re

from pbm_holomino.match.times import later
from pbm_holomino.owner.overview import sections
from pbm_holomino.store.home import Home
from tests.house import House
from tests.web.browser import Browser, Page

WEB = "https://games.example.org"
OWNER = "owner@example.org"


def at(house: House, address: str = "192.0.2.1") -> Browser:
    """A browser at a server whose owner has an address."""
    house.config = house.config._replace(web=WEB, owner=OWNER)
    browser = Browser(house, WEB, address)
    home = Home(str(house.folder), house.config)
    browser.site.overview = lambda server: sections(server, home)
    return browser


def asked(browser: Browser) -> Page:
    return browser.send(browser.get("/owner").form("/owner"))


def link_in(house: House) -> str:
    (letter,) = house.taken()
    assert letter.to == (OWNER,)
    found = re.search(rf"{WEB}(/owner/[a-z2-7]{{16}})$", letter.text, re.MULTILINE)
    assert found
    return found[1]


def test_the_owner_sees_what_waits_and_who_plays(house: House) -> None:
    browser = at(house)
    asked(browser)
    link = link_in(house)
    assert house.type("tournament").status == 0
    house.cannot_send()
    house.type("holo chat 1 alice {alice} -m=Hello")
    before = house.files()
    page = browser.get(link)
    assert page.status == 200
    assert "Letters about 1 event wait" in page.text
    assert "No mails are kept." in page.text
    assert "There has been no tournament here yet." in page.text
    assert "alice@example.org" in page.text
    assert not [form for form in page.forms if "/owner" in form.action]
    assert house.files() == before


def test_a_link_works_for_a_quarter_of_an_hour(house: House) -> None:
    browser = at(house)
    asked(browser)
    link = link_in(house)
    began = house.time
    for seconds, status in ((0, 200), (15 * 60, 200), (16 * 60, 404)):
        house.time = later(began, seconds=seconds)
        assert browser.get(link).status == status


def test_wrong_links_show_nothing_and_cannot_be_tried_for_long(house: House) -> None:
    house.config = house.config._replace(answers_per_hour=3)
    browser = at(house)
    found = [browser.get(f"/owner/{'a' * 16}") for _ in range(4)]
    assert [page.status for page in found] == [404] * 3 + [429]
    assert all("alice" not in page.text for page in found)


def test_few_letters_go_to_the_owner_in_an_hour(house: House) -> None:
    told = [asked(at(house)).text for _ in range(5)]
    assert len(house.taken()) == 3
    for number in range(2, 6):
        told += [asked(at(house, f"198.51.{number}.1")).text for _ in range(2)]
    assert len(house.taken()) == 3
    assert len(set(told)) == 1
    assert "15 minutes" in told[0]


def test_a_server_that_cannot_send_a_link_sends_none(house: House) -> None:
    browser = at(house)
    browser.site.config = house.config._replace(web="")
    assert "sends no links" in asked(browser).text
    browser.site.config = house.config._replace(owner="")
    assert "15 minutes" in asked(browser).text  # as ever
    assert house.taken() == []
