"""With `web_public: no` no answer tells a stranger what there is."""

from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from pbm_holomino.web import app, news
from tests.house import House, home
from tests.web.browser import Browser, Form, here

THERE = {"game": "holo", "board": "1", "userid": "alice", "number": "1", "ply": "1"}
NOT_THERE = {**THERE, "board": "99", "userid": "nobody", "number": "99", "ply": "99"}
OPEN = {**NOT_THERE, "board": "3"}  # an open challenge
OTHERS = {"line": "0", "reader": "alice", "proof": "aaaabbbbccccdddd", "verb": "resign"}
OTHERS |= {"part": "1", "revision": "aaaa"}
OTHERS |= {"step": "1", "address": "a@example.org", "file": "x.ics", "what": "letters"}
FREE = ("/help/{subject}", "/signout")  # which are about nothing that is kept
ROUTES = [
    (method, path)
    for method, views in (
        ("GET", {**app._OPEN, **app._CLOSED}),
        ("HEAD", app._CLOSED),
        ("POST", {**app._FORMS, **app._CLOSED_FORMS}),
    )
    for path in views
    if path not in FREE
]


@pytest.fixture
def closed(house: House) -> House:
    """Alice plays on boards 1 and 2, and board 3 waits for anybody."""
    house.config = house.config._replace(web_public="no", web="http://localhost")
    house.play(moves=1)
    house.challenge()
    assert house.type("holo challenge alice anyone").status == 0
    return house


def stranger(house: House) -> Browser:
    """The browser of somebody who is not signed in."""
    return Browser(house)


def guest(house: House) -> Browser:
    """The browser of whoever has come by the link of a letter about board 2."""
    assert house.type("holo chat 2 bob {bob} -m=hello").status == 0
    (letter,) = [one for one in house.taken() if one.to == (home("alice"),)][-1:]
    browser, link = Browser(house), f"/{letter.page}"
    assert browser.press(link, link).url == "/holo/2"
    return browser


def answer(browser: Browser, method: str, path: str, form: Form) -> tuple[int, str]:
    """The status of the answer to a request, and where it leads."""
    mine = {name: form.fields[name] for name in ("source", "token")}
    body = urlencode(mine).encode() if method == "POST" else b""
    came = browser.ask(method, path, body)
    return came.status, came.headers.get("Location", "")


@pytest.mark.parametrize("who", [stranger, guest])
def test_no_answer_tells_a_stranger_what_there_is(
    closed: House, who: Callable[[House], Browser]
) -> None:
    known = who(closed).cookies
    for method, path in ROUTES:
        browser = Browser(closed)
        browser.cookies = {**known}
        form = browser.get("/signin").forms[0]
        told = {
            answer(browser, method, path.format(**words, **OTHERS), form)
            for words in (THERE, NOT_THERE, OPEN)
        }
        assert len(told) == 1, (method, path, told)
        if path.startswith("/{game}"):
            assert told == {(303, "/signin")}, (method, path)


@pytest.mark.parametrize("words", ["holo/1", "holo/3", "holo/99"])
def test_news_tell_a_stranger_nothing(
    closed: House, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.setattr(news, "to_thread", here)
    came = Browser(closed).ask("GET", f"/news?board={words}")
    assert (came.status, came.headers["Location"]) == (303, "/signin")
