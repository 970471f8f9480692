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
from pbm_holomino.web import boards, lines
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
    text, line = _text(visit), typed_words(visit.field("line"))
    move = typed_words(visit.field("move"))
    if visit.field("by") == lines.BY_CHANCE:
        move = (_SAMPLE,)
    try:
        return _page(visit, text, _thought(visit, text, [*line, *move]))
    except Refused as error:
        before = _thought(visit, text, line) if move else None
        return _page(visit, text, before, error.said)


_SAMPLE = "-sample"


def legal(visit: Visit) -> Response:
    """The moves after a line, for the script. Raises NotFound and Refused."""
    line = typed_words(visit.field("line"))
    return lines.legal(visit, _thought(visit, _text(visit), line).found)


def _text(visit: Visit) -> str:
    """What was pasted, with the blanks in front of its first line."""
    return visit.form.get("text", "")


def _thought(visit: Visit, text: str, words: Sequence[str]) -> Thought:
    """Where a line leads from the position in a text. Raises Refused."""
    who = visit.must_be_player().userid
    typed = (visit.game, "analyse", who, PLACEHOLDER, *words)
    return thought_over(visit.request(who, *typed, body=text))


def _page(
    visit: Visit, text: str, thought: Thought | None = None, alert: Text = ""
) -> Response:
    """The page of a position, or without one the form alone."""
    shown = _shown(visit, text, thought) if thought else {"remarks": ()}
    own = {"game": rules.load(visit.game), "text": text, "alert": alert}
    here = visit.site.path(visit.game, "paste")
    return visit.page("paste.html", 422 if alert else 200, here=here, **shown, **own)


def _shown(visit: Visit, text: str, thought: Thought) -> dict[str, Any]:
    """What the page shows of a position."""
    found, who = thought.found, visit.must_be_player().userid
    before = found._replace(turns=found.turns[:-1])
    return {
        **boards.context(found.match, who, visit.language),
        **lines.next_move(found, who, "post", {"text": text}),
        "remarks": thought.said,
        "has_hands": thought.taken.get("verified", False),
        "turns": found.turns,
        "before": " ".join(before.words),
    }
