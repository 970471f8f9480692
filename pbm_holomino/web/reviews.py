"""The page about the review of a board that is over."""

import hashlib
from typing import Any

from markupsafe import Markup
from starlette.responses import Response

from pbm_holomino.errors import NotFound
from pbm_holomino.languages import sentence
from pbm_holomino.letters import reviews as letters
from pbm_holomino.match.board import Match
from pbm_holomino.match.reviews import Review
from pbm_holomino.store import reviews
from pbm_holomino.web import speech
from pbm_holomino.web.figures import inline
from pbm_holomino.web.robot_help import RobotHelp, robot_help
from pbm_holomino.web.visit import Visit

_TITLE = sentence("{game}, board {board}: the review")
_LINK = sentence("{link}The review of a robot{end}")


def review(visit: Visit) -> Response:
    """How the chances of winning went, and what a robot thinks of each move. Raises
    NotFound if nobody has asked for it yet."""
    match = visit.library.shown(visit.game, visit.board)
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
    review = robot.said
    shown = (
        _shown(visit, match, review) if isinstance(review, Review) else {"graph": ""}
    )
    return visit.page("review.html", match=match, title=title, **shown)


def _shown(visit: Visit, match: Match, review: Review) -> dict[str, Any]:
    summary = letters.summary(match, review)
    return {
        "graph": inline(letters.drawn(match, review, visit.language.code), "review-"),
        "words": [said.text for part in summary for said in part],
        "head": [*zip(letters.columns(match), letters.SIDES, strict=True)],
        "rows": letters.rows(match, review),
    }


def found(visit: Visit, match: Match) -> Review | None:
    """The review of a board; None if there is none."""
    if match.result is None:
        return None
    return reviews.find(visit.library.store, match)


def tag(said: RobotHelp | Review | None) -> str:
    """A word that changes with what robots have said."""
    return hashlib.sha256(repr(said).encode()).hexdigest()[:8]


def link(visit: Visit, match: Match) -> Markup:
    """The link to that page."""
    path = visit.site.path(match.record.game, match.record.board, "review")
    link = speech.written(visit.language, _LINK.of(link=speech.link(path)))
    return Markup('<p class="links">{}</p>').format(link)
