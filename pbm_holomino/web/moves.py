"""The moves of a player as data, for the script: where each tile fits, and what it
would score there."""

from collections.abc import Iterable, Iterator
from typing import Any

from markupsafe import Markup
from starlette.responses import JSONResponse, Response

from pbm_holomino.draw.svg.shapes import middle
from pbm_holomino.errors import NotFound
from pbm_holomino.languages import Language, Text, sentence
from pbm_holomino.letters.aloud import moves_of
from pbm_holomino.match.board import Match
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.web.boards import letters
from pbm_holomino.web.figures import Tiles
from pbm_holomino.web.playing import laid_ahead, match_of, planned
from pbm_holomino.web.scripts import form
from pbm_holomino.web.visit import Visit


def moves(visit: Visit) -> Response:
    """The moves of the reader, if it is their turn, or those to be sent ahead after
    others that are laid out. A player whose turn has ended, perhaps while their page
    came, gets `null`. Raises NotFound or Refused for others."""
    match = match_of(visit)
    reader = visit.reader_of(match)
    if "ahead" in visit.http.query_params:
        match, reader = laid_ahead(visit, match, planned(visit))
    elif reader is None:
        raise NotFound(sentence("It is not your turn."))
    elif reader not in match.turn or match.due:
        return _fresh(None)
    return answer(visit, match, reader)


def answer(visit: Visit, match: Match, reader: str) -> Response:
    """The moves of a player, whoever asks for them."""
    return _fresh(data(match, reader, visit.language))


def _fresh(known: dict[str, Any] | None) -> Response:
    response = JSONResponse(known)
    response.headers["Cache-Control"] = "no-store"
    return response


def data(match: Match, reader: str, language: Language) -> dict[str, Any]:
    """Each move with the positions that it fills and its score; where these positions
    are in the picture, and what lies there already; how tiles look; what is said of
    moves; and what a player puts words together from."""
    game, view = match.rules, match.view(reader)
    seat = match.record.players.index(reader)
    is_known = bool(match.turn and view.proposal.heading)  # and not just examples
    legal = zip(*moves_of(match, seat), strict=True) if is_known else ()
    shown, cells = [], dict[int, tuple[int, int]]()
    picture, drawn = Tiles(view.drawing.notation), dict[str, Markup]()
    owner = seat if game.SIDES else 0
    for move, written, score in legal:
        at = game.covers(move)
        cells |= {position: _middle(position) for position in at}
        tile = written.partition(":")[0]
        drawn[tile] = drawn.get(tile) or picture(tile, owner)
        shown.append({"move": written, "tile": tile, "at": at, "score": score})
    covered = _covered(view.drawing, cells)
    return {
        "phase": view.phase,
        "moves": shown,
        "cells": cells,
        "drawn": drawn,
        "covered": {at: language.say(it) for at, it in covered},
        "says": {
            name: form(language, said.forms)
            for name, said in game.SCORING.gains.items()
        },
        **letters(match, view, reader),
    }


_OWNED, _HIGH = sentence("{owner}'s {tile}"), sentence("{tile}, {height} high")
_OWNED_HIGH = sentence("{owner}'s {tile}, {height} high")


def _covered(drawing: Drawing, cells: Iterable[int]) -> Iterator[tuple[int, Text]]:
    """What lies at those of these positions that are taken."""
    for position in filter(drawing.faces.__contains__, cells):
        owner, tile = drawing.owner(position), drawing.faces[position]
        height = drawing.tiles_at(position)
        if height > 1:
            high = _OWNED_HIGH.of(owner=owner) if owner else _HIGH
            yield position, high.of(tile=tile, height=height)
        else:
            yield position, _OWNED.of(owner=owner, tile=tile) if owner else tile


def _middle(position: int) -> tuple[int, int]:
    point = middle(position)
    return int(point.real), int(point.imag)
