"""A content as HTML for a page: the blocks of which letters are made, but with links to
pages in place of mails. Pictures are left to the page, which has drawings."""

import re
from collections.abc import Callable, Collection, Iterable
from itertools import groupby

from markupsafe import Markup

from pbm_holomino.letters import help as pages
from pbm_holomino.letters.content import (
    Block,
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
    Seat,
    Seats,
    Words,
)

_HELP = re.compile(r'"(?:help ([a-z]+)|([a-z]+) help)"')


def html(content: Content, root: str) -> Markup:
    """A content as HTML, with links below this root."""
    return joined(_part(part, root) for part in content)


def joined(pieces: Iterable[Markup]) -> Markup:
    """Pieces of HTML, each on its own line."""
    return Markup("\n").join(pieces)


def _part(part: Iterable[Block], root: str) -> Markup:
    return joined(_WRITERS[type(block)](block, root) for block in part)


def sentences(text: str, root: str) -> Markup:
    """Sentences in which each mention of a help page is a link to it."""
    pieces, end = [], 0
    for found in _HELP.finditer(text):
        subject = found[1] or found[2]
        if subject not in pages.subjects():
            continue
        link = Markup('<a href="{}/help/{}">{}</a>').format(root, subject, found[0])
        pieces += [Markup.escape(text[end : found.start()]), link]
        end = found.end()
    return Markup("").join([*pieces, Markup.escape(text[end:])])


def _heading(block: Heading, root: str) -> Markup:
    return Markup("<h2>{}</h2>").format(block.text)


def _paragraph(block: Paragraph, root: str) -> Markup:
    return Markup("<p>{}</p>").format(sentences(block.text, root))


def _lines(block: Lines, root: str) -> Markup:
    if block.fine:
        return Markup('<p class="fine">{}</p>').format(block.text.strip())
    groups = groupby(block.text.splitlines(), key=lambda line: "  " in line)
    return joined(
        (_as_it_is if is_table else _flowing)("\n".join(lines), root)
        for is_table, lines in groups
    )


def _as_it_is(text: str, root: str) -> Markup:
    return Markup('<pre tabindex="0">{}</pre>').format(text)


def _flowing(text: str, root: str) -> Markup:
    paragraphs = filter(str.strip, text.split("\n\n"))
    return joined(Markup("<p>{}</p>").format(sentences(p, root)) for p in paragraphs)


def _words(block: Words, root: str) -> Markup:
    return said(block.text)


def said(text: str) -> Markup:
    """A player's own words."""
    lines = Markup("<br>\n").join(text.splitlines())
    return Markup("<blockquote>{}</blockquote>").format(lines)


def _command(block: Command, root: str) -> Markup:
    return Markup("<p><code>{}</code></p>").format(block.shown)


def _plain(block: Linked | Page | Moves, root: str) -> Markup:
    return Markup("<p>{}</p>").format(block.plain().strip())


def _seats(block: Seats, root: str) -> Markup:
    rows = joined(
        Markup(
            '<tr{}><th scope="row">{}</th><td class="number">{}</td><td>{}</td></tr>'
        ).format(
            Markup(' class="turn"') if seat.is_to_move else "",
            seat.name + " (to move)" * seat.is_to_move,
            seat.score,
            Markup(" ").join(
                Markup('<span class="tile">{}</span>').format(tile)
                for tile in seat.tiles
            )
            or "-",
        )
        for seat in block.seats
    )
    return Markup(
        '<table class="seats"><thead><tr><th scope="col">player</th>'
        '<th scope="col" class="number">{}</th><th scope="col">tiles</th></tr></thead>'
        "<tbody>{}</tbody></table>"
    ).format(block.points, rows)


def with_robots(table: Part, robots: Collection[str]) -> Part:
    """The table of players, in which robots are marked."""

    def named(seat: Seat) -> Seat:
        is_robot = seat.name in robots
        return seat._replace(name=f"{seat.name} (robot)") if is_robot else seat

    return tuple(
        block._replace(seats=tuple(map(named, block.seats)))
        if isinstance(block, Seats)
        else block
        for block in table
    )


def _picture(block: Picture, root: str) -> Markup:
    return Markup("")


_WRITERS: dict[type, Callable[..., Markup]] = {
    Heading: _heading,
    Paragraph: _paragraph,
    Lines: _lines,
    Words: _words,
    Picture: _picture,
    Command: _command,
    Linked: _plain,
    Page: _plain,
    Moves: _plain,
    Seats: _seats,
}


# Help pages

_TITLE = re.compile(r"[A-Z][^.:\n]{0,50}")


def article(text: str, root: str) -> Markup:
    """A help text as HTML: headings, paragraphs, lists, and what is typed as it is."""
    chunks = re.split(r"\n{2,}", text.strip("\n"))
    kinds = groupby(chunks, key=_kind_of_chunk)
    return joined(write(list(found), root) for write, found in kinds)


def _kind_of_chunk(chunk: str) -> Callable[[list[str], str], Markup]:
    if chunk.startswith(" "):
        return _typed
    if chunk.startswith("- "):
        return _list
    if _TITLE.fullmatch(chunk):
        return _headings
    return _paragraphs


def _typed(chunks: list[str], root: str) -> Markup:
    return _as_it_is("\n\n".join(chunks), root)


def _list(chunks: list[str], root: str) -> Markup:
    items = re.split(r"(?m)^- ", "\n".join(chunks))[1:]
    lines = joined(Markup("<li>{}</li>").format(sentences(i, root)) for i in items)
    return Markup("<ul>{}</ul>").format(lines)


def _headings(chunks: list[str], root: str) -> Markup:
    return joined(Markup("<h2>{}</h2>").format(chunk) for chunk in chunks)


def _paragraphs(chunks: list[str], root: str) -> Markup:
    return joined(_prose(chunk, root) for chunk in chunks)


def _prose(chunk: str, root: str) -> Markup:
    """A paragraph; `Related: help move, help show` has links, and of addresses of pages
    each is one."""
    text = sentences(chunk, root)
    if chunk.startswith("Related:"):
        text = Markup(
            re.sub(
                r"help ([a-z]+)",
                lambda found: f'<a href="{root}/help/{found[1]}">{found[0]}</a>',
                str(text),
            )
        )
    linked = re.sub(
        r"https?://[^\s<>&\"']*[\w/]",
        lambda found: f'<a href="{found[0]}" rel="noreferrer">{found[0]}</a>',
        str(text),
    )
    return Markup("<p>{}</p>").format(Markup(linked))
