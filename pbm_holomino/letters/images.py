"""Boards as images: files that an answer brings, and pictures in letters."""

from pbm_holomino.draw import png, svg
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import Listed, sentence, together
from pbm_holomino.letters.letter import Attachment
from pbm_holomino.letters.screen import caption, sentences
from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import Drawing, without_moves

# A PNG has two pixels for each CSS pixel, as screens have, but no more than this: 900
# across are sharp on a telephone. A compact picture then has less than 60 KB, but for
# some of the fullest boards, which are drawn narrower.
_DENSITY, _WIDEST, _HIGHEST = 2, 900, 3600
_MOST_BYTES, _NARROWER = 60_000, 0.9

_NO_TILE = sentence(
    "There is no tile on {board} yet, so there is no picture. Please use "
    '"-format=text".'
)

_IN_WORDS = sentence("With -format=list, the server describes the board in words.")


class Image(NamedTuple):
    """A board as a picture, with a title and a description for people who have it read
    to them; these are in English, as all pictures are."""

    drawing: Drawing
    title: str
    description: str

    @property
    def size(self) -> tuple[int, int]:
        """The natural width and height, in CSS pixels. On a narrower screen it is shown
        as wide as the screen."""
        return svg.size(self.drawing)

    def svg(self) -> str:
        """The picture as an SVG document."""
        return svg.draw(self.drawing, self.title, self.description)

    def png(self, is_compact: bool = False) -> bytes:
        """The picture as a PNG; a compact one for a letter. Raises NotAllowed if the
        library that draws it is not installed."""
        width, height = self.size
        zoom = min(_DENSITY, _WIDEST / width, _HIGHEST / height)
        drawn = png.render(self.svg(), round(width * zoom), is_compact)
        while is_compact and len(drawn) >= _MOST_BYTES:
            zoom *= _NARROWER
            drawn = png.render(self.svg(), round(width * zoom), is_compact)
        return drawn


def image(match: Match, reader: str | None, past: bool = False) -> Image | None:
    """A board as a player sees it, or anybody, or as it was in the `past`; None if no
    tile has been played. After the end of a round it is that round's, until the next
    has tiles."""
    view = without_moves(match.view(reader)) if past else match.view(reader)
    drawing = view.drawing if view.drawing.faces else view.ended
    if drawing is None or not drawing.faces:
        return None
    return Image(drawing, str(caption(match)), _description(match, reader))


def _description(match: Match, reader: str | None) -> str:
    """What happened last, and the score."""
    eventful = (step.events for step in reversed(match.steps) if step.events)
    events = next(eventful, ())
    scores = Listed(f"{who} {score}" for who, score in match.scores.items())
    standing = match.rules.SCORING.standing.of(scores=scores)
    happened = sentences(match, events, reader)
    return str(together([*happened, standing, _IN_WORDS]))


def attachment(
    match: Match, reader: str | None, form: str, past: bool = False
) -> Attachment:
    """A board as a file, `svg` or `png`. Raises NotAllowed if there is no tile on it,
    or if a library is missing."""
    shown = image(match, reader, past)
    if shown is None:
        raise NotAllowed(_NO_TILE.of(board=match.record.name))
    name = f"{match.record.game}-{match.record.board or 'position'}.{form}"
    if form == "svg":
        return Attachment(name, "image/svg+xml", shown.svg().encode())
    return Attachment(name, "image/png", shown.png())
