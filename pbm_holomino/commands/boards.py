"""The commands that change a board; they return the changed match."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import dropwhile, islice, takewhile
from typing import TYPE_CHECKING

from pbm_holomino import rules
from pbm_holomino.commands.challenges import (
    act_meant,
    challenger_of,
    check_seats,
    check_signed_on,
    chosen_options,
    known_players,
    options_again,
)
from pbm_holomino.commands.context import Context, Scope
from pbm_holomino.commands.params import NONE
from pbm_holomino.commands.request import Request, check_has_text
from pbm_holomino.commands.texts import own_lines
from pbm_holomino.errors import BadMove, NotAllowed, NotFound
from pbm_holomino.languages import Listed, Moment, sentence, together
from pbm_holomino.match import queue as queues
from pbm_holomino.match import replay, shares
from pbm_holomino.match.account import (
    NO_CHALLENGES,
    NO_WORDS,
    Player,
    check_blocks_none,
    check_known,
    check_not_blocked,
    is_userid,
)
from pbm_holomino.match.board import Match
from pbm_holomino.match.deadlines import unwritten
from pbm_holomino.match.open_challenge import ANYONE, SOME_ROBOT
from pbm_holomino.match.record import (
    NOBODY,
    SHELL,
    Act,
    Key,
    Line,
    Record,
)
from pbm_holomino.match.trees import IF, MOST_NODES, is_tree, place
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.people import People

if TYPE_CHECKING:
    from pbm_holomino.store.summary import Summary

# Why a challenge is barred, and who may challenge all the same
_DECLINED = sentence(
    "The challenge on {board} was declined: {challenger} may not challenge {others} to "
    "{game} again, nor ask for a rematch, before {time}."
)
_CAME_TO_NOTHING = sentence(
    "The challenge on {board} came to nothing: {challenger} may not challenge {others} "
    "to {game} again, nor ask for a rematch, before {time}."
)
_ONE_MAY = sentence("{other} may challenge {challenger} at any time.")
_OTHERS_MAY = sentence("The others may challenge {challenger} at any time.")

MOST_TOGETHER = 3  # unanswered challenges between the same players
MOST_ASKED = 10  # challenges by others that wait for one player's answer


def opening(request: Request, context: Context) -> Scope:
    """Where a board is opened, or the board that a rematch follows is found. Its locks
    are those of its players' accounts, as the limits on challenges apply to all games
    together, and one for the game's next number. Raises NotFound or CorruptFile."""
    library, game = context.library, request.game
    old = library.match(game, request.board) if request.boards else None
    names = {*(old.record.players if old else request.words), request.userid}
    accounts = [Key(PLAYERS, name) for name in sorted(filter(is_userid, names))]

    def find() -> tuple[Match | None, int | None]:
        mail = request.origin.mail
        opened = None if mail == SHELL else library.opened_by(game, mail)
        return (old, None) if opened is None else (opened, 0)

    there = (key for key in accounts if library.store.exists(*key))
    return Scope((*there, Key(game, "new")), find)


def challenge(request: Request, context: Context, old: Match | None = None) -> Match:
    """A new board for the players named, or a challenge open to anyone. Raises
    BadOption, NotAllowed, NotFound or TooMany."""
    if ANYONE in request.words:
        from pbm_holomino.commands import open_challenges  # most name their opponents

        opened = open_challenges.challenge(request, context)
    else:
        opened = _challenge(request, context)
    if not request.userid:  # a stranger may not have too many letters sent to players
        players = filter(None, map(context.people.player, opened.seated))
        addresses = [address for player in players for address in player.addresses]
        request.allowance.answers.challenge(addresses)
    return opened


def _challenge(request: Request, context: Context) -> Match:
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


def _check_players(
    request: Request, known: Mapping[str, Player], robots: Sequence[str]
) -> None:
    names = request.words
    if len(set(names)) < len(names):
        raise NotAllowed(
            sentence("You named a player twice; each player has one seat.")
        )
    check_seats(request.game, names)
    check_signed_on(known)
    check_known(names, lambda name: name in known or name in robots)


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
    check_not_blocked(challenger, blockers, NO_CHALLENGES)
    challenges = context.library.lists.challenges(names, context.now)
    same = [board for board in challenges if _people(board, context) == set(names)]
    _check_not_barred(game, challenger, asked, same, context.now)
    waiting = [board for board in same if board.unanswered]
    if len(waiting) >= MOST_TOGETHER:
        raise NotAllowed(
            sentence(
                "{number} challenges between {players} wait for an answer: {boards}. "
                "Before there can be another, one of them must be accepted, declined "
                "or withdrawn.",
                number=len(waiting),
                players=Listed(names),
                boards=Listed(board.name for board in waiting),
            )
        )
    for name in asked:
        theirs = [board for board in challenges if name in board.unanswered]
        if len(theirs) >= MOST_ASKED:
            raise NotAllowed(
                sentence(
                    "{number} challenges already wait for an answer from {player}: "
                    "please try again when some of them are answered.",
                    number=len(theirs),
                    player=name,
                )
            )


def _people(board: "Summary", context: Context) -> set[str]:
    """The players of a board that are no robots, which make it no other challenge."""
    return {name for name in board.players if not context.library.is_robot(name)}


def _check_not_barred(
    game: str,
    challenger: str,
    asked: Sequence[str],
    same: "Iterable[Summary]",
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
    barred = (_DECLINED if last.was_declined else _CAME_TO_NOTHING).of(
        board=last.name,
        challenger=challenger,
        others=Listed(asked),
        game=rules.load(game).TITLE,
        time=Moment(last.barred),
    )
    may = _ONE_MAY.of(other=asked[0]) if len(asked) == 1 else _OTHERS_MAY
    raise NotAllowed(together([barred, may.of(challenger=challenger)]))


Decide = Callable[[Request, Context, Match], Match]


def _of_board(decide: Decide) -> Decide:
    """A command about a board; one that is still an open challenge can only be taken up
    or withdrawn."""

    def decided(request: Request, context: Context, match: Match) -> Match:
        if not match.has_begun:
            from pbm_holomino.commands import open_challenges  # few commands need it

            return open_challenges.changed(request, context, match)
        if match.record.clock is not None:
            match = _with_vacations(match, context)
        return decide(request, context, match)

    return decided


def _with_vacations(match: Match, context: Context) -> Match:
    """The match with lines about all vacations that stop its clocks, so that what comes
    next follows from the log alone."""
    if match.result is None:
        for line in unwritten(context.people.at_present(match), context.now):
            match = replay.after(match, line)
    return match


def _line(
    request: Request, context: Context, action: Act | str = "", argument: str = ""
) -> Line:
    """The line of the log that a command brings: a move, an act and what it is about,
    or what a queue makes of it."""
    source = request.origin.mail
    return Line(None, context.now, request.userid, source, action, argument)


@_of_board
def move(request: Request, context: Context, match: Match) -> Match:
    """The match after a move, or after an act typed in place of a move."""
    (word,) = request.words
    replay.check_number(match, word, request.move_no)
    if meant := act_meant(word):
        return _acted(request, context, match, *meant)
    after = replay.after(match, _line(request, context, word))
    return shares.with_text(after, request.body)


@_of_board
def resign(request: Request, context: Context, match: Match) -> Match:
    """The match after a resignation."""
    return _acted(request, context, match, Act.RESIGN)


@_of_board
def accept(request: Request, context: Context, match: Match) -> Match:
    """The match after the player has accepted an offer or a challenge."""
    return _acted(request, context, match, Act.ACCEPT)


@_of_board
def decline(request: Request, context: Context, match: Match) -> Match:
    """The match cancelled by a challenged player, or by the challenger."""
    return _acted(request, context, match, Act.DECLINE)


@_of_board
def chat(request: Request, context: Context, match: Match) -> Match:
    """The match with a text to its other players."""
    _check_heard(request.userid, match.record, context.people)
    check_has_text(request)
    after = replay.after(match, _line(request, context, Act.CHAT))
    return shares.checked(replay.with_note(after, request.body))


def _check_heard(who: str, record: Record, people: People) -> None:
    """Raises NotAllowed if no other player of a board can both read and answer."""
    player = people.player(who)
    if player is None or who not in record.players:
        return
    others = [other for other in record.players if other != who]
    if set(others) <= set(people.blockers(others, who)):
        check_not_blocked(who, others, NO_WORDS)
    if set(others) <= set(player.blocked):
        check_blocks_none(player, others)


@_of_board
def queue(request: Request, context: Context, match: Match) -> Match:
    """The match with moves queued for the player's coming turns; `none` empties their
    queue."""
    line = _line(request, context)
    if [word.lower() for word in request.words] == [NONE]:
        return queues.empty(match, line)
    words = _with_lines(request) if is_tree(request.words) else request.words
    for word in words:
        _check_is_move(word)
    return queues.queue(match, line, words)


def _with_lines(request: Request) -> tuple[str, ...]:
    """The words of answers ahead, with the lines in the text of their mail up to the
    first empty one. If lines there begin with `if`, others go on from the line
    before."""
    lines = [[*map(place, line.split())] for line in _first_lines(request.origin.text)]
    begin = any(line[0] == IF for line in lines)
    added = ([*[IF] * (not begin), *line] for line in lines)
    words = [word for line in added for word in line]
    typed = () if words and request.words == (IF,) else request.words
    return (*map(place, typed), *words)


def _first_lines(text: str) -> list[str]:
    """The lines that the writer of a mail wrote, up to the first empty one."""
    own = dropwhile(lambda line: not line.strip(), own_lines(text))
    return [*islice(takewhile(str.strip, own), MOST_NODES + 1)]


@_of_board
def submit(request: Request, context: Context, match: Match) -> Match:
    """The match with a move that waits to be confirmed."""
    (word,) = request.words
    _check_is_move(word)
    return queues.submit(match, _line(request, context), word)


def _check_is_move(word: str) -> None:
    plain = word.partition("#")[0].lower()
    if act_meant(plain):
        raise BadMove(
            sentence(
                'Only moves can be sent ahead, and "{word}" is not a move.', word=plain
            )
        )


@_of_board
def confirm(request: Request, context: Context, match: Match) -> Match:
    """The match after the move that the player had submitted."""
    confirmed = queues.confirm(match, _line(request, context))
    return shares.with_text(confirmed, request.body)


def _check_not_taken(request: Request, record: Record) -> None:
    """Raises NotAllowed if this was an open challenge, and others have taken it up."""
    if record.began and request.userid not in record.players:
        takers = [player for player in record.players if player != record.challenger]
        raise NotAllowed(
            sentence(
                '{board} is not open any more, as {players} took it up. "list open" '
                "names those that are open now.",
                board=record.name,
                players=Listed(takers),
            )
        )


def _acted(
    request: Request, context: Context, match: Match, act: Act, about: str = ""
) -> Match:
    if act is Act.ACCEPT:
        _check_not_taken(request, match.record)
    line = _line(request, context, act, about)
    after = shares.checked(replay.after(match, line))
    return shares.with_text(after, request.body)


def rematch(request: Request, context: Context, old: Match | None) -> Match:
    """A new board with the same players, and the seats moved up by one. It has the same
    options, but for those that are given. Raises BadOption, NotAllowed, NotFound or
    NotYourTurn."""
    assert old is not None  # the command names a board
    record, who = old.record, request.userid
    replay.check_player(old, who)
    if old.result is None:
        raise NotAllowed(sentence("{board} is not over yet.", board=record.name))
    known = known_players(record.people, context)
    check_signed_on(known)
    if not known.keys() >= set(record.people):
        raise NotFound(
            sentence("Some players of {board} are no longer here.", board=record.name)
        )
    options, common = options_again(request, record)
    _check_may_play(record.people, record.robots, common["rated"], context)
    check_may_challenge(record.game, who, record.people, known, context)
    seats = (*record.players[1:], record.players[0])
    game = rules.load(record.game)
    new = record._replace(
        board=context.library.store.next_number(record.game),
        version=game.VERSION,
        options=options,
        seed=context.seed(),
        log=(),
        notes={},
        challenger=who,
        tournament="",
        **common,
    )
    line = Line(0, context.now, who, request.origin.mail, Act.REMATCH)
    return shares.with_text(replay.begin(new, seats, line), request.body)
