"""The application: which view answers which path, and what every answer carries."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from pbm_holomino.errors import NotFound
from pbm_holomino.web import reading
from pbm_holomino.web.files import Files
from pbm_holomino.web.headers import Headers
from pbm_holomino.web.site import Site
from pbm_holomino.web.visit import View, Visit, endpoint

_ROBOTS = "User-agent: *\nDisallow: /players\nDisallow: /*/standings\n"
_READING: dict[str, View] = {
    "/": reading.front,
    "/help/{subject}": reading.help_page,
    "/players": reading.players,
    "/players/{userid}": reading.player,
    "/{game}": reading.game,
    "/{game}/standings": reading.standings,
    "/{game}/ratings": reading.ratings,
    "/{game}/{board}": reading.board,
    "/{game}/{board}/record": reading.record,
    "/{game}/{board}/verify": reading.verify,
    "/{game}/{board}/{ply}": reading.position,
}


def application(site: Site) -> Starlette:
    """The application that serves the pages of a site."""

    async def not_found(http: HttpRequest, fault: Exception) -> Response:
        assert isinstance(fault, HTTPException)
        if fault.status_code != 404:
            return PlainTextResponse(f"{fault.detail}\n", fault.status_code)
        error = NotFound("There is no such page here.")
        return Visit(site, http, {}).error(error, 404)

    routes: list[BaseRoute] = [
        Route("/robots.txt", lambda http: PlainTextResponse(_ROBOTS)),
        Route("/static/{stamp}/{name}", Files(site).answer),
        *(Route(path, endpoint(site, view)) for path, view in _READING.items()),
    ]
    return Starlette(
        routes=[Mount(site.root, routes=routes)] if site.root else routes,
        middleware=[
            Middleware(Headers, is_secure=site.is_secure),
            Middleware(GZipMiddleware, minimum_size=500, compresslevel=6),
        ],
        exception_handlers={HTTPException: not_found},
    )
