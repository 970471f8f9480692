"""Who is signed in: sessions in the accounts of the store, and their cookies."""

import secrets
from collections.abc import Callable

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pbm_holomino.commands.refusals import PASSWORD_CHANGED
from pbm_holomino.errors import NotFound, WrongPassword
from pbm_holomino.match import account, session
from pbm_holomino.match.account import NO_PLAYER, Player
from pbm_holomino.match.session import Session, Sessions
from pbm_holomino.match.tokens import token
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

SESSION, VISITOR = "pbm", "pbm-visitor"  # names of cookies
_BYTES = 32  # of a secret
_SECONDS = session.DAYS * 86_400


class SignedIn(NamedTuple):
    """A player, and the session that says so."""

    player: Player
    session: Session


def begin(library: Library, judged: Player, now: str, letter: str = "") -> str:
    """Begin a session for a player who has just been judged to be themselves; what its
    cookie holds. Raises WrongPassword if their password has changed since."""
    secret = secrets.token_urlsafe(_BYTES)

    def more(player: Player) -> Sessions:
        if player.password != judged.password:
            raise WrongPassword(PASSWORD_CHANGED)
        return session.begun(player.sessions, secret, now, letter)

    _change(library, judged.userid, more)
    return f"{judged.userid}.{secret}"


def end(library: Library, cookie: str) -> None:
    """End the session of a cookie."""
    userid, _, secret = cookie.partition(".")
    _change(library, userid, lambda player: session.ended(player.sessions, secret))


def find(library: Library, cookie: str, now: str) -> SignedIn | None:
    """Who is signed in by a cookie, if anybody is."""
    userid, _, secret = cookie.partition(".")
    player = People(library).readable(userid)
    if player is None:
        return None
    live = session.found(player.sessions, secret, now)
    return None if live is None else SignedIn(player, live)


def _change(
    library: Library, userid: str, change: Callable[[Player], Sessions]
) -> None:
    with library.store.lock(PLAYERS, userid):
        player = library.player(userid)
        if player is None:
            raise NotFound(NO_PLAYER)
        sessions = change(player)
        if sessions != player.sessions:
            changed = player._replace(sessions=sessions)
            library.store.save(PLAYERS, userid, account.to_data(changed))


class Cookies:
    """The cookies of a site: where it `is_secure`, browsers send them by TLS alone, and
    nobody but the site itself can have set them."""

    def __init__(self, is_secure: bool) -> None:
        self._is_secure = is_secure

    def _name(self, name: str) -> str:
        return f"__Host-{name}" if self._is_secure else name

    def read(self, http: HttpRequest, name: str) -> str:
        """What a cookie holds; empty if the browser has none."""
        return http.cookies.get(self._name(name), "")

    def put(self, response: Response, name: str, value: str) -> None:
        """Have the browser keep a cookie: for as long as sessions last, or a visitor's
        until it is closed."""
        response.set_cookie(
            self._name(name),
            value,
            max_age=_SECONDS if name == SESSION else None,
            secure=self._is_secure,
            httponly=True,
            samesite="lax",
        )

    def drop(self, response: Response, name: str) -> None:
        """Have the browser forget a cookie."""
        response.delete_cookie(
            self._name(name), secure=self._is_secure, httponly=True, samesite="lax"
        )


def form_token(key: bytes, cookie: str, source: str) -> str:
    """What proves that a form comes from a page that was made for a browser with this
    cookie; `source` is the form's own id."""
    return token(key, ("form", cookie, source))
