"""Which lines of a mail its writer wrote.

The others are quoted letters, with what mail programs write above them; signatures; and
what telephones and companies add. Shapes tell most of that in any language: a date, an
address and a colon at the end; lines that each begin with a word and a colon; words
between dashes. Where they do not, words do (`languages.mail_programs`). Those are
looked up rather than matched, as regular expressions of so many words would take each
process longer to compile than the mail takes to read.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice, takewhile

from pbm_holomino.languages.mail_programs import folded, words

_SIGNATURES = ("--", "\u2013", "\u2014")  # programs turn two dashes into a long one
_WRAPPED = 3  # lines that an attribution may be wrapped into
_BLOCK = 4  # lines in which a block of headers shows what it is
_RULE = 10  # underscores of Outlook's rule, at least
_FULL = 30  # characters of a line of running text, at least
_ADDED = 120  # characters of a line that a telephone adds, at most
_ABBREVIATION = 5  # characters of one with its full stop, at most
_LABEL = 25  # characters of the name of a header, at most
_NEAR = 9  # blank lines that a program may leave, at most
_FEW = 3  # words of a label, or that an attribution may be broken after

_SEPARATORS = tuple(words("separators"))
_BEGINNINGS = tuple(words("beginnings"))
_FROM = frozenset(words("from"))
_OTHER_HEADERS = frozenset(words("labels"))
_HEADERS = _FROM | _OTHER_HEADERS
_VERBS = tuple(words("wrote"))
_WROTE = frozenset(_VERBS)
_DATES = tuple(words("dates"))
_SENT_FROM = tuple(words("sent from"))
# A paragraph with a word of each kind is a disclaimer.
_CONFIDENTIAL = tuple(words("confidential"))
_RECIPIENT = tuple(words("recipient"))

_DATE = r"\d{4}|\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2}"
_TIME = r"\d[:.]\d\d"
_BY_NOTES = r"---\d[\d./-]+ \d[\d:. APM]*---"  # name, time and title, above the headers
_ADDRESS = r"[^\s@]@[^\s@]"
_MIDST = r"\d{4}\b(?!-)|\d\d?[:.]\d\d"  # of a date: the year, or the time


def own_lines(body: str) -> list[str]:
    """The lines that the writer of a mail wrote, with only printable characters."""
    lines = [_readable(line).rstrip() for line in body.splitlines()]
    kept = _without_quotes(lines[: end(lines)])
    return _without_disclaimer([line for line in kept if not _is_sent_from(line)])


def _readable(line: str) -> str:
    if line.isprintable():
        return line
    spaced = (" " if character.isspace() else character for character in line)
    return "".join(filter(str.isprintable, spaced))


def end(lines: Sequence[str]) -> int:
    """The index of the first line from which on nothing is the writer's own: of a
    signature, or of a letter that follows without quotation marks."""
    for number, line in enumerate(lines):
        if not line or line.startswith(">"):
            continue
        if line in _SIGNATURES:
            return number
        start = _introduced(lines, number)
        if start is not None and not _is_marked(lines, number):
            return start
    return len(lines)


def _introduced(lines: Sequence[str], number: int) -> int | None:
    """The index at which begins what a program writes above a letter, if that is
    unmistakable and this line shows it."""
    if _is_separator(lines, number):
        return number
    if _is_header_block(lines, number):
        return _without_rule(lines, number)
    if _ends_introduction(lines[number]):
        start = _start(lines, number)
        if _is_unmistakable(" ".join(lines[start : number + 1])):
            return _without_rule(lines, start)
    return None


def _is_marked(lines: Sequence[str], number: int) -> bool:
    """Whether the letter that is introduced here has quotation marks."""
    after = [line for line in islice(lines, number + 1, number + _NEAR) if line]
    if not after or after[0].startswith(">"):
        return bool(after)
    marked = next((n for n, line in enumerate(after) if line.startswith(">")), 0)
    return 0 < marked <= _WRAPPED and _ends_introduction(after[marked - 1])


# Shapes


def _is_separator(lines: Sequence[str], number: int) -> bool:
    """Whether a line is `-----Original Message-----`, `Begin forwarded message:`, or in
    another language the like with a header or an attribution below."""
    bare = lines[number].strip(" *")
    if not bare.startswith(("---", "____")):
        return bare.endswith(":") and folded(bare).startswith(_BEGINNINGS)
    text = bare.strip("-_ ")
    if folded(text).startswith(_SEPARATORS):
        return True
    if not text or not bare.endswith("---"):
        return False
    if sum((_has_date(text), _has_address(text), _has_verb(text))) > 1:
        return True  # the whole attribution is between the dashes
    below = next(filter(None, islice(lines, number + 1, number + 3)), "")
    is_sender = "<" in below or _is_label(below)
    return is_sender and (_has_address(below) or _has_date(below))


def _is_header_block(lines: Sequence[str], number: int) -> bool:
    """Whether a mail's headers begin with this line: From, and at least one other; or
    four that nobody knows, with an address and a date."""
    if not _is_label(lines[number]):
        return False
    block = list(takewhile(bool, islice(lines, number, number + _BLOCK)))
    if _label(block[0]) in _HEADERS and _is_known_block([_label(row) for row in block]):
        return True
    if len(block) < _BLOCK or not any(map(_has_address, block)):
        return False
    labels = [_label(row) for row in block]
    if not all(map(_is_name, labels)) or not _FROM.isdisjoint(labels[1:]):
        return False  # it may begin below
    return any(map(_has_date, block))


def _is_known_block(labels: Sequence[str]) -> bool:
    return not (_FROM.isdisjoint(labels) or _OTHER_HEADERS.isdisjoint(labels))


@lru_cache(maxsize=16)  # a line is looked at with each of the lines above it
def _label(line: str) -> str:
    """The name of a header, which may be in bold: `*Von:* Bob`."""
    name, colon, _ = line.lstrip(" *").replace("\uff1a", ":").partition(":")
    return name.rstrip(" *").casefold() if colon else ""


def _is_label(line: str) -> bool:
    """Whether a line may be a header in some language."""
    return _is_name(_label(line))


def _is_name(label: str) -> bool:
    return (
        0 < len(label) <= _LABEL
        and len(label.split()) <= _FEW
        and not any(map(str.isdigit, label))
    )


def _without_rule(lines: Sequence[str], end: int) -> int:
    """The index where these lines end without a rule, and blank lines, after them."""
    start = end
    while start and (not lines[start - 1] or _is_rule(lines[start - 1])):
        start -= 1
    return start


def _is_rule(line: str) -> bool:
    bare = line.strip(" *")
    is_drawn = len(bare) >= _RULE and not (bare.strip("_") and bare.strip("-"))
    return is_drawn or re.search(_BY_NOTES, bare) is not None


def _start(lines: Sequence[str], last: int) -> int:
    """The index of the first line of the attribution that ends with this one. Programs
    wrap it anywhere, also within a date, a name or an address."""
    start, text = last, lines[last].strip()
    for number in range(last - 1, max(last - _WRAPPED, -1), -1):
        above = lines[number].strip()
        if not above or _is_sentence(above):
            break
        if _goes_on(above, text):
            start = number
        text = f"{above} {text}"
    return start


def _is_sentence(line: str) -> bool:
    """Whether a line ends a sentence, and not in an abbreviation."""
    if line.endswith((":", "!", "?")):
        return True
    last = line.rpartition(" ")[2]
    return last.endswith(".") and last[:-1].isalpha() and len(last) > _ABBREVIATION


def _goes_on(above: str, text: str) -> bool:
    """Whether an attribution that ends with this text has begun in the line above: that
    has what it lacks. A move in that line must not be taken for a part of it."""
    before, end, _ = text.partition(">")
    if text.startswith(("<", "(")) or (end and "<" not in before):
        return True  # it begins with an address, or within one
    has_digit = any(map(str.isdigit, above))
    if re.match(_MIDST, text):
        return has_digit and ":" not in above
    begins = _begins_with_date(above) and not _begins_with_date(text)
    if begins and above.endswith(","):
        return True
    has_date, has_address = _has_date(text), _has_address(text)
    has_verb = _has_verb(text)
    if has_verb and text.casefold().startswith(_VERBS):
        return True
    if has_date and (has_address or has_verb):  # it is whole, but for a verb in front
        return _has_verb(above) and not has_verb
    if has_date:
        return _has_verb(above) or "<" in above or "@" in above
    is_rest = len(text.split()) <= _FEW and not has_address
    is_begun = (begins and has_digit) or _has_date(above)
    return is_begun or (is_rest and (_has_address(above) or _has_verb(above)))


def _begins_with_date(text: str) -> bool:
    return text.casefold().lstrip("* ").startswith(_DATES)


def _is_unmistakable(text: str) -> bool:
    """Whether nobody would write this by hand: it ends in a colon, has a date and an
    address, or somebody wrote then, or from there."""
    if not _ends_introduction(text):
        return False
    has_date, has_address = _has_date(text), _has_address(text)
    if has_date and has_address:
        return True
    return (has_address or (has_date and _has_time(text))) and _has_verb(text)


def _ends_introduction(line: str) -> bool:
    return line.rstrip(" *").endswith((":", "\uff1a"))


def _has_verb(text: str) -> bool:
    """Whether there is a word for writing, or one at the end of a text in a script that
    has no spaces."""
    bare = text.casefold().replace(",", " ").rstrip(" :\uff1a")
    return bare.endswith(_VERBS) or not _WROTE.isdisjoint(bare.split())


def _has_date(text: str) -> bool:
    return re.search(_DATE, text) is not None


def _has_time(text: str) -> bool:
    return re.search(_TIME, text) is not None


@lru_cache(maxsize=16)
def _has_address(text: str) -> bool:
    return re.search(_ADDRESS, text) is not None


# What programs write


def _without_quotes(lines: Iterable[str]) -> list[str]:
    """The lines without quotations, and without what introduces each."""
    kept: list[str] = []
    in_quote = False
    for line in lines:
        if not line.startswith(">"):
            kept.append(line)
            in_quote = in_quote and not line
        elif not in_quote:
            in_quote = True
            del kept[introduction(kept) :]
    return kept


def introduction(lines: Sequence[str]) -> int:
    """The index at which begins what introduces a quotation that follows these lines:
    an attribution, which is the last line or the last few, and what is above it.
    Without one, the number of lines."""
    last = _last_text(lines, len(lines))
    if last < 0:
        return len(lines)
    if _is_separator(lines, last):
        return last
    start = _start(lines, last)
    text = " ".join(lines[start : last + 1])
    if not _ends_introduction(text):
        if not (_has_date(text) and _has_address(text)):
            return len(lines)
    elif start > _NEAR or any(lines[:start]):  # something was said before
        is_dated = any(c.isdigit() or c == "@" for c in text)
        is_name = len(text.split()) < _FEW  # Bob:
        if not (is_dated or is_name or _has_verb(text)):
            return len(lines)  # it is the writer's own: `As to your question:`
    above = _last_text(lines, start)
    is_ruled = above >= 0 and (_is_rule(lines[above]) or _is_separator(lines, above))
    return above if is_ruled else start


def _last_text(lines: Sequence[str], end: int) -> int:
    """The index of the last of these lines before the end that is not blank; -1 if it
    is not near."""
    near = range(end - 1, max(end - _NEAR, 0) - 1, -1)
    return next((number for number in near if lines[number]), -1)


def _is_sent_from(line: str) -> bool:
    """Whether a telephone added this line: `Sent from my iPhone`."""
    if len(line) > _ADDED:
        return False
    text = folded(line.strip(" *-"))
    return text.startswith(_SENT_FROM) or (
        text.startswith(("von mein", "von samsung"))
        and text.rstrip(" .").endswith("gesendet")
    )


def _without_disclaimer(lines: list[str]) -> list[str]:
    """The lines before the first paragraph that says for whom a mail is meant and that
    it is confidential. Short lines right above it belong to the writer's own words."""
    start = 0
    for end, line in enumerate([*lines, ""]):
        if line:
            continue
        words = [text.casefold() for text in lines[start:end]]
        text = " ".join(words)
        if _has(text, _CONFIDENTIAL) and _has(text, _RECIPIENT):
            return lines[: start + sum(1 for _ in takewhile(_is_apart, words))]
        start = end + 1
    return lines


def _is_apart(line: str) -> bool:
    return len(line) < _FULL and not _has(line, _CONFIDENTIAL + _RECIPIENT)


def _has(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)
