"""The command in a welcome to a stranger: an account without a password, and a first
game. The word in it shows that its sender reads mail at that address."""

import re
import secrets
from collections.abc import Callable, Iterator

from pbm_holomino.commands import asked_in, parse
from pbm_holomino.commands.accounts import TAKEN, check_not_reserved, made
from pbm_holomino.commands.context import Context, Scope
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import known, sentence
from pbm_holomino.letters.account_letters import FIRST_GAME, offered_robot
from pbm_holomino.match.account import (
    DELETED,
    NO_PASSWORD,
    Player,
    check_address,
    is_userid,
)
from pbm_holomino.match.record import Key
from pbm_holomino.match.tokens import invitation_word, is_same
from pbm_holomino.store import banned, invitations
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.library import Library
from pbm_holomino.store.welcomes import Welcomed

_LONGEST = 20  # letters of a userid
_MOST_TRIED = 50  # of each name, with a number


def invited(library: Library, address: str, code: str = "") -> str:
    """The line by which the reader of an address becomes a player, with a userid that
    is free; one who reads the language with this code, if there is one."""
    word = invitation_word(library.key, address, code)
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
    origin = request.origin
    is_right = _language_of_line(request, library) is not None
    by_letter = origin.by_mail and "/" not in origin.mail  # not one of several commands
    return by_letter and is_right and not origin.is_forged


def _language_of_line(request: Request, library: Library) -> str | None:
    """The code of the language that belongs to the word in this command, empty if none
    does; None if it is not a word of that address."""
    sender, given = request.origin.sender, request.words[-1]
    return next(
        (
            code
            for code in ("", *known.codes())
            if is_same(invitation_word(library.key, sender, code), given)
        ),
        None,
    )


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
        had = library.account(userid)
        line = had and had.line_of(request.origin.mail)
        if line is None:
            _check_is_new(had, request, library)
        return had, line.no if line else None

    answers.read_on()  # all accounts are read
    if find()[1] is None:
        is_asked = answers.takes_invited and invitations.to(library, sender)
        if answers.no_players and not is_asked:
            raise NotAllowed(answers.no_players)
        check_not_reserved(userid)
        banned.check(library, [sender])
        answers.sign_up([check_address(sender)])
    # other mails from that address may become players with other userids now
    mailbox = Welcomed(library.store, library.key, sender.lower())
    return Scope((Key(PLAYERS, userid), mailbox.place), find)


def _check_is_new(had: Player | None, request: Request, library: Library) -> None:
    """Raises NotAllowed for a stranger who is none any more, or who wants a userid that
    somebody has."""
    sender = request.origin.sender
    theirs = players_at(sender, library)
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


def players_at(address: str, library: Library) -> list[Player]:
    """The players who have this address."""
    theirs = library.accounts_at(address)
    return [each for each in theirs if each.status != DELETED]


def newcomer(request: Request, context: Context, player: Player | None) -> Player:
    """The new account of a stranger, with a password that nobody knows: `forgot` sets
    another one. Raises NotAllowed."""
    if player is not None:
        raise NotAllowed(TAKEN.of(userid=player.userid))
    password, code = secrets.token_hex(16), _language(request, context)
    return made(request._replace(words=()), context, code, password, NO_PASSWORD)


def _language(request: Request, context: Context) -> str:
    """The code of the language of a newcomer: that of the line that was chosen, or of
    the mail, or of the player who has invited them."""
    library, origin = context.library, request.origin
    code = _language_of_line(request, library) or asked_in.language(
        origin.languages, origin.text
    )
    invited_to = None if code else invitations.to(library, origin.sender)
    by = context.people.readable(invited_to.by) if invited_to else None
    return by.language_at(context.now).partition("@")[0] if by else code


def first_games(request: Request, library: Library) -> Iterator[Request]:
    """The challenges by one of which the first game of a newcomer begins: that to which
    a player has invited them, or if that cannot be, one against a robot."""
    invited_to = invitations.to(library, request.origin.sender)
    if invited_to is not None:
        game, options = invited_to.game, invited_to.options
        asked = Request(
            "challenge", game, words=(invited_to.by, request.userid), options=options
        )
        yield asked._replace(origin=request.origin, allowance=request.allowance)
    line = offered_robot(FIRST_GAME, request.userid).plain().split()
    asked = parse.parse(line)
    yield asked._replace(origin=request.origin, allowance=request.allowance)
