"""The pages of guests' games, each like the page of a board."""

import re
from contextlib import suppress
from typing import Any

from starlette.responses import Response

from pbm_holomino import rules
from pbm_holomino.errors import NotFound, PbmError, Refused
from pbm_holomino.languages import Text, sentence
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.replay import check_number, check_running
from pbm_holomino.web import boards, guests
from pbm_holomino.web import moves as data
from pbm_holomino.web.guests import YOU, Guest
from pbm_holomino.web.playing import check_is_move, previewed
from pbm_holomino.web.robot_help import RobotHelp
from pbm_holomino.web.sessions import GUEST
from pbm_holomino.web.visit import NoPage, Visit, status_of

_AGAINST = sentence("{game} against a robot")
_NUMBER = re.compile(r"[0-9]{1,9}")  # of a move


def board(visit: Visit) -> Response:
    """The guest's game as it is, or as it was after a move."""
    ply = visit.number("ply") if "ply" in visit.http.path_params else None
    return _page(visit, _guest(visit), ply)


def moves(visit: Visit) -> Response:
    """What the guest can play, as data for the script. Raises NotFound."""
    match = _match(visit, _guest(visit))
    if YOU not in match.turn:
        raise NotFound(sentence("It is not your turn."))
    return data.answer(visit, match, YOU)


def preview(visit: Visit) -> Response:
    """The game as it would be after a move, and the button that plays it."""
    guest = _guest(visit)
    match = _match(visit, guest)
    try:
        after = previewed(match, visit.query("move").strip(), YOU)
    except Refused as error:
        return _page(visit, guest, alert=error.said, status=422)
    return visit.page(
        "preview.html",
        **_context(visit, after),
        before=match,
        move=after.record.log[-1].action,
        plays=True,
        submits=False,
        ahead=[],
    )


def move(visit: Visit) -> Response:
    """Play a move, which the robot answers. A form that is sent again does nothing."""
    guest, word, number = _guest(visit), visit.field("move"), visit.field("no")
    match = _match(visit, guest)
    if _is_done(match, word, number):
        return _to_game(visit, guest)
    try:
        check_is_move(word)
        check_running(match)
        check_number(match, word, int(number) if _NUMBER.fullmatch(number) else None)
        visit.allowance.answers.play_as_guest()
        after = guests.moved(match, word)
        return _to_game(visit, guest.playing(visit.game, guests.moves(after)))
    except Refused as error:
        return _page(visit, guest, alert=error.said, status=status_of(error))


def _is_done(match: Match, word: str, number: str) -> bool:
    """Whether this move has already been played with this number."""
    done = {str(line.no): line for line in match.log if line.who == YOU}
    return number in done and done[number].action == word


def again(visit: Visit) -> Response:
    """Begin a new game, in place of the one that there is."""
    return _to_game(visit, _guest(visit).again(visit.game))


def _opponent(visit: Visit) -> str:
    """The robot that plays with guests. Raises NotFound if none does."""
    name = guests.robot(visit.library.robots)
    if not name:
        raise NoPage
    return name


def _guest(visit: Visit) -> Guest:
    """Who has this browser: somebody new, where it has no cookie of ours."""
    cookie = visit.site.cookies.read(visit.http, GUEST)
    return guests.unpacked(cookie, visit.library.key) or guests.fresh()


def _match(visit: Visit, guest: Guest) -> Match:
    key, robot = visit.library.key, _opponent(visit)
    return guests.match(guest, visit.game, key, robot, visit.now)


def _to_game(visit: Visit, guest: Guest) -> Response:
    """Lead the guest to their game. Raises NotAllowed if it has become too long."""
    response = visit.redirect("play", visit.game)
    remember(visit, response, guest)
    return response


def remember(visit: Visit, response: Response, guest: Guest) -> None:
    """Have the browser keep the guest's games. Raises NotAllowed."""
    cookie = guests.packed(guest, visit.library.key)
    visit.site.cookies.put(response, GUEST, cookie)


def _page(
    visit: Visit,
    guest: Guest,
    ply: int | None = None,
    alert: Text = "",
    status: int = 200,
) -> Response:
    """The page of a guest's game, under an alert if something was refused."""
    match = _match(visit, guest)
    response = visit.page(
        "guest.html",
        status,
        **_context(visit, match, ply),
        robot=RobotHelp(),
        alert=alert,
        errand=_errand(visit, guest),
        can_send=bool(visit.site.config.web),
    )
    if not guest.games:  # a page that comes late does not bring back an earlier move
        remember(visit, response, guest)
    return response


# Keeping a game


def _errand(visit: Visit, guest: Guest) -> str:
    """What is to be done once the guest has an account; empty before their first
    move."""
    if not guest.begun(visit.game).moves:
        return ""
    packed = guests.packed(guest.only(visit.game), visit.library.key)
    return f"play/{visit.game}/{packed}"


def keep(visit: Visit) -> Response:
    """Make the game an unrated board of the player who is signed in."""
    player, guest = visit.must_be_player(), _guest(visit)
    try:
        kept = guests.keep(
            visit.site.server, guest, visit.game, player.userid, _opponent(visit)
        )
    except Refused as error:
        return _page(visit, guest, alert=error.said, status=status_of(error))
    return kept_page(visit, guest, kept)


def kept_page(visit: Visit, guest: Guest, kept: Match) -> Response:
    """Lead the player to a board of theirs that was this guest's game."""
    visit.site.ring()
    response = visit.redirect(kept.record.game, kept.record.board)
    remember(visit, response, guest.again(kept.record.game))
    return response


def kept_for(visit: Visit, player: Player, game: str, packed: str) -> Response | None:
    """Do what `_errand` says for a player who has just signed up or in; None if this
    cannot be done. The game may have gone on in this browser since."""
    then = guests.unpacked(packed, visit.library.key)
    name = guests.robot(visit.library.robots)
    if then is None or not name or game not in rules.names():
        return None
    here = _guest(visit)
    is_later = here.id == then.id and here.begun(game).number == then.begun(game).number
    guest = here if is_later else then
    with suppress(PbmError):
        kept = guests.keep(visit.site.server, guest, game, player.userid, name)
        return kept_page(visit, here if is_later else then, kept)
    return None


def _context(visit: Visit, match: Match, ply: int | None = None) -> dict[str, Any]:
    """What the page of a board shows, for that of a guest's game."""
    context = boards.context(match, YOU, visit.language, ply, is_player=False)
    title = _AGAINST.of(game=match.rules.TITLE)
    name = match.rules.TITLE
    at = f"play/{visit.game}"
    return {**context, "at": at, "name": name, "caption": title, "deadline": ""}
