"""A player's settings: letters, addresses, vacation, password, and the account."""

from starlette.responses import Response

from pbm_holomino.commands.params import is_option
from pbm_holomino.errors import NotFound, PbmError
from pbm_holomino.languages import Text, known
from pbm_holomino.match.account import NO_PLAYER, PLACEHOLDER, is_userid
from pbm_holomino.match.vacations import away_until, days_left
from pbm_holomino.web import calendar
from pbm_holomino.web.reading import player
from pbm_holomino.web.signing import change_password
from pbm_holomino.web.visit import NoPage, Visit

# Commands that take one word of the form, `value`, or all of them.
_CHANGES = (
    *("letters", "format", "threads", "broadcasts", "digest"),
    *("vacation", "address", "language", "zone"),
)
_PLAIN = ("add", "block", "unblock")
_BARE = ("signoff", "delete")
# What could lock a player out, who has left a browser signed in.
_BY_PASSWORD = ("address", "add", *_BARE)


def page(visit: Visit, said: Text = "", status: int = 200) -> Response:
    """All that a player can choose."""
    player = visit.must_be_player()
    return visit.page(
        "settings.html",
        status,
        account=player,
        languages=known.names().items(),
        language_now=visit.language.code,
        zone_now=player.zone_at(visit.now),
        away=away_until(player.vacations, visit.now),
        left=days_left(player.vacations, visit.now),
        calendar=calendar.path(visit, player),
        said=said,
    )


def change(visit: Visit) -> Response:
    """Change what a form is about."""
    player, what = visit.must_be_player(), visit.word("what")
    if what not in ("password", *_CHANGES, *_PLAIN, *_BARE):
        raise NoPage
    try:
        if what == "password":
            current, new = visit.form.get("current", ""), visit.form.get("new", "")
            return change_password(visit, player.userid, current, new)
        words = ["change"] if what in _CHANGES else []
        words += [what, player.userid, PLACEHOLDER]
        given = [w for w in visit.field("value").split() if not is_option(w)]
        request = visit.request(player.userid, *words, *given)
        if what in _BY_PASSWORD:
            proof = visit.form.get("password", "")
            request = request._replace(password=proof).coming(is_signed_in=False)
        visit.done(
            visit.site.server.carry_out(request._replace(allowance=visit.allowance))
        )
    except PbmError as error:
        return page(visit, error.said, 422)
    return visit.redirect(*() if what in _BARE else ("settings",))


def decline_all(visit: Visit) -> Response:
    """Turn down all challenges that a player has not answered."""
    who = visit.must_be_player().userid
    visit.run(who, "decline", "all", who, PLACEHOLDER)
    return visit.redirect()


def message(visit: Visit) -> Response:
    """Write to another player."""
    who, other = visit.must_be_player().userid, visit.word("userid")
    if not is_userid(other):
        raise NotFound(NO_PLAYER)
    said = visit.run(
        who, "message", who, PLACEHOLDER, other, body=visit.field("text")
    ).text
    return player(visit, said.strip())
