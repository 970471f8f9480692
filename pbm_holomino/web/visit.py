"""A request of a browser, and how views answer it."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pbm_holomino import rules
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import NotFound, PbmError, TooMany, TryLater
from pbm_holomino.resident.report import report
from pbm_holomino.web.site import Site

MOST_BODY = 64 << 10  # bytes of a form
_MOST_FIELDS = 200
_MOST_DIGITS = 9


class Visit:
    """One request: `form` holds the fields that were posted."""

    def __init__(self, site: Site, http: HttpRequest, form: Mapping[str, str]) -> None:
        self.site = site
        self.library = site.library
        self.http = http
        self.form = form

    # What is asked

    @cached_property
    def game(self) -> str:
        """The game in the path. Raises NotFound."""
        name: str = self.http.path_params["game"]
        if name not in rules.names():
            raise NotFound("There is no such page here.")
        return name

    @property
    def board(self) -> int:
        """The board's number in the path. Raises NotFound."""
        return self.number("board")

    def number(self, name: str) -> int:
        """A number in the path. Raises NotFound."""
        word: str = self.http.path_params[name]
        if not (word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS):
            raise NotFound("There is no such page here.")
        return int(word)

    def query(self, name: str) -> str:
        """A parameter behind the question mark; empty where there is none."""
        return self.http.query_params.get(name, "")

    # How it is answered

    def ask(self, command: str, game: str = "", **fields: Any) -> Answer:
        """The answer of the server to a question of a stranger's."""
        return self.site.server.run(Request(command, game, **fields))

    def page(self, template: str, status: int = 200, **context: Any) -> Response:
        """A page made from a template."""
        text = self.site.templates.get_template(template).render(context)
        return HTMLResponse(text, status)

    def unless_known(self, revision: str, make: Callable[[], Response]) -> Response:
        """A page of this revision, which is only made if the browser does not have
        it."""
        tag = f'W/"{revision}-{self.site.stamp}"'
        if tag in self.http.headers.get("If-None-Match", ""):
            response = Response(status_code=304)
        else:
            response = make()
        response.headers["ETag"] = tag
        return response

    def redirect(self, *parts: object) -> Response:
        """Lead the browser to another page, which it asks for anew."""
        return RedirectResponse(self.site.path(*parts), 303)

    def error(self, error: PbmError, status: int) -> Response:
        """The page about an error."""
        return self.page("error.html", status, said=str(error))


View = Callable[[Visit], Response]
Endpoint = Callable[[HttpRequest], Any]


def endpoint(site: Site, view: View) -> Endpoint:
    """What answers a request by a view, in a thread."""

    async def answer(http: HttpRequest) -> Response:
        form = await _form(http) if http.method == "POST" else {}
        if form is None:
            return Response("That is too much for a form.\n", 413)
        return await run_in_threadpool(answered, view, Visit(site, http, form))

    return answer


def answered(view: View, visit: Visit) -> Response:
    """What a view answers, or the page about an error."""
    try:
        return view(visit)
    except PbmError as error:
        return visit.error(error, status_of(error))
    except Exception as error:  # a fault of ours, of which only the owner hears
        report(error)
        sorry = PbmError("Sorry, something is wrong here. Please try again later.")
        return visit.error(sorry, 500)


def status_of(error: PbmError) -> int:
    """The HTTP status of the page about an error."""
    kinds = ((NotFound, 404), (TooMany, 429), (TryLater, 503))
    return next((status for kind, status in kinds if isinstance(error, kind)), 422)


async def _form(http: HttpRequest) -> Mapping[str, str] | None:
    """The fields that were posted, each once; None if they are too long."""
    body = b""
    async for chunk in http.stream():
        body += chunk
        if len(body) > MOST_BODY:
            return None
    try:
        fields = parse_qsl(
            body.decode("utf-8"), keep_blank_values=True, max_num_fields=_MOST_FIELDS
        )
    except ValueError:  # not text, or too many fields
        return {}
    return dict(fields)
