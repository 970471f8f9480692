"""Trying moves: a player plays for both sides from a position of a board, for their own
eyes only, and queues what they would answer.

A page is a position: its address has the move of the game after which the line begins,
and the words of the line (see `match.analysis`).
"""

from typing import Any
from urllib.parse import urlencode

from starlette.responses import JSONResponse, Response

from pbm_holomino.errors import NotFound, Refused
from pbm_holomino.languages import Text, sentence
from pbm_holomino.match.analysis import Analysis, Turn, analysed
from pbm_holomino.match.board import Match
from pbm_holomino.match.queue import can_answer
from pbm_holomino.match.trees import IF, NOBODY, line_of
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.web import boards, moves
from pbm_holomino.web.playing import match_of
from pbm_holomino.web.visit import Visit, whole


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
    line = visit.query("line").split()
    try:
        found = _found(visit, match, [*line, *visit.query("move").split()])
    except Refused as error:
        return _page(visit, match, _found(visit, match, line), who, error.said)
    return _page(visit, match, found, who)


def legal(visit: Visit) -> Response:
    """The moves of whoever is to move there, for the script. Raises NotFound and
    Refused."""
    who = visit.must_be_player().userid
    found = _found(visit, match_of(visit), visit.query("line").split())
    mover = _mover(found.match, who)
    if not mover:
        raise NotFound(sentence("Nobody can move there."))
    response = JSONResponse(moves.data(found.match, mover, visit.language))
    response.headers["Cache-Control"] = "no-store"
    return response


def _found(visit: Visit, match: Match, words: list[str]) -> Analysis:
    """Where a line leads, as the reader knows it. Raises NotFound and Refused."""
    since = visit.query("since")
    then = match.after_ply(whole(since)) if since else match
    return analysed(then, visit.must_be_player().userid, words)


def _mover(match: Match, who: str) -> str:
    """Who moves next, the reader before all others; empty if nobody can."""
    turn = () if match.due else match.turn
    return min(turn, key=lambda each: each != who, default="")


def _page(
    visit: Visit, match: Match, found: Analysis, who: str, alert: Text = ""
) -> Response:
    after, mover = found.match, _mover(found.match, who)
    shown = boards.context(after, who, visit.language)
    view = after.view(mover or None)
    own = {
        "choices": boards.choices(after, view, mover),
        "example": boards.example(view) if mover else "",
        "steps": _steps(found),
        "query": _query(found.since, found.words),
        "line": " ".join(found.words),
        "since": found.since,
        "mover": mover,
        "ahead": ahead(match, found, who),
        "asks": not found.turns and boards.actions(match, who).answers,
        "alert": alert,
    }
    return visit.page("try.html", 422 if alert else 200, **{**shown, **own})


def _steps(found: Analysis) -> list[Step]:
    """The moves of a line, each with the page after it."""
    words, steps = list[str](), list[Step]()
    for number, turn in enumerate(found.turns, found.since + 1):
        words += turn.words
        steps.append(Step(number, turn, _query(found.since, words)))
    return steps


def _query(since: int, words: Any) -> str:
    return urlencode({"since": since, "line": " ".join(words)})


def ahead(match: Match, found: Analysis, who: str) -> Ahead | None:
    """What a line comes to if a player queues it; None if they cannot, or if it has no
    move of theirs. A first move that would be played at once has its number."""
    is_here = found.since == match.ply and boards.actions(match, who).queues
    words = line_of((turn.who == who, turn.move) for turn in found.turns)
    if not (is_here and words):
        return None
    if is_now := words[0] == NOBODY:
        words = (NOBODY, f"{words[1]}#{match.ply + 1}", *words[2:])
    if not can_answer(match) or len(words) == 2 and is_now:
        return Ahead(" ".join(words[1::2]), False, is_now)
    theirs, mine = words[:2] if len(words) == 2 or is_now else ("", "")
    return Ahead(" ".join((IF, *words)), True, is_now, theirs, mine.partition("#")[0])
