"""The calendar with a player's deadlines."""

from tests.house import House
from tests.web.browser import Browser, signed_in


def address(browser: Browser) -> str:
    page = browser.get("/settings")
    return next(link for link in page.links if link.endswith(".ics"))


def test_it_has_the_deadline_of_each_board_that_waits(house: House) -> None:
    house.accept()  # on 2026-11-20, at 08:00
    house.challenge("-forfeit=0")
    house.accept(2)
    browser = signed_in(house, "alice")
    reader = Browser(house)  # a calendar program, which is not signed in
    came = reader.ask("GET", address(browser))
    assert came.status == 200
    assert came.headers["Content-Type"].startswith("text/calendar")
    lines = came.text.split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert lines.count("BEGIN:VEVENT") == 1
    assert "DTSTART:20261211T080000Z" in lines  # 21 days later
    assert "SUMMARY:holo 1: the last moment to move" in lines
    house.play(moves=1)
    assert "VEVENT" not in reader.ask("GET", address(browser)).text


def test_its_address_is_good_for_nothing_else(house: House) -> None:
    browser = signed_in(house, "alice")
    mine = address(browser)
    stranger = Browser(house)
    for other in (mine.replace("alice", "bob"), "/calendar/alice/x.ics"):
        assert stranger.get(other).status == 404
    house.type("change password alice {alice} newer44")
    assert stranger.get(mine).status == 404
