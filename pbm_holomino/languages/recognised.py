"""The sentence behind an English text that was kept: saying it in English, and finding
it again, are inverses."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Self

from pbm_holomino.languages import Kept, Sentence, Value, as_it_is
from pbm_holomino.sentences import amount

_PLACE = r"\{(\w+)\}"


class Recognised(Kept):
    """A text that is kept, and what gives all sentences that it may be, which is asked
    by readers of other languages alone."""

    _among: Callable[[], Sequence[Sentence]]

    def __new__(cls, text: str, among: Callable[[], Sequence[Sentence]]) -> Self:
        kept = super().__new__(cls, text)
        kept._among = among
        return kept

    def again(self) -> Sentence:
        """The sentence; the text itself if it is none of them."""
        return recognised(self, self._among())


def recognised(text: str, among: Sequence[Sentence]) -> Sentence:
    """The sentence among these that is this text in English, with what is in its
    places: numbers, others among these, and texts. A text that is none of them stays as
    it is."""
    return next(_readings(text, among), as_it_is(text))


def _readings(text: str, among: Sequence[Sentence]) -> Iterator[Sentence]:
    for each in among:
        for form in each.forms:
            if found := _pattern(form).fullmatch(text):
                words = found.groupdict().items()
                said = each.of(**{place: _value(word, among) for place, word in words})
                if str(said) == text:
                    yield said


@cache
def _pattern(form: str) -> re.Pattern[str]:
    """What English texts with this form look like."""
    texts = re.split(_PLACE, form)
    places = {place: rf"(?P<{place}>.+)" for place in texts[1::2]}
    return re.compile(
        "".join(
            rf"(?:{places.pop(piece, f'(?P={piece})')})" if at % 2 else re.escape(piece)
            for at, piece in enumerate(texts)
        )
    )


def _value(word: str, among: Sequence[Sentence]) -> Value:
    """What was put into a place, from how it reads."""
    if re.fullmatch(r"(?a)-?\d{1,9}", word):
        return int(word)
    if re.fullmatch(r"(?a)-?\d{1,9}\.\d", word) and amount(float(word)) == word:
        return float(word)
    return recognised(word, among)
