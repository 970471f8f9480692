"""Signing up, signing in and out, and passwords that were forgotten."""

from contextlib import suppress
from urllib.parse import quote

from starlette.responses import Response

from pbm_holomino.commands.accounts import (
    TAKEN,
    check_not_reserved,
    check_room_for_letter,
)
from pbm_holomino.commands.allowance import Allowance, Guess
from pbm_holomino.commands.request import Origin, Request
from pbm_holomino.errors import NotAllowed, NotFound, PbmError, WrongPassword
from pbm_holomino.languages import sentence
from pbm_holomino.letters import account_letters
from pbm_holomino.match.account import (
    NO_NEW_PLAYERS,
    NO_PLAYER,
    PLACEHOLDER,
    Player,
    check_address,
    check_password,
    is_userid,
)
from pbm_holomino.match.times import later
from pbm_holomino.match.tokens import is_same, token
from pbm_holomino.store.people import People
from pbm_holomino.web import sessions
from pbm_holomino.web.sessions import SESSION
from pbm_holomino.web.visit import Visit, status_of

# Signing in


def sign_in_page(visit: Visit) -> Response:
    """The form for the userid and the password."""
    return visit.page("signin.html", userid="", said="")


def sign_in(visit: Visit) -> Response:
    """Begin a session for a player who gives the right password."""
    userid = visit.field("userid").lower()
    try:
        player = _judged(visit, userid, visit.form.get("password", ""))
    except PbmError as error:
        status = status_of(error)
        return visit.page("signin.html", status, userid=userid, said=error.said)
    return _signed_in(visit, player)


def _judged(visit: Visit, userid: str, password: str) -> Player:
    """The player with this password. Raises NotFound or WrongPassword."""
    player = People(visit.library).player(userid) if is_userid(userid) else None
    if player is None:
        raise NotFound(NO_PLAYER)
    guess = Guess(password, player.password, userid, is_home=False)
    if not visit.allowance.guesses.fits(guess, visit.site.server.fits):
        raise WrongPassword(sentence("That is not the password of that player."))
    return player


def _signed_in(visit: Visit, player: Player) -> Response:
    """Begin a session, and lead the player to their boards."""
    response = visit.redirect()
    cookie = sessions.begin(visit.library, player, visit.now)
    visit.site.cookies.put(response, SESSION, cookie)
    return response


def sign_out(visit: Visit) -> Response:
    """End the session of this browser."""
    response = visit.redirect()
    if visit.signed_in is not None:
        sessions.end(visit.library, visit.site.cookies.read(visit.http, SESSION))
    visit.site.cookies.drop(response, SESSION)
    return response


# Signing up: nothing is written before the address has proved to be right

_DAYS = 1  # for which a link is good, at least


def sign_up_page(visit: Visit) -> Response:
    """The form for a userid and an address."""
    can_send = bool(visit.site.config.web)
    server = visit.site.config.address
    return visit.page("signup.html", said="", can_send=can_send, server=server, to="")


def sign_up(visit: Visit) -> Response:
    """Send a letter with the link by which the account is made."""
    userid, address = visit.field("userid").lower(), visit.field("address")
    _check_is_open(visit)
    if not visit.site.config.web:
        raise NotAllowed(
            sentence("This server sends no links: please sign up by mail.")
        )
    _check_free(visit, userid)
    check_address(address)
    check_room_for_letter(visit.site.server.library)
    visit.allowance.answers.sign_up([address])
    proof = _proof(visit, userid, address, visit.now)
    path = visit.site.path("signup", userid, quote(address, safe="@"), proof)
    letter = account_letters.confirmation(
        userid, address, visit.site.address + path.removeprefix(visit.site.root)
    )
    visit.site.server.delivery.send([letter])
    return visit.page("signup.html", said="", can_send=True, server="", to=address)


def _check_is_open(visit: Visit) -> None:
    """Raises NotAllowed if the owner has closed sign-ups."""
    if not visit.site.config.takes_players:
        raise NotAllowed(NO_NEW_PLAYERS)


def _check_free(visit: Visit, userid: str) -> None:
    """Raises NotAllowed for a userid that cannot be chosen."""
    if not is_userid(userid):
        raise NotAllowed(
            sentence("A userid is a letter and 1 to 19 letters, digits or underscores.")
        )
    check_not_reserved(userid)
    if visit.library.account(userid) is not None:
        raise NotAllowed(TAKEN.of(userid=userid))


def _proof(visit: Visit, userid: str, address: str, time: str) -> str:
    """What proves that a letter has reached this address: it follows from the day, so
    nothing has to be kept."""
    words = ("signup", userid, address.lower(), time[:10])
    return token(visit.library.key, words)


def confirm_page(visit: Visit) -> Response:
    """The page behind the link: it asks for a password, and has changed nothing."""
    userid, address = _confirmed(visit)
    _check_is_open(visit)
    return visit.page("confirm.html", userid=userid, address=address, said="")


def confirm(visit: Visit) -> Response:
    """Make the account, and sign its player in."""
    userid, address = _confirmed(visit)
    try:
        player = _made(visit, userid, address, visit.form.get("password", ""))
    except PbmError as error:
        page, said, status = "confirm.html", error.said, status_of(error)
        return visit.page(page, status, userid=userid, address=address, said=said)
    _take_zone(visit, player)
    return _signed_in(visit, player)


def _take_zone(visit: Visit, player: Player) -> None:
    """Choose the zone of a browser for a new player. One that is not known here, or
    that no browser has sent, is not missed."""
    zone, who = visit.field("zone"), player.userid
    if not zone or player.zones:
        return
    with suppress(PbmError):
        words = ("change", "zone", who, PLACEHOLDER, *zone.split()[:1])
        request = visit.request(who, *words).coming(mail=f"{visit.source}/zone")
        visit.site.server.carry_out(request)


def _made(visit: Visit, userid: str, address: str, password: str) -> Player:
    """The player whose account this form makes, or has made when it was sent before:
    then the password must be right. Raises NotAllowed if somebody has the userid."""
    had = visit.library.account(userid)
    if had is None:
        _check_is_open(visit)
        check_password(password)
        # the link was counted when its letter was sent
        allowance = Allowance(guesses=visit.allowance.guesses)
        request = Request("signup", "", userid, password, words=(address,))
        request = request._replace(origin=Origin(visit.source), allowance=allowance)
        visit.done(visit.site.server.carry_out(request))
        made = visit.library.player(userid)
        assert made is not None
        return made
    if had.line_of(visit.source) is None:
        raise NotAllowed(
            sentence(
                'The userid "{userid}" is taken. If it is yours, please sign in with '
                "your password; if not, please choose another.",
                userid=userid,
            )
        )
    return _judged(visit, userid, password)


def _confirmed(visit: Visit) -> tuple[str, str]:
    """The userid and the address in a link that is still good. Raises NotAllowed, or
    TooMany."""
    userid, address = visit.word("userid"), visit.word("address")
    days = (visit.now, later(visit.now, -_DAYS))
    proofs = (_proof(visit, userid, address, day) for day in days)
    if not any(is_same(proof, visit.word("proof")) for proof in proofs):
        visit.allowance.answers.open_wrong_link()
        raise NotAllowed(
            sentence(
                "This link is not valid, or it is too old: please sign up once more."
            )
        )
    return userid, address


# Passwords


def forgot_page(visit: Visit) -> Response:
    """The form for the userid, and the one for the word in the letter."""
    return visit.page("forgot.html", userid="", told="", said="")


def forgot(visit: Visit) -> Response:
    """Have a word mailed by which a new password can be chosen."""
    userid = visit.field("userid").lower()
    if not is_userid(userid):
        raise NotFound(NO_PLAYER)
    visit.allowance.answers.ask()
    allowance = visit.allowance  # by which it has been counted
    told = visit.done(visit.ask("forgot", words=(userid,), allowance=allowance)).text
    return visit.page("forgot.html", userid=userid, told=told, said="")


def renew(visit: Visit) -> Response:
    """Change a password by the word in a letter, and sign the player in."""
    userid, word = visit.field("userid").lower(), visit.field("word")
    try:
        return change_password(visit, userid, word, visit.form.get("password", ""))
    except PbmError as error:
        page, said, status = "forgot.html", error.said, status_of(error)
        return visit.page(page, status, userid=userid, told="", said=said)


def change_password(visit: Visit, userid: str, current: str, new: str) -> Response:
    """Change a password, which signs all browsers out, and sign this one in again.
    Raises PbmError."""
    request = Request("change password", "", userid, current, words=(new,))
    request = request._replace(origin=Origin(visit.source), allowance=visit.allowance)
    visit.done(visit.site.server.carry_out(request))
    player = visit.library.player(userid)
    assert player is not None
    return _signed_in(visit, player)
