"""Sentences of other languages, from the catalogues that gettext reads.

Whatever a catalogue does not have, or has wrongly, is said in English.
"""

import gettext
from functools import lru_cache
from string import Formatter
from typing import IO

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
    but that it need not repeat the number `n` that chose it."""
    there, wanted = places(text), places(english)
    if there is None or wanted is None or not text:
        return False
    return there | {"n"} == wanted | {"n"} and ("n" in wanted or "n" not in there)


def places(text: str) -> frozenset[str] | None:
    """The names of the places in a text; None if they are not written rightly."""
    try:
        parsed = [(name, how, more) for _, name, how, more in Formatter().parse(text)]
    except ValueError:
        return None
    names = [name for name, _, _ in parsed if name is not None]
    is_plain = all(not how and not more for _, how, more in parsed)
    is_named = all(name.isidentifier() for name in names)
    return frozenset(names) if is_plain and is_named else None
