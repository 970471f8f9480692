"""Private links: whoever gets one from a player can begin a game with them.

A link is good for ever, and proves that it comes from its player: nobody else can say
in their name that they would like to play.
"""

from starlette.responses import Response

from pbm_holomino import rules
from pbm_holomino.errors import NotFound, Refused
from pbm_holomino.languages import Text
from pbm_holomino.match.account import NO_PLAYER
from pbm_holomino.match.tokens import is_same, token
from pbm_holomino.store.people import People
from pbm_holomino.web.challenging import to_new
from pbm_holomino.web.reading import kind
from pbm_holomino.web.visit import NoPage, Undone, Visit, status_of


def links(visit: Visit) -> Response:
    """A player's links, one for each game; strangers are asked to sign up first."""
    player = visit.player
    own = {}
    if player is not None:
        own = {name: _link(visit, name, player.userid) for name in rules.names()}
    return visit.page("friends.html", own=own)


def _link(visit: Visit, game: str, userid: str) -> str:
    """The whole address of a link."""
    asked = visit.http.url
    address = visit.site.address or f"{asked.scheme}://{asked.netloc}"
    path = visit.site.path(*_parts(visit, game, userid))
    return f"{address}{path.removeprefix(visit.site.root)}"


def _parts(visit: Visit, game: str, userid: str) -> tuple[str, ...]:
    """The path of a link, in parts."""
    proof = token(visit.library.key, ("web", "friend", game, userid))
    return "friend", game, userid, proof


def page(visit: Visit) -> Response:
    """What a link leads to: the game, and the button that begins it."""
    return _page(visit)


def _page(visit: Visit, said: Text = "", status: int = 200) -> Response:
    game, host = visit.game, _host(visit)
    return visit.page(
        "friend.html",
        status,
        game=game,
        host=host,
        kind=kind(game, visit.language),
        address=_link(visit, game, host),
        path="/".join(_parts(visit, game, host)),
        can_send=bool(visit.site.config.web),
        said=said,
    )


def _host(visit: Visit) -> str:
    """The player whose link it is. Raises NotFound or TooMany."""
    userid = visit.word("userid")
    *_, proof = _parts(visit, visit.game, userid)
    if not is_same(proof, visit.word("proof")):
        visit.allowance.answers.open_wrong_link()
        raise NoPage
    if People(visit.library).player(userid) is None:
        raise NotFound(NO_PLAYER)
    return userid


def play(visit: Visit) -> Response:
    """Begin the game, by challenging the player whose link it is."""
    who, host = visit.must_be_player().userid, _host(visit)
    try:
        visit.run(who, visit.game, "challenge", who, host)
    except (Refused, Undone) as error:
        status = 422 if isinstance(error, Undone) else status_of(error)
        return _page(visit, error.said, status)
    return to_new(visit)
