"""The sentence behind an English text that was kept: saying it in English, and finding
it again, are inverses."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Self

from pbm_holomino.languages import Kept, Sentence, Value, as_it_is

_PLACE = r"\{(\w+)\}"
_NUMBER = r"-?[0-9]{1,9}(?:\.[0-9])?"


class Recognised(Kept):
    """A text that is kept, and what gives all sentences that it may be, which is asked
    by readers of other languages alone."""

    _among: Callable[[], Sequence[Sentence]]

    def __new__(cls, text: str, among: Callable[[], Sequence[Sentence]]) -> Self:
        kept = super().__new__(cls, text)
        kept._among = among
        return kept

    def __reduce__(self) -> tuple[Any, ...]:
        return Recognised, (str(self), self._among)

    def again(self) -> Sentence:
        """The sentence; the text itself if it is none of them."""
        return recognised(self, self._among()) or as_it_is(str(self))


def recognised(text: str, among: Sequence[Sentence]) -> Sentence | None:
    """The sentence among these that is this text in English; None if there is none. In
    its places are numbers, and others among these."""
    for each in among:
        for form in each.forms:
            if found := _pattern(form).fullmatch(text):
                values = {at: _value(it, among) for at, it in found.groupdict().items()}
                known = {at: it for at, it in values.items() if it is not None}
                said = each.of(**known)
                if len(known) == len(values) and str(said) == text:
                    return said
    return None


@cache
def _pattern(form: str) -> re.Pattern[str]:
    """What English texts with this form look like."""
    texts = re.split(_PLACE, form)
    places = {place: f"(?P<{place}>.+)" for place in texts[1::2]}
    places["n"] = f"(?P<n>{_NUMBER})"
    texts[::2] = map(re.escape, texts[::2])
    texts[1::2] = [places.pop(place, f"(?P={place})") for place in texts[1::2]]
    return re.compile("".join(texts))


def _value(word: str, among: Sequence[Sentence]) -> Value | None:
    """What was put into a place, from how it reads; None if it cannot be told."""
    if re.fullmatch(_NUMBER, word):
        return float(word) if "." in word else int(word)
    return recognised(word, among)
