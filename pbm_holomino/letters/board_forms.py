"""The boards of a content in another form: small, or in words."""

from collections.abc import Iterable, Iterator

from pbm_holomino.languages import Text, sentence, together
from pbm_holomino.letters.content import (
    Block,
    Content,
    Moves,
    Paragraph,
    Part,
    Picture,
    Seats,
    content,
)

_WAYS = sentence("{tile}: {moves}.")


def in_form(parts: Content, form: str) -> Content:
    """The content as `form` has its boards: with `small` pictures, with `large` ones on
    any screen, as a `list` of their tiles, and as they are in any other format."""
    if form == "large":
        return tuple(tuple(map(_large, part)) for part in parts)
    if form == "small":
        return tuple(tuple(map(_small, part)) for part in parts)
    if form == "list":
        return content(*(spoken for part in parts for spoken in _spoken(part)))
    return parts


def _large(block: Block) -> Block:
    return block._replace(size="large") if isinstance(block, Picture) else block


def _small(block: Block) -> Block:
    if not isinstance(block, Picture) or block.size:
        return block
    return block._replace(size="small")


def _spoken(part: Part) -> Iterator[Iterable[Block]]:
    """A part without what only the eye can read: the boards in words, and then the rest
    in sentences."""
    from pbm_holomino.draw.words import describe  # rarely asked for

    for block in part:
        if isinstance(block, Picture):
            for first, *more in describe(block.drawn.drawing):
                yield Paragraph(first), *map(_line, more)
    yield (said for block in part for said in _sentences(block))


def _sentences(block: Block) -> Iterable[Block]:
    if isinstance(block, Picture):
        return ()
    if isinstance(block, Moves):
        ways = [way.shown for way in block.ways]
        comma = "; " if any("," in str(way) for way in ways) else ", "
        return (_line(_WAYS.of(tile=block.tile, moves=together(ways, comma))),)
    if isinstance(block, Seats):
        return (_line(seat.told) for seat in block.seats)
    return (block,)


def _line(line: Text) -> Paragraph:
    """A line of a list."""
    return Paragraph(line, "", "  ")
