"""A player's settings: letters, addresses, vacation, password, and the account."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from starlette.responses import Response

from pbm_holomino.commands.params import is_option
from pbm_holomino.errors import NotFound, PbmError
from pbm_holomino.languages import Text, known, together
from pbm_holomino.match.account import NO_PLAYER, PLACEHOLDER, Player, is_userid
from pbm_holomino.match.notices import FORMS
from pbm_holomino.match.session import Session, running
from pbm_holomino.match.vacations import away_until, days_left
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.web import calendar, pushing, sessions
from pbm_holomino.web.profiles import player
from pbm_holomino.web.searching import parts
from pbm_holomino.web.signing import change_password
from pbm_holomino.web.visit import NoPage, Visit

# What a player chooses by a word, in one form, and the command for each.
_CHOICES = {
    "letters": "letters",
    "format": "format",
    "moves": "letters",
    "threads": "threads",
    "digest": "digest",
    "broadcasts": "broadcasts",
    "profile": "profile",
    "language": "language",
    "zone": "zone",
}
# Commands that take one word of the form, `value`, or all of them.
_CHANGES = ("vacation", "address", "notices")
_PLAIN = ("add", "block", "unblock")
_NOTICES = ("url", "service", "daily")  # the fields of the form about them
_BARE = ("signoff", "delete")
# What could lock a player out, who has left a browser signed in.
_BY_PASSWORD = ("address", "add", *_BARE)


def page(
    visit: Visit,
    said: Text = "",
    status: int = 200,
    refused: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    """All that a player can choose; what was refused is there to be mended."""
    player = visit.must_be_player()
    had = _chosen(visit, player)
    return visit.page(
        "settings.html",
        status,
        account=player,
        languages=known.names().items(),
        had=" ".join(f"{name}={word}" for name, word in had.items()),
        chosen={**had, **refused},
        zone_now=had["zone"],
        away=away_until(player.vacations, visit.now),
        left=days_left(player.vacations, visit.now),
        calendar=calendar.path(visit, player),
        parts=parts(visit, player.userid),
        running=_running(visit, player),
        services=FORMS,
        push_key=pushing.server_key(visit),
        is_told=pushing.is_on(visit),
        said=said,
    )


def _chosen(visit: Visit, player: Player) -> dict[str, str]:
    """What a player has chosen, by the names of the fields."""
    values: dict[str, Any] = {
        **player._asdict(),
        "language": visit.language.code,
        "zone": player.zone_at(visit.now),
    }
    return {name: _SWITCH.get(values[name], values[name]) for name in _CHOICES}


_SWITCH = {True: "on", False: "off"}


def choose(visit: Visit) -> Response:
    """Change what a player has chosen otherwise than the page showed it: what has
    changed since, perhaps in another tab, stays as it is. Where something is refused,
    all else is changed."""
    who = visit.must_be_player().userid
    had = dict(word.partition("=")[::2] for word in visit.field("had").split())
    given = {name: visit.field(name) for name in _CHOICES}
    refused, said = {}, list[Text]()
    for name, word in given.items():
        if word in ("", had.get(name)):
            continue
        command = _CHOICES[name]
        value = word if name == command else f"{name}={word}"
        words = [w for w in value.split() if not is_option(w)]
        try:
            request = visit.request(who, "change", command, who, PLACEHOLDER, *words)
            request = request.coming(mail=f"{visit.source}/{name}")
            visit.done(visit.site.server.carry_out(request))
        except PbmError as error:
            refused[name] = word
            said.append(error.said)
    if refused:
        return page(visit, together(said), 422, refused)
    return visit.redirect("settings")


class _Running(NamedTuple):
    """A session of a player, as it is listed."""

    session: Session
    is_here: bool

    @property
    def board(self) -> str:
        """The board to whose letter the session belongs; empty if to none."""
        return " ".join(self.session.letter.split(".")[:2])


def _running(visit: Visit, player: Player) -> list[_Running]:
    """The sessions of the player who is signed in: this one first, and then those that
    have begun last."""
    signed_in = visit.signed_in
    here = signed_in.session.digest if signed_in else ""
    found = running(player.sessions, visit.now)
    listed = [_Running(each, each.digest == here) for each in reversed(found)]
    return sorted(listed, key=lambda each: not each.is_here)


def end_sessions(visit: Visit) -> Response:
    """End a session of another browser, or all of them."""
    player, value = visit.must_be_player(), visit.field("value")
    others = [one.session.digest for one in _running(visit, player) if not one.is_here]
    gone = [digest for digest in others if value in (digest, "others")]
    sessions.end(visit.library, player.userid, gone, visit.now)
    return visit.redirect("settings")


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
        fields = _NOTICES if what == "notices" else ()
        typed = [visit.field(name) for name in (*fields, "value")]
        given = [w for w in " ".join(typed).split() if not is_option(w)]
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
