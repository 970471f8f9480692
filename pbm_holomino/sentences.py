"""Wording helpers: words quoted, listed, and filled into lines."""

import re
from collections.abc import Iterable, Sequence

WIDTH = 72  # columns of a letter
RULE = f"\n{'-' * WIDTH}\n\n"  # between the parts of one letter

DASHES = "-\u2013\u2014"  # mail programs turn short dashes into long ones
_SHORT_DASH = str.maketrans(dict.fromkeys(DASHES, "-"))
_MOST_QUOTED = 40  # characters


def quoted(word: str) -> str:
    """A word in quotation marks, shortened, with only printable characters."""
    short = word.translate(_SHORT_DASH)
    plain = "".join(c if c.isprintable() else "?" for c in short)
    return f'"{plain[:_MOST_QUOTED]}..."' if len(plain) > _MOST_QUOTED else f'"{plain}"'


def moment(time: str) -> str:
    """A log's time as it is written in a sentence: `2026-11-20, 08:00 UTC`."""
    return f"{time[:10]}, {time[11:16]} UTC"


def listed(words: Sequence[str], word: str = "and") -> str:
    """Words joined into a list: `alice, bob and carol`."""
    return f" {word} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def amount(number: float) -> str:
    """A number as people write it, with at most one decimal: `12`, `2.5`, `1220`."""
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def number_of(number: float, noun: str) -> str:
    """So many of something: `1 point`, `2.5 points`."""
    text = amount(number)
    return f"{text} {noun}{'s' * (text != '1')}"


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant; empty if none is close."""
    from difflib import get_close_matches  # slow to load and rarely needed

    return next(iter(get_close_matches(word, list(known), 1)), "")


def table(sides: str, rows: Iterable[Sequence[object]]) -> str:
    """Rows of cells as lines with aligned columns; `sides` has `<` (left) or `>`
    (right) for each column."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(map("{:{}{}}".format, row, sides, widths)) for row in cells)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def fill(
    text: str,
    indent: str = "",
    hanging: str | None = None,
    *,
    whole_words: bool = False,
) -> str:
    """The text in lines of at most WIDTH columns, each with its newline. The first
    begins with `indent`, the others with `hanging` (`indent` unless given). Short
    quotations are not broken. With `whole_words` no word is, however long: that is for
    terminals, where people copy paths; letters must not be wider than WIDTH."""
    if len(indent) + len(text) <= WIDTH and text.isprintable() and text == text.strip():
        return f"{indent}{text}\n" if text else ""  # most, and the rest is slower
    hanging = indent if hanging is None else hanging
    if '"' in text:
        text = re.sub(_QUOTED, lambda found: found[0].replace(" ", _KEPT), text)
    lines = _in_lines(text, indent, hanging)
    if not lines:
        from textwrap import wrap  # slow to import, and few texts need it

        lines = wrap(
            text,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=hanging,
            break_long_words=not whole_words,
            break_on_hyphens=False,
        )
    return "".join(f"{line}\n" for line in lines).replace(_KEPT, " ")


def _in_lines(text: str, first: str, hanging: str) -> list[str]:
    """A text in lines that begin so, as textwrap has it; empty unless it is words with
    single blanks between them, each of which fits a line."""
    words = text.split(" ")
    longest = max(map(len, words)) + max(len(first), len(hanging))
    is_plain = all(words) and text.replace(_KEPT, "").isprintable()
    if not is_plain or longest > WIDTH:
        return []
    lines = [first + words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) < WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(hanging + word)
    return lines


# What is to be typed stays on one line, if it is not long: a blank is kept by a
# character that no text has.
_QUOTED = r'(?<![^\s(])"(?=\S)[^"\n]{1,40}"'
_KEPT = "\0"
