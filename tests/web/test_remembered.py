"""Pages are made once, remembered under what they show, and take so many bytes."""

import pytest

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.resident.work import Work
from pbm_holomino.web import site
from tests.house import House
from tests.web.browser import Browser

RECORD = "/holo/1/record"


@pytest.fixture
def played(house: House) -> House:
    house.play(moves=6)
    return house


@pytest.fixture
def asked(played: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the server is asked for."""
    commands, run = list[str](), played.server.carry_out

    def counting(request: Request) -> Answer:
        commands.append(request.command)
        return run(request)

    monkeypatch.setattr(played.server, "carry_out", counting)
    return commands


def test_a_record_is_made_once(played: House, asked: list[str]) -> None:
    browser = Browser(played)
    first = browser.get(RECORD)
    assert browser.get("/holo/01/record").html == first.html
    assert asked == ["history"]
    assert browser.get(RECORD, If_None_Match=first.headers["ETag"]).status == 304
    for happens in ("holo chat 1 bob {bob} -m=hello", "holo resign 1 bob {bob}"):
        assert played.type(happens).status == 0
        asked.clear()
        then = browser.get(RECORD, If_None_Match=first.headers["ETag"])
        assert then.status == 200
        assert then.html != first.html
        assert asked == ["history"]
    assert "hello" in then.text


def test_a_record_shows_a_review_that_comes_later(
    played: House, asked: list[str]
) -> None:
    played.type("holo resign 1 bob {bob}")
    browser = Browser(played)
    tag = browser.get(RECORD).headers["ETag"]
    played.type("holo review 1 alice {alice}")
    for _ in Work(played.server, 0.0).do_all():
        pass
    page = browser.get(RECORD, If_None_Match=tag)
    assert page.status == 200
    assert "/holo/1/review" in page.links


def test_a_proof_is_made_once(played: House, asked: list[str]) -> None:
    browser = Browser(played)
    assert browser.get("/holo/1/verify").status == 404  # it goes on
    assert browser.get("/holo/99/record").status == 404
    played.type("holo resign 1 bob {bob}")
    asked.clear()
    first = browser.get("/holo/1/verify")
    assert first.status == 200
    assert browser.get("/holo/1/verify").html == first.html
    assert asked == ["verify"]


def test_a_page_has_one_name_however_it_is_written(played: House) -> None:
    browser = Browser(played)
    for path in ("/holo/1/3", "/holo/1/03", "/holo/001/3", "/holo/1/000000003"):
        for host in ("localhost", "x/holo/1/5", "x?"):
            came = browser.ask("GET", path, Host=host)
            assert came.status == 200
    assert len(browser.site.pages) == 1


def test_a_page_shows_the_plan_that_is_there_now(played: House) -> None:
    """Of two plans that were made in the same second the logs are equal: they differ in
    their moves alone, here once a backup has been restored."""
    (who,) = played.match().turn
    other = "bob" if who == "alice" else "alice"
    browser, tile = Browser(played), played.match().view(None).pools[0][0]
    browser.sign_in(other)
    board = played.document("holo", "1")
    backup = board.read_bytes()
    for moves in (f"{tile}:99", f"{tile}:98"):
        board.write_bytes(backup)
        assert played.type(f"holo queue 1 {other} {{{other}}} {moves}").status == 0
        assert f"Your queue: {moves}" in browser.get("/holo/1").text


def test_no_host_brings_somebody_elses_page(played: House) -> None:
    """However a library reads the name of a host."""
    attacker, reader = Browser(played), Browser(played)
    third = reader.get("/holo/1/3").html
    reader.site.pages = attacker.site.pages
    for path in ("/holo/1/2", "/holo/1/4", "/holo/1"):
        for host in ("x/holo/1/3?", "x/holo/1/3#", "[::1]/holo/1/3"):
            attacker.ask("GET", path, Host=host)
    assert reader.get("/holo/1/3").html == third


def test_what_is_remembered_takes_so_many_bytes(
    played: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = Browser(played).get("/holo/1/3").html
    monkeypatch.setattr(site, "MOST_REMEMBERED", 3 * len(size.encode()))
    browser = Browser(played)
    for ply in range(6):
        browser.get(f"/holo/1/{ply}")
    assert 1 <= len(browser.site.pages) <= 3


def test_files_are_kept_for_ever_only_under_their_own_stamp(played: House) -> None:
    """Nobody can have what is between keep this version under the name of the next."""
    browser = Browser(played)
    own = browser.ask("GET", f"/static/{browser.site.stamp}/page.js")
    other = browser.ask("GET", "/static/0123456789ab/page.js")
    assert own.headers["Cache-Control"].endswith("immutable")
    assert (other.status, other.headers["Cache-Control"]) == (200, "no-cache")
    assert other.text == own.text


@pytest.mark.parametrize("path", ["/", "/holo/1/thumbnail"])
def test_strangers_have_the_front_page_and_its_pictures_made_once_for_a_position(
    played: House, path: str
) -> None:
    browser = Browser(played)
    first = browser.get(path)
    assert len(browser.site.pages) == 1
    assert browser.get(path).html == first.html
    tag = first.headers["ETag"]
    assert browser.get(path, If_None_Match=tag).status == 304
    assert len(browser.site.pages) == 1
    played.play(moves=1)
    then = browser.get(path, If_None_Match=tag)
    assert (then.status, then.html == first.html) == (200, False)
