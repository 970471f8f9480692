"""The command in a welcome to a stranger: an account without a password, and a first
game. The word in it shows that its sender reads mail at that address."""

import re
import secrets
from collections.abc import Callable

from pbm_holomino.commands import parse
from pbm_holomino.commands.accounts import TAKEN, check_not_reserved, made
from pbm_holomino.commands.context import Context, Scope
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.letters.account_letters import FIRST_GAME, offered_robot
from pbm_holomino.match.account import (
    DELETED,
    NO_NEW_PLAYERS,
    NO_PASSWORD,
    Player,
    check_address,
    is_userid,
)
from pbm_holomino.match.record import Key
from pbm_holomino.match.tokens import invitation_word, is_same
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.library import Library

_LONGEST = 20  # letters of a userid
_MOST_TRIED = 50  # of each name, with a number


def invited(library: Library, address: str) -> str:
    """The line by which the reader of an address becomes a player, with a userid that
    is free."""
    word = invitation_word(library.key, address)
    return f"newcomer {free_userid(address, library)} {word}"


def free_userid(address: str, library: Library) -> str:
    """A userid that nobody has, like the first word of an address: everybody will see
    it, so no more of the address is in it."""

    def is_free(name: str) -> bool:
        try:
            check_not_reserved(name)
        except NotAllowed:
            return False
        return is_userid(name) and not library.store.exists(PLAYERS, name)

    return next(filter(is_free, _like(address)), _any(is_free))


def _like(address: str) -> list[str]:
    found = re.match(r"(?a)[a-z]{2,20}", address.lower())
    name = found[0] if found else "player"
    numbered = (f"{name[: _LONGEST - 2]}{no}" for no in range(2, 2 + _MOST_TRIED))
    return [name, *numbered]


def _any(is_free: Callable[[str], bool]) -> str:
    while not is_free(name := f"player{secrets.randbelow(10**9)}"):
        pass
    return name


def is_invited(request: Request, library: Library) -> bool:
    """Whether the word in this command was mailed to the address from which it
    comes."""
    sender, given = request.origin.sender, request.words[-1]
    is_right = is_same(invitation_word(library.key, sender), given)
    return request.by_letter and is_right and not request.origin.is_forged


def opening(request: Request, context: Context) -> Scope:
    """Where a stranger becomes a player. Raises NotAllowed."""
    userid, library = request.userid, context.library
    answers, sender = request.allowance.answers, request.origin.sender
    if not is_invited(request, library):
        raise NotAllowed(
            sentence(
                "That works only in a mail of its own, from the address to which the "
                'letter with that line was sent. "help signup" says how to become a '
                "player in another way."
            )
        )

    def find() -> tuple[Player | None, int | None]:
        player = library.account(userid)
        line = player and player.line_of(request.origin.mail)
        return player, line.no if line else None

    had, line = find()
    if line is None:
        _check_is_new(had, request, library)
        if not answers.takes_players:
            raise NotAllowed(NO_NEW_PLAYERS)
        check_not_reserved(userid)
        answers.sign_up([check_address(sender)])
    return Scope((Key(PLAYERS, userid),), find)


def _check_is_new(had: Player | None, request: Request, library: Library) -> None:
    """Raises NotAllowed for a stranger who is none any more, or who wants a userid that
    somebody has."""
    sender = request.origin.sender
    request.allowance.answers.read_on()  # all accounts are read
    theirs = [
        each
        for each in library.accounts()[0]
        if each.owns(sender) and each.status != DELETED
    ]
    if theirs:
        userid = theirs[0].userid
        raise NotAllowed(
            sentence(
                "You are {userid} here already. To see the boards where it is your "
                "turn, send this line:",
                userid=userid,
            ),
            f"all show {userid} next",
        )
    if had is not None:
        raise NotAllowed(TAKEN.of(userid=had.userid), invited(library, sender))


def newcomer(request: Request, context: Context, player: Player | None) -> Player:
    """The new account of a stranger, with a password that nobody knows: `forgot` sets
    another one. Raises NotAllowed."""
    if player is not None:
        raise NotAllowed(TAKEN.of(userid=player.userid))
    password = secrets.token_hex(16)
    return made(request._replace(words=()), context, password, NO_PASSWORD)


def first_game(request: Request) -> Request:
    """The challenge by which the first game of a newcomer begins."""
    line = offered_robot(FIRST_GAME, request.userid).plain().split()
    asked = parse.parse(line)
    return asked._replace(origin=request.origin, allowance=request.allowance)
