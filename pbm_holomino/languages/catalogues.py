"""Sentences of other languages, from the catalogues that gettext reads.

Whatever a catalogue does not have, or has wrongly, is said in English.
"""

import gettext
from collections.abc import Iterable
from functools import lru_cache
from string import Formatter
from typing import IO
from unicodedata import category

from pbm_holomino.languages import Language, Sentence, number_of
from pbm_holomino.sentences import amount

_A_FRACTION = 2  # so many are counted as a fraction is: 0.5 points, 1.5 points


class Translated(Language):
    """A language with a catalogue, a file of gettext's binary form. Raises ValueError
    or OSError for a file that gettext cannot read."""

    def __init__(self, code: str, catalogue: IO[bytes]) -> None:
        self.code = code
        try:
            self._catalogue = gettext.GNUTranslations(catalogue)
        except Exception as error:  # gettext raises whatever a broken header leads to
            raise ValueError(f"the catalogue of {code} is broken: {error}") from error

    def wording(self, said: Sentence) -> str:
        found = self._found(said)
        is_right = any(is_translation(found, form) for form in said.forms)
        return found if is_right else super().wording(said)

    def _found(self, said: Sentence) -> str:
        if len(said.forms) == 1:
            return self._catalogue.gettext(said.forms[0])
        one, more = said.forms
        try:
            return self._catalogue.ngettext(one, more, counted_as(number_of(said)))
        except (ArithmeticError, ValueError):  # its formula for plurals is wrong
            return ""


def counted_as(number: float) -> int:
    """The whole number that has the same plural."""
    shown = amount(abs(number))
    return int(shown) if shown.isdigit() else _A_FRACTION


@lru_cache(maxsize=4_000)
def is_translation(text: str, english: str) -> bool:
    """Whether a text can be said in place of an English one: it has the same places,
    but that it need not repeat the number `n` that chose it, links that end after they
    have begun, and no more lines or other control characters."""
    there, wanted = places(text), places(english)
    if there is None or wanted is None or not (text and english):
        return False  # what a catalogue has for no text is its own header
    has_same = {*there, "n"} == {*wanted, "n"} and ("n" in wanted or "n" not in there)
    is_paired = _is_paired(there) or not _is_paired(wanted)
    return has_same and is_paired and not _controls(text) - _controls(english)


def places(text: str) -> tuple[str, ...] | None:
    """The names of the places in a text, in order; None if they are not written
    rightly."""
    try:
        parsed = [(name, how, more) for _, name, how, more in Formatter().parse(text)]
    except ValueError:
        return None
    names = tuple(name for name, _, _ in parsed if name is not None)
    is_plain = all(not how and not more for _, how, more in parsed)
    is_named = all(name.isidentifier() for name in names)
    return names if is_plain and is_named else None


_LINKS = {"link", "signin", "signup"}  # which go up to `{end}`
_ENDS = {**dict.fromkeys(_LINKS, "end"), "aside": "end_aside"}


def _is_paired(names: Iterable[str]) -> bool:
    """Whether what begins at one of these places ends before another begins."""
    expected = ""
    for name in names:
        if name in _ENDS and not expected:
            expected = _ENDS[name]
        elif name in _ENDS or name in _ENDS.values():
            if name != expected:
                return False
            expected = ""
    return not expected


def _controls(text: str) -> frozenset[str]:
    return frozenset(c for c in text if category(c) in ("Cc", "Zl", "Zp"))
