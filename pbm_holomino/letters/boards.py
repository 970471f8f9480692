"""The boards of a content in another form: small, or in words."""

from collections.abc import Iterable

from pbm_holomino.draw.text import draw
from pbm_holomino.letters.content import (
    Block,
    Content,
    Moves,
    Paragraph,
    Part,
    Picture,
    Seats,
)

_FURTHER = "  "  # before the further lines of a sentence


def in_form(parts: Content, form: str) -> Content:
    """The content as `form` has its boards: with `small` pictures, with `large` ones on
    any screen, as a `list` of their tiles, and as they are in any other format."""
    if form == "large":
        return tuple(tuple(map(_large, part)) for part in parts)
    if form == "small":
        return tuple(tuple(map(_small, part)) for part in parts)
    if form == "list":
        return tuple(spoken for part in parts for spoken in _spoken(part))
    return parts


def _large(block: Block) -> Block:
    return block._replace(stays=True) if isinstance(block, Picture) else block


def _small(block: Block) -> Block:
    if not isinstance(block, Picture) or block.stays:
        return block
    return block._replace(text=draw(block.drawing, small=True))


def _spoken(part: Part) -> Iterable[Part]:
    """A part without what only the eye can read: pictures, and columns."""
    if len(part) == 1 and isinstance(part[0], Picture):
        from pbm_holomino.draw.words import describe  # rarely asked for

        return [
            tuple(Paragraph(line, "", _FURTHER) for line in lines)
            for lines in describe(part[0].drawing)
        ]
    return [tuple(said for block in part for said in _sentences(block))]


def _sentences(block: Block) -> Iterable[Block]:
    if isinstance(block, Moves):
        ways = "; ".join(way.shown for way in block.ways)
        return [Paragraph(f"{block.tile}: {ways}.", "", _FURTHER)]
    if isinstance(block, Seats):
        return [
            Paragraph(_seat(block.points, *seat), "", _FURTHER) for seat in block.seats
        ]
    return [block]


def _seat(
    points: str, is_to_move: bool, name: str, score: int, tiles: tuple[str, ...]
) -> str:
    """A player in a sentence: `alice, to move, has 12 points and holds 123, 145.`"""
    who = f"{name}, to move," if is_to_move else name
    held = ", ".join(tiles) or "no tiles"
    unit = points.removesuffix("s") if score == 1 else points
    return f"{who} has {score} {unit} and holds {held}."
