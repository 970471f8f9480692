"""A board as a small picture, for the front page and lists of boards."""

from starlette.responses import Response

from pbm_holomino.draw import svg
from pbm_holomino.errors import CorruptFile
from pbm_holomino.rules.contract import View, without_moves
from pbm_holomino.web.boards import LEAST, revision
from pbm_holomino.web.visit import Visit

_SVG = "image/svg+xml"
_DAMAGED = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 84 66"><path '
    'd="M32 23L52 43M52 23L32 43" stroke="#7d8a8d" stroke-width="4"/></svg>'
)
_NOTHING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
_KEPT = "private, max-age=86400"  # seconds; a change of the board changes the address
_ASKED_FOR = "no-cache"  # where the address names no position


def thumbnail(visit: Visit) -> Response:
    """The picture of a board as everybody sees it, on whatever ground there is. It is
    drawn once for each revision."""
    try:
        match = visit.library.shown(visit.game, visit.board)
    except CorruptFile:
        return Response(
            _DAMAGED, headers={"Cache-Control": _ASKED_FOR}, media_type=_SVG
        )

    def drawn() -> str:
        return _drawn(without_moves(match.view(None))) or _NOTHING

    what = "thumbnail", match.record.name
    response = visit.known(what, revision(match), _SVG, drawn)
    response.headers["Cache-Control"] = _KEPT if visit.http.url.query else _ASKED_FOR
    return response


def _drawn(view: View) -> str:
    picture = svg.draw(view.drawing, "", "", LEAST)
    return picture.replace(f'fill="{svg.PAPER}"', 'fill="none"', 1)
