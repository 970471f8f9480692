"""Which language somebody reads who has chosen none: what their programs say, or what
their own words are in.

A language's folder may have a table, `words.txt`: the words that are most frequent in
it. A text is in the language of which it has the most of these.
"""

import os
import re
from functools import cache, lru_cache

from pbm_holomino.languages import known

_TABLE = "words.txt"
_FEWEST = 8  # words of a text of which the language is told
_MOST = 300  # of which it is told
_MOST_TAGS = 20
_TAG = re.compile(
    r"\s*([a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*)\s*(?:;\s*q=([01][0-9.]*))?"
)


def code(tags: str, text: str) -> str:
    """The code of the language of somebody whose programs say that they read `tags`,
    and whose own words are `text`; empty if it cannot be told."""
    return asked_for(tags) or written_in(text)


@lru_cache(maxsize=500)
def asked_for(tags: str) -> str:
    """The code of the language that is wanted most, of those that are here, in a
    Content-Language or Accept-Language (RFC 9110, 12.5.4); empty if none is here."""
    wanted = [
        found.groups("1")
        for tag in tags.split(",")[:_MOST_TAGS]
        if (found := _TAG.fullmatch(tag.rstrip()))
    ]
    wanted.sort(key=lambda tag: -_weight(tag[1]))
    here = (_here(tag) for tag, weight in wanted if _weight(weight))
    return next(filter(None, here), "")


def _weight(digits: str) -> float:
    try:
        return float(digits)
    except ValueError:
        return 0.0


def _here(tag: str) -> str:
    """The code of the language with this tag: `de` also for `de-AT`."""
    asked = tag.lower().replace("-", "_")
    codes = (asked, asked.partition("_")[0])
    return next((code for code in codes if code in known.codes()), "")


def written_in(text: str) -> str:
    """The code of the language of a text; empty if that is too short, or in no language
    that is here, as far as one can tell."""
    words = re.findall(r"[^\W\d_]+", text.lower())[:_MOST]
    if len(words) < _FEWEST:
        return ""
    counts = {code: sum(w in frequent(code) for w in words) for code in known.codes()}
    best, *others = sorted(counts, key=lambda code: -counts[code])
    # in a usual text about half of the words are among those that are frequent
    is_clear = all(2 * counts[best] >= 3 * counts[code] for code in others)
    return best if is_clear and 3 * counts[best] >= len(words) else ""


@cache
def frequent(code: str) -> frozenset[str]:
    """The words that are most frequent in a language; none if it has no table."""
    try:
        with open(os.path.join(known.HOME, code, _TABLE), encoding="utf-8") as file:
            return frozenset(file.read().split())
    except (OSError, ValueError):
        return frozenset()
