"""The languages that a player has chosen, and since when.

All that is written follows from a line of a log and its reader's settings at that
line's time: so letters can be written again after the reader has chosen another
language, and replies are known to quote them.
"""

import re
from collections.abc import Sequence

from pbm_holomino.languages import CODE, ENGLISH_CODE
from pbm_holomino.named_tuples import NamedTuple

MOST_CHOICES = 20  # that are kept
_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


class Choice(NamedTuple):
    """A language, and since when a player reads it; empty where nothing older is
    kept."""

    code: str
    since: str = ""

    def __str__(self) -> str:
        return f"{self.code} {self.since}".rstrip()


Choices = tuple[Choice, ...]  # of one player, in order


def parse_choice(text: str) -> Choice:
    """The choice that a file has. Raises ValueError."""
    if not re.fullmatch(rf"(?a){CODE}( {_TIME})?", text):
        raise ValueError("a language is malformed, or the time when it was chosen")
    return Choice(*text.split())


def chosen(had: Choices, code: str, now: str) -> Choices:
    """The choices after one more; of several in one second the last counts."""
    before = tuple(choice for choice in had if choice.since != now)
    if code == in_force(before, now):
        return before
    kept = (*before, Choice(code, now))[-MOST_CHOICES:]
    if len(before) < MOST_CHOICES:
        return kept
    return (Choice(kept[0].code), *kept[1:])


def in_force(choices: Sequence[Choice], time: str) -> str:
    """The language that a player read at a time of a log: English until they chose, and
    what they chose in the same second counts."""
    begun = (choice.code for choice in choices if choice.since <= time)
    return ([ENGLISH_CODE, *begun])[-1]


def every(choices: Sequence[Choice]) -> tuple[str, ...]:
    """All languages in which a player may have got letters, the latest first."""
    codes = (choice.code for choice in reversed(choices))
    return tuple(dict.fromkeys((*codes, ENGLISH_CODE)))
