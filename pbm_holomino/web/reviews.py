"""The pages of the review of a board that is over: the board move by move, with what a
robot would have played, over the graph of chances."""

import hashlib
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup
from starlette.responses import Response

from pbm_holomino.errors import NotFound
from pbm_holomino.languages import Text, sentence, together
from pbm_holomino.letters import reviews as letters
from pbm_holomino.match.board import Match
from pbm_holomino.match.reviews import Review, Turn, turning_points, turns
from pbm_holomino.rules.contract import without_moves
from pbm_holomino.store import reviews
from pbm_holomino.store.people import People
from pbm_holomino.web import boards, speech
from pbm_holomino.web.figures import inline
from pbm_holomino.web.notebooks import Noted, noted
from pbm_holomino.web.robot_help import RobotHelp, robot_help
from pbm_holomino.web.visit import NoPage, Visit

_TITLE = sentence("{game}, board {board}: the review")
_LINK = sentence("{link}The review of a robot{end}")


def review(visit: Visit) -> Response:
    """The last move of a game, and what a robot thinks of all of them. Raises NotFound
    if nobody has asked for it yet."""
    return _page(visit)


def move(visit: Visit) -> Response:
    """What a robot thinks of a move. Raises NotFound."""
    return _page(visit, visit.number("ply"))


def _page(visit: Visit, ply: int | None = None) -> Response:
    match = visit.library.shown(visit.game, visit.board)
    match = People(visit.library).named(match, match.shows_seed)
    robot = robot_help(visit.library.store, match, None)
    if not (robot.said or robot.is_awaited):
        record = match.record
        raise NotFound(
            sentence(
                "There is no review of {board} yet. When the game is over, its players "
                'can ask for one: "{game} review {number}".',
                board=record.name,
                game=record.game,
                number=record.board,
            )
        )
    title = _TITLE.of(game=match.rules.TITLE, board=visit.board)
    if not isinstance(robot.said, Review):
        return visit.page("review.html", match=match, title=title, graph="")
    found, last = robot.said, len(robot.said.moves)
    at = last if ply is None else ply
    if not at <= last:
        raise NoPage

    def make() -> dict[str, Any]:
        shown = _shown(visit, match, found, at)
        return {"match": match, "title": title, "notebooks": notes, **shown}

    reader = visit.player.userid if visit.player else None
    notes = noted(visit.library, match, reader)
    page = "review", match.record.name, at, ply is None
    known = f"{boards.tag(match)}{tag(found, notes)}"
    return visit.known_page(page, known, "review.html", make)


def _shown(visit: Visit, match: Match, found: Review, at: int) -> dict[str, Any]:
    """The board after so many moves of a review, and all that is said of them."""
    turned, code = turns(match, found), visit.language.code
    turning = turning_points(turned)
    marks = [(turn.seat, turned.index(turn) + 1) for turn in turning]
    graph = letters.drawn(match, found, code, marks, at, is_flat=True)
    return {
        "at": at,
        "last": len(turned),
        **_move(visit, match, turned[at - 1] if at else None),
        "tile": boards.tiles(match, None),
        "graph": inline(graph, "review-"),
        "turning": [
            (no, match.record.log[turn.judged.line], together(_explained(match, turn)))
            for turn, (_, no) in zip(turning, marks, strict=True)
        ],
        "words": [s.text for part in letters.summary(match, found) for s in part],
        "head": [*zip(letters.columns(match), letters.SIDES, strict=True)],
        "rows": letters.rows(match, found),
    }


def _move(visit: Visit, match: Match, turn: Turn | None) -> dict[str, Any]:
    """The board after a move, on which the better one is drawn, and what is said of
    both; or the board at the start."""
    if turn is None:
        then, better, said = match.at(match.record.began), None, list[Text]()
    else:
        line = match.record.log[turn.judged.line]
        before, then = match.at(turn.judged.line - 1), match.at(turn.judged.line)
        robot = turn.judged.robot
        is_same = robot == line.action
        better = None if is_same else boards.proposed(before, line.who, robot)
        played = _PLAYED.of(no=str(line.no), player=line.who, move=str(line.action))
        does = boards.its_effect(before, line.who, str(line.action))
        said = [played, does, *_explained(match, turn)]
    view = without_moves(then.view(None))
    drawn = boards.pictures(then, view, visit.language, proposed=better)
    return {"pictures": drawn, "said": said, "is_better_shown": better is not None}


_PLAYED = sentence("Move {no}: {player} played {move}.")


def _explained(match: Match, turn: Turn) -> list[Text]:
    """How a move changed the chances of its player, and what a robot would have
    played."""
    line, robot = match.record.log[turn.judged.line], _robot(match, turn)
    if turn.after is None:
        return [robot]
    before, after = round(100 * turn.before), round(100 * turn.after)
    said = _FELL if after < before else _ROSE if after > before else _STAYED
    return [said.of(player=line.who, before=before, after=after), robot]


_FELL = sentence("{player}'s chances fell from {before}% to {after}%.")
_ROSE = sentence("{player}'s chances rose from {before}% to {after}%.")
_STAYED = sentence("{player}'s chances stayed at {after}%.")


def _robot(match: Match, turn: Turn) -> Text:
    """What a robot would have played in place of a move, and what that does."""
    line, robot = match.record.log[turn.judged.line], turn.judged.robot
    if robot == line.action:
        return _THE_SAME
    does = boards.its_effect(match.at(turn.judged.line - 1), line.who, robot)
    return together([_INSTEAD.of(move=robot), does])


_THE_SAME = sentence("A robot would have played the same.")
_INSTEAD = sentence("A robot would have played {move}.")


def found(visit: Visit, match: Match) -> Review | None:
    """The review of a board; None if there is none."""
    if match.result is None:
        return None
    return reviews.find(visit.library.store, match)


def tag(said: RobotHelp | Review | None, notes: Sequence[Noted]) -> str:
    """A word that changes with what robots have said, and with notes that are shown."""
    return hashlib.sha256(repr((said, notes)).encode("utf-8", "replace")).hexdigest()[
        :8
    ]


def link(visit: Visit, match: Match) -> Markup:
    """The link to that page."""
    path = visit.site.path(match.record.game, match.record.board, "review")
    link = speech.written(visit.language, _LINK.of(link=speech.link(path)))
    return Markup('<p class="links">{}</p>').format(link)
