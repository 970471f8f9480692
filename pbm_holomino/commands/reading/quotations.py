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
from itertools import groupby, islice, takewhile

from pbm_holomino.languages.mail_programs import folded, words

_SIGNATURES = ("--", "\u2013", "\u2014")  # programs turn two dashes into a long one
_WRAPPED = 3  # lines that an attribution may be wrapped into
_BLOCK = 4  # lines in which a block of headers shows what it is
_RULE = 10  # underscores of Outlook's rule, at least
_FULL = 30  # characters of a line of running text, at least
_ADDED = 120  # characters of a line that a telephone adds, at most
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
_SENT_FROM = dict(words.partition("...")[::2] for words in words("sent from"))
_SENT_BEGINS = tuple(_SENT_FROM)
# A paragraph with a word of each kind is a disclaimer.
_CONFIDENTIAL = tuple(words("confidential"))
_RECIPIENT = tuple(words("recipient"))

_DATE = r"\d{4}|\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2}"
_TIME = r"\d[:.]\d\d"
_BY_NOTES = r"---\d[\d./-]+ \d[\d:. APM]*---"  # name, time and title, above the headers
_ADDRESS = r"[^\s@]@[^\s@]"
_SENTENCE = r"[:!?]$|[^\W\d]{5}\.$"  # how one ends: not in an abbreviation


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
    is_sender = "<" in below or bool(_label(below))
    return is_sender and (_has_address(below) or _has_date(below))


def _is_header_block(lines: Sequence[str], number: int) -> bool:
    """Whether a mail's headers begin with this line: From, and at least one other; or
    four that nobody knows, with an address and a date."""
    if not _label(lines[number]):
        return False
    block = list(takewhile(bool, islice(lines, number, number + _BLOCK)))
    labels = [*map(_label, block)]
    known = _HEADERS.intersection(labels)
    if labels[0] in known and known - _FROM and known - _OTHER_HEADERS:
        return True
    is_whole = len(block) == _BLOCK and all(labels) and _FROM.isdisjoint(labels[1:])
    return is_whole and any(map(_has_address, block)) and any(map(_has_date, block))


@lru_cache(maxsize=16)  # a line is looked at with each of the lines above it
def _label(line: str) -> str:
    """The name of a header, which may be in bold: `*Von:* Bob`; empty where a line has
    none that could be one in any language."""
    name, colon, _ = line.lstrip(" *").replace("\uff1a", ":").partition(":")
    name = name.rstrip(" *").casefold() if len(name) <= _LABEL else ""
    is_one = colon and len(name.split()) <= _FEW and not any(map(str.isdigit, name))
    return name if is_one else ""


def _without_rule(lines: Sequence[str], end: int) -> int:
    """The index where these lines end without the rules that are the last of them."""
    start = end
    for number in range(end - 1, -1, -1):
        if lines[number] and not _is_rule(lines, number):
            break
        start = number if lines[number] else start
    return start


def _is_rule(lines: Sequence[str], number: int) -> bool:
    bare = lines[number].strip(" *")
    is_drawn = len(bare) >= _RULE and not (bare.strip("_") and bare.strip("-"))
    by_notes = re.search(_BY_NOTES, bare) is not None
    return is_drawn or by_notes or _is_separator(lines, number)


def _start(lines: Sequence[str], last: int) -> int:
    """The index of the first line of the attribution that ends with this one. Programs
    wrap it anywhere, also within a date, a name or an address: it begins with the last
    line above which there is nothing that shows one."""
    start, text = last, lines[last].strip()
    signs = 0
    for number in range(last - 1, max(last - _WRAPPED, -1), -1):
        above = lines[number].strip()
        if not above or re.search(_SENTENCE, above):
            break
        signs = signs or _signs(text)
        text = f"{above} {text}"
        more = _signs(text)
        start = number if more > signs else start
        signs = more
    return start


def _signs(text: str) -> int:
    """How many signs of an attribution a text has; no move or sentence has any."""
    begins = _begins_with_date(text) and re.search(r"[\d,]", text) is not None
    is_whole = text[:1] not in "<(" and text.count("<") == text.count(">")
    signs = begins, is_whole, _has_date(text), _has_address(text), _has_verb(text)
    return sum(signs)


def _begins_with_date(text: str) -> bool:
    return text.casefold().lstrip("* ").startswith(_DATES)


def _is_unmistakable(text: str) -> bool:
    """Whether nobody would write this by hand before a colon: it has a date and an
    address, or somebody wrote then, or from there."""
    has_date, has_address = _has_date(text), _has_address(text)
    is_dated = has_address or (has_date and re.search(_TIME, text) is not None)
    return (has_date and has_address) or (is_dated and _has_verb(text))


def _ends_introduction(line: str) -> bool:
    return line.rstrip(" *").endswith((":", "\uff1a"))


def _has_verb(text: str) -> bool:
    """Whether there is a word for writing, or one at the end of a text in a script that
    has no spaces."""
    bare = text.casefold().replace(",", " ").rstrip(" :\uff1a")
    return bare.endswith(_VERBS) or not _WROTE.isdisjoint(bare.split())


def _has_date(text: str) -> bool:
    return re.search(_DATE, text) is not None


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
    end = len(lines)
    near = range(end - 1, max(end - _NEAR, 0) - 1, -1)
    last = next((number for number in near if lines[number]), None)
    if last is None:
        return end
    if _is_separator(lines, last):
        return last
    start = _start(lines, last)
    text = " ".join(lines[start : last + 1])
    is_one = _has_date(text) and _has_address(text)
    if _ends_introduction(text):
        is_first = start <= _NEAR and not any(lines[:start])
        is_one = is_first or _introduces(text)
    return _without_rule(lines, start) if is_one else end


def _introduces(text: str) -> bool:
    """Whether a text that ends in a colon, above a quotation, does not go on in it as
    people's own words may: `As to your question:`."""
    is_dated = re.search(r"[\d@]", text) is not None
    return is_dated or len(text.split()) < _FEW or _has_verb(text)  # or just: Bob:


def _is_sent_from(line: str) -> bool:
    """Whether a telephone added this line: `Sent from my iPhone`."""
    if len(line) > _ADDED:
        return False
    text = folded(line.strip(" *-"))
    if not text.startswith(_SENT_BEGINS):
        return False
    ends = (end for begin, end in _SENT_FROM.items() if text.startswith(begin))
    return any(map(text.rstrip(" .").endswith, ends))


def _without_disclaimer(lines: list[str]) -> list[str]:
    """The lines before the first paragraph that says for whom a mail is meant and that
    it is confidential. Short lines right above it belong to the writer's own words."""
    start = 0
    for is_text, paragraph in groupby(lines, bool):
        rows = [*map(str.casefold, paragraph)]
        text = " ".join(rows)
        if is_text and _has(text, _CONFIDENTIAL) and _has(text, _RECIPIENT):
            return lines[: start + sum(1 for _ in takewhile(_is_apart, rows))]
        start += len(rows)
    return lines


def _is_apart(line: str) -> bool:
    return len(line) < _FULL and not _has(line, _CONFIDENTIAL + _RECIPIENT)


def _has(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)
