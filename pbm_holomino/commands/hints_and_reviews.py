"""What players ask of robots: a hint on a board, the review of one that is over."""

from collections.abc import Sequence

from pbm_holomino.commands.context import Context
from pbm_holomino.commands.queries import read_board
from pbm_holomino.commands.refusals import board_shown, refusal
from pbm_holomino.commands.request import Answer, Request, Shown
from pbm_holomino.errors import NotAllowed, NotYourTurn, Refused
from pbm_holomino.languages import Listed, Sentence, Text, sentence, together
from pbm_holomino.letters import hints
from pbm_holomino.letters import reviews as letters
from pbm_holomino.letters.board_json import json_line
from pbm_holomino.letters.content import Paragraph, plain
from pbm_holomino.match import replay
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.analysis import Analysis, analysed
from pbm_holomino.match.board import Match
from pbm_holomino.match.reviews import Review
from pbm_holomino.match.turns import WHO_IS_NEW
from pbm_holomino.store import reviews, robot_jobs
from pbm_holomino.store.newcomers import newcomers
from pbm_holomino.store.robot_jobs import HINT, REVIEW, Job

# Hints and reviews that wait: far fewer than the store keeps of them.
MOST_WAITING = 500
# Of a player in a day, and of all new accounts at once. A hint takes two seconds of a
# processor, and a game has about thirty moves of a player; a review takes half a
# minute.
MOST = {HINT: 50, REVIEW: 10}


_IN_TOURNAMENT = sentence(
    "{board} is a game of a tournament, so there are no hints while it goes on. You "
    "can have hints against robots, and in games that were opened with -rated=no."
)
_RATED = sentence(
    "{board} is a game between people that counts in the ratings, so there are no "
    "hints while it goes on. You can have hints against robots, and in games that were "
    "opened with -rated=no."
)
# What a player is told for whom the robots will do something, which the store keeps
_SOON = sentence(
    "A robot is thinking about your move. Its hint comes by mail in a minute."
)
_BY_MAIL = sentence(
    "A robot is going through {board} now. The review comes by mail in a minute or "
    "two, and is there for everybody from then on."
)
_ASK_AGAIN = sentence(
    "A robot is going through {board} now. Ask again in a minute or two: it is shown "
    "to you then, and is there for everybody from then on."
)
_TOO_MANY = {
    HINT: sentence(
        "You have asked for {most} hints today, and no player can have more in a day: "
        "please ask again tomorrow."
    ),
    REVIEW: sentence(
        "You have asked for {most} reviews today, and no player can have more in a "
        "day: please ask again tomorrow."
    ),
}
_NEW_WAIT = {
    HINT: sentence(
        "All new accounts together can have {most} hints waiting for the robots, and "
        "that many wait: please ask again in a few minutes."
    ),
    REVIEW: sentence(
        "All new accounts together can have {most} reviews waiting for the robots, and "
        "that many wait: please ask again in a few minutes."
    ),
}


def hint(request: Request, context: Context) -> Answer:
    """A move that a robot would play: at once where the command may wait for it,
    otherwise by mail in a moment; on pages also after a line that is tried. A refusal
    shows the board."""
    match = read_board(request, context.library)
    try:
        if request.boards[0][1] is not None:
            return _hint_on_line(request, context, match)
        check_hint(match, request.userid)
        return _hint(request, context, match)
    except Refused as error:
        return _refusal(error, request, context, match)


def _refusal(
    error: Refused, request: Request, context: Context, match: Match
) -> Answer:
    """A refusal that shows the board."""
    context.people.unname(error, match)
    shown = board_shown(request, context.people, match, request.userid)
    return refusal(error, board=shown)


def check_hint(match: Match, who: str) -> None:
    """Raises NotYourTurn or NotAllowed if this player can have no hint now."""
    record = match.record
    replay.check_player(match, who)
    replay.check_running(match)
    _check_has_hints(match)
    if who not in match.turn:
        raise NotYourTurn(
            sentence(
                "A hint is for your own move, and on {board} it is {players}'s turn.",
                board=record.name,
                players=Listed(match.turn),
            )
        )


def _check_has_hints(match: Match) -> None:
    """Raises NotAllowed for a board on which there are no hints now."""
    record = match.record
    if match.result is not None:
        return
    if record.tournament:
        raise NotAllowed(_IN_TOURNAMENT.of(board=record.name))
    if record.rated and len(record.people) > 1:
        raise NotAllowed(_RATED.of(board=record.name))


def check_hint_on_line(match: Match, who: str, found: Analysis) -> None:
    """Raises NotYourTurn or NotAllowed if this player can have no hint for the position
    after a line of theirs on a board."""
    replay.check_player(match, who)
    _check_has_hints(match)
    if found.is_open:
        raise NotAllowed(_LEFT_OPEN)
    mover = found.mover(who)
    if not mover:
        raise NotAllowed(_NOBODY_MOVES)
    if mover != who and match.rules.SECRETS:
        raise NotAllowed(_HIDDEN.of(player=mover))


_LEFT_OPEN = sentence(
    "A robot must know what is drawn, and here a draw is left open: please choose it, "
    "or have it drawn by chance."
)
_NOBODY_MOVES = sentence("Nobody can move there.")
_HIDDEN = sentence(
    "It is the move of {player} there, who sees what you do not: a robot can only look "
    "at your own moves."
)


def _hint_on_line(request: Request, context: Context, match: Match) -> Answer:
    """Have the robots look at the position after a line from a move of the game."""
    who, (_, ply) = request.userid, request.boards[0]
    start = match.after_ply(ply or 0)
    request.allowance.work.read_lines(len(request.words))
    found = analysed(start, who, request.words)
    check_hint_on_line(match, who, found)
    job = Job.at(start, who, found.words)
    return _ask_robots(job, request, context, _SOON, found)


def _hint(request: Request, context: Context, match: Match) -> Answer:
    who = request.userid
    if context.robots.advise is None:
        origin = request.origin
        if not (origin.has_address or origin.is_signed_in):  # pages show it
            raise NotAllowed(
                sentence(
                    "The hint would come by mail, and you have no address here. To add "
                    "one, send this line:"
                ),
                f"add {who} {PLACEHOLDER} name@example.org",
            )
        return _ask_robots(Job.on(match, HINT, who), request, context, _SOON)
    _check_today(HINT, who, context)
    advice = context.robots.advise(match, who)
    if advice is None:
        raise NotAllowed(
            sentence("No robot has found a move: the owner has been told.")
        )
    context.library.store.counters.count(_counted(HINT), context.now[:10], who)
    wished = context.people.with_wish(match, who)
    said = hints.hint(wished, who, advice, by_reply=False)
    return Answer.of(said, board=Shown(match, who, said))


def review(request: Request, context: Context) -> Answer:
    """What a robot thinks of each move of a game. Its players ask for it, and once it
    is there, everybody can have it. A refusal shows the board."""
    match = read_board(request, context.library)
    try:
        check_review(match)
        found = reviews.find(context.library.store, match)
        if found is not None:
            if request.format != "json":
                match = context.people.named(match)
            return _reviewed(request, context, match, found)
        return _review(request, context, match)
    except Refused as error:
        return _refusal(error, request, context, match)


def check_review(match: Match) -> None:
    """Raises NotAllowed if there is nothing to review on a board."""
    name = match.record.name
    if match.result is None:
        raise NotAllowed(
            sentence(
                "{board} is not over yet: a game can be reviewed when it is.",
                board=name,
            )
        )
    if not match.moves:
        raise NotAllowed(
            sentence(
                "Nobody has moved on {board}, so there is nothing to review.",
                board=name,
            )
        )


def _review(request: Request, context: Context, match: Match) -> Answer:
    """Have a game reviewed by the robots."""
    who, record = request.userid, match.record
    if who not in record.players:
        raise NotAllowed(
            sentence(
                "There is no review of {board} yet, and only its players can ask for "
                "one: {players}.",
                board=record.name,
                players=Listed(record.players),
            )
        )
    said = _BY_MAIL if request.origin.has_address else _ASK_AGAIN
    job = Job.on(match, REVIEW, who)
    return _ask_robots(job, request, context, said.of(board=record.name))


def _reviewed(
    request: Request, context: Context, match: Match, found: Review
) -> Answer:
    """The review in the format that is wanted, with notes that there are. Raises
    NotAllowed without room."""
    from pbm_holomino.commands import notes  # few reviews are there
    from pbm_holomino.letters import notes as note_letters

    who = request.userid
    noted = notes.to_show(context.library, match, who)
    if request.format == "json":
        fields = {
            "game": match.record.game,
            "board": match.record.board,
            **letters.to_json(match, found),
            **note_letters.in_fields(noted, match),
        }
        return Answer(request.allowance.work.whole(json_line(fields)))
    said = letters.review(match, found)
    said = (*said, *(note_letters.told(each, match, who) for each in noted))
    request.allowance.work.whole(plain(said))
    answer = Answer.of(said)
    if request.origin.by_mail or request.format == "svg":
        return answer._replace(attachments=(letters.picture(match, found),))
    return answer


def _ask_robots(
    job: Job,
    request: Request,
    context: Context,
    said: Sentence,
    tried: Analysis | None = None,
) -> Answer:
    """Have the robots do it, if this player has not asked for too much today, and say
    so; `tried` is the line that it is about. Asking for the same again while they are
    at it costs nothing. Raises NotAllowed."""
    store = context.library.store
    asked = robot_jobs.waiting(store)
    if job not in asked:
        _check_today(job.kind, job.who, context)
        _check_has_room(job, asked, context)
        claims = {job.who: (1, MOST[job.kind])}
        folder = _counted(job.kind)
        if not store.counters.claim(folder, context.now[:10], claims):
            raise _too_many(job.kind)
        line = (tried.since, tried.words) if tried else ()
        robot_jobs.ask(store, job, request.origin.mail, *line)
    if request.origin.by_mail:
        robot_jobs.note_answer(store, job.who, request.origin.mail, str(said))
    context.robots.wake()
    return _said(said)


def _check_today(kind: str, who: str, context: Context) -> None:
    """Raises NotAllowed for a player who has asked for as much as one may in a day."""
    counters, day = context.library.store.counters, context.now[:10]
    if counters.count_of(_counted(kind), day, who) >= MOST[kind]:
        raise _too_many(kind)


def _check_has_room(job: Job, asked: Sequence[Job], context: Context) -> None:
    """Raises NotAllowed if no more can wait, or no more of new accounts: these together
    have the place of one player."""
    if len(asked) >= MOST_WAITING:
        raise NotAllowed(
            sentence(
                "{number} hints and reviews wait for the robots already, and no more "
                "can: please ask again in an hour.",
                number=len(asked),
            )
        )
    theirs = [one.who for one in asked if one.kind == job.kind]
    most = MOST[job.kind]
    if len(theirs) < most:
        return
    new = newcomers(context.library, (*theirs, job.who), context.now)
    if job.who in new and sum(who in new for who in theirs) >= most:
        raise NotAllowed(together([_NEW_WAIT[job.kind].of(most=most), WHO_IS_NEW]))


def answered_before(request: Request, context: Context) -> Answer | None:
    """The answer to a mail that has come before and asked the robots for something,
    which they are not to do again; None if it has not."""
    if not request.origin.by_mail:
        return None
    store, source = context.library.store, request.origin.mail
    text = robot_jobs.answer(store, request.userid, source)
    board = f"{request.game} {request.board}"
    sentences = (_SOON, _BY_MAIL.of(board=board), _ASK_AGAIN.of(board=board))
    said = next((each for each in sentences if str(each) == text), text)
    return _said(said) if said else None


def _counted(kind: str) -> str:
    """The folder of the counters."""
    return f"{kind}.asked"


def _too_many(kind: str) -> NotAllowed:
    return NotAllowed(_TOO_MANY[kind].of(most=MOST[kind]))


def _said(text: Text) -> Answer:
    return Answer.of(((Paragraph(text),),))
