"""The page on which a reader asks what lies at a place of a board, and where a tile
fits: the questions of those who have the board read to them."""

from collections.abc import Sequence
from itertools import chain

from starlette.responses import Response

from pbm_holomino.commands.grammar import read
from pbm_holomino.errors import DONE, BadCommand
from pbm_holomino.languages import Text
from pbm_holomino.letters.content import Heading, Paragraph
from pbm_holomino.web.visit import Visit

_QUESTIONS = ("look", "fits")  # the commands, and the fields of the forms


def page(visit: Visit) -> Response:
    """The questions about a board, and the answer to the one that was asked."""
    match = visit.library.shown(visit.game, visit.board)
    words = {name: visit.query(name).strip() for name in _QUESTIONS}
    asked = next(((name, word) for name, word in words.items() if word), None)
    said, status = _answered(visit, *asked) if asked else ((), 200)
    tiles = chain.from_iterable(match.view(None).pools)
    return visit.page(
        "asking.html",
        status,
        match=match,
        words=words,
        said=said,
        example=next(tiles, "123"),
    )


def _answered(visit: Visit, name: str, word: str) -> tuple[Sequence[Text], int]:
    """What is said to a question, in paragraphs, and the status of the page."""
    try:
        typed = [visit.game, name, str(visit.board), word]
        _, request = read(typed, None, in_shell=False)
    except BadCommand as error:
        return [error.said], 422
    if visit.player is not None:
        request = request._replace(userid=visit.player.userid)
    answer = visit.site.server.carry_out(request).in_language(visit.language.tag)
    blocks = [
        block
        for block in chain.from_iterable(answer.content)
        if isinstance(block, Paragraph) and not isinstance(block, Heading)
    ]
    return [block.text for block in blocks], 200 if answer.status == DONE else 422
