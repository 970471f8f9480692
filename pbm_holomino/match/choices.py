"""What a player has chosen for all that they read, a language and a zone of the clock,
and since when.

All that is written follows from a line of a log and its reader's settings at that
line's time: so letters can be written again after the reader has chosen something else,
and replies are known to quote them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from pbm_holomino.languages import ENGLISH_CODE, UTC, tag
from pbm_holomino.match.record import TIME
from pbm_holomino.named_tuples import NamedTuple

MOST_CHOICES = 20  # that are kept


class Choice(NamedTuple):
    """A language or a zone, and since when a player reads it; empty where nothing older
    is kept."""

    word: str
    since: str = ""

    def __str__(self) -> str:
        return f"{self.word} {self.since}".rstrip()


Choices = tuple[Choice, ...]  # of one player, in order


def parse_choices(texts: Iterable[str], form: str) -> Choices:
    """The choices that a file has, of words of this form. Raises ValueError."""
    return tuple(_parse(text, form) for text in texts)


def _parse(text: str, form: str) -> Choice:
    if not re.fullmatch(rf"(?a){form}( {TIME})?", text):
        raise ValueError("a choice is malformed, or the time when it was made")
    return Choice(*text.split())


def chosen(had: Choices, word: str, now: str, usual: str) -> Choices:
    """The choices after one more; of several in one second the last counts."""
    before = tuple(choice for choice in had if choice.since != now)
    if word == in_force(before, now, usual):
        return before
    kept = (*before, Choice(word, now))[-MOST_CHOICES:]
    if len(before) < MOST_CHOICES:
        return kept
    return (Choice(kept[0].word), *kept[1:])


def in_force(choices: Sequence[Choice], time: str, usual: str) -> str:
    """What a player read at a time of a log: the `usual` until they chose, and what
    they chose in the same second counts."""
    begun = (choice.word for choice in choices if choice.since <= time)
    return ([usual, *begun])[-1]


def tag_at(languages: Choices, zones: Choices, time: str) -> str:
    """The tag of the language, with the zone, that a player read at a time."""
    code = in_force(languages, time, ENGLISH_CODE)
    return tag(code, in_force(zones, time, UTC))


def tags_had(languages: Choices, zones: Choices) -> tuple[str, ...]:
    """The tags of all that a player may have got letters in, the latest first."""

    def had() -> Iterator[str]:
        for time in sorted({one.since for one in (*languages, *zones)}, reverse=True):
            yield tag_at(languages, zones, time)
        yield ENGLISH_CODE

    return tuple(dict.fromkeys(had()))
