"""Trying moves: a player plays for both sides from a position of a board, for their own
eyes only, keeps lines with notes, and queues what they would answer.

A page is a position: its address has the move of the game after which the line begins,
and the words of the line (see `match.analysis`).
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from starlette.responses import Response

from pbm_holomino.commands.notes import notes_by
from pbm_holomino.commands.sampling import by_chance
from pbm_holomino.errors import PbmError, Refused
from pbm_holomino.languages import Text
from pbm_holomino.match import notebook as notebooks
from pbm_holomino.match.analysis import Analysis, Pick, Turn, analysed
from pbm_holomino.match.board import Match
from pbm_holomino.match.notebook import Notebook, Place
from pbm_holomino.match.queue import can_answer
from pbm_holomino.match.trees import IF, NOBODY, line_of
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.robot_jobs import Advice
from pbm_holomino.web import advised, boards, lines
from pbm_holomino.web.notebooks import noted, query
from pbm_holomino.web.playing import match_of, seat, typed_words
from pbm_holomino.web.robot_help import RobotHelp, help_on_line
from pbm_holomino.web.visit import Undone, Visit, status_of, whole


class Step(NamedTuple):
    """A move of a line, its number in the game, and the query of the page after it."""

    number: int
    turn: Turn
    query: str


class Ahead(NamedTuple):
    """What a line comes to if it is queued: the words, and for answers to one move, as
    most are, that move and the answer."""

    words: str
    is_line: bool = True
    is_now: bool = False  # whether its first move would be played at once
    theirs: str = ""
    mine: str = ""


def page(visit: Visit) -> Response:
    """The position after a line, and what can be done there."""
    who, match = visit.must_be_player().userid, match_of(visit)
    line, move = (typed_words(visit.query(name)) for name in ("line", "move"))
    try:
        if visit.query("by") == lines.BY_CHANCE:
            drawn = _found(visit, match, line, by_chance)
            return _shown(visit, drawn.since, drawn.words)
        return _page(visit, match, _found(visit, match, [*line, *move]), who)
    except Refused as error:
        return _page(visit, match, _found(visit, match, line), who, error.said)


def keep(visit: Visit) -> Response:
    """Keep a line among the player's notes."""
    return _noted(visit, "analyse", "-keep")


def note(visit: Visit) -> Response:
    """Write a note on the position after a line; an empty one takes it out."""
    return _noted(visit, "note", body=visit.field("text"))


def hint(visit: Visit) -> Response:
    """Ask a robot what it would play in the position after a line."""
    who, line = visit.must_be_player().userid, typed_words(visit.field("line"))
    since = whole(visit.field("since"))
    asked = visit.request(who, *seat(visit, "hint", who))
    asked = asked._replace(boards=((visit.board, since),), words=line)
    try:
        visit.ask_for(asked)
    except PbmError as error:
        return _refused(visit, since, line, error)
    visit.waits_for = lambda: visit.site.hints.wait(who)
    return _shown(visit, since, line)


def _refused(
    visit: Visit, since: int, line: Sequence[str], error: PbmError
) -> Response:
    """The page of the position after a line, with why something was refused. Raises
    Refused if there is no such position."""
    who, match = visit.must_be_player().userid, match_of(visit)
    found = analysed(match.after_ply(since), who, line)
    return _page(visit, match, found, who, error.said, error)


def _noted(visit: Visit, verb: str, *options: str, body: str = "") -> Response:
    """Carry out a command about a line, and show its position."""
    who, line = visit.must_be_player().userid, typed_words(visit.field("line"))
    since = whole(visit.field("since"))
    words = seat(visit, verb, who, f"#{since}")
    try:
        visit.run(who, *words, *line, *options, body=body)
    except PbmError as error:
        return _refused(visit, since, line, error)
    return _shown(visit, since, line)


def _shown(visit: Visit, since: int, words: Iterable[str]) -> Response:
    return visit.redirect(visit.game, visit.board, f"try?{query(since, words)}")


def legal(visit: Visit) -> Response:
    """The moves of whoever is to move there, for the script. Raises NotFound and
    Refused."""
    visit.must_be_player()
    line = typed_words(visit.query("line"))
    return lines.legal(visit, _found(visit, match_of(visit), line))


def _found(
    visit: Visit, match: Match, words: Sequence[str], sample: Pick | None = None
) -> Analysis:
    """Where a line leads, as the reader knows it. Raises NotFound and Refused."""
    since = visit.query("since")
    then = match.after_ply(whole(since)) if since else match
    return analysed(then, visit.must_be_player().userid, words, sample)


def _page(
    visit: Visit,
    match: Match,
    found: Analysis,
    who: str,
    alert: Text = "",
    error: PbmError | None = None,
) -> Response:
    """The page of a position, under an alert if something was refused."""
    status = 422 if alert else 200
    if error is not None and not isinstance(error, Undone):
        status = status_of(error)
    # as it was played: its names may not be those that are shown
    played = visit.library.match(visit.game, visit.board)
    robot = help_on_line(visit.library.store, played, who, found)
    shown = boards.context(found.match, who, visit.language, advised=robot.move)
    own = {
        **lines.next_move(found, who, "get", {"since": found.since}),
        "steps": _steps(found),
        "since": found.since,
        "ahead": ahead(match, found, who),
        "asks": not found.turns and boards.actions(match, who).answers,
        "alert": alert,
        "notebooks": noted(visit.library, match, who),
        "robot": robot,
        "hinted": _hinted(found, who, robot),
        "tried": partial(_query_of, found),
        **_note(visit, played, found, who),
    }
    return visit.page("try.html", status, **{**shown, **own})


def _hinted(found: Analysis, who: str, robot: RobotHelp) -> Text:
    """What is said of the move of a hint; of that of somebody else, what it does."""
    if not isinstance(robot.said, Advice):
        return ""
    if (mover := found.mover(who)) == who:
        return advised.said(found.match, who, robot.said)
    return boards.its_effect(found.match, mover, robot.move)


def _query_of(found: Analysis, *moves: str) -> str:
    """The query of the page of a position, or of that after more moves."""
    return query(found.since, [*found.words, *moves])


def _note(visit: Visit, match: Match, found: Analysis, who: str) -> dict[str, Any]:
    """What a player of the board has noted on this position."""
    record = match.record
    if who not in record.players:
        return {"keeps": False}
    notebook = notes_by(visit.library, who, record.game, record.board)
    notebook = notebook or Notebook(who, record.game, record.board)
    digest = notebooks.digest(match.after_ply(found.since))
    at = notebook.find(Place(found.since, digest, found.words))
    note, is_end = notebook.notes.get(at, ""), not notebook.below(at)
    return {
        "keeps": True,
        "is_kept": at > 0,
        "note": note,
        "goes_out": at > 0 and (is_end or note),
    }


def _steps(found: Analysis) -> list[Step]:
    """The moves of a line, each with the page after it."""
    words, steps = list[str](), list[Step]()
    for number, turn in enumerate(found.turns, found.since + 1):
        words += turn.words
        steps.append(Step(number, turn, query(found.since, words)))
    return steps


def ahead(match: Match, found: Analysis, who: str) -> Ahead | None:
    """What a line comes to if a player queues it; None if they cannot, or if it has no
    move of theirs. A first move that would be played at once has its number."""
    words = line_of((turn.who == who, turn.move) for turn in _to_come(match, found))
    if not (boards.actions(match, who).queues and words):
        return None
    if is_now := words[0] == NOBODY:
        words = (NOBODY, f"{words[1]}#{match.ply + 1}", *words[2:])
    if not can_answer(match) or len(words) == 2 and is_now:
        return Ahead(" ".join(words[1::2]), False, is_now)
    theirs, mine = words[:2] if len(words) == 2 or is_now else ("", "")
    return Ahead(" ".join((IF, *words)), True, is_now, theirs, mine.partition("#")[0])


def _to_come(match: Match, found: Analysis) -> Sequence[Turn]:
    """The moves of a line that the game has not come to yet; none of one from which it
    has gone another way."""
    played = [match.told_line(index) for index in match.moves[found.since :]]
    begun = [(turn.who, turn.move) for turn in found.turns[: len(played)]]
    is_there = begun == [(line.who, str(line.action)) for line in played]
    return found.turns[len(played) :] if is_there else ()
