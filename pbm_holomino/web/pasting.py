"""Boards that are pasted or dropped on a page: a player thinks about any position, for
their own eyes only.

Each page comes from a form with the whole text and the line so far, as the position is
kept nowhere.
"""

from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from pbm_holomino import rules
from pbm_holomino.commands.pasted_boards import Thought, thought_over
from pbm_holomino.errors import Refused
from pbm_holomino.languages import Text
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.trees import DRAW
from pbm_holomino.web import boards
from pbm_holomino.web.playing import typed_words
from pbm_holomino.web.visit import Visit


def ask_page(visit: Visit) -> Response:
    """The form for a text."""
    visit.must_be_player()
    return _page(visit, "")


def page(visit: Visit) -> Response:
    """The position in a text, after a line and one more move. A move that is refused
    leads nowhere, and the page says why. Raises Refused for a line that is none."""
    visit.must_be_player()
    text = visit.form.get("text", "")  # with the blanks in front of its first line
    line, move = (typed_words(visit.field(name)) for name in ("line", "move"))
    try:
        return _page(visit, text, _thought(visit, text, [*line, *move]))
    except Refused as error:
        before = _thought(visit, text, line) if move else None
        return _page(visit, text, before, error.said)


def _thought(visit: Visit, text: str, line: Sequence[str]) -> Thought:
    """Where a line leads from the position in a text. Raises Refused."""
    who = visit.must_be_player().userid
    words = (visit.game, "analyse", who, PLACEHOLDER, *line)
    return thought_over(visit.request(who, *words, body=text))


def _page(
    visit: Visit, text: str, thought: Thought | None = None, alert: Text = ""
) -> Response:
    """The page of a position, or without one the form alone."""
    shown = _shown(visit, thought) if thought else {"remarks": ()}
    own = {"game": rules.load(visit.game), "text": text, "alert": alert}
    here = visit.site.path(visit.game, "paste")
    return visit.page("paste.html", 422 if alert else 200, here=here, **shown, **own)


def _shown(visit: Visit, thought: Thought) -> dict[str, Any]:
    """What the page shows of a position."""
    found, who = thought.found, visit.must_be_player().userid
    match, mover = found.match, found.mover(who)
    view = match.view(mover or None)
    before = found._replace(turns=found.turns[:-1])
    return {
        **boards.context(match, who, visit.language),
        "remarks": thought.said,
        "has_hands": thought.taken.get("verified", False),
        "turns": found.turns,
        "line": " ".join(found.words),
        "before": " ".join(before.words),
        "mover": mover,
        "choices": boards.choices(match, view, mover),
        "example": boards.example(view) if mover else "",
        "drawn": [f"{DRAW}{tile}" for tile in found.left],
    }
