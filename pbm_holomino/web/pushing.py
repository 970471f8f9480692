"""Whether this browser is told of its player's turn by web push."""

from importlib.util import find_spec

from starlette.responses import Response

from pbm_holomino.errors import BadCommand
from pbm_holomino.languages import sentence
from pbm_holomino.match import push
from pbm_holomino.match.push import Subscription
from pbm_holomino.server import subscriptions
from pbm_holomino.web.visit import Visit


def server_key(visit: Visit) -> str:
    """What a browser needs to know for it; empty where nobody can be told: without an
    address of the pages, or without the library."""
    if not visit.site.config.web or find_spec("cryptography") is None:
        return ""
    from pbm_holomino.server.push import public_key  # few look at their settings

    return public_key(visit.library.key)


def is_on(visit: Visit) -> bool:
    """Whether this browser is told."""
    signed_in = visit.signed_in
    return signed_in is not None and any(
        one.session == signed_in.session.digest for one in signed_in.player.pushes
    )


def change(visit: Visit) -> Response:
    """Tell this browser from now on, or no more if the form has no endpoint."""
    player, signed_in = visit.must_be_player(), visit.signed_in
    assert signed_in is not None
    given = [visit.field(name) for name in ("endpoint", "key", "auth")]
    here = Subscription(signed_in.session.digest, *given)
    if here.endpoint and not (push.is_right(*given) and server_key(visit)):
        raise BadCommand(
            sentence(
                "This server does not know the push service of this browser, so it "
                "cannot tell you there. Letters go on."
            )
        )

    def changed(had: push.Subscriptions) -> push.Subscriptions:
        rest = push.without(had, here)
        return (*rest, here) if here.endpoint else rest

    subscriptions.change(visit.library, player.userid, changed, visit.now)
    return visit.redirect("settings")
