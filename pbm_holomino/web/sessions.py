"""Who is signed in: sessions in the accounts of the store, and their cookies."""

import secrets
from collections.abc import Callable, Collection

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pbm_holomino.commands.refusals import PASSWORD_CHANGED
from pbm_holomino.errors import NotFound, WrongPassword
from pbm_holomino.match import account, session
from pbm_holomino.match.account import NO_PLAYER, Player
from pbm_holomino.match.session import Session
from pbm_holomino.match.tokens import token
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

SESSION, VISITOR, GUEST = "pbm", "pbm-visitor", "pbm-guest"  # names of cookies
_BYTES = 32  # of a secret
_SECONDS = session.DAYS * 86_400


class SignedIn(NamedTuple):
    """A player, and the session that says so."""

    player: Player
    session: Session


def begin(
    library: Library, judged: Player, now: str, letter: str = "", once: bool = False
) -> str:
    """Begin a session for a player who has just been judged to be themselves; what its
    cookie holds. Raises WrongPassword if their password has changed since, or, where
    what has judged them is good `once`, if a session has begun."""
    secret = secrets.token_urlsafe(_BYTES)

    def more(player: Player) -> Player:
        is_same = not once or player.sessions == judged.sessions
        if player.password != judged.password or not is_same:
            raise WrongPassword(PASSWORD_CHANGED)
        sessions = session.begun(player.sessions, secret, now, letter)
        return player._replace(sessions=sessions)

    change(library, judged.userid, more)
    return f"{judged.userid}.{secret}"


def end(library: Library, userid: str, digests: Collection[str], now: str) -> None:
    """End those of a player's sessions that have these hashes."""

    def fewer(player: Player) -> Player:
        return player._replace(sessions=session.ended(player.sessions, digests, now))

    change(library, userid, fewer)


def find(library: Library, cookie: str, now: str) -> SignedIn | None:
    """Who is signed in by a cookie, if anybody is."""
    userid, _, secret = cookie.partition(".")
    player = People(library).readable(userid)
    if player is None:
        return None
    live = session.found(player.sessions, secret, now)
    return None if live is None else SignedIn(player, live)


def change(library: Library, userid: str, changed: Callable[[Player], Player]) -> None:
    """Change what an account keeps for the pages alone, which is in no log."""
    with library.store.lock(PLAYERS, userid):
        player = library.player(userid)
        if player is None:
            raise NotFound(NO_PLAYER)
        after = changed(player)
        if after != player:
            library.store.save(PLAYERS, userid, account.to_data(after))


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
        """Have the browser keep a cookie for as long as sessions last; a visitor's,
        until it is closed."""
        response.set_cookie(
            self._name(name),
            value,
            max_age=None if name == VISITOR else _SECONDS,
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
