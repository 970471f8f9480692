"""The application: which view answers which path, and what every answer carries."""

from collections.abc import Iterator, Mapping

from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from pbm_holomino import rules
from pbm_holomino.web import (
    asking,
    calendar,
    challenging,
    friends,
    guest_pages,
    installed,
    lessons,
    linking,
    lobby,
    moves,
    owners,
    pasting,
    playing,
    profiles,
    pushing,
    reading,
    reviews,
    searching,
    settings,
    sharing,
    signing,
    thumbnails,
    tournaments,
    trying,
    unsubscribing,
    waiting,
)
from pbm_holomino.web.files import Files
from pbm_holomino.web.gate import Gate
from pbm_holomino.web.headers import Headers
from pbm_holomino.web.news import News
from pbm_holomino.web.site import Site
from pbm_holomino.web.visit import NoPage, View, Visit, endpoint, in_thread, to_players

_ROBOTS = (
    "User-agent: *\nDisallow: /players\nDisallow: /search\nDisallow: /play/\n"
    "Disallow: /owner\n"
    "Disallow: /*/standings\n"
)
# Pages that everybody may see.
_OPEN: dict[str, View] = {
    "/": reading.front,
    "/help/{subject}": reading.help_page,
    "/learn/{game}": lessons.first,
    "/learn/{game}/{step}": lessons.lesson,
    "/learn/{game}/{step}/preview": lessons.preview,
    "/learn/{game}/{step}/moves": lessons.legal,
    "/signin": signing.sign_in_page,
    "/signin/link": signing.link_page,
    "/signup": signing.sign_up_page,
    "/signup/{userid}/{address}/{proof}": signing.confirm_page,
    "/forgot": signing.forgot_page,
    "/link/{game}/{board}/{line}/{reader}/{proof}": linking.page,
    "/calendar/{userid}/{file}": calendar.calendar,
    "/unsubscribe/{userid}/{proof}": unsubscribing.page,
    "/settings": settings.page,
    "/waiting": waiting.waiting,
    "/manifest.webmanifest": installed.manifest,
    "/worker.js": installed.worker,
    "/offline": installed.offline,
    "/owner": owners.ask_page,
    "/owner/{proof}": owners.page,
    "/challenge/{game}": challenging.page,
}
# Pages that the owner may close to strangers.
_CLOSED: dict[str, View] = {
    "/play/{game}": guest_pages.board,
    "/play/{game}/moves": guest_pages.moves,
    "/play/{game}/preview": guest_pages.preview,
    "/play/{game}/{ply}": guest_pages.board,
    "/friend": friends.links,
    "/friend/{game}/{userid}/{proof}": friends.page,
    "/players": reading.players,
    "/players/{userid}": profiles.player,
    "/search": searching.search,
    "/download/{part}": searching.download,
    "/open": lobby.lobby,
    "/tournaments": tournaments.listing,
    "/tournaments/{number}": tournaments.tournament,
    "/{game}": reading.game,
    "/{game}/feed": sharing.feed_of_game,
    "/{game}/standings": reading.standings,
    "/{game}/ratings": reading.ratings,
    "/{game}/paste": pasting.ask_page,
    "/{game}/{board}": playing.board,
    "/{game}/{board}/ask": asking.page,
    "/{game}/{board}/record": reading.record,
    "/{game}/{board}/verify": reading.verify,
    "/{game}/{board}/review": reviews.review,
    "/{game}/{board}/review/{ply}": reviews.move,
    "/{game}/{board}/preview": playing.preview,
    "/{game}/{board}/moves": moves.moves,
    "/{game}/{board}/try": trying.page,
    "/{game}/{board}/try/moves": trying.legal,
    "/{game}/{board}/thumbnail": thumbnails.thumbnail,
    "/{game}/{board}/feed": sharing.feed_of_board,
    "/{game}/{board}/{revision}.png": sharing.picture,
    "/{game}/{board}/{ply}": playing.position,
}
_FORMS: dict[str, View] = {
    "/signin": signing.sign_in,
    "/signin/letter": signing.send_link,
    "/signin/link": signing.sign_in_by_link,
    "/signout": signing.sign_out,
    "/signup": signing.sign_up,
    "/signup/{userid}/{address}/{proof}": signing.confirm,
    "/forgot": signing.forgot,
    "/renew": signing.renew,
    "/link/{game}/{board}/{line}/{reader}/{proof}": linking.sign_in,
    "/settings/choices": settings.choose,
    "/settings/sessions": settings.end_sessions,
    "/settings/{what}": settings.change,
    "/decline": settings.decline_all,
    "/push": pushing.change,
    "/owner": owners.send_link,
    "/players/{userid}/message": settings.message,
    "/players/{userid}/follow": profiles.follow,
    "/players/{userid}/report": profiles.report,
    "/challenge/{game}": challenging.challenge,
    "/tournaments/{number}/{verb}": tournaments.enter,
}
# What mail programs send by themselves, without a page of ours: the path proves it.
_BARE_FORMS: dict[str, View] = {
    "/unsubscribe/{userid}/{proof}": unsubscribing.unsubscribe,
}
# Forms of the pages that the owner may close: nobody learns by one what there is.
_CLOSED_FORMS: dict[str, View] = {
    "/friend/{game}/{userid}/{proof}": friends.play,
    "/play/{game}/move": guest_pages.move,
    "/play/{game}/again": guest_pages.again,
    "/play/{game}/keep": guest_pages.keep,
    "/{game}/paste": pasting.page,
    "/{game}/paste/moves": pasting.legal,
    "/{game}/{board}/move": playing.move,
    "/{game}/{board}/chat": playing.chat,
    "/{game}/{board}/queue": playing.queue,
    "/{game}/{board}/submit": playing.submit,
    "/{game}/{board}/rematch": challenging.rematch,
    "/{game}/{board}/hint": playing.hint,
    "/{game}/{board}/review": playing.ask_review,
    "/{game}/{board}/publish": playing.publish,
    "/{game}/{board}/try/keep": trying.keep,
    "/{game}/{board}/try/note": trying.note,
    "/{game}/{board}/try/hint": trying.hint,
    "/{game}/{board}/{verb}": playing.act,
}


def application(site: Site, news: News) -> ASGIApp:
    """The application that serves the pages and the news of a site."""

    async def no_page(scope: Scope, receive: Receive, send: Send) -> None:
        visit = Visit(site, HttpRequest(scope), {})
        answer = await in_thread(visit, lambda: visit.error(NoPage(), 404))
        await answer(scope, receive, send)

    async def to_front(http: HttpRequest) -> Response:
        """Of a site below a path, whose address people write without a slash."""
        return RedirectResponse(f"{site.root}/")

    routes = [
        Route(f"{site.root}/robots.txt", _for_robots),
        Route(f"{site.root}/healthz", _alive),
        Route(f"{site.root}/static/{{stamp}}/{{name}}", Files(site).answer),
        Route(f"{site.root}/news", news.answer),
        # pages come before forms: each is looked for in turn
        *_routes(site, _OPEN, "GET"),
        *_routes(site, _closed(_CLOSED), "GET"),
        *_routes(site, _FORMS, "POST"),
        *_routes(site, _BARE_FORMS, "POST", is_bare=True),
        *_routes(site, _closed(_CLOSED_FORMS), "POST"),
        Route(site.root or "/", to_front),
    ]

    def router(some: list[Route]) -> Router:
        return Router(some, redirect_slashes=False, default=no_page)

    # Boards, which are asked for most, are not looked for among all other pages.
    begin = f"{site.root}/{{game}}"
    every = router(routes)
    of_games = router([route for route in routes if route.path.startswith(begin)])

    async def pages(scope: Scope, receive: Receive, send: Send) -> None:
        word = scope["path"].removeprefix(site.root).split("/", 2)[1:2]
        found = of_games if word and word[0] in rules.names() else every
        await found(scope, receive, send)

    return Headers(Gate(pages, site.proxies), site.is_secure)


async def _for_robots(http: HttpRequest) -> Response:
    """What search engines had better leave alone."""
    return PlainTextResponse(_ROBOTS)


async def _alive(http: HttpRequest) -> Response:
    """The answer to a balancer, which says nothing about the store."""
    return PlainTextResponse("ok\n")


def _closed(views: Mapping[str, View]) -> dict[str, View]:
    return {path: to_players(view) for path, view in views.items()}


def _routes(
    site: Site, views: Mapping[str, View], method: str, is_bare: bool = False
) -> Iterator[Route]:
    for path, view in views.items():
        yield Route(site.root + path, endpoint(site, view, is_bare), methods=[method])
