"""The lines of a text that somebody pastes, as they were before mail programs quoted,
indented and rewrote them; and where each was in the text.

Programs lose blanks at the ends of lines, write other blanks and tabs for blanks, put
`>` before lines, an empty line after each, or one more blank before those that begin
with one (as format=flowed has it): all of that can be undone. What is broken into other
lines, or has lost blanks in the midst of a line, cannot be read as a picture.
"""

import re
from collections.abc import Iterator, Sequence

from pbm_holomino.errors import BadBoard
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.named_tuples import NamedTuple

MOST = 400  # lines of a picture, and characters of each
MOST_CHARACTERS = 1_000_000  # of a text, as much may be written around a board

_BLANKS = dict.fromkeys(map(ord, "\xa0\u1680\u202f\u205f\u3000"), " ")
_BLANKS |= dict.fromkeys(range(0x2000, 0x200B), " ")
_NOTHING = dict.fromkeys(map(ord, "\xad\u200b\u200c\u200d\u2060\ufeff"), "")
_AS_BEFORE = {**_BLANKS, **_NOTHING}
_QUOTED = r"[ \t]*(?:>[ \t]?)*>"
_WORD = r"[A-Za-z]{2,}"
# Every tile has slopes; flat strokes alone are also what some programs put between a
# mail and the one below it
_SLOPES, _FLAT = ("/", "\\"), ("__",)
# What a picture has in lines above and below its tiles
_NUMBERS = r"(?a)[\sx0-9]*"
_TOO_LARGE = sentence(
    "That is too large for a board: {most} lines of {most} characters are the most."
)
_TOO_LONG = sentence(
    "That text is too long to look for a board in: {most} characters are the most."
)
_NO_BOARD = sentence(
    "I see no board there. Please paste one as a letter or a page shows it, or the "
    "record of a game in JSON (not in YAML)."
)


class Row(NamedTuple):
    """A line of a text: what it says, its number from 1 on, and how many columns were
    before what it says."""

    text: str
    number: int
    indent: int = 0


class Sheet(NamedTuple):
    """Lines one below the other."""

    rows: tuple[Row, ...]

    @property
    def lines(self) -> list[str]:
        return [row.text for row in self.rows]

    def refusal(self, x: int, y: int, why: Sentence) -> BadBoard:
        """The error for a point of these lines."""
        row = self.rows[min(y, len(self.rows) - 1)]
        return BadBoard(row.number, row.indent + x + 1, why)


def rows(text: str) -> tuple[Row, ...]:
    """The lines of a text without what marks them as quoted. Raises BadBoard for one
    that is too long."""
    return _unquoted(_plain(text), True)


def sheets(text: str) -> Iterator[Sheet]:
    """The lines of the picture in a text, and, where programs may have rewritten them,
    as they may have been before. Raises BadBoard where no picture is."""
    plain = _plain(text)
    for tabs_are_own in (True, False) if "\t" in text else (True,):
        found = _sized(_picture(_unquoted(plain, tabs_are_own)))
        yield Sheet(found)
        if any(row.text.startswith(" ") for row in found):
            yield Sheet(tuple(map(_unstuffed, found)))


def _plain(text: str) -> list[str]:
    if len(text) > MOST_CHARACTERS:
        raise BadBoard(0, 0, _TOO_LONG.of(most=MOST_CHARACTERS))
    return re.split(r"\r\n|\r|\n", text.translate(_AS_BEFORE))


def _unquoted(lines: Sequence[str], tabs_are_own: bool) -> tuple[Row, ...]:
    """The lines without marks of quotation, and the blank after them, if all lines have
    one. Tabs are the lines' own, or came when they had been quoted."""
    lines = lines if tabs_are_own else [line.expandtabs() for line in lines]
    marks = [found.end() if (found := re.match(_QUOTED, line)) else 0 for line in lines]
    has_blank = all(
        line[mark : mark + 1] in ("", " ")
        for line, mark in zip(lines, marks, strict=True)
        if mark
    )
    indents = [mark + has_blank if mark else 0 for mark in marks]
    return tuple(
        Row(line[indent:].expandtabs().rstrip(), number, indent)
        for number, (line, indent) in enumerate(zip(lines, indents, strict=True), 1)
    )


def _picture(lines: Sequence[Row]) -> tuple[Row, ...]:
    """Those lines that have slopes, and flat strokes and numbers above and below them,
    of which every second may be empty."""
    slopes = [i for i, row in enumerate(lines) if _has_strokes(row.text, _SLOPES)]
    if not slopes:
        raise BadBoard(0, 0, _NO_BOARD)
    begin, end = slopes[0], slopes[-1] + 1
    while begin and _is_beside(lines[begin - 1].text):
        begin -= 1
    while end < len(lines) and _is_beside(lines[end].text):
        end += 1
    while not lines[begin].text:
        begin += 1
    while not lines[end - 1].text:
        end -= 1
    found = tuple(lines[begin:end])
    is_doubled = len(found) > 1 and not any(row.text for row in found[1::2])
    return found[::2] if is_doubled else found


def _is_beside(line: str) -> bool:
    """Whether a line may be the first or the last of a picture."""
    return bool(re.fullmatch(_NUMBERS, line)) or _has_strokes(line, _FLAT)


def _has_strokes(line: str, strokes: Sequence[str]) -> bool:
    """Whether a line may be of a picture, by one of these strokes: no words are there,
    such as those of a note above it."""
    is_drawn = any(stroke in line for stroke in strokes)
    return is_drawn and all(len({*word}) == 1 for word in re.findall(_WORD, line))


def _sized(found: tuple[Row, ...]) -> tuple[Row, ...]:
    if len(found) > MOST or any(len(row.text) > MOST for row in found):
        raise BadBoard(0, 0, _TOO_LARGE.of(most=MOST))
    return found


def _unstuffed(row: Row) -> Row:
    if not row.text.startswith(" "):
        return row
    return Row(row.text[1:], row.number, row.indent + 1)
