"""What players do on the pages of their boards."""

from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from pbm_holomino.commands.challenges import act_meant
from pbm_holomino.commands.params import PAUSE, is_option
from pbm_holomino.errors import BadMove, NotAllowed, NotBegun, PbmError, Refused
from pbm_holomino.languages import Text, sentence
from pbm_holomino.match import replay
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.board import Match
from pbm_holomino.match.queue import with_lines_left
from pbm_holomino.match.trees import IF
from pbm_holomino.store.people import People
from pbm_holomino.store.robot_jobs import Advice
from pbm_holomino.web import advised, boards, reviews
from pbm_holomino.web.lobby import seek
from pbm_holomino.web.notebooks import Noted, noted
from pbm_holomino.web.robot_help import RobotHelp, robot_help
from pbm_holomino.web.visit import NO_PAGE, Undone, Visit, status_of

_NOT_YOURS = sentence("You do not play on this board.")
_MOST_AHEAD = 50  # moves that are laid out

# Looking


def board(visit: Visit) -> Response:
    """A board as it is, or an open challenge with that number."""
    try:
        match = match_of(visit)
    except NotBegun:
        return _open_challenge(visit)
    return _board_page(visit, match)


def match_of(visit: Visit) -> Match:
    """The board that a path names. Raises NotFound, NotBegun or CorruptFile."""
    match = visit.library.shown(visit.game, visit.board)
    return People(visit.library).at_present(match)


def position(visit: Visit) -> Response:
    """A board as it was after a move."""
    return _board_page(visit, match_of(visit), visit.number("ply"))


def _board_page(visit: Visit, match: Match, ply: int | None = None) -> Response:
    """The page of a board as it is, or as it was after a move."""
    reader, is_player = visit.reader_of(match), visit.player is not None
    robot = _robot_help(visit, match) if ply is None else RobotHelp()

    def make() -> dict[str, Any]:
        move = robot.move if ply is None else ""
        context = boards.context(match, reader, visit.language, ply, is_player, move)
        more = _hinted(match, reader, robot)
        return {**context, **more, "notebooks": notes, "alert": ""}

    tag = boards.own_tag(match) if reader else boards.tag(match)
    notes = _notes(visit, match) if ply is None else ()
    what = match.record.name, match.ply if ply is None else ply
    tag = f"{tag}{reviews.tag(robot, notes)}"
    return visit.known_page(what, tag, "board.html", make)


def _notes(visit: Visit, match: Match) -> Sequence[Noted]:
    """The notes that the reader of a board that is over may see below it."""
    if match.result is None:
        return ()
    reader = visit.reader_of(match) if visit.player else None
    return noted(visit.library, match, reader)


def _robot_help(visit: Visit, match: Match) -> RobotHelp:
    """What robots can do for the reader of a board. One who has come by a letter's link
    can ask for nothing."""
    reader = visit.reader_of(match) if visit.player else None
    return robot_help(visit.library.store, match, reader)


def _page(visit: Visit, match: Match, alert: Text = "", status: int = 200) -> Response:
    """The page of a board, under an alert if something was refused."""
    reader, is_player = visit.reader_of(match), visit.player is not None
    robot = _robot_help(visit, match)
    context = boards.context(
        match, reader, visit.language, is_player=is_player, advised=robot.move
    )
    more = {**_hinted(match, reader, robot), "notebooks": _notes(visit, match)}
    return visit.page("board.html", status, **context, **more, alert=alert)


def _hinted(match: Match, reader: str | None, robot: RobotHelp) -> dict[str, Any]:
    """What robots can do for a reader, and what is said of the move of a hint."""
    if reader is None or not isinstance(robot.said, Advice):
        return {"robot": robot}
    return {"robot": robot, "hinted": advised.said(match, reader, robot.said)}


def _open_challenge(visit: Visit, alert: Text = "", status: int = 200) -> Response:
    """The page of an open challenge."""
    challenge = visit.library.board(visit.game, visit.board)
    who = visit.player.userid if visit.player else ""
    return visit.page(
        "challenge.html",
        status,
        seek=seek(visit, challenge),
        can_withdraw=who == challenge.record.challenger and not challenge.record.ended,
        alert=alert,
    )


def preview(visit: Visit) -> Response:
    """The board as it would be after a move, and the button that plays it."""
    match, move = match_of(visit), visit.query("move").strip()
    reader = visit.reader_of(match)
    if "ahead" in visit.http.query_params:
        return _preview_ahead(visit, match, move)
    try:
        after = previewed(match, move, reader)
    except Refused as error:
        return _page(visit, match, error.said, 422)
    return visit.page(
        "preview.html",
        **boards.context(after, reader, visit.language),
        before=match,
        move=after.record.log[-1].action,
        plays=reader in match.turn,
        submits=visit.player is not None,
        ahead=[],
    )


def previewed(match: Match, move: str, reader: str | None) -> Match:
    """The board as it would be after a move. Raises Refused."""
    check_is_move(move)
    replay.check_running(match)
    after = replay.preview(match, move, reader or "")
    if after is None:
        raise NotAllowed(
            sentence("A draw comes first, so nobody knows what will follow.")
        )
    return after


def _preview_ahead(visit: Visit, match: Match, move: str) -> Response:
    """The board with moves that a player may send ahead, and the button for that."""
    visit.must_be_player()
    try:
        check_is_move(move)
        after, who = laid_ahead(visit, match, [*planned(visit), move])
    except Refused as error:
        return _page(visit, match, error.said, 422)
    began = len(match.record.log)
    return visit.page(
        "preview.html",
        **boards.context(after, who, visit.language),
        before=match,
        move=after.record.log[-1].action,
        plays=False,
        submits=False,
        ahead=[str(line.action) for line in after.record.log[began:]],
    )


def planned(visit: Visit) -> list[str]:
    """The moves that a player lays out before the one that is asked for."""
    return visit.query("ahead").split()[:_MOST_AHEAD]


def laid_ahead(visit: Visit, match: Match, moves: list[str]) -> tuple[Match, str]:
    """The board with such moves, and whose they are. Raises NotSignedIn for those who
    may not send moves ahead, and Refused."""
    who = visit.must_be_player().userid
    if who not in match.record.players:
        raise NotAllowed(_NOT_YOURS)
    return replay.laid(match, who, moves), who


def check_is_move(move: str) -> None:
    """Raises BadMove for what is no single move."""
    is_word = move.isprintable() and " " not in move and not is_option(move)
    if not move or not is_word or act_meant(move):
        raise BadMove(sentence("Please choose a move."))


# Acting: a word of the path, and what it takes from the form


def move(visit: Visit) -> Response:
    """Play a move. A reader who has come by a link can do nothing else."""
    who = visit.reader_of(match_of(visit))
    if who is None:
        visit.must_be_player()
        raise NotAllowed(_NOT_YOURS)
    return _with_move(visit, "move", who)


def seat(visit: Visit, verb: str, who: str, after: str = "") -> tuple[str, ...]:
    """The words of a command about a board, or about it `after` a move such as `#20`,
    up to the password."""
    return visit.game, verb, f"{visit.board}{after}", who, PLACEHOLDER


_MOVED = ("undo", "propose", "reject")  # words that are typed in place of a move
_SIMPLE = ("accept", "decline", "resign", "confirm", *_MOVED)


def act(visit: Visit) -> Response:
    """Do what a button says, that needs no more words."""
    verb, who = visit.word("verb"), visit.must_be_player().userid
    if verb not in (*_SIMPLE, "pause"):
        raise NotAllowed(NO_PAGE)
    words = [*seat(visit, "move", who), verb]
    if verb == "pause":
        words = [
            *seat(visit, "move", who),
            f"{PAUSE}{''.join(visit.field('days').split())}",
        ]
        return _done(visit, who, words)
    if verb not in _MOVED:
        words = [*seat(visit, verb, who)]
    return _done(visit, who, words)


def submit(visit: Visit) -> Response:
    """Keep a move, to be played once it is confirmed."""
    return _with_move(visit, "submit", visit.must_be_player().userid)


def _with_move(visit: Visit, verb: str, who: str) -> Response:
    """Carry out a command with the move of the form."""
    word = visit.field("move")
    try:
        check_is_move(word)
    except BadMove as error:
        return refused(visit, error)
    return _done(visit, who, [*seat(visit, verb, who), f"{word}#{visit.field('no')}"])


def chat(visit: Visit) -> Response:
    """Say something to the other players."""
    who = visit.must_be_player().userid
    return _done(visit, who, seat(visit, "chat", who), body=visit.field("text"))


def queue(visit: Visit) -> Response:
    """Send moves ahead, or a line of answers before those that are left of what was
    sent earlier; or empty the queue."""
    who = visit.must_be_player().userid
    line = typed_words(visit.field("line"))
    if line[:1] == (IF,):
        moves = with_lines_left(match_of(visit), who, line)
    else:
        moves = typed_words(visit.field("moves"))
    return _done(visit, who, [*seat(visit, "queue", who), *(moves or ["none"])])


def typed_words(typed: str) -> tuple[str, ...]:
    """The words in a field of a form, without any that would be options."""
    return tuple(word for word in typed.split() if not is_option(word))


def hint(visit: Visit) -> Response:
    """Ask a robot what it would play."""
    who = visit.must_be_player().userid
    shown = _done(visit, who, seat(visit, "hint", who))
    if shown.status_code == 303:
        visit.waits_for = lambda: visit.site.hints.wait(who)
    return shown


def ask_review(visit: Visit) -> Response:
    """Have a robot go through a game that is over."""
    who = visit.must_be_player().userid
    return _done(visit, who, seat(visit, "review", who))


def publish(visit: Visit) -> Response:
    """Show everybody what a player has noted on a game that is over."""
    who = visit.must_be_player().userid
    return _done(visit, who, seat(visit, "publish", who))


def _done(visit: Visit, who: str, words: Any, body: str = "") -> Response:
    """Carry out a command about a board, and show the board."""
    try:
        visit.run(who, *words, body=body)
    except PbmError as error:
        return refused(visit, error)
    return visit.redirect(visit.game, visit.board)


def refused(visit: Visit, error: PbmError) -> Response:
    """The page of the board with why something was refused."""
    status = 422 if isinstance(error, Undone) else status_of(error)
    try:
        return _page(visit, match_of(visit), error.said, status)
    except NotBegun:
        return _open_challenge(visit, error.said, status)
