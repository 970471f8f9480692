"""A browser in this process: it keeps cookies, reads pages and sends their forms."""

import re
from html.parser import HTMLParser
from typing import NamedTuple

from httpx2 import Response
from starlette.testclient import TestClient

from pbm_holomino.web.app import application
from pbm_holomino.web.site import Site
from tests.house import House


class Form(NamedTuple):
    """A form of a page: where it is sent, how, and what its fields hold."""

    action: str
    method: str
    fields: dict[str, str]


class Page(HTMLParser):
    """A page that has come: its words, links and forms."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.status = response.status_code
        self.headers = response.headers
        self.html = response.text
        self.url = str(response.url)
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.choices: list[str] = []  # in selects
        self._words: list[str] = []
        self._tags: list[str] = []
        self._select = ""
        self.feed(self.html)

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
            self.forms.append(Form(found["action"], found.get("method", "get"), {}))
        if tag == "input" and "name" in found and self.forms:
            is_off = found.get("type") == "checkbox" and "checked" not in found
            if not is_off:
                self.forms[-1].fields[found["name"]] = found.get("value", "")
        if tag == "textarea":
            self.forms[-1].fields[found["name"]] = ""
        if tag == "select":
            self._select = found["name"]
        if tag == "option":
            self.choices.append(found["value"])
            fields = self.forms[-1].fields
            if "selected" in found or self._select not in fields:
                fields[self._select] = found["value"]
        if tag not in ("meta", "link", "input", "br", "path", "use", "rect"):
            self._tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._tags and self._tags[-1] == tag:
            self._tags.pop()

    def handle_data(self, data: str) -> None:
        if not {"title", "style", "script", "desc"} & {*self._tags[-1:]}:
            self._words.append(data)


class Browser:
    """A browser that looks at the pages of a house."""

    def __init__(self, house: House, host: str = "http://localhost") -> None:
        self.house = house
        app = application(Site(house.server, house.config))
        self.client = TestClient(app, base_url=host)

    def get(self, path: str, **headers: str) -> Page:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Page(self.client.get(path, headers=named))

    def post(self, path: str, **fields: str) -> Page:
        return Page(self.client.post(path, data=fields))

    def send(self, form: Form, **fields: str) -> Page:
        """Fill in a form of a page, and send it."""
        if form.method == "get":
            params = {**form.fields, **fields}
            return Page(self.client.get(form.action, params=params))
        return self.post(form.action, **{**form.fields, **fields})
