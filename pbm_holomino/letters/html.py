"""A letter as HTML, made of the same blocks as its text, and in the same words.

It is one narrow column that fetches nothing. All that a reader needs is in the styles
of the elements, as some mail programs drop the style sheet: that only adapts the page
to dark screens and wide windows. What the text does not say has the class `hint`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from pbm_holomino.languages import ENGLISH_CODE, Sentence, sentence
from pbm_holomino.letters.content import (
    BLANK,
    LINKED,
    TAP,
    UNLINKED,
    Best,
    Block,
    BoardPage,
    Command,
    Content,
    Heading,
    Lines,
    Linked,
    Moves,
    Page,
    Paragraph,
    Part,
    Picture,
    Printed,
    Rule,
    Seat,
    Seats,
    Subheading,
    Table,
    Words,
    Written,
    in_words,
    there,
)
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.named_tuples import NamedTuple

WIDEST = 47  # columns of a picture that a telephone shows in letters of a usual size
MOST_LINES = 28  # of a picture that it shows in letters of a size to be read
MOST_LINKS = 200  # moves that are links; with more, the letter would be too long

_THE_BOARD = sentence("The board")


class Links(NamedTuple):
    """Where a letter's links lead: to mails to the server, with the letter's token in
    the password's place. Without a token, the reader puts in the password."""

    address: str
    token: str = ""

    def to(self, command: str) -> str:
        """The link that writes a mail with this command."""
        before, blank, last = command.rpartition(" ")
        return _mailto(self.address, before + blank) + _percent(last)

    def proved(self, command: str) -> str:
        """A command about a board, with the token."""
        return command.replace(PLACEHOLDER, f"~{self.token}") if self.token else command


class Shown(NamedTuple):
    """An image: its address, and its natural width and height in CSS pixels."""

    source: str
    width: int
    height: int

    @property
    def narrow(self) -> int:
        """Its width on a telephone, where it is not higher than others."""
        return min(self.width, HIGHEST * self.width // self.height)


def html(
    content: Content,
    links: Links,
    images: Sequence[Shown] = (),
    language: str = ENGLISH_CODE,
) -> str:
    """A content as a page of HTML, in ASCII, in the language with this code. Its
    pictures are drawn as text, unless there are `images` of them, one for each."""
    content = tuple(tuple(map(_fitting, part)) for part in content)
    blocks = [block for part in content for block in part]
    moves = sum(len(block.ways) for block in blocks if isinstance(block, Moves))
    pictures = [block for block in blocks if isinstance(block, Picture)]
    wide = dict.fromkeys(_in_wide_window(picture.width) for picture in pictures)
    if images:
        wide = dict.fromkeys(
            f".i{i.width}{{max-width:{i.width}px!important}}" for i in images
        )
    page = _Page(links, iter(images), moves <= MOST_LINKS, language, iter(["h1"]))
    body = _parts(content, page)
    sizes = _WHERE_WIDE.format("\n".join(wide)) if wide else ""
    sheet = _SHEET.replace("SIZES", sizes)
    tag = there(language).replace("_", "-")
    return _PAGE.format(sheet=sheet, body=body, tag=tag).encode(*_ASCII).decode()


_ASCII = ("ascii", "xmlcharrefreplace")


class _Page(NamedTuple):
    """What the blocks of a letter need: its links, the images that are left, whether
    there is room for a link to each move, the reader's language, and how headings are
    marked before all others."""

    links: Links
    images: Iterator[Shown]
    has_room: bool
    language: str
    headings: Iterator[str]

    def say(self, said: Sentence) -> str:
        """What the letter says beside its content, as HTML."""
        return _escape(in_words(said, self.language))

    def link(self, text: str, command: str, style: str = "", kind: str = "") -> str:
        """A link that sends a command; its text is HTML."""
        kind = f' class="{kind}"' if kind else ""
        href = self.links.to(command)
        return f'<a{kind} href="{href}" style="{style or _LINK}">{text}</a>'

    def button(self, text: str, command: str) -> str:
        """A link that is large enough for a thumb, if there is a command."""
        if not command:
            return f'<span style="{_LABEL}">{_escape(text)}</span>'
        return self.link(_escape(text), command, _BUTTON, "b")

    def way(self, way: Command) -> str:
        """A button with a command, which the letter's token proves if it is about the
        board. One with dots in it is not ready to be sent."""
        shown = str(way.shown)
        if "..." in shown:
            return self.button(shown, "")
        words = str(way.label) or shown
        return self.button(words, self.links.proved(way.whole) or shown)


def _fitting(block: Block) -> Block:
    """A picture as it fits a telephone, if it may be drawn so, and then with the
    command for the large one."""
    if not isinstance(block, Picture):
        return block
    if block.size:
        return block._replace(enlarge=None)
    if block.width <= WIDEST or block.drawn.small == block.text:
        return block if block.lines > MOST_LINES else block._replace(enlarge=None)
    return block._replace(size="small")


# Styles

# The column of a telephone that is 360 px wide, and of a wide window, in px.
_NARROW, _WIDE = 336, 576
_ADVANCE = 0.605  # the width of a character of the widest usual font, in font sizes
# The font sizes of pictures, in px: on a telephone a larger one is scrolled. One that
# was asked for in full size is never made hard to read.
_LARGEST, _ASKED_FOR, _SMALLEST = 14.0, 12.0, 6.0
_LINE = 1.15  # the height of their lines, in font sizes
HIGHEST = 300  # of a picture on a telephone, in px: the moves are below it

_MONO = "font-family:Menlo,Consolas,'Roboto Mono','DejaVu Sans Mono',monospace"
_COLUMN = (
    "max-width:600px;margin:0 auto;padding:12px;box-sizing:border-box;"
    "background:#fff;color:#1f1f1f;text-align:left;"
    "font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
    "overflow-wrap:break-word;word-wrap:break-word;-webkit-text-size-adjust:100%"
)
_INK = "color:#0b4a9e"
_LINK = f"{_INK};padding:5px 0"  # for a thumb
_LABEL = "display:inline-block;margin:3px 4px 3px 0"
# As there may be many, what only makes them nicer is in the style sheet.
_BUTTON = (
    f"display:inline-block;margin:3px 1px;padding:5px 11px;border:1px solid;{_INK}"
)
_FINE = "margin:0;font-size:13px;color:#5f6368"
# Paper, in a frame that is seen on a light and on a dark page
_FRAME = (
    "box-sizing:border-box;background:#fdfcf8;border:1px solid #80868b;"
    "border-radius:6px"
)
_AROUND = "display:block;color:inherit;text-decoration:none"  # a picture
_MARK = "color:#b3261e"
_SHEET = """\
.b{border-color:#6f97c9!important;border-radius:8px;text-decoration:none}
@media (prefers-color-scheme:dark){
.p{background:#16181b!important;color:#e4e6e9!important}
.p a{color:#9cc5ff!important}
.p .n{color:#e4e6e9!important}
.b{border-color:#5578a6!important}
.q{border-color:#6b7078!important}
.f{color:#a3a8b0!important}
.l{color:#ffab8f!important}
}
SIZES"""
_WHERE_WIDE = (
    "@media (min-width:620px){{\n{}\n}}\n"  # what is larger where there is room
)
# Outlook for Windows knows tables, but no greatest width; others pass over this.
_OUTLOOK = """\
<!--[if mso]><table role="presentation" width="600" align="center"><tr><td><![endif]-->
"""
_END_OF_OUTLOOK = "<!--[if mso]></td></tr></table><![endif]-->\n"
_PAGE = f"""\
<!DOCTYPE html>
<html lang="{{tag}}">
<head>
<meta charset="us-ascii">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<style>
{{sheet}}</style>
</head>
<body class="p" style="margin:0;padding:0;background:#fff">
{_OUTLOOK}<div class="p" style="{_COLUMN}">
{{body}}</div>
{_END_OF_OUTLOOK}</body>
</html>
"""


def _size(columns: int, width: int) -> float:
    """The font size in which so many columns fit this width, to a tenth of a px."""
    return min(_LARGEST, int(10 * width / (columns * _ADVANCE)) / 10)


def _size_by_lines(lines: int) -> float:
    """The font size in which so many lines are not too high for a telephone."""
    return int(10 * HIGHEST / (lines * _LINE)) / 10


def _in_wide_window(columns: int) -> str:
    size = _size(columns, _WIDE)
    return f".c{columns}{{font-size:{size}px!important;max-height:none!important}}"


# Blocks


def _parts(parts: Iterable[Part], page: _Page) -> str:
    paragraphs = (paragraph for part in parts for paragraph in _apart(part))
    return "".join([_part(paragraph, page) for paragraph in paragraphs])


def _apart(part: Part) -> Iterator[Part]:
    """The parts of a part, between which it has a blank line."""
    for is_blank, blocks in groupby(part, key=BLANK.__eq__):
        if not is_blank:
            yield tuple(blocks)


def _part(part: Part, page: _Page) -> str:
    written = [
        _GROUPS[kind](list(group), page) for kind, group in groupby(part, key=type)
    ]
    inside = "".join(written)
    return inside and f'<div style="margin:0 0 12px">\n{inside}</div>\n'


def _heading(block: Heading, page: _Page) -> str:
    tag = next(page.headings, "h2")
    style = "margin:0 0 4px;font-size:18px;line-height:1.35"
    return f'<{tag} style="{style}">{_escape(str(block.text))}</{tag}>\n'


def _subheading(block: Subheading, page: _Page) -> str:
    style = "margin:0 0 2px;font-size:15px;line-height:1.35"
    return f'<h2 style="{style}">{_sentences(str(block.text), page)}</h2>\n'


def _paragraph(block: Paragraph, page: _Page) -> str:
    if block.fine:
        style = f"{_FINE};overflow-wrap:anywhere"
        return f'<p class="f" style="{style}">{_escape(str(block.text))}</p>\n'
    text = _sentences(str(block.text), page)
    for shown, command, _ in block.commands:
        words = str(shown)
        found = re.search(_whole(words) if words else _LINKED, text)
        if found:
            link = page.link(words or found[1], page.links.proved(command))
            text = text[: found.start()] + link + text[found.end() :]
    if block.commands:
        text = text.translate(UNLINKED)  # where a translation has no such words
    if mark := " ".join(str(block.indent).split()):  # of an entry of a list
        mark = f'<span class="f" style="color:#5f6368">{_escape(mark)}</span>'
        return f'<p style="{_ENTRY}">{mark} {text}</p>\n'
    deep = min(4 * len(str(block.indent)), _DEEPEST)
    margin = f"0 0 4px {deep}px" if deep else "0"
    return f'<p style="margin:{margin}">{text}</p>\n'


_ENTRY = "margin:0 0 6px;padding-left:16px;text-indent:-16px"
_DEEPEST = 24  # px by which sentences are indented, at most
_LINKED = "{link}([^{end}]*){end}".format_map(LINKED)


def _whole(words: str) -> str:
    """The pattern of these words where they are not part of a longer move."""
    return rf"(?<![\w:,]){re.escape(words)}(?!,?\w)"


def _sentences(text: str, page: _Page) -> str:
    """Sentences, with a link for each question that they quote, such as "holo help"."""
    escaped = _escape(text)
    if '"' not in text:
        return escaped
    return re.sub(_QUESTION, lambda found: page.link(found[0], found[0]), escaped)


_WORDS = "(?: [a-z0-9_#]+)"
_LISTS = "help|games|history|standings|ratings"
_QUESTION = (
    rf'(?<=")(?:(?:help|list|tournament|[a-z]+ (?:{_LISTS})){_WORDS}*|'
    rf'(?:forgot|[a-z]+ (?:show|verify)){_WORDS}+)(?=")'
)


def _lines(blocks: Sequence[Lines], page: _Page) -> str:
    from pbm_holomino.letters.articles import article  # few letters have any

    return _parts(article("".join([block.text for block in blocks])), page)


def _written(block: Written, page: _Page) -> str:
    return _parts(block.told(), page)


def _rule(block: Rule, page: _Page) -> str:
    return '<hr class="q" style="border:0;border-top:1px solid #9aa0a6">\n'


def _printed(block: Printed, page: _Page) -> str:
    """What programs and forums read, as it is: it can be scrolled."""
    style = f"margin:4px 0;overflow-x:auto;{_MONO};font-size:12px;line-height:1.3"
    return f'<pre style="{style}">{_escape(block.plain())}</pre>\n'


# Tables

_GLYPH, _SMALL_GLYPH = 9.5, 8.0  # px of a digit of a wide font, in a cell and a head
_BETWEEN = 8  # px between columns


def _table(block: Table, page: _Page) -> str:
    """A table as it is, if it fits a telephone; otherwise a paragraph for each row, in
    which each cell comes after the head of its column."""
    rows = [[str(cell) for cell in row] for row in block.there()]
    heads = [str(head) for head in block.head]
    if not _fits(heads, rows):
        return "".join([_row_alone(block.sides, heads, row) for row in rows])
    head = _row("th", block.sides, heads) if heads else ""
    whole = head + "".join([_row("td", block.sides, row) for row in rows])
    return (
        f'<table cellpadding="{_BETWEEN // 2}" cellspacing="0" style="border-collapse:'
        f'collapse;margin:0 -{_BETWEEN // 2}px;line-height:1.3;font-size:15px">\n'
        f"{whole}</table>\n"
    )


_BROKEN = "word-break:break-word"


def _fits(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a telephone has room for the longest word of each column."""
    columns = list(zip(*rows, strict=True))
    widths = [_GLYPH * max(map(_longest, column)) for column in columns]
    least = [_SMALL_GLYPH * _longest(head) for head in heads] or [0.0] * len(widths)
    room = _NARROW - _BETWEEN * (len(widths) - 1)
    return sum(map(max, widths, least)) <= room


def _longest(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _row(tag: str, sides: str, cells: Sequence[str]) -> str:
    """A row; as there may be many, it has no more styles than it needs."""
    whole = "".join([_cell(tag, *cell) for cell in zip(sides, cells, strict=True)])
    style = ' style="font-size:13px"' if tag == "th" else ""
    return f'<tr valign="{_PLACES[tag]}"{style}>{whole}</tr>\n'


_PLACES = {"th": "bottom", "td": "top"}


def _cell(tag: str, side: str, cell: str) -> str:
    styles = ["font-weight:normal"] if tag == "th" else []
    if _longest(cell) > _LONG:
        styles.append(_BROKEN)
    style = f' style="{";".join(styles)}"' if styles else ""
    align = f' align="{_SIDES[side]}"' if side == ">" or tag == "th" else ""
    return f"<{tag}{align}{style}>{_escape(cell)}</{tag}>\n"


_LONG = 12  # characters of a word that is broken where there is no room for it
_SIDES = {"<": "left", ">": "right"}


def _row_alone(sides: str, heads: Sequence[str], row: Sequence[str]) -> str:
    """A row under what it is about: the cells as far as the first that is no number."""
    cells = [_escape(cell) for cell in row]
    if not heads:
        return f'<p style="margin:0 0 8px">{_APART.join(cells)}</p>\n'
    first = sides.find("<") + 1
    named = (
        f"{_escape(head)} {cell}".strip().replace(" ", "\xa0")
        for head, cell in zip(heads[first:], cells[first:], strict=True)
        if cell
    )
    return (
        f'<p style="margin:0 0 8px"><b>{" ".join(cells[:first])}</b><br>\n'
        f"{_APART.join(named)}</p>\n"
    )


_APART = "\xa0 \n"  # between the cells of a row


def _words(block: Words, page: _Page) -> str:
    style = "margin:4px 0;padding:2px 12px;border-left:4px solid #9aa0a6"
    lines = "<br>\n".join(map(_no_link, block.text.splitlines()))
    return f'<div class="q" style="{style}">{lines}</div>\n'


def _no_link(text: str) -> str:
    """Text in which mail programs see no address to make a link of."""
    return re.sub(r"(?<=[^\s])([.:@/])(?=[^\s])", r"\1<wbr>", _escape(text))


def _picture(block: Picture, page: _Page) -> str:
    image, more = next(page.images, None), ""
    if image is not None:
        drawn = _image(image, page)
    else:
        drawn = _as_text(block, page)
        if block.enlarge is not None and not block.page:
            shown, command, _ = block.enlarge
            link = page.link(_escape(str(shown)), page.links.proved(command))
            more = f'<p class="f hint" style="{_FINE}">{link}</p>\n'
    if block.page:
        href = _escape(block.page)
        drawn = f'<a class="n" href="{href}" style="{_AROUND}">\n{drawn}</a>\n'
    return drawn + more


def _as_text(block: Picture, page: _Page) -> str:
    size, most = _size(block.width, _NARROW), ""
    if block.size == "large":
        size = max(_ASKED_FOR, size)
    else:
        size = max(_SMALLEST, min(size, _size_by_lines(block.lines)))
        most = f"max-height:{HIGHEST}px;"
    style = f"margin:0;overflow:auto;{most}{_MONO};font-size:{size}px"
    mark = rf'<b class="l" style="{_MARK}">\g<0></b>'
    return (
        f'<pre class="c{block.width}" role="img" aria-label="{page.say(_THE_BOARD)}" '
        f'style="{style};line-height:{_LINE}">\n'
        f"{re.sub('#+', mark, _escape(block.text))}</pre>\n"
    )


def _image(image: Shown, page: _Page) -> str:
    source, words = _escape(image.source), page.say(_THE_BOARD)
    style = f"display:block;width:100%;max-width:{image.narrow}px;height:auto;{_FRAME}"
    return (
        f'<img class="i{image.width}" src="{source}" alt="{words}" '
        f'width="{image.narrow}" style="{style}">\n'
    )


def _commands(blocks: Sequence[Command], page: _Page) -> str:
    style = "margin:0 0 6px;word-break:break-word"  # some are wider than a telephone
    return f'<p style="{style}">{_NEXT.join(map(page.way, blocks))}</p>\n'


def _linked(block: Linked, page: _Page) -> str:
    name, *more = re.split(" {2,}", _escape(block.plain().strip()), maxsplit=1)
    text = " ".join([f"<b>{name}</b>" if more else name, *more])
    text = " ".join(text.split())
    style = f"display:block;padding:6px 0 6px 16px;text-indent:-16px;{_INK}"
    return f"{page.link(text, block.whole, style)}\n"


def _page(block: Page, page: _Page) -> str:
    address = _escape(block.address)
    return (
        f'<p style="margin:0"><a href="{address}" style="{_LINK}">{address}</a></p>\n'
    )


def _board_page(block: BoardPage, page: _Page) -> str:
    if not block.address:
        return ""
    href, shown = _escape(block.address), _escape(str(block.shown))
    return f'<a class="b" href="{href}" style="{_BUTTON}">{shown}</a>\n'


def _best(block: Best, page: _Page) -> str:
    hint = f'<p class="f hint" style="{_FINE}">{page.say(TAP)}</p>\n'
    lead, ways = _escape(str(block.lead)), _NEXT.join(map(page.way, block.ways))
    style = "margin:0;overflow-wrap:anywhere"
    return f'<p style="margin:0">{lead}</p>\n<p style="{style}">{ways}</p>\n{hint}'


def _moves(blocks: Sequence[Moves], page: _Page) -> str:
    rows = [_moves_with_tile(block, page) for block in blocks]
    return (
        '<table role="presentation" cellpadding="0" cellspacing="0" '
        f'style="border-collapse:collapse;margin:4px 0">\n{"".join(rows)}</table>\n'
    )


def _moves_with_tile(block: Moves, page: _Page) -> str:
    ways = [
        page.button(str(way.shown), page.links.proved(way.whole) * page.has_room)
        for way in block.ways
    ]
    tile = f"vertical-align:top;padding:9px 8px 0 0;{_MONO};font-weight:bold"
    return (
        f'<tr><td style="{tile}">{_escape(block.tile)}:</td>\n'
        f"<td>{_NEXT.join(ways)}</td></tr>\n"
    )


_NEXT = "\n"  # between buttons: a blank that also keeps the lines short


def _seats(block: Seats, page: _Page) -> str:
    head = "font-weight:normal;text-align:{};padding:0 12px 2px 0;vertical-align:bottom"
    right, left = head.format("right"), head.format("left")
    rows = "".join(map(_seat, block.seats))
    return (
        '<table cellpadding="0" cellspacing="0" style="border-collapse:collapse;'
        'margin:0 0 8px;line-height:1.4">\n'
        f'<tr class="f" style="color:#5f6368;font-size:13px"><td></td><td></td>'
        f'<th style="{right}">{_escape(str(block.points))}</th>'
        f'<th style="{left}">{_escape(str(block.tiles))}</th></tr>\n{rows}</table>\n'
    )


def _seat(seat: Seat) -> str:
    cell = "padding:2px {}px 2px 0;vertical-align:top"
    weight = ";font-weight:bold" if seat.is_to_move else ""
    close, wide = cell.format(6) + weight, cell.format(12)
    name, tiles = str(seat.name), " ".join(seat.tiles) or "-"
    broken = f";{_BROKEN}" if _longest(name) > _LONG else ""
    return (
        f'<tr><td style="{close}">{"&gt;" * seat.is_to_move}</td>'
        f'<td style="{wide}{weight}{broken}">{_escape(name)}</td>'
        f'<td style="{wide};text-align:right">{seat.score}</td>'
        f'<td style="{wide};{_MONO};font-size:15px">{_escape(tiles)}</td></tr>\n'
    )


def _each(write: Callable[..., str]) -> Callable[[Sequence[Block], _Page], str]:
    """Writes the blocks of a group one by one."""
    return lambda blocks, page: "".join([write(block, page) for block in blocks])


_GROUPS: dict[type, Callable[..., str]] = {
    Heading: _each(_heading),
    Subheading: _each(_subheading),
    Paragraph: _each(_paragraph),
    Printed: _each(_printed),
    Lines: _lines,
    Written: _each(_written),
    Table: _each(_table),
    Rule: _each(_rule),
    Words: _each(_words),
    Picture: _each(_picture),
    Command: _commands,
    Linked: _each(_linked),
    Page: _each(_page),
    BoardPage: _each(_board_page),
    Best: _each(_best),
    Moves: _moves,
    Seats: _each(_seats),
}


# Characters


def _escape(text: str) -> str:
    """Text with nothing that HTML would read as markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@lru_cache(maxsize=1)
def _mailto(address: str, begun: str) -> str:
    """The beginning of a link to an address with a command that is begun so: that of
    all moves of a letter is the same."""
    return f"mailto:{_percent(address)}?subject={_percent(begun)}"


def _percent(text: str) -> str:
    """ASCII as a part of a link to a mail (RFC 6068)."""
    return text.translate(_RESERVED)


_PLAIN = frozenset("-._~@:,")
_RESERVED = {
    code: f"%{code:02X}"
    for code in range(128)
    if not (chr(code).isalnum() or chr(code) in _PLAIN)
}
