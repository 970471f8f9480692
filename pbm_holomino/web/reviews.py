"""The page about the review of a board that is over."""

from markupsafe import Markup
from starlette.responses import Response

from pbm_holomino.errors import NotFound, PbmError
from pbm_holomino.letters import lessons as letters
from pbm_holomino.letters.content import plain
from pbm_holomino.match.board import Match
from pbm_holomino.match.lessons import Review
from pbm_holomino.store import lessons
from pbm_holomino.web.figures import inline
from pbm_holomino.web.visit import Visit


def review(visit: Visit) -> Response:
    """How the chances of winning went, and what a robot thinks of each move. Raises
    NotFound if nobody has asked for it yet."""
    match, found = _found(visit)
    if found is None:
        record = match.record
        raise NotFound(
            f"There is no review of {record.name} yet. When the game is over, its "
            f'players can ask for one: "{record.game} review {record.board}".'
        )
    title = f"{match.rules.TITLE}, board {visit.board}: the review"
    body = Markup('<figure>{}</figure><pre tabindex="0">{}</pre>').format(
        inline(letters.drawn(match, found), "review-"),
        plain(letters.review(match, found)),
    )
    return visit.page("text.html", title=title, body=body)


def link(visit: Visit) -> Markup:
    """The link to that page; nothing if there is no review."""
    try:
        _, found = _found(visit)
    except PbmError:  # the page says what is wrong
        return Markup()
    path = f"{visit.site.root}/{visit.game}/{visit.board}/review"
    there = Markup('<p class="links"><a href="{}">The review of a robot</a></p>')
    return there.format(path) if found else Markup()


def _found(visit: Visit) -> tuple[Match, Review | None]:
    """The board, and its review if there is one. Raises NotFound or CorruptFile."""
    match = visit.library.shown(visit.game, visit.board)
    return match, lessons.review(visit.library.store, match) if match.result else None
