"""The application: which view answers which path, and what every answer carries."""

from collections.abc import Iterator, Mapping

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router

from pbm_holomino.web import (
    calendar,
    challenging,
    linking,
    lobby,
    moves,
    playing,
    reading,
    reviews,
    settings,
    signing,
    thumbnails,
    tournaments,
    unsubscribing,
    waiting,
)
from pbm_holomino.web.files import Files
from pbm_holomino.web.gate import Gate
from pbm_holomino.web.headers import Headers
from pbm_holomino.web.news import News
from pbm_holomino.web.site import Site
from pbm_holomino.web.visit import NoPage, View, Visit, endpoint, in_thread, to_players

_ROBOTS = "User-agent: *\nDisallow: /players\nDisallow: /*/standings\n"
# Pages that everybody may see.
_OPEN: dict[str, View] = {
    "/": reading.front,
    "/help/{subject}": reading.help_page,
    "/signin": signing.sign_in_page,
    "/signup": signing.sign_up_page,
    "/signup/{userid}/{address}/{proof}": signing.confirm_page,
    "/forgot": signing.forgot_page,
    "/link/{game}/{board}/{line}/{reader}/{proof}": linking.page,
    "/calendar/{userid}/{file}": calendar.calendar,
    "/unsubscribe/{userid}/{proof}": unsubscribing.page,
    "/settings": settings.page,
    "/waiting": waiting.waiting,
    "/challenge/{game}": challenging.page,
}
# Pages that the owner may close to strangers.
_CLOSED: dict[str, View] = {
    "/players": reading.players,
    "/players/{userid}": reading.player,
    "/open": lobby.lobby,
    "/tournaments": tournaments.listing,
    "/tournaments/{number}": tournaments.tournament,
    "/{game}": reading.game,
    "/{game}/standings": reading.standings,
    "/{game}/ratings": reading.ratings,
    "/{game}/{board}": playing.board,
    "/{game}/{board}/record": reading.record,
    "/{game}/{board}/verify": reading.verify,
    "/{game}/{board}/review": reviews.review,
    "/{game}/{board}/preview": playing.preview,
    "/{game}/{board}/moves": moves.moves,
    "/{game}/{board}/thumbnail": thumbnails.thumbnail,
    "/{game}/{board}/{ply}": playing.position,
}
_FORMS: dict[str, View] = {
    "/signin": signing.sign_in,
    "/signout": signing.sign_out,
    "/signup": signing.sign_up,
    "/signup/{userid}/{address}/{proof}": signing.confirm,
    "/forgot": signing.forgot,
    "/renew": signing.renew,
    "/link/{game}/{board}/{line}/{reader}/{proof}": linking.sign_in,
    "/settings/{what}": settings.change,
    "/decline": settings.decline_all,
    "/players/{userid}/message": settings.message,
    "/challenge/{game}": challenging.challenge,
    "/tournaments/{number}/{verb}": tournaments.enter,
}
# What mail programs send by themselves, without a page of ours: the path proves it.
_BARE_FORMS: dict[str, View] = {
    "/unsubscribe/{userid}/{proof}": unsubscribing.unsubscribe,
}
# Forms of the pages that the owner may close: nobody learns by one what there is.
_CLOSED_FORMS: dict[str, View] = {
    "/{game}/{board}/move": playing.move,
    "/{game}/{board}/chat": playing.chat,
    "/{game}/{board}/queue": playing.queue,
    "/{game}/{board}/submit": playing.submit,
    "/{game}/{board}/rematch": challenging.rematch,
    "/{game}/{board}/hint": playing.hint,
    "/{game}/{board}/review": playing.ask_review,
    "/{game}/{board}/{verb}": playing.act,
}


def application(site: Site, news: News) -> Starlette:
    """The application that serves the pages and the news of a site."""

    async def not_found(http: HttpRequest, fault: Exception) -> Response:
        assert isinstance(fault, HTTPException)
        if fault.status_code != 404:
            return PlainTextResponse(f"{fault.detail}\n", fault.status_code)
        visit = Visit(site, http, {})
        return await in_thread(visit, lambda: visit.error(NoPage(), 404))

    routes: list[BaseRoute] = [
        Route("/robots.txt", lambda http: PlainTextResponse(_ROBOTS)),
        Route("/healthz", _alive),
        Route("/static/{stamp}/{name}", Files(site).answer),
        Route("/news", news.answer),
        *_routes(site, _FORMS, "POST"),
        *_routes(site, _BARE_FORMS, "POST", is_bare=True),
        *_routes(site, _closed(_CLOSED_FORMS), "POST"),
        *_routes(site, _OPEN, "GET"),
        *_routes(site, _closed(_CLOSED), "GET"),
    ]
    return Starlette(
        routes=[Mount(site.root, Router(routes, redirect_slashes=False))],
        middleware=[
            Middleware(Headers, is_secure=site.is_secure),
            Middleware(Gate, proxies=site.proxies),
        ],
        exception_handlers={HTTPException: not_found},
    )


async def _alive(http: HttpRequest) -> Response:
    """The answer to a balancer, which says nothing about the store."""
    return PlainTextResponse("ok\n")


def _closed(views: Mapping[str, View]) -> dict[str, View]:
    return {path: to_players(view) for path, view in views.items()}


def _routes(
    site: Site, views: Mapping[str, View], method: str, is_bare: bool = False
) -> Iterator[BaseRoute]:
    for path, view in views.items():
        yield Route(path, endpoint(site, view, is_bare), methods=[method])
