"""The next move of a line that a player thinks about: what a page offers for it, be it
of a board or of a text that was pasted."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from pbm_holomino.errors import NotFound
from pbm_holomino.languages import sentence
from pbm_holomino.match.analysis import Analysis
from pbm_holomino.web import boards, moves
from pbm_holomino.web.visit import Visit

BY_CHANCE = "chance"  # what `by` says when chance draws


def next_move(
    found: Analysis, who: str, method: str, kept: Mapping[str, object]
) -> dict[str, Any]:
    """What the template of the next move needs: who moves, or what is drawn; how its
    forms are sent, and the fields that each of them `kept` besides the line."""
    mover = found.mover(who)
    view = found.match.view(mover or None)
    return {
        "method": method,
        "kept": {**kept, "line": " ".join(found.words)},
        "mover": mover,
        "choices": boards.choices(found.match, view, mover),
        "example": boards.example(view) if mover else "",
        "phase": view.phase if mover else "",
        "drawn": [*found.left],
        "by_chance": BY_CHANCE,
        **(boards.letters(found.match, view, mover) if mover else {}),
    }


def legal(visit: Visit, found: Analysis) -> Response:
    """The moves of whoever is to move after a line, for the script. Raises NotFound if
    nobody is."""
    mover = found.mover(visit.must_be_player().userid)
    if not mover:
        raise NotFound(sentence("Nobody can move there."))
    return moves.answer(visit, found.match, mover)
