"""The commands that change an account: a request and an account in, one out."""

from pbm_holomino.commands.request import Request
from pbm_holomino.errors import BadCommand, NotAllowed
from pbm_holomino.match import account
from pbm_holomino.match.account import Player, check_address, check_password
from pbm_holomino.match.record import TICKED, Line
from pbm_holomino.sentences import listed

MOST_ADDRESSES = 5
MOST_BLOCKED = 100
MOST_DECLINED = 20  # challenges with one command


def check_signup(request: Request) -> tuple[str, ...]:
    """The addresses of a new account. Raises BadCommand or NotAllowed where none can be
    made of these words."""
    check_password(request.password)
    return _addresses(request)


def signup(request: Request, player: Player | None, time: str) -> Player:
    """The new account; by mail the sender's address is used where none is given."""
    userid = request.userid
    if player is not None:
        raise NotAllowed(f'The userid "{userid}" is taken: please choose another.')
    new = Player(
        userid, account.hash_password(request.password), _addresses(request), ()
    )
    return new.after(Line(None, time, userid, request.mail, "!signup"))


def sign_on_again(request: Request, player: Player, time: str) -> Player:
    """The account of somebody who had signed off, and has given its password."""
    back = player._replace(status="on")
    return back.after(Line(None, time, player.userid, request.mail, "!signup"))


def change_password(request: Request, player: Player, time: str) -> Player:
    """The account with another password."""
    new = check_password(request.words[0], "change")
    changed = player._replace(password=account.hash_password(new))
    return changed.after(Line(None, time, player.userid, request.mail, "!password"))


def change_address(request: Request, player: Player, time: str) -> Player:
    """The account with other addresses; the line keeps those that it had, which
    hear of it."""
    addresses = _addresses(request)
    if not addresses:
        raise BadCommand(
            "Please name the address that your letters shall go to.", "change"
        )
    changed = player._replace(addresses=addresses)
    what = " ".join(("!addresses", *player.addresses))
    return changed.after(Line(None, time, player.userid, request.mail, what))


def change_digest(request: Request, player: Player, time: str) -> Player:
    """The account with a digest once a day, or without."""
    (word,) = request.words
    changed = player._replace(digest=word == "on")
    line = Line(None, time, player.userid, request.mail, f"!digest {word}")
    return changed.after(line)


def listed_to(player: Player, what: str, waiting: str, time: str) -> Player:
    """The account with a letter to be sent that says what waits for the player: a
    digest (WAITING) or a REMINDER."""
    line = Line(None, time, player.userid, TICKED, what)
    return player.after(line, waiting)


def _addresses(request: Request, had: tuple[str, ...] = ()) -> tuple[str, ...]:
    given = request.words or ((request.sender,) if request.sender else ())
    given = (*had, *given)
    # two ways of writing one address would bring each letter twice
    page = request.command.split()[0]
    addresses = {word.lower(): check_address(word, page) for word in given}
    if len(addresses) > MOST_ADDRESSES:
        raise NotAllowed(f"A player may have at most {MOST_ADDRESSES} addresses.")
    return tuple(addresses.values())


def add(request: Request, player: Player, time: str) -> Player:
    """The account with more addresses, of which those that it had hear."""
    if not request.words and not request.sender:
        raise BadCommand(
            "Please name the address that your letters shall go to, too.", "add"
        )
    more = player._replace(addresses=_addresses(request, player.addresses))
    what = " ".join(("!addresses", *player.addresses))
    return more.after(Line(None, time, player.userid, request.mail, what))


def signoff(request: Request, player: Player, time: str) -> Player:
    """The account without new games and broadcasts, until they sign up again."""
    off = player._replace(status="off")
    return off.after(Line(None, time, player.userid, request.mail, "!signoff"))


def delete(request: Request, player: Player, time: str) -> Player:
    """What is left of an account that is removed: its name, which nobody gets."""
    gone = player._replace(status=account.DELETED)
    return gone.after(Line(None, time, player.userid, request.mail, "!delete"))


def message(request: Request, player: Player, time: str) -> Player:
    """The account of somebody who writes to others: a message names them."""
    if not request.body:
        raise NotAllowed(
            "There is no text to pass on: please write one, and plainly, not in HTML."
        )
    if len(request.words) > account.MOST_READERS:
        raise NotAllowed(
            f"A message can go to at most {account.MOST_READERS} players, and you "
            f"named {len(request.words)}."
        )
    act = account.BROADCAST if request.command == "broadcast" else account.MESSAGE
    what = " ".join((act, *request.words))
    line = Line(None, time, player.userid, request.mail, what)
    return player.after(line, request.body)


def block(request: Request, player: Player, time: str) -> Player:
    """The account with one more blocked player, or with one less (`unblock`)."""
    (other,) = request.words
    if other == player.userid:
        raise NotAllowed("You cannot block yourself.")
    others = tuple(name for name in player.blocked if name != other)
    blocks = request.command == "block"
    if not blocks and other not in player.blocked:
        raise NotAllowed(
            "That player is not blocked: you have blocked "
            f"{listed(player.blocked) or 'nobody'}."
        )
    if blocks and len(others) >= MOST_BLOCKED:
        raise NotAllowed(
            f"You have blocked {len(others)} players, which is the most possible: "
            "please unblock one first."
        )
    changed = player._replace(blocked=(*others, other) if blocks else others)
    what = f"{account.BLOCK if blocks else account.UNBLOCK} {other}"
    return changed.after(Line(None, time, player.userid, request.mail, what))


def decline_all(request: Request, player: Player, time: str) -> Player:
    """The account of somebody who declines challenges: the request's words are their
    boards, as `holo 12`. These are changed after this, and because of this line."""
    now, later = request.words[:MOST_DECLINED], request.words[MOST_DECLINED:]
    what = account.format_declined(account.Declined(now, len(later)))
    return player.after(Line(None, time, player.userid, request.mail, what))
