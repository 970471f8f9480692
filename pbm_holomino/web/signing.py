"""Signing up, signing in by password or link and out, and forgotten passwords."""

import re
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
from pbm_holomino.errors import (
    NotAllowed,
    NotFound,
    PbmError,
    Refused,
    TooMany,
    WrongPassword,
)
from pbm_holomino.languages import Text, sentence
from pbm_holomino.letters import account_letters
from pbm_holomino.match import signing_in
from pbm_holomino.match.account import (
    NO_PLAYER,
    PLACEHOLDER,
    Player,
    check_address,
    check_password,
    is_userid,
)
from pbm_holomino.match.times import later
from pbm_holomino.match.tokens import is_same, token
from pbm_holomino.store import invitations
from pbm_holomino.store.people import People
from pbm_holomino.web import sessions
from pbm_holomino.web.guest_pages import kept_for
from pbm_holomino.web.sessions import SESSION
from pbm_holomino.web.visit import Visit, status_of

# Signing in


def sign_in_page(visit: Visit) -> Response:
    """The form for the userid and the password."""
    return _sign_in_page(visit)


def _sign_in_page(
    visit: Visit, userid: str = "", said: Text = "", status: int = 200, told: Text = ""
) -> Response:
    """The same form, with what has just been refused, or done."""
    sends = bool(visit.site.config.web)
    shown = {"userid": userid, "said": said, "told": told, "sends_links": sends}
    return visit.page("signin.html", status, **shown, then=errand(visit))


def sign_in(visit: Visit) -> Response:
    """Begin a session for a player who gives the right password."""
    userid = visit.field("userid").lower()
    try:
        player = _judged(visit, userid, visit.form.get("password", ""))
    except PbmError as error:
        return _sign_in_page(visit, userid, error.said, status_of(error))
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


def _signed_in(visit: Visit, player: Player, once: bool = False) -> Response:
    """Begin a session in place of the one that this browser may have, and lead the
    player onward: to their boards, or to what they came for."""
    cookie = sessions.begin(visit.library, player, visit.now, once=once)
    _end(visit)
    response = _onward(visit, player) or visit.redirect()
    visit.site.cookies.put(response, SESSION, cookie)
    return response


# What somebody came for who has no account yet, or was not signed in: the path of a
# page of ours, or `play/holo/` and a guest's game, which is then kept.
_ERRAND = re.compile(r"[a-z]+(/[\w.-]+){0,3}", re.ASCII)


def errand(visit: Visit) -> str:
    """What a form or a link says that somebody came for; empty if nothing."""
    word = visit.field("then") or visit.query("then")
    return word if _ERRAND.fullmatch(word) else ""


def _onward(visit: Visit, player: Player) -> Response | None:
    """Where a player is led who came for something, once it is done."""
    place, *words = errand(visit).split("/")
    if not place:
        return None
    if place == "play" and len(words) == 2:
        return kept_for(visit, player, *words)
    return visit.redirect(place, *words)


def sign_out(visit: Visit) -> Response:
    """End the session of this browser."""
    response = visit.redirect()
    _end(visit)
    visit.site.cookies.drop(response, SESSION)
    return response


def _end(visit: Visit) -> None:
    """End the session of this browser, if it has one."""
    if visit.signed_in is not None:
        player, here = visit.signed_in
        sessions.end(visit.library, player.userid, [here.digest], visit.now)


# Signing in by a link in a letter: what proves it is behind the `#`, which browsers
# keep to themselves, so that it is in the log of no proxy

_MOST_LINKS = 20  # to one player in a day
_MOST_TO_ONE = 5  # of them, for one network


def send_link(visit: Visit) -> Response:
    """Have a link mailed by which a player signs in. Everybody gets the same answer."""
    userid, library, now = visit.field("userid").lower(), visit.library, visit.now
    try:
        _check_links(visit)
        if not is_userid(userid):
            raise NotFound(NO_PLAYER)
        check_room_for_letter(library)
        visit.allowance.answers.ask()
    except PbmError as error:
        return _sign_in_page(visit, userid, error.said, status_of(error))
    claims = {
        f"{userid} links": (1, _MOST_LINKS),
        f"{userid} links for {visit.network}": (1, _MOST_TO_ONE),
    }
    is_sent = library.store.counters.claim("forgotten", now[:10], claims)
    player = People(library).readable(userid)
    if is_sent and player is not None and player.addresses:
        word = signing_in.word(library.key, player, now)
        link = f"{visit.site.address}/signin/link#{userid}~{word}"
        letter = account_letters.sign_in_link(player, link, now)
        visit.site.server.delivery.send([letter])
    told = sentence(
        "If there is a player of that name who has a mail address here, a letter with "
        "a link is on its way there. The link works once, and for an hour. At most "
        "{most} of these letters are sent in a day.",
        most=_MOST_LINKS,
    )
    return _sign_in_page(visit, userid, told=told)


def _check_links(visit: Visit) -> None:
    """Raises NotAllowed where pages do not know their own address."""
    if not visit.site.config.web:
        raise NotAllowed(
            sentence("This server sends no links: please sign in with your password.")
        )


def link_page(visit: Visit) -> Response:
    """The page behind such a link: it has changed nothing."""
    return visit.page("signinlink.html")


def sign_in_by_link(visit: Visit) -> Response:
    """Begin a session for the player whose link this is."""
    userid, _, word = visit.field("link").rpartition("#")[2].partition("~")
    if visit.player is not None and visit.player.userid == userid:
        return visit.redirect()
    player = People(visit.library).readable(userid) if is_userid(userid) else None
    try:
        if player and signing_in.fits(word, visit.library.key, player, visit.now):
            return _signed_in(visit, player, once=True)
        visit.allowance.answers.open_wrong_link()
    except TooMany as error:
        return _sign_in_page(visit, userid, error.said, status_of(error))
    except WrongPassword:
        pass  # it was used a moment ago
    return _sign_in_page(visit, userid, _OLD_LINK, 422)


_OLD_LINK = sentence(
    "This link has been used, is more than an hour old, or is not whole. Please have "
    "another one mailed to you."
)


# Signing up: nothing is written before the address has proved to be right

_DAYS = 1  # for which a link is good, at least


def sign_up_page(visit: Visit) -> Response:
    """The form for a userid and an address."""
    return _sign_up_page(visit)


def _sign_up_page(
    visit: Visit, said: Text = "", status: int = 200, to: str = ""
) -> Response:
    """The same, with what was typed before and why it was refused, or where the letter
    has been sent."""
    return visit.page(
        "signup.html",
        status,
        said=said,
        to=to,
        userid=visit.field("userid"),
        address=visit.field("address"),
        then=errand(visit),
        can_send=bool(visit.site.config.web),
        server=visit.site.config.address,
    )


def sign_up(visit: Visit) -> Response:
    """Send a letter with the link by which the account is made."""
    userid, address = visit.field("userid").lower(), visit.field("address")
    try:
        _send_link(visit, userid, address)
    except Refused as error:
        return _sign_up_page(visit, error.said, status_of(error))
    return _sign_up_page(visit, to=address)


def _send_link(visit: Visit, userid: str, address: str) -> None:
    """Send that letter. Raises Refused."""
    _check_is_open(visit)
    if not visit.site.config.web:
        raise NotAllowed(
            sentence("This server sends no links: please sign up by mail.")
        )
    _check_free(visit, userid)
    check_address(address)
    invitations.check_wanted(visit.library, [address])
    check_room_for_letter(visit.site.server.library)
    visit.allowance.answers.sign_up([address])
    proof = _proof(visit, userid, address, visit.now)
    path = visit.site.path("signup", userid, quote(address, safe="@"), proof)
    if then := errand(visit):
        path = f"{path}?then={then}"
    link = visit.site.address + path.removeprefix(visit.site.root)
    letter = account_letters.confirmation(userid, address, link, visit.language.code)
    visit.site.server.delivery.send([letter])


def _check_is_open(visit: Visit) -> None:
    """Raises NotAllowed if the owner has closed sign-ups."""
    why_none = visit.allowance.answers.no_players
    if why_none:
        raise NotAllowed(why_none)


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
    return _confirm_page(visit, userid, address)


def _confirm_page(
    visit: Visit, userid: str, address: str, said: Text = "", status: int = 200
) -> Response:
    then = errand(visit)
    fields = {"userid": userid, "address": address, "then": then, "said": said}
    return visit.page("confirm.html", status, **fields)


def confirm(visit: Visit) -> Response:
    """Make the account, and sign its player in."""
    userid, address = _confirmed(visit)
    try:
        player = _made(visit, userid, address, visit.form.get("password", ""))
    except PbmError as error:
        return _confirm_page(visit, userid, address, error.said, status_of(error))
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
        origin = Origin(visit.source, languages=visit.language.code)
        request = request._replace(origin=origin, allowance=allowance)
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
