"""Invitations: a player asks the server to write to somebody who has no account.

One letter goes to an address, ever, whoever asks, and none where its reader wants none
or is a player. Whether it goes is nobody's business but its reader's, so whoever asks
is told the same in any case.
"""

from pbm_holomino.commands import newcomers
from pbm_holomino.commands.challenges import (
    check_seats,
    check_signed_on,
    chosen_options,
)
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.letters.account_letters import FIRST_GAME
from pbm_holomino.letters.content import Paragraph
from pbm_holomino.match.account import (
    NO_NEW_PLAYERS,
    AccountLine,
    Change,
    Kind,
    Player,
    check_address,
)
from pbm_holomino.match.record import SHELL
from pbm_holomino.store import banned, invitations
from pbm_holomino.store.invitations import Invitation
from pbm_holomino.store.library import Library
from pbm_holomino.store.newcomers import newcomers as new_among

MOST_A_DAY = 3  # of one player
MOST_ELSEWHERE = 6  # a day from one sender, or network
MOST_BY_NEW = 15  # a day of all players who are new here
MOST_OF_ALL = 30  # a day

_TOO_MANY = sentence(
    "You have asked for {most} invitations today, which is the most in a day. Please "
    "try again tomorrow: days are counted in UTC.",
    most=MOST_A_DAY,
)
_TOO_MANY_HERE = sentence(
    "This server has sent as many invitations today as it sends in a day. Please try "
    "again tomorrow: days are counted in UTC."
)
_NEVER = sentence(
    "This server will not write to {address} any more. If you ever want to play, "
    'write to it from there: "help signup" says how.'
)
_PLAYS = sentence(
    "You play here, as {userid}, and letters about your games go to you: see "
    '"help unsubscribe" and "help signoff".'
)
_NOT_FROM_THERE = sentence(
    "That works only in a mail of its own, from the address to which the letter with "
    "that line was sent."
)


def invite(request: Request, context: Context, player: Player) -> Player:
    """The account of a player who invites the reader of an address, with a line about
    which a letter goes there. Raises BadCommand, BadOption or NotAllowed."""
    library, now, userid = context.library, context.now, player.userid
    address = check_address(request.words[0], "invite")
    game = request.game or FIRST_GAME
    answers = request.allowance.answers
    if not answers.takes_invited:
        raise NotAllowed(NO_NEW_PLAYERS)
    check_signed_on({userid: player})
    check_seats(game, (userid, address))
    chosen_options(request._replace(game=game))
    _count(userid, answers.sender, context)
    options = dict(request.options)
    asked = Invitation(userid, game, options, request.origin.mail)
    note = ""
    if _is_kept(asked, address, library, now):
        note = f"{address} {newcomers.free_userid(address, library)}"
    change = Change(
        Kind.INVITE, (game, *(f"{name}={value}" for name, value in options.items()))
    )
    line = AccountLine(None, now, userid, request.origin.mail, change)
    return player.after(line, note)


def _count(userid: str, sender: str, context: Context) -> None:
    """Count one more invitation. Raises NotAllowed."""
    counters, day = context.library.store.counters, context.now[:10]
    others = {"": (1, MOST_OF_ALL)}
    if sender:
        others[f"from {sender}"] = (1, MOST_ELSEWHERE)
    if new_among(context.library, [userid], context.now):
        others["new"] = (1, MOST_BY_NEW)
    own = f"by {userid}"
    if counters.count_of(_FOLDER, day, own) >= MOST_A_DAY:
        raise NotAllowed(_TOO_MANY)
    if not counters.claim(_FOLDER, day, {own: (1, MOST_A_DAY), **others}):
        raise NotAllowed(_TOO_MANY_HERE)


_FOLDER = "invitations"


def _is_kept(asked: Invitation, address: str, library: Library, now: str) -> bool:
    """Keep an invitation, if a letter about it can go to that address; whether it can.
    It can again for a mail that comes again because its work was not finished."""
    if newcomers.players_at(address, library) or banned.is_banned(library, address):
        return False
    with library.store.lock(*invitations.place(library, address)):
        if invitations.is_known(library, address):
            had = invitations.to(library, address)
            return had == asked and asked.mail != SHELL
        invitations.keep(library, address, asked, now)
        return True


def never(request: Request, context: Context) -> Answer:
    """Note that the reader of a letter wants no more from this server. Raises
    NotAllowed."""
    library, sender = context.library, request.origin.sender
    if not newcomers.is_invited(request, library):
        raise NotAllowed(_NOT_FROM_THERE)
    if theirs := newcomers.players_at(sender, library):
        raise NotAllowed(_PLAYS.of(userid=theirs[0].userid))
    invitations.refuse(library, sender, context.now)
    return Answer.of(((Paragraph(_NEVER.of(address=sender)),),))
