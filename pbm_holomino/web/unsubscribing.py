"""The link in a digest or a broadcast that ends both (RFC 8058).

A mail program makes the request when its reader presses a button there: it has no
cookie, follows no other page, and shows nothing. Programs that look through mail follow
links, so looking at one changes nothing.
"""

from starlette.responses import Response

from pbm_holomino.commands.request import Origin, Request
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.match.account import is_userid
from pbm_holomino.match.record import typed_source
from pbm_holomino.match.tokens import is_same, unsubscribe_page, unsubscribe_word
from pbm_holomino.web.visit import Visit


def page(visit: Visit) -> Response:
    """The button, for a reader who has opened the link."""
    return visit.page("unsubscribe.html", who=_asked(visit), is_done=False)


def unsubscribe(visit: Visit) -> Response:
    """End the digests and broadcasts of the reader of the letter, and nothing else. The
    request need not come from our page, as its link proves all."""
    who, key = _asked(visit), visit.library.key
    request = Request("unsubscribe", "", who, unsubscribe_word(key, who))
    origin = Origin(typed_source())
    request = request._replace(origin=origin, allowance=visit.allowance)
    visit.done(visit.site.server.carry_out(request))
    return visit.page("unsubscribe.html", who=who, is_done=True)


def _asked(visit: Visit) -> str:
    """The player whose link this is. Raises NotAllowed, or TooMany."""
    who = visit.word("userid")
    path = f"unsubscribe/{who}/{visit.word('proof')}"
    is_right = is_userid(who) and is_same(
        unsubscribe_page(visit.library.key, who), path
    )
    if not is_right:
        visit.allowance.answers.open_wrong_link()
        raise NotAllowed(
            sentence("This link is not valid: please open the one in the letter.")
        )
    return who
