"""The commands that change a board; they return the changed match."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbm_holomino import rules
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.params import NONE
from pbm_holomino.commands.request import Request, check_has_text
from pbm_holomino.errors import BadMove, BadOption, NotAllowed, NotFound
from pbm_holomino.match import queue as queues
from pbm_holomino.match import replay, shares
from pbm_holomino.match.account import (
    Player,
    check_blocks_none,
    check_known,
    check_not_blocked,
)
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import SOME_ROBOT
from pbm_holomino.match.record import NOBODY, Act, Line, Record, option_words
from pbm_holomino.rules.options import (
    CHALLENGE_OPTIONS,
    RATED,
    configure,
    read_options,
)
from pbm_holomino.sentences import listed, moment
from pbm_holomino.store.people import People
from pbm_holomino.store.summary import Summary

MOST_TOGETHER = 3  # unanswered challenges between the same players
MOST_ASKED = 10  # challenges by others that wait for one player's answer


def challenge(request: Request, context: Context, old: Match | None = None) -> Match:
    """A new board for the players named. Raises BadOption, NotAllowed or NotFound."""
    request, robots = _robots_among(request, context)
    known = known_players(request.words, context)
    _check_players(request, known, robots)
    who = challenger_of(request, known)
    people = [name for name in request.words if name not in robots]
    challenger = (people or request.words)[0] if who == NOBODY else who
    options, common = chosen_options(request, robots)
    _check_may_play(people, robots, common["rated"], context)
    check_may_challenge(request.game, challenger, people, known, context)
    record = Record(
        game=request.game,
        board=context.library.store.next_number(request.game),
        version=rules.load(request.game).VERSION,
        players=(),
        options=options,
        seed=context.seed(),
        log=(),
        challenger=challenger,
        robots=robots,
        **common,
    )
    line = Line(0, context.now, who, request.origin.mail, Act.CHALLENGE)
    opened = replay.begin(record, request.words, line)
    return shares.with_text(opened, request.body)


def known_players(userids: Iterable[str], context: Context) -> dict[str, Player]:
    """The accounts of those of these players who have one."""
    found = {userid: context.people.player(userid) for userid in userids}
    return {userid: player for userid, player in found.items() if player}


def _robots_among(
    request: Request, context: Context
) -> tuple[Request, tuple[str, ...]]:
    """The challenge with the names of all its players, and which are robots."""
    if not any(word.startswith(SOME_ROBOT) for word in request.words):
        return request, ()
    from pbm_holomino.commands import robots  # few challenges need it

    request = robots.named(request, context)
    ours = context.library.robots
    return request, tuple(name for name in request.words if name in ours)


def _check_may_play(
    people: Sequence[str], robots: Sequence[str], is_rated: bool, context: Context
) -> None:
    """Raises NotAllowed if these people may not play this game against robots."""
    if robots:
        from pbm_holomino.commands import robots as limits  # few boards need it

        limits.check_may_play(people, robots, is_rated, context)


def chosen_options(
    request: Request, robots: Sequence[str] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The game's own options, and those of every game; without a word on it, games
    against robots do not count. Raises BadOption with the game's help page."""
    given = dict(request.options)
    common = {o.name: given.pop(o.name) for o in CHALLENGE_OPTIONS if o.name in given}
    try:
        options = configure(rules.load(request.game), given)
        preset = {RATED.name: not robots}
        return options, read_options(CHALLENGE_OPTIONS, common, preset)
    except BadOption as error:
        raise BadOption(str(error), request.game) from None


def _check_players(
    request: Request, known: Mapping[str, Player], robots: Sequence[str]
) -> None:
    names = request.words
    if len(set(names)) < len(names):
        raise NotAllowed("You named a player twice; each player has one seat.")
    check_seats(request.game, names)
    check_signed_on(known)
    check_known(names, lambda name: name in known or name in robots)


def check_seats(game_name: str, names: Sequence[str]) -> None:
    """Raises NotAllowed if the game is not for so many players."""
    game = rules.load(game_name)
    least, most = game.SEATS
    if not least <= len(names) <= most:
        seats = str(least) if least == most else f"{least} to {most}"
        raise NotAllowed(
            f"{game.TITLE} is a game for {seats} players, not for {len(names)}."
        )


def check_signed_on(known: Mapping[str, Player]) -> None:
    """Raises NotAllowed if one of the players has signed off."""
    for name, player in known.items():
        if player.status == "off":
            raise NotAllowed(f'"{name}" has signed off and plays no new games.')


def challenger_of(request: Request, known: Mapping[str, Player]) -> str:
    """The player who challenges: by mail, the one whose address the mail comes from; in
    a browser, the one who is signed in; otherwise NOBODY. Raises NotAllowed."""
    if request.origin.is_signed_in and request.userid in known:
        return request.userid
    if not request.origin.by_mail:
        return NOBODY
    for name in known:
        if request.origin.is_from(known[name]):
            return name
    raise NotAllowed(
        "A challenge by mail must come from the address of one of its players, and "
        f"{request.origin.sender} is not one of theirs."
    )


def check_may_challenge(
    game: str,
    challenger: str,
    names: Sequence[str],
    known: Mapping[str, Player],
    context: Context,
) -> None:
    """Raises NotAllowed if this challenger may not now challenge the others of `names`,
    be it to a new game or a rematch."""
    asked = [name for name in names if name != challenger]
    if not asked:
        return  # robots accept every challenge
    blockers = [name for name in asked if challenger in known[name].blocked]
    check_not_blocked(challenger, blockers, "challenges")
    found = context.library.lists.challenges(names, context.now)
    same = [board for board in found if _people(board, context) == set(names)]
    _check_not_barred(game, challenger, asked, same, context.now)
    waiting = [board for board in same if board.unanswered]
    if len(waiting) >= MOST_TOGETHER:
        raise NotAllowed(
            f"{len(waiting)} challenges between {listed(names)} wait for an answer: "
            f"{_named(waiting)}. Before there can be another, one of them must be "
            "accepted, declined or withdrawn."
        )
    for name in asked:
        theirs = [board for board in found if name in board.unanswered]
        if len(theirs) >= MOST_ASKED:
            raise NotAllowed(
                f"{len(theirs)} challenges already wait for an answer from {name}: "
                "please try again when some of them are answered."
            )


def _people(board: Summary, context: Context) -> set[str]:
    """The players of a board that are no robots, which make it no other challenge."""
    return {name for name in board.players if not context.library.is_robot(name)}


def _check_not_barred(
    game: str,
    challenger: str,
    asked: Sequence[str],
    same: Iterable[Summary],
    time: str,
) -> None:
    """Raises NotAllowed if one of the boards of the `same` players bars another
    challenge until later."""
    called_off = [
        board
        for board in same
        if (board.game, board.challenger) == (game, challenger) and board.barred > time
    ]
    if not called_off:
        return
    last = max(called_off, key=lambda board: board.barred)
    ended = "was declined" if last.was_declined else "came to nothing"
    title, others = rules.load(game).TITLE, listed(asked)
    raise NotAllowed(
        f"The challenge on {last.name} {ended}: {challenger} may not challenge "
        f"{others} to {title} again, nor ask for a rematch, before "
        f"{moment(last.barred)}. {others if len(asked) == 1 else 'The others'} may "
        f"challenge {challenger} at any time."
    )


def _named(boards: Iterable[Summary]) -> str:
    return listed([board.name for board in boards])


def move(request: Request, context: Context, match: Match) -> Match:
    """The match after a move, or after an act typed in place of a move."""
    (word,) = request.words
    replay.check_number(match, word, request.move_no)
    if word.lower() in ACT_WORDS:
        return _acted(request, context, match, ACT_WORDS[word.lower()])
    line = Line(None, context.now, request.userid, request.origin.mail, word)
    return shares.with_text(replay.after(match, line), request.body)


ACT_WORDS = {
    "resign": Act.RESIGN,
    "propose": Act.PROPOSE,
    "undo": Act.UNDO,
    "accept": Act.ACCEPT,
    "reject": Act.REJECT,
}


def resign(request: Request, context: Context, match: Match) -> Match:
    """The match after a resignation."""
    return _acted(request, context, match, Act.RESIGN)


def accepts(request: Request) -> bool:
    """Whether a command accepts what is offered on a board, or the board itself."""
    word = request.words[0].lower() if request.command == "move" else request.command
    return ACT_WORDS.get(word) is Act.ACCEPT


def accept(request: Request, context: Context, match: Match) -> Match:
    """The match after the player has accepted an offer or a challenge."""
    return _acted(request, context, match, Act.ACCEPT)


def decline(request: Request, context: Context, match: Match) -> Match:
    """The match cancelled by a challenged player, or by the challenger."""
    return _acted(request, context, match, Act.DECLINE)


def chat(request: Request, context: Context, match: Match) -> Match:
    """The match with a text to its other players."""
    _check_heard(request.userid, match.record, context.people)
    check_has_text(request)
    line = Line(None, context.now, request.userid, request.origin.mail, Act.CHAT)
    return shares.checked(replay.with_note(replay.after(match, line), request.body))


def _check_heard(who: str, record: Record, people: People) -> None:
    """Raises NotAllowed if no other player of a board can both read and answer."""
    player = people.player(who)
    if player is None or who not in record.players:
        return
    others = [other for other in record.players if other != who]
    if set(others) <= set(people.blockers(others, who)):
        check_not_blocked(who, others, "words")
    if set(others) <= set(player.blocked):
        check_blocks_none(player, others)


def queue(request: Request, context: Context, match: Match) -> Match:
    """The match with moves queued for the player's coming turns; `none` empties their
    queue."""
    line = Line(None, context.now, request.userid, request.origin.mail, "")
    if [word.lower() for word in request.words] == [NONE]:
        return queues.empty(match, line)
    for word in request.words:
        _check_is_move(word)
    return queues.queue(match, line, request.words)


def submit(request: Request, context: Context, match: Match) -> Match:
    """The match with a move that waits to be confirmed."""
    (word,) = request.words
    _check_is_move(word)
    line = Line(None, context.now, request.userid, request.origin.mail, "")
    return queues.submit(match, line, word)


def _check_is_move(word: str) -> None:
    plain = word.partition("#")[0].lower()
    if plain in ACT_WORDS:
        raise BadMove(f'Only moves can be sent ahead, and "{plain}" is not a move.')


def confirm(request: Request, context: Context, match: Match) -> Match:
    """The match after the move that the player had submitted."""
    line = Line(None, context.now, request.userid, request.origin.mail, "")
    return shares.with_text(queues.confirm(match, line), request.body)


def _check_not_taken(request: Request, record: Record) -> None:
    """Raises NotAllowed if this was an open challenge, and others have taken it up."""
    if record.began and request.userid not in record.players:
        takers = [player for player in record.players if player != record.challenger]
        raise NotAllowed(
            f"{record.name} is not open any more, as {listed(takers)} took it up. "
            '"list open" names those that are open now.'
        )


def _acted(request: Request, context: Context, match: Match, act: Act) -> Match:
    if act is Act.ACCEPT:
        _check_not_taken(request, match.record)
    line = Line(None, context.now, request.userid, request.origin.mail, act)
    return shares.with_text(shares.checked(replay.after(match, line)), request.body)


def rematch(request: Request, context: Context, old: Match | None) -> Match:
    """A new board with the same players and options, and the seats moved up by one.
    Raises NotAllowed, NotFound or NotYourTurn."""
    assert old is not None  # the command names a board
    record, who = old.record, request.userid
    replay.check_player(old, who)
    if old.result is None:
        raise NotAllowed(f"{record.name} is not over yet.")
    known = known_players(record.people, context)
    check_signed_on(known)
    if not known.keys() >= set(record.people):
        raise NotFound(f"Some players of {record.name} are no longer here.")
    _check_may_play(record.people, record.robots, record.rated, context)
    check_may_challenge(record.game, who, record.people, known, context)
    seats = (*record.players[1:], record.players[0])
    game = rules.load(record.game)
    new = record._replace(
        board=context.library.store.next_number(record.game),
        version=game.VERSION,
        options=configure(game, option_words(record)),
        random=False,
        seed=context.seed(),
        log=(),
        notes={},
        challenger=who,
        tournament="",
    )
    line = Line(0, context.now, who, request.origin.mail, Act.REMATCH)
    return shares.with_text(replay.begin(new, seats, line), request.body)
