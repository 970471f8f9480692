"""A language in which every sentence is bracketed and a third longer: what is read
without brackets cannot be translated."""

import re

from pbm_holomino.languages import Language, Sentence

_PLACE = r"(\{\w+\})"
_SAME = ("", "and", "or", "UTC")  # what lists, numbers and times look like
# What has no brackets in any language: moves, tiles, numbers, dates, commands and names
# of players, which tests give as they know them.
_BARE = re.compile(r"[\s\d:,.;!?#()~>-]+|[A-Z](?=\b)")


class Pseudo(Language):
    """The pseudo-language."""

    code = "xx"

    def wording(self, said: Sentence) -> str:
        text = super().wording(said)
        if re.sub(_PLACE, "", text).strip(" ,.:-") in _SAME:
            return text
        return f"[{text}{' mno' * (1 + len(text) // 12)}]"


PSEUDO = Pseudo()


def unbracketed(text: str, *names: str) -> str:
    """What is left of a text in the pseudo-language without what is bracketed, and
    without what is the same in every language, among it these names."""
    return without(without_brackets(text), *names)


def without_brackets(text: str) -> str:
    """A text without what is bracketed, however deep."""
    while (inner := re.sub(r"\[[^][]*\]", " ", text)) != text:
        text = inner
    return text


def without(text: str, *names: str) -> str:
    """The words of a text but for these names, and for numbers and the like."""
    words = (word for word in text.split() if word.strip(".,:()") not in names)
    return " ".join(_BARE.sub(" ", " ".join(words)).split())
