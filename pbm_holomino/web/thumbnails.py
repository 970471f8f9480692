"""A board as a small picture, for the lists of boards."""

from starlette.responses import Response

from pbm_holomino.draw import svg
from pbm_holomino.rules.contract import View, without_moves
from pbm_holomino.web.boards import LEAST
from pbm_holomino.web.playing import match_of
from pbm_holomino.web.visit import Visit

_NOTHING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
_KEPT = "private, max-age=86400"  # seconds; a change of the board changes the address


def thumbnail(visit: Visit) -> Response:
    """The picture of a board as everybody sees it, on whatever ground there is."""
    shown = _drawn(without_moves(match_of(visit).view(None))) or _NOTHING
    headers = {"Cache-Control": _KEPT}
    return Response(shown, media_type="image/svg+xml", headers=headers)


def _drawn(view: View) -> str:
    picture = svg.draw(view.drawing, "", "", LEAST)
    return picture.replace(f'fill="{svg.PAPER}"', 'fill="none"', 1)
