"""Long texts in other languages: help pages, rules, the tutorial.

A page has parts, between empty lines and lines in braces. In the folder of a language,
the page of the same name has a line `@ 1f3c8a9b` before each part: the first digits of
the SHA-256 of the English part that it translates. So each part that has been
translated is found, wherever it is moved to, and those that are new, or say something
else now, are read in English.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping

_DIGITS = 8
_MARK = rf"(?m)^@ ([0-9a-f]{{{_DIGITS}}})\n"
_BETWEEN = r"((?:^|\n)(?:\{[a-z][^}\n]*\}(?:\n|\Z)|\n)+)"


def translated(english: str, translation: str) -> str:
    """A page, with all of its parts that have been translated."""
    parts = parts_in(translation)
    pieces = re.split(_BETWEEN, english)
    return "".join(_in_place(piece, parts) for piece in pieces)


def _in_place(piece: str, parts: Mapping[str, str]) -> str:
    """A part, or the lines between two, in another language if there is one."""
    text = piece.rstrip("\n")
    return parts.get(mark(text), text) + piece[len(text) :]


def mark(part: str) -> str:
    """The mark of an English part."""
    return hashlib.sha256(part.encode()).hexdigest()[:_DIGITS]


def parts_in(translation: str) -> dict[str, str]:
    """The parts of a translated page, by their marks."""
    _, *marked = re.split(_MARK, translation)
    texts = (text.strip("\n") for text in marked[1::2])
    return dict(zip(marked[::2], texts, strict=True))


def wanted(english: str) -> dict[str, str]:
    """The parts of an English page that have words to translate, by their marks."""
    return {mark(part): part for part in _parts(english) if _has_words(part)}


def _parts(english: str) -> Iterator[str]:
    for part in re.split(_BETWEEN, english)[::2]:
        if text := part.rstrip("\n"):
            yield text


def _has_words(part: str) -> bool:
    """Whether a part has more than commands, which have two blanks before them."""
    return any(not re.match(r"  \S", line) for line in part.split("\n"))


def missing(english: str, translation: str) -> dict[str, str]:
    """The parts that are still to be translated, by their marks."""
    there = parts_in(translation)
    return {at: part for at, part in wanted(english).items() if at not in there}


def stale(english: str, translation: str) -> dict[str, str]:
    """The translated parts whose English has changed, or is gone, by their marks."""
    now = wanted(english)
    return {at: part for at, part in parts_in(translation).items() if at not in now}
