"""How sentences are put: words quoted, listed, and filled into lines."""

import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 72  # columns of a letter
RULE = f"\n{'-' * WIDTH}\n\n"  # between things that come in one letter

DASHES = "-\u2013\u2014"  # mail programs make long dashes of short ones
_SHORT_DASH = str.maketrans(dict.fromkeys(DASHES, "-"))
_MOST_QUOTED = 40  # characters


def quoted(word: str) -> str:
    """A word as a sentence quotes it: short, and of printable ASCII."""
    plain = "".join(c if " " < c <= "~" else "?" for c in word.translate(_SHORT_DASH))
    return f'"{plain[:_MOST_QUOTED]}..."' if len(plain) > _MOST_QUOTED else f'"{plain}"'


def moment(time: str) -> str:
    """A time of a log as a sentence gives it, to the minute."""
    return f"{time[:10]}, {time[11:16]} UTC"


def listed(words: Sequence[str], word: str = "and") -> str:
    """Words as a sentence lists them: `alice, bob and carol`."""
    return f" {word} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def nearest(word: str, known: Iterable[str]) -> str:
    """The one of the known words that this may have been meant for; empty where none
    is near."""
    from difflib import get_close_matches  # slow to load, and few mistype

    return next(iter(get_close_matches(word, list(known), 1)), "")


def table(sides: str, rows: Iterable[Sequence[object]]) -> str:
    """Rows of cells as lines with aligned columns: each to its side, `<` or `>`."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(map("{:{}{}}".format, row, sides, widths)) for row in cells)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def fill(text: str, indent: str = "", hanging: str | None = None) -> str:
    """Lines of at most WIDTH columns, the last one ended too. The first begins with
    `indent`, the others with `hanging`, or with `indent` again."""
    if len(indent) + len(text) <= WIDTH and text.isprintable() and text == text.strip():
        return f"{indent}{text}\n" if text else ""  # as wrap would, much faster
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_on_hyphens=False,
    )
    return "".join(f"{line}\n" for line in lines)
