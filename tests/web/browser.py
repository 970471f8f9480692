"""A browser in this process: it keeps cookies, reads pages and sends their forms.

It calls the application without an event loop, as the views are run right here and
nothing else waits for anything.
"""

import gzip
import re
from collections.abc import Awaitable, Callable, Coroutine
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Message

from pbm_holomino.store.people import People
from pbm_holomino.web import sessions, visit
from pbm_holomino.web.app import application
from pbm_holomino.web.news import News
from pbm_holomino.web.site import Site
from tests.house import PASSWORDS, House

LOCAL = "http://localhost"


@pytest.fixture(autouse=True)
def without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views run in the thread of the test."""
    monkeypatch.setattr(visit, "to_thread", here)


async def here(call: Callable[..., Any], *words: Any) -> Any:
    """What a function returns that is called at once, in this thread."""
    return call(*words)


class Came(NamedTuple):
    """An answer as it came: `sent` is what was sent, which may be packed."""

    url: str
    status: int
    headers: Headers
    sent: bytes

    @property
    def text(self) -> str:
        is_packed = self.headers.get("Content-Encoding") == "gzip"
        return (gzip.decompress(self.sent) if is_packed else self.sent).decode()


class Form(NamedTuple):
    """A form of a page: where it is sent, how, and what its fields hold."""

    action: str
    method: str
    fields: dict[str, str]


class Page(HTMLParser):
    """A page that has come: its words, links and forms."""

    def __init__(self, came: Came) -> None:
        super().__init__()
        self.status = came.status
        self.headers = came.headers
        self.size = len(came.sent)
        self.html = came.text
        self.url = came.url
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.choices: list[str] = []  # of moves, and in selects
        self._words: list[str] = []
        self._tags: list[str] = []
        self._select = ""
        self._is_bare = False  # whether an option is its text
        drawn_from = {*re.findall('href="#(t-[^"]+)"', self.html)}
        assert drawn_from <= {*re.findall('id="(t-[^"]+)"', self.html)}  # of tiles
        self.feed(re.sub(r"(?s)<svg.*?</svg>", "", self.html))

    @property
    def text(self) -> str:
        """What a person reads, with single blanks."""
        return re.sub(r"\s+", " ", " ".join(self._words)).strip()

    def form(self, action: str) -> Form:
        """The first form that is sent to a path that ends so."""
        return next(form for form in self.forms if form.action.endswith(action))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links.append(found.get("href", ""))
        if tag == "form":
            action = found.get("action", urlsplit(self.url).path)
            self.forms.append(Form(action, found.get("method", "get"), {}))
        if tag == "input" and "name" in found and self.forms:
            can_be_off = found.get("type") in ("checkbox", "radio")
            is_off = can_be_off and "checked" not in found
            if (found["name"], found.get("type")) == ("move", "radio"):
                self.choices.append(found["value"])
            if not is_off:
                self.forms[-1].fields[found["name"]] = found.get("value", "")
        if tag == "textarea":
            self.forms[-1].fields[found["name"]] = ""
        if tag == "select":
            self._select = found["name"]
        if tag == "option" and "value" in found:
            self._choose(found["value"], "selected" in found)
        self._is_bare = tag == "option" and "value" not in found
        if tag not in ("meta", "link", "input", "br"):
            self._tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._tags and self._tags[-1] == tag:
            self._tags.pop()

    def _choose(self, value: str, is_selected: bool) -> None:
        self.choices.append(value)
        fields = self.forms[-1].fields
        if is_selected or self._select not in fields:
            fields[self._select] = value

    def handle_data(self, data: str) -> None:
        if self._tags[-1:] == ["option"] and self._is_bare and data.strip():
            self._choose(data.strip(), False)
        if not {"title", "style", "script"} & {*self._tags[-1:]}:
            self._words.append(data)


class Browser:
    """A browser that looks at the pages of a house, from an address of the network."""

    def __init__(
        self, house: House, host: str = LOCAL, address: str = "192.0.2.1"
    ) -> None:
        self.house = house
        self.cookies: dict[str, str] = {}
        self.site = Site(house.server, house.config)
        self._app = application(self.site, News(self.site))
        self._host = host
        self._address = address

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Came:
        """The answer to one request; underscores in the names of headers are dashes,
        and each line of a value is a header of its own."""
        where, _, query = path.partition("?")
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        given.setdefault("Host", urlsplit(self._host).netloc)
        given["Accept-Encoding"] = "gzip"
        if self.cookies:
            given["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        if method == "POST":
            given["Content-Type"] = "application/x-www-form-urlencoded"
        scope = {
            "type": "http",
            "method": method,
            "path": where,
            "raw_path": where.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "scheme": urlsplit(self._host).scheme,
            "headers": [
                (name.lower().encode(), line.encode("latin-1"))
                for name, value in given.items()
                for line in value.split("\n")
            ],
            "client": (self._address, 1),
            "server": ("localhost", 80),
            "http_version": "1.1",
        }
        told: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            told.append(message)

        _run(self._app(scope, receive, send))
        headers_sent = Headers(raw=told[0]["headers"])
        for cookie in headers_sent.getlist("Set-Cookie"):
            self.keep(cookie)
        content = b"".join(part.get("body", b"") for part in told[1:])
        return Came(path, told[0]["status"], headers_sent, content)

    def keep(self, cookie: str) -> None:
        """Keep a cookie, or forget one, as a header asks."""
        for name, found in SimpleCookie(cookie).items():
            self.cookies[name] = found.value
            if found["max-age"] == "0":
                del self.cookies[name]

    def _followed(self, came: Came) -> Page:
        while came.status == 303:
            came = self.ask("GET", came.headers["Location"])
        return Page(came)

    def get(self, path: str, **headers: str) -> Page:
        return self._followed(self.ask("GET", path, b"", **headers))

    def post(self, path: str, fields: dict[str, str], **headers: str) -> Page:
        body = urlencode(fields).encode()
        return self._followed(self.ask("POST", path, body, **headers))

    def sign_in(self, name: str) -> Page:
        """Sign one of our players in; the page that follows."""
        form = self.get("/signin").form("/signin")
        return self.send(form, userid=name, password=PASSWORDS[name])

    def press(self, path: str, action: str, **fields: str) -> Page:
        """Fill in the form of a page that is sent to such a path, and send it."""
        return self.send(self.get(path).form(action), **fields)

    def move(self, board: str, move: str) -> Page:
        """Choose a move on a board's page, look at it, and play it."""
        shown = self.press(board, "/preview", move=move)
        return self.send(shown.form("/move"))

    def send(self, form: Form, **fields: str) -> Page:
        """Fill in a form of a page, and send it."""
        filled = {**form.fields, **fields}
        if form.method == "get":
            return self.get(f"{form.action}?{urlencode(filled)}")
        return self.post(form.action, filled)


def _run(call: Awaitable[None]) -> None:
    """Run a coroutine that waits for nothing."""
    assert isinstance(call, Coroutine)
    try:
        call.send(None)
    except StopIteration:
        return
    raise AssertionError("it waits for something")


def signed_in(house: House, who: str) -> Browser:
    """The browser of a player who has just signed in."""
    browser, player = Browser(house), People(house.library).player(who)
    assert player is not None
    value, answer = sessions.begin(house.library, player, house.time), Response()
    browser.site.cookies.put(answer, sessions.SESSION, value)
    browser.keep(answer.headers["Set-Cookie"])
    return browser
