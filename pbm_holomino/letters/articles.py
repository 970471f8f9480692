"""Texts that are written in lines, such as help pages, read as blocks: headings,
paragraphs, lists, tables, and commands that can be sent."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from pbm_holomino.letters.content import (
    Block,
    Command,
    Content,
    Heading,
    Linked,
    Page,
    Paragraph,
    Table,
)

_TITLE = r"[^\W\d_a-z][^.:\n]{0,50}"
_ITEM = r"- | ?\d+\. "
_ADDRESS = r"https?://\S+"
_GAP = r"(?<=\S) {2,}(?=\S)"  # between columns
# Shells want quotes round a star
_COMMAND = r"[a-z]+(?: (?:[\w:,.#@=~!+/-]+|'\*'))*"
# What only the form of a command has: a choice, what may follow, what its words are
_FORM = r"[][|]|\.\.\.|^game\b|\b(?:userid|password)\b"
_EARLY = 50  # columns: a line that ends before them ends there on purpose
_HELP = r'(?<!")\bhelp ([a-z]+)\b(?!")'


def article(text: str, subjects: Collection[str] = ()) -> Content:
    """What a text says, in a part for each of its paragraphs, which have empty lines
    between them. `subjects` are the help pages that it may mention; a command whose
    form it shows has one of them, too."""
    chunks = re.split(r"\n{2,}", text.strip("\n"))
    return tuple(tuple(_blocks(chunk, subjects)) for chunk in chunks if chunk)


def _blocks(chunk: str, subjects: Collection[str]) -> Iterator[Block]:
    """The blocks of which a paragraph is made."""
    first, *more = lines = chunk.split("\n")
    lead = re.match(r"\w+: ", first)
    if subjects and (re.fullmatch(_TITLE, chunk) or _is_about_one(chunk, subjects)):
        yield Heading(chunk)
    elif re.match(_ITEM, first):
        yield from _items(lines, subjects)
    elif lead and more and all(line.startswith(" " * lead.end()) for line in more):
        yield from (Paragraph(line.strip()) for line in lines)
    elif first.startswith("  "):
        yield from _indented(lines, subjects)
    else:
        for kind, alike in groupby(lines, key=_kind_of_line):
            if kind is Paragraph:
                yield from _sentences(list(alike), subjects)
            else:
                yield from (kind(line) for line in alike)


def _is_about_one(chunk: str, subjects: Collection[str]) -> bool:
    """Whether a paragraph says what a page is about: `hint: ask a robot for advice`."""
    found = re.fullmatch(r"([a-z]+): .+", chunk)
    return found is not None and found[1] in subjects


def _items(lines: Sequence[str], subjects: Collection[str]) -> Iterator[Block]:
    """The items of a list, each of which begins with a dash or a number."""
    starts = [no for no, line in enumerate(lines) if re.match(_ITEM, line)]
    for start, end in pairwise([*starts, len(lines)]):
        found = re.match(_ITEM, lines[start])
        mark = found[0] if found else ""
        own = [lines[start][len(mark) :], *lines[start + 1 : end]]
        yield _paragraph(own, subjects, mark, " " * len(mark))


def _sentences(lines: Sequence[str], subjects: Collection[str]) -> Iterator[Block]:
    """Lines that go on with each other, but for those that end early."""
    ends = [no for no, line in enumerate(lines[:-1], 1) if len(line) < _EARLY]
    for start, end in pairwise([0, *ends, len(lines)]):
        yield _paragraph(lines[start:end], subjects)


def _kind_of_line(line: str) -> Callable[[str], Block]:
    """What a line of a paragraph is: an address, a command, an entry of a list, which
    has columns, or a part of a sentence."""
    if re.fullmatch(_ADDRESS, line):
        return Page
    if re.fullmatch(rf"  {_COMMAND}", line):
        return _command
    if re.search(_GAP, line) or line.startswith("  "):
        return _entry
    return Paragraph


def _command(line: str) -> Command:
    return Command(line.strip())


def _entry(line: str) -> Paragraph:
    return Paragraph(" ".join(line.split()), " " * _indent(line))


def _indented(lines: Sequence[str], subjects: Collection[str]) -> Iterator[Block]:
    """A table, commands, sentences, or terms, each with what explains it."""
    if any(re.search(_GAP, line) for line in lines):
        yield _table(lines)
        return
    for indent, alike in groupby(lines, key=_indent):
        own = [line.strip() for line in alike]
        if indent > 3 or (indent == 3 and own[1:]):
            yield _paragraph(own, subjects, " " * indent)
        else:
            read = _form if re.search(_FORM, "\n".join(own)) else _line
            yield from (read(line, " " * indent, subjects) for line in own)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _form(line: str, indent: str, subjects: Collection[str]) -> Block:
    """The form of a command, with the help page about it."""
    page = next((word for word in line.split() if word in subjects), "")
    shown = Paragraph(line, indent)
    return Linked((shown,), f"help {page}") if page else shown


def _line(line: str, indent: str, subjects: Collection[str]) -> Block:
    """A command, or something else."""
    if re.fullmatch(_COMMAND, line):
        return Command(line)
    return _paragraph([line], subjects, indent)


def _table(lines: Sequence[str]) -> Table:
    """Lines with columns, as a table; a line that has none in the first ones goes on
    with the cells above it."""
    gaps = [[found.end() for found in re.finditer(_GAP, line)] for line in lines]
    starts = sorted({end for ends in gaps for end in ends})
    bounds = [0, *(p for p in starts if all(_is_free(line, p) for line in lines))]
    rows: list[list[str]] = []
    for line in lines:
        cells = [line[a:b].strip() for a, b in pairwise([*bounds, len(line) + 1])]
        if rows and not cells[0] and bounds[1:]:
            both = zip(rows[-1], cells, strict=True)
            rows[-1] = [f"{above} {cell}".strip() for above, cell in both]
        else:
            rows.append(cells)
    columns = zip(*rows, strict=True)
    sides = [">" if "".join(column).isdigit() else "<" for column in columns]
    return Table("".join(sides), (), tuple(map(tuple, rows)))


def _is_free(line: str, place: int) -> bool:
    """Whether a column can begin at this place of a line, or just after it."""
    return len(line) <= place or " " in line[place - 1 : place + 1]


def _paragraph(
    lines: Iterable[str],
    subjects: Collection[str],
    indent: str = "",
    hanging: str | None = None,
) -> Paragraph:
    """The sentences on some lines, in which each mention of a help page is a link."""
    text = " ".join(line.strip() for line in lines)
    named = [found[0] for found in re.finditer(_HELP, text) if found[1] in subjects]
    links = (Command(words, words) for words in dict.fromkeys(named))
    return Paragraph(text, indent, hanging, tuple(links))
