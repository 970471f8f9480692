"""Mails that only their words show to be a program's: nobody has attended to them.

Each needs two signs, as people write about such mails, too. What is a bounce is judged
here alone; `bounces` says whom it has not reached.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from pbm_holomino.languages.mail_programs import folded, words
from pbm_holomino.mail.mime import Part
from pbm_holomino.mail.outcomes import has_code

_MOST_LINES = 40  # of a report, in which it says what it is
_MOST_OF_LINE = 300  # characters
_LONGEST_REACTION = 120  # characters

_ABSENT = tuple(words("absent"))
_FAILED = tuple(words("failed"))
_UNDELIVERED = tuple(words("undelivered"))
_COMPLAINED = tuple(words("complained"))
_REACTED = tuple(words("reacted"))
RETURNED = (
    *("message/rfc822", "text/rfc822-headers"),
    *("message/global", "message/global-headers"),  # RFC 6533
)
_COPY = r"(?im)^message-id:[ \t]*<"
_REPLY = r"\w{1,6}(?:\[\d+\])?\s?[:\uff1a]"  # Re: and its like in other languages


def is_unattended(subject: str, text: str, parts: Sequence[Part]) -> bool:
    """Whether a mail with this Subject, text and parts is an out-of-office reply, a
    bounce, a complaint or a reaction."""
    is_returned = any(part.kind in RETURNED for part in parts)
    if is_returned and not any(part.kind.startswith("text/") for part in parts):
        return True  # a complaint that says nothing
    if is_absence(subject) or is_reaction(text) or _is_complaint(text, is_returned):
        return True
    return is_bounce(subject, text, parts)


def is_bounce(
    subject: str, text: str, parts: Sequence[Part], by_program: bool = False
) -> bool:
    """Whether a mail with this Subject, text and parts is a bounce: its words say so,
    and the headers that a program sent it, or the letter that came back, or a code."""
    is_named, is_told = is_of_failure(subject), says_failure(text)
    is_reply = re.match(_REPLY, subject.strip()) is not None
    has_letter = not is_reply and (
        any(part.kind in RETURNED for part in parts) or re.search(_COPY, text)
    )
    if by_program or has_letter:
        return is_named or is_told
    return is_named and is_told and has_code(text)


def is_absence(subject: str) -> bool:
    """Whether a Subject begins like that of an out-of-office reply, or ends so in
    brackets."""
    text = folded(subject).strip(" [(*")
    if text.startswith(_ABSENT):
        return True
    before, bracket, last = text.rstrip(" )]").rpartition("(")
    return bool(before and bracket) and last.startswith(_ABSENT)


def is_of_failure(subject: str) -> bool:
    """Whether a Subject begins, or ends, like that of a bounce."""
    text = folded(subject).strip()
    return text.startswith(_FAILED) or text.endswith(_FAILED)


def says_failure(text: str) -> bool:
    """Whether a text begins with a report that a mail was not delivered."""
    said = "\n".join(_first_lines(text))
    return any(words in said for words in _UNDELIVERED)


def is_reaction(text: str) -> bool:
    """Whether a text begins with what a program says of an emoji: `Bob reacted to your
    message:`, and nothing more."""
    first = list(islice(_first_lines(text), 2))
    after = [_after(line) for line in first if len(line) <= _LONGEST_REACTION]
    if not any(a is not None and not re.search(r"\w", a) for a in after):
        return False
    from unicodedata import category  # few mails are reactions

    return any(category(character) == "So" for character in "".join(first))


def _after(line: str) -> str | None:
    """What follows the words of a reaction in a line; None if it has none."""
    found = (line.partition(words) for words in _REACTED)
    return next((after for _, said, after in found if said), None)


def _is_complaint(text: str, is_returned: bool) -> bool:
    """Whether a text has the fields of a complaint about spam (RFC 5965), or says that
    it is one about a letter that is returned."""
    lines = list(_first_lines(text))
    return any(line.startswith("feedback-type:") for line in lines) or (
        is_returned and any(words in line for line in lines for words in _COMPLAINED)
    )


def _first_lines(text: str) -> Iterator[str]:
    """The first lines that are not blank, nor quoted, as words are looked up in
    them."""
    lines = (folded(line[:_MOST_OF_LINE]) for line in text.splitlines())
    return islice((e for e in lines if e.strip() and e[0] != ">"), _MOST_LINES)
