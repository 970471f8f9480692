"""Texts as HTML: help pages, sentences in which each mention of one is a link to it,
and lines in columns."""

import re
from collections.abc import Callable, Iterable
from itertools import groupby
from textwrap import dedent

from markupsafe import Markup

from pbm_holomino.languages import ENGLISH, Language
from pbm_holomino.letters import help as pages
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.web.figures import figure

_HELP = re.compile(r'"(?:help ([a-z]+)|([a-z]+) help)"')
_OPTION = re.compile(r"(?<![^\s([;])--?[a-z][\w-]*(?:=[\w-]*)?")  # `;` ends a quote
_TITLE = re.compile(r"[^\W\d_a-z][^.:\n]{0,50}")
_STEP = re.compile(r"\d+\. ")
_MORE_OF_STEP = re.compile(r"   \S[^\0]*[.:)]")  # sentences: examples end otherwise
_TERM = r"  (\S.*)((?:\n {6}\S.*)+)"  # such as an option, and what explains it
_TERMS = re.compile(rf"(?:{_TERM}(?:\n|\Z))+")
_ADDRESS = re.compile(r"(?m)(^)?https?://[^\s<>&\"']*[\w/]($)?")
_FAR_IN = 8  # blanks
_RELATED = re.compile(r"\w+:(?:\s+(?:pbm )?help [a-z]+,?)+\n?")  # in any language


def joined(pieces: Iterable[Markup]) -> Markup:
    """Pieces of HTML, each on its own line."""
    return Markup("\n").join(pieces)


def sentences(text: str, root: str) -> Markup:
    """Sentences in which each mention of a help page is a link to it, and options are
    code."""
    pieces, end = [], 0
    for found in _HELP.finditer(text):
        subject = found[1] or found[2]
        if subject not in pages.subjects():
            continue
        link = Markup('<a href="{}/help/{}">{}</a>').format(root, subject, found[0])
        pieces += [_with_code(text[end : found.start()]), link]
        end = found.end()
    return Markup("").join([*pieces, _with_code(text[end:])])


def _with_code(text: str) -> Markup:
    """A text in which options are code."""
    return Markup(_OPTION.sub(r"<code>\g<0></code>", str(Markup.escape(text))))


def rows(text: str, kind: str = "") -> Markup:
    """Lines in columns, such as those of a record, each as an element of its own."""
    lines = Markup("").join(map(_row, text.splitlines(keepends=True)))
    return Markup('<pre class="{}">{}</pre>').format(f"rows {kind}".rstrip(), lines)


def _row(line: str) -> Markup:
    """A line, and in it what sets it far in, for which a phone has no room."""
    words = line.lstrip(" ")
    blanks = line[: len(line) - len(words)]
    if len(blanks) < _FAR_IN:
        return Markup("<span>{}</span>").format(line)
    return Markup("<span><i>{}</i>{}</span>").format(blanks, words)


def page(
    pieces: Iterable[str | Drawing], root: str, language: Language = ENGLISH
) -> Markup:
    """The texts and figures of a help page as HTML."""
    return joined(
        article(piece, root)
        if isinstance(piece, str)
        else figure(piece, number, language)
        for number, piece in enumerate(pieces)
    )


def article(text: str, root: str) -> Markup:
    """A help text as HTML: headings, paragraphs, lists, and what is typed as it is."""
    chunks = re.split(r"\n{2,}", text.strip("\n"))
    kinds = groupby(chunks, key=_kind_of_chunk)
    return joined(write(list(alike), root) for write, alike in kinds)


def _kind_of_chunk(chunk: str) -> Callable[[list[str], str], Markup]:
    if _STEP.match(chunk):
        return _steps
    if _MORE_OF_STEP.fullmatch(chunk):
        return _paragraphs_of_step
    if _TERMS.fullmatch(chunk):
        return _terms
    if chunk.startswith(" "):
        return _typed
    if chunk.startswith("- "):
        return _list
    if _TITLE.fullmatch(chunk):
        return _headings
    return _paragraphs


def _typed(chunks: list[str], root: str) -> Markup:
    text = dedent("\n\n".join(chunks))  # phones have no room for it
    return Markup('<pre tabindex="0">{}</pre>').format(text)


def _terms(chunks: list[str], root: str) -> Markup:
    """Terms, each with what explains it."""
    term = Markup("<dt><code>{}</code></dt><dd>{}</dd>")
    found = re.findall(_TERM, "\n".join(chunks))
    lines = joined(
        term.format(name, sentences(dedent(text)[1:], root)) for name, text in found
    )
    return Markup("<dl>{}</dl>").format(lines)


def _list(chunks: list[str], root: str) -> Markup:
    items = re.split(r"(?m)^- ", "\n".join(chunks))[1:]
    lines = joined(Markup("<li>{}</li>").format(sentences(i, root)) for i in items)
    return Markup("<ul>{}</ul>").format(lines)


def _steps(chunks: list[str], root: str) -> Markup:
    """The steps of a list, which begins where the one before has ended."""
    _, *pieces = re.split(r"(?m)^(\d+)\. ", "\n".join(chunks))
    lines = joined(
        Markup("<li>{}</li>").format(sentences(i, root)) for i in pieces[1::2]
    )
    return Markup('<ol start="{}">{}</ol>').format(pieces[0], lines)


def _paragraphs_of_step(chunks: list[str], root: str) -> Markup:
    """What else there is to say about a step."""
    return joined(
        Markup('<p class="step">{}</p>').format(sentences(chunk.strip(), root))
        for chunk in chunks
    )


def _headings(chunks: list[str], root: str) -> Markup:
    return joined(Markup("<h2>{}</h2>").format(chunk) for chunk in chunks)


def _paragraphs(chunks: list[str], root: str) -> Markup:
    return joined(_prose(chunk, root) for chunk in chunks)


def _prose(chunk: str, root: str) -> Markup:
    """A paragraph; `Related: help move, help show` has links, and of addresses of pages
    each is one."""
    text = sentences(chunk, root)
    if _RELATED.fullmatch(chunk):
        text = Markup(
            re.sub(
                r"help ([a-z]+)",
                lambda found: f'<a href="{root}/help/{found[1]}">{found[0]}</a>',
                str(text),
            )
        )
    return Markup("<p>{}</p>").format(Markup(_ADDRESS.sub(_link, str(text))))


def _link(found: re.Match[str]) -> str:
    """The link to a page; one that has a line of its own keeps it."""
    is_alone = found[1] is not None and found[2] is not None
    kind = ' class="alone"' if is_alone else ""
    return f'<a{kind} href="{found[0]}" rel="noreferrer">{found[0]}</a>'
