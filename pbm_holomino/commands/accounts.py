"""The commands that change an account; they return the changed account."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from pbm_holomino.commands.context import Context, Scope
from pbm_holomino.commands.request import Answer, Request, check_has_text
from pbm_holomino.commands.table import reserved_words
from pbm_holomino.errors import (
    BadCommand,
    CannotSend,
    CorruptFile,
    NotAllowed,
    NotFound,
)
from pbm_holomino.languages import ENGLISH_CODE, UTC, Listed, sentence
from pbm_holomino.letters import account_letters
from pbm_holomino.letters.content import Paragraph
from pbm_holomino.match import account, choices, forgotten, vacations
from pbm_holomino.match.account import (
    NO_MESSAGES,
    AccountLine,
    Change,
    Kind,
    Player,
    check_address,
    check_blocks_none,
    check_known,
    check_not_blocked,
    check_password,
)
from pbm_holomino.match.open_challenge import SOME_ROBOT
from pbm_holomino.match.record import NOBODY, TICKED, Key
from pbm_holomino.match.replay import check_player
from pbm_holomino.match.times import later
from pbm_holomino.sentences import quoted
from pbm_holomino.store.contract import PLAYERS, WAITING
from pbm_holomino.store.library import Library

if TYPE_CHECKING:
    from pbm_holomino.store.summary import Summary

MOST_ADDRESSES = 5
MOST_BLOCKED = 100
MOST_MUTED = 200  # boards, the latest ones
MOST_DECLINED = 20  # challenges by one command
MOST_STOPPED = 100  # clocks that a vacation stops at once; later ticks see to others
MOST_FORGOTTEN = 3  # letters with a word for a new password, in a day
_FOR_OTHERS = 2  # of them; what remains is for the player's own addresses
_FOR_ANOTHER = 1  # of them, for one sender or network

_SOME_LEFT = sentence(
    "You can have {most} days of vacation in any {period}, and {left} of them are left."
)
_NONE_LEFT = sentence(
    "You can have {most} days of vacation in any {period}, and none of them are left."
)
_BLOCKS_OTHERS = sentence("That player is not blocked: you have blocked {players}.")
_BLOCKS_NOBODY = sentence("That player is not blocked: you have blocked nobody.")


def opening(request: Request, context: Context) -> Scope:
    """Where somebody signs up, or signs on again. Raises BadCommand or NotAllowed if
    the userid, the password or an address is not allowed, or the owner has closed
    sign-ups: before there is a lock, which stays for ever. Players keep a userid that
    has become a word of the commands since."""
    userid, answers = request.userid, request.allowance.answers
    is_new = context.people.account(userid) is None
    if is_new:
        if answers.no_players:
            raise NotAllowed(answers.no_players)
        check_not_reserved(userid)
    check_password(request.password)
    addresses = _addresses(request)
    if is_new:
        from pbm_holomino.store import banned  # few sign up

        banned.check(context.library, (*addresses, request.origin.sender))
        _check_wanted(addresses, request, context)
        answers.sign_up(addresses)

    def find() -> tuple[Player | None, int | None]:
        player = context.library.account(userid)
        line = player and player.line_of(request.origin.mail)
        return player, line.no if line else None

    return Scope((Key(PLAYERS, userid),), find)


TAKEN = sentence('The userid "{userid}" is taken: please choose another.')


def check_not_reserved(userid: str) -> None:
    """Raises NotAllowed for a userid that nobody can choose."""
    if userid in reserved_words():
        raise NotAllowed(
            sentence(
                "{word} is a word of the commands: please choose another userid.",
                word=quoted(userid),
            )
        )
    if userid.startswith(SOME_ROBOT):
        _check_no_robot(userid)


def _check_no_robot(userid: str) -> None:
    """Raises NotAllowed for a name that is kept for robots."""
    from pbm_holomino.match.robots import level_of  # few names are like one

    if level_of(userid):
        raise NotAllowed(
            sentence(
                "{word} is the name of a robot: please choose another userid.",
                word=quoted(userid),
            )
        )


def made(
    request: Request, context: Context, code: str, password: str, *marks: str
) -> Player:
    """A new account; by mail the sender's address is used where none is given. Its
    player reads the language with this code, and gets letters with pictures if this
    server can draw them. The line of the log has these marks and those whom the player
    can challenge."""
    from pbm_holomino.draw import png  # few sign up
    from pbm_holomino.store.opponents import who_is_here

    hashed, addresses = account.hash_password(password), _addresses(request)
    new = Player(request.userid, hashed, addresses, ())
    if png.is_possible():
        new = new._replace(format="picture")
    if code not in ("", ENGLISH_CODE):
        new = new._replace(languages=(choices.Choice(code),))
    others = who_is_here(context.library, context.now)
    return new.after(_line(request, Kind.SIGNUP, context.now, *marks, *others))


def signup(request: Request, context: Context, player: Player | None) -> Player:
    """The new account, or that of a player who signs up again after signing off. Raises
    NotAllowed."""
    userid = request.userid
    if player is None:
        from pbm_holomino.commands import asked_in  # few sign up

        code = asked_in.language(request.origin.languages, request.origin.text)
        return made(request, context, code, request.password)
    if player.status == account.DELETED or not context.fits(request, player):
        raise NotAllowed(TAKEN.of(userid=userid))
    if player.status == "on":
        raise NotAllowed(
            sentence(
                "You have already signed up, {userid}, and that is your password: "
                'you can play. "help tutorial" says how to begin, and "help add" how '
                "to give another address.",
                userid=userid,
            )
        )
    back = player.heard_from(request.origin.sender, context.now[:10])
    back = back._replace(status="on")
    return back.after(_line(request, Kind.SIGNUP, context.now))


def change_password(request: Request, context: Context, player: Player) -> Player:
    """The account with a new password; all browsers are signed out."""
    new = check_password(request.words[0], "change")
    changed = player._replace(password=account.hash_password(new), sessions=())
    return changed.after(_line(request, Kind.PASSWORD, context.now))


def forgot(request: Request, context: Context) -> Answer:
    """The same answer for everybody; a word for a new password goes to the addresses of
    the player, if there is such a player, but not too often in a day, and not so often
    for others that none is left for the player. Raises CannotSend."""
    check_room_for_letter(context.library)
    (userid,), library, now = request.words, context.library, context.now
    key, player = library.key, context.people.readable(userid)
    asker = request.allowance.answers.sender
    claims = {userid: (1, MOST_FORGOTTEN)}
    if asker and not (player is not None and request.origin.is_from(player)):
        claims[f"{userid} for others"] = (1, _FOR_OTHERS)
        claims[f"{userid} for {asker}"] = (1, _FOR_ANOTHER)
    is_sent = library.store.counters.claim("forgotten", now[:10], claims)
    letters = []
    if is_sent and player is not None and player.addresses:
        word = forgotten.word(key, player, now)
        letters.append(account_letters.forgotten_password(player, word, now))
    said = sentence(
        "If there is a player of that name who has a mail address here, a letter is on "
        "its way there that says how to choose a new password. At most {most} of these "
        "letters are sent in a day. If none comes, ask by mail from one of the "
        "player's own addresses: one letter a day is kept for that.",
        most=MOST_FORGOTTEN,
    )
    return Answer.of(((Paragraph(said),),))._replace(letters=tuple(letters))


def check_room_for_letter(library: Library) -> None:
    """Raises CannotSend where a letter that no log can rebuild is lost if it cannot
    leave at once."""
    if library.store.kept.is_full(WAITING):
        raise CannotSend(
            sentence(
                "Letters cannot leave this server now, and it has no room to keep "
                "another one: please try again later."
            )
        )


def change_address(request: Request, context: Context, player: Player) -> Player:
    """The account with new addresses; the line names the old ones, which are told."""
    addresses = _addresses(request)
    if not addresses:
        raise BadCommand(
            sentence("Please name the address that your letters should go to."),
            "change",
        )
    _check_wanted(addresses, request, context)
    changed = player.at(addresses, context.now[:10])
    return changed.after(_line(request, Kind.ADDRESSES, context.now, *player.addresses))


def choose(request: Request, context: Context, player: Player) -> Player:
    """The account after a choice of one word, such as `change digest` or `format`; it
    may name what it chooses: `change letters` can have `moves=all`."""
    choice, (word,) = request.command.split()[1], request.words
    name, _, said = word.rpartition("=")
    value: Any = {"on": True, "off": False}.get(said, said)
    changed = player._replace(**{name or choice: value})
    return changed.after(_line(request, Kind(f"!{choice}"), context.now, word))


def change_language(request: Request, context: Context, player: Player) -> Player:
    """The account of a player who reads another language from now on."""
    (code,), now = request.words, context.now
    languages = choices.chosen(player.languages, code, now, ENGLISH_CODE)
    changed = player._replace(languages=languages)
    return changed.after(_line(request, Kind.LANGUAGE, now, code))


def change_zone(request: Request, context: Context, player: Player) -> Player:
    """The account of a player to whom times are told in another zone from now on."""
    (name,), now = request.words, context.now
    changed = player._replace(zones=choices.chosen(player.zones, name, now, UTC))
    return changed.after(_line(request, Kind.ZONE, now, name))


def change_notices(request: Request, context: Context, player: Player) -> Player:
    """The account of a player who is told of their turns at an address from now on, or
    no more. No error quotes the address. Raises BadCommand or NotAllowed."""
    from pbm_holomino.match import notices  # few players want them

    url, form, *more = (*request.words, "")
    if request.words == (notices.OFF,):
        changed = player._replace(notices=None)
        return changed.after(_line(request, Kind.NOTICES, context.now, notices.OFF))
    if form not in notices.FORMS or more[:-1] not in ([], [notices.DAILY]):
        raise BadCommand(notices.NO_PLACE, "notices")
    host = notices.host_of(url)
    if not host:
        raise BadCommand(
            sentence(
                "That is not an address that can be called: such an address looks like "
                "https://ntfy.sh/topic."
            ),
            "notices",
        )
    if not notices.may_call(url, context.notice_hosts):
        said = (
            _NO_TLS
            if notices.may_call(f"https://{host}", context.notice_hosts)
            else _NO_HOST
        )
        raise NotAllowed(said.of(host=host), "help notices")
    is_daily = notices.DAILY in more
    changed = player._replace(notices=notices.Notices(url, form, is_daily))
    words = (form, host, *more[:-1])
    return changed.after(_line(request, Kind.NOTICES, context.now, *words))


_NO_HOST = sentence(
    "This server may not call {host}: its owner would have to allow it."
)
_NO_TLS = sentence("{host} can only be called by https, so that nobody else reads it.")


def unsubscribe(request: Request, context: Context, player: Player) -> Player:
    """The account without digests and broadcasts; the same one if it has neither. A
    player who had digests in place of other letters gets those that ask something of
    them: without any they would lose their games."""
    if not (player.gets_digest or player.broadcasts):
        return player
    had = player.letters
    letters = account.TURNS if had == account.DAILY else had
    changed = player._replace(digest=False, broadcasts=False, letters=letters)
    words = (letters,) if letters != had else ()
    return changed.after(_line(request, Kind.UNSUBSCRIBE, context.now, *words))


def change_vacation(request: Request, context: Context, player: Player) -> Player:
    """The account with a vacation of so many days from now on; with 0, it ends."""
    now, had, days = context.now, player.vacations, int(request.words[0])
    if not days and not vacations.away_until(had, now):
        raise NotAllowed(sentence("You are not on vacation."))
    left = vacations.days_left(had, now)
    if days > left:
        raise NotAllowed(
            (_SOME_LEFT if left else _NONE_LEFT).of(
                most=vacations.MOST_DAYS, period=vacations.PERIOD, left=left
            )
        )
    changed = player._replace(vacations=vacations.begun(had, now, days))
    until = later(now, days) if days else NOBODY
    boards = islice(_with_clocks(player.userid, context.library, now), MOST_STOPPED)
    return changed.after(_line(request, Kind.VACATION, now, until, *boards))


def _with_clocks(userid: str, library: Library, now: str) -> Iterator[str]:
    """The boards whose logs say when a player's clock stands still, as `holo.12`."""
    for board in library.lists.boards_of([userid], "active").boards:
        with suppress(CorruptFile, NotFound):
            match = library.match(board.game, board.board)
            if match.record.clock is None:
                continue
            from pbm_holomino.match.clocks import stops  # few boards have them

            if stops(match, userid, now):
                yield f"{board.game}.{board.board}"


def listed_to(player: Player, change: Change, waiting: str, time: str) -> Player:
    """The account with a letter by the clock, `change`; a list of boards has its text
    in `waiting`."""
    return player.after(AccountLine(None, time, player.userid, TICKED, change), waiting)


def _line(request: Request, kind: Kind, time: str, *words: str) -> AccountLine:
    change = Change(kind, words)
    return AccountLine(None, time, request.userid, request.origin.mail, change)


def _addresses(request: Request, had: tuple[str, ...] = ()) -> tuple[str, ...]:
    given = request.words or ((request.origin.sender,) if request.origin.sender else ())
    given = (*had, *given)
    # an address in two spellings would get each letter twice
    page = request.command.split()[0]
    addresses = {word.lower(): check_address(word, page) for word in given}
    if len(addresses) > MOST_ADDRESSES:
        raise NotAllowed(
            sentence("A player may have at most {most} addresses.", most=MOST_ADDRESSES)
        )
    return tuple(addresses.values())


def _check_wanted(addresses: Iterable[str], request: Request, context: Context) -> None:
    """Raises NotAllowed for an address whose reader wants no letters, unless the
    request comes from there."""
    from pbm_holomino.store import invitations  # few commands name addresses

    invitations.check_wanted(context.library, addresses, request.origin.sender)


def add(request: Request, context: Context, player: Player) -> Player:
    """The account with more addresses; the old ones are told."""
    if not request.words and not request.origin.sender:
        raise BadCommand(
            sentence("Please name one more address for your letters."), "add"
        )
    more = player._replace(addresses=_addresses(request, player.addresses))
    _check_wanted(set(more.addresses) - set(player.addresses), request, context)
    return more.after(_line(request, Kind.ADDRESSES, context.now, *player.addresses))


def export(request: Request, context: Context, player: Player) -> Player:
    """The account with a line about which a letter brings all that is kept of the
    player: once a day. Raises NotAllowed."""
    if not player.addresses:
        raise NotAllowed(_NOWHERE_TO_SEND_IT)
    had = (line.time for line in player.log if line.action.kind is Kind.EXPORT)
    if context.now[:10] in (time[:10] for time in had):
        raise NotAllowed(_ONCE_A_DAY)
    return player.after(_line(request, Kind.EXPORT, context.now))


_ONCE_A_DAY = sentence(
    "You have had your data today, and can have it once a day. Please ask again "
    "tomorrow: days are counted in UTC."
)
_NOWHERE_TO_SEND_IT = sentence(
    "Your data comes by mail, and you have no mail address here. Please give one "
    'first, with "add", or take your data from "Settings" on the pages of this '
    "server, if it has any."
)


def signoff(request: Request, context: Context, player: Player) -> Player:
    """The account without new games and broadcasts, until its player signs up again."""
    off = player._replace(status="off")
    return off.after(_line(request, Kind.SIGNOFF, context.now))


def delete(request: Request, context: Context, player: Player) -> Player:
    """The account marked as deleted; nobody else ever gets its name, which need not be
    shown any more. The line names the notes that are taken out with it."""
    from pbm_holomino.store import shelves  # few accounts are deleted

    _check_plays_nowhere(player.userid, context.library)
    gone = player._replace(status=account.DELETED, sessions=())
    noted = shelves.private(context.library.store, player.userid)
    words = (*request.words, *noted)
    return gone.after(_line(request, Kind.DELETE, context.now, *words))


def message(request: Request, context: Context, player: Player) -> Player:
    """The account with a message to other players."""
    userid, people = player.userid, context.people
    names = tuple(dict.fromkeys(request.words))
    _check_readers(names)
    check_known(names, people.player)
    check_not_blocked(userid, people.blockers(names, userid), NO_MESSAGES)
    check_blocks_none(player, names)
    return _written(request, context, player, Kind.MESSAGE, names)


def _check_readers(names: Sequence[str]) -> None:
    if len(names) > account.MOST_READERS:
        raise NotAllowed(
            sentence(
                "A message can go to at most {most} players, and you named {named}.",
                most=account.MOST_READERS,
                named=len(names),
            )
        )


def broadcast(request: Request, context: Context, player: Player) -> Player:
    """The account with a message to everybody."""
    return _written(request, context, player, Kind.BROADCAST)


def _written(
    request: Request,
    context: Context,
    player: Player,
    kind: Kind,
    names: tuple[str, ...] = (),
) -> Player:
    check_has_text(request)
    return player.after(_line(request, kind, context.now, *names), request.body)


def block(request: Request, context: Context, player: Player) -> Player:
    """The account with one blocked player more, or fewer (`unblock`)."""
    (other,) = request.words
    blocks = request.command == "block"
    if blocks:
        check_known(request.words, context.people.player)
    if other == player.userid:
        raise NotAllowed(sentence("You cannot block yourself."))
    others = tuple(name for name in player.blocked if name != other)
    if not blocks and other not in player.blocked:
        raise NotAllowed(
            (_BLOCKS_OTHERS if player.blocked else _BLOCKS_NOBODY).of(
                players=Listed(player.blocked)
            )
        )
    if blocks and len(others) >= MOST_BLOCKED:
        raise NotAllowed(
            sentence(
                "You have blocked {number} players, which is the most possible: please "
                "unblock one first.",
                number=len(others),
            )
        )
    changed = player._replace(blocked=(*others, other) if blocks else others)
    kind = Kind.BLOCK if blocks else Kind.UNBLOCK
    return changed.after(_line(request, kind, context.now, other))


def mute(request: Request, context: Context, player: Player) -> Player:
    """The account after the letters about a board have become fewer, or all of them
    again (`unmute`). Raises NotAllowed, NotFound or NotYourTurn."""
    match = context.library.match(request.words[0], int(request.words[1]))
    check_player(match, player.userid)
    name, mutes = ".".join(request.words), request.command == "mute"
    if mutes and match.result is not None:
        raise NotAllowed(sentence("{board} is over.", board=match.record.name))
    if (name in player.muted) == mutes:
        already = _IS_MUTED if mutes else _IS_NOT_MUTED
        raise NotAllowed(already.of(board=match.record.name))
    others = tuple(board for board in player.muted if board != name)
    muted = (*others, name)[-MOST_MUTED:] if mutes else others
    kind = Kind.MUTE if mutes else Kind.UNMUTE
    changed = player._replace(muted=muted)
    return changed.after(_line(request, kind, context.now, *request.words))


_IS_MUTED = sentence("{board} is muted already.")
_IS_NOT_MUTED = sentence("{board} is not muted.")


def decline_all(request: Request, context: Context, player: Player) -> Player:
    """The account with a line that declines all challenges that wait for the player's
    answer. The boards are changed afterwards, because of this line. Raises CorruptFile
    if none of them can be read."""
    userid = player.userid
    asked = context.library.lists.challenges([userid], context.now)
    waiting = [board for board in asked if userid in board.unanswered]
    damaged = dict(_unreadable(waiting, context.library))
    boards = tuple(board.name for board in waiting if board.name not in damaged)
    if not boards:
        for damage in damaged.values():
            raise damage
        raise NotAllowed(sentence("No challenge waits for your answer."))
    now, rest = boards[:MOST_DECLINED], boards[MOST_DECLINED:]
    change = account.declining(account.Declined(now, len(rest)))
    return player.after(_line(request, change.kind, context.now, *change.words))


def _unreadable(
    boards: "Iterable[Summary]", library: Library
) -> Iterator[tuple[str, CorruptFile]]:
    """The boards that lists still know but whose files cannot be read, and why."""
    for board in boards:
        try:
            library.match(board.game, board.board)
        except CorruptFile as damage:
            yield board.name, damage


def _check_plays_nowhere(userid: str, library: Library) -> None:
    """Raises NotAllowed for a player with a running game or a seat in an open
    challenge, and CorruptFile if a board that may be theirs is damaged."""
    waiting = library.lists.open_challenges(players=[userid]).boards
    if waiting:
        raise NotAllowed(
            sentence(
                "You have a seat in {boards}, which others may still take up. Please "
                'withdraw your own open challenges first, with "decline"; those of '
                "other players end when they begin or lapse.",
                boards=Listed(one.name for one in waiting),
            )
        )
    listing = library.lists.boards_of([userid], "all")
    for damage in listing.damaged:
        raise damage
    running = [board.name for board in listing.boards if board.result is None]
    if not running:  # the index is not trusted for this
        matches = (library.match(b.game, b.board) for b in listing.boards)
        running = [match.record.name for match in matches if match.result is None]
    if running:
        raise NotAllowed(
            sentence(
                "You are still playing on {boards}: please finish or resign first.",
                boards=Listed(running),
            )
        )
