"""The boards of a content in another form: small, or in words."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from pbm_holomino.languages import InARow, Sentence, Text, sentence, together
from pbm_holomino.letters.content import (
    Best,
    Block,
    Content,
    Moves,
    Paragraph,
    Part,
    Picture,
    Rule,
    Seats,
    Subheading,
    Table,
    Written,
    content,
)

_WAYS = sentence("{tile}: {moves}.")


def in_form(parts: Content, form: str, by_reply: bool = False) -> Content:
    """The content as `form` has its boards: with `small` pictures, with `large` ones on
    any screen, as a `list` of their tiles and cells, in `words` for people who have
    letters read to them, and who can ask `by_reply`, and as they are in any other
    format."""
    if form == "large":
        return tuple(tuple(map(_large, part)) for part in parts)
    if form == "small":
        return tuple(tuple(map(_small, part)) for part in parts)
    if form == "list":
        return content(*(spoken for part in parts for spoken in _listed(part)))
    if form == "words":
        return content(*_aloud(parts, by_reply))
    return parts


def _large(block: Block) -> Block:
    return block._replace(size="large") if isinstance(block, Picture) else block


def _small(block: Block) -> Block:
    if not isinstance(block, Picture) or block.size:
        return block
    return block._replace(size="small")


def _listed(part: Part) -> Iterator[Iterable[Block]]:
    """A part without what only the eye can read: the boards in words, and then the rest
    in sentences."""
    from pbm_holomino.draw.words import describe  # rarely asked for

    for block in part:
        if isinstance(block, Picture):
            yield from _lines(describe(block.drawn.drawing))
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


def _lines(paragraphs: Iterable[Sequence[Text]]) -> Iterator[Iterable[Block]]:
    """What a board has in words, a line a tile."""
    for first, *more in paragraphs:
        yield Paragraph(first), *map(_line, more)


def _line(line: Text) -> Paragraph:
    """A line of a list."""
    return Paragraph(line, "", "  ")


# Read aloud


def _aloud(parts: Content, by_reply: bool) -> Iterator[Iterable[Block]]:
    """Parts as they are read aloud: of each board first what is told of it, then the
    board and how to ask about it, and last what is in fine print."""
    for is_rule, section in groupby(parts, _is_rule):
        if not is_rule:
            yield from _section([*section], by_reply)


def _is_rule(part: Part) -> bool:
    return all(isinstance(block, Rule) for block in part)


def _section(parts: Sequence[Part], by_reply: bool) -> Iterator[Iterable[Block]]:
    """What is said of one board, or of none."""
    fine = [part for part in parts if _is_last(part)]
    for part in parts:
        if part not in fine:
            yield from _read(part)
    blocks = [block for part in parts for block in part]
    pictures = [block for block in blocks if isinstance(block, Picture)]
    for picture in pictures:
        yield from _tiles(picture)
    if pictures and by_reply:
        has_moves = any(isinstance(block, Moves) for block in blocks)
        yield (Paragraph(_TO_ASK_MORE if has_moves else _TO_ASK),)
    yield from fine


def _is_last(part: Part) -> bool:
    """Whether a part, but for its heading, is there for those who look for it."""
    some = part[1:] if isinstance(part[0], Subheading) else part[:1]
    return any(isinstance(block, Paragraph) and block.fine for block in some)


def _read(part: Part) -> Iterator[Iterable[Block]]:
    """What is told of a part, without signs, columns and boards; a page that is written
    has its figures where they are."""
    for block in part:
        if isinstance(block, Written):
            for told in block.told():
                for figure in told:
                    if isinstance(figure, Picture):
                        yield from _tiles(figure)
                yield (said for each in told for said in _told(each))
    if any(isinstance(block, Moves) for block in part):  # these have another heading
        part = tuple(block for block in part if not isinstance(block, Subheading))
    yield (said for block in part for said in _told(block))


def _tiles(picture: Picture) -> Iterator[Iterable[Block]]:
    from pbm_holomino.draw.words import describe_tiles  # few have it read to them

    return _lines(describe_tiles(picture.drawn.drawing))


def _told(block: Block) -> Iterable[Block]:
    """What is told of a block."""
    if isinstance(block, Best):
        return ()  # they are told with the others
    if isinstance(block, Moves):
        return block.told()
    if isinstance(block, Table):
        return map(_line, _rows(block))
    if isinstance(block, Written):
        return ()
    return _sentences(block)


def _rows(table: Table) -> Iterator[Text]:
    """The rows of a table, each as a line, with the words of its head."""
    for first, *cells in table.there():
        heads = table.head[1:] or ("",) * len(cells)
        named = [
            (_CELL.of(head=head, cell=_said(cell)) if str(head) else _said(cell))
            for head, cell in zip(heads, cells, strict=True)
            if str(cell) not in ("", "-")
        ]
        yield (_ROW if named else _ALONE).of(first=_said(first), cells=InARow(named))


def _said(cell: object) -> Text:
    """What is in a cell of a table."""
    return cell if isinstance(cell, Sentence) else str(cell)


_CELL = sentence("{head} {cell}")
_ALONE = sentence("{first}.")
_ROW = sentence("{first}: {cells}.")
_TO_ASK = sentence(
    'To hear what lies around a position, reply with "look" and its number.'
)
_TO_ASK_MORE = sentence(
    'To hear what lies around a position, reply with "look" and its number. To hear '
    'where a tile fits, reply with "fits" and its name.'
)
