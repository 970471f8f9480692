"""Bounces: reports of other mail systems that a mail could not be delivered, as RFC
3464 has them, or in words.

Anybody can write one, so all work on them is bounded, and nothing in them is believed
that is not proved. What cannot be read reports nothing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from pbm_holomino.mail import incoming, mime, unattended
from pbm_holomino.mail.mime import Headers, Part
from pbm_holomino.mail.outcomes import has_code, is_full
from pbm_holomino.match import letter_ids
from pbm_holomino.match.letter_ids import LetterId
from pbm_holomino.named_tuples import NamedTuple

MOST_READ = 50_000  # bytes of a part that are read
MOST_GROUPS = 20  # of fields of a report that are looked at
_MOST_FIELDS = 10  # that may hold a mark

_REPORTS = ("message/delivery-status", "message/global-delivery-status")
_IS_REPORT = r'(?i);\s*report-type\s*=\s*"?delivery-status"?\s*(?:[;(]|$)'
# Where mail systems say to whom a bounce has come.
_TO = ("to", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to")
_MARK = r"(?i)\+([a-z0-9_.]{1,100})@"
_MESSAGE_ID = r"<[!-;=?-~]{1,248}>"
_FOLD = r"\r?\n(?=[ \t])"
_GROUPS = r"\r?\n[ \t]*\r?\n"
_FAILED = r"(?ai)5\.\d{1,3}\.\d{1,3}(?!\d)"
# In words, with what begins the letter that came back
_WAITING = r"(?i)\b(?:delayed|warning|will be retried|still trying|keep trying)\b"
_FULL = r"(?i)\b(?:quota|552|mailbox (?:is )?full|full mailbox)\b"
_BELOW = r"(?im)^(?:return-path|received|message-id):"
_WRITTEN = r"(?a)[\w!#$%&*+/?^{|}~.-]{1,64}@[\w.-]{1,255}\w"
_CALLED = rf"(?im)^message-id:[ \t]*({_MESSAGE_ID})"
_MOST_ADDRESSES = 20
_PERMANENT = "5"  # begins the codes of what is refused for good


class Bounce(NamedTuple):
    """What a bounce says: the addresses that a mail will never reach, and which mail it
    was. `marks` are those of the addresses that it has come to (see
    `letter_ids.mark`), and `message_ids` what the mail called itself."""

    addresses: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()

    def letters(self, domain: str) -> Iterator[LetterId]:
        """The letters of the server with this domain that may have come back: at most
        one by its mark, and one by its Message-ID."""
        marked = filter(None, map(letter_ids.parse_mark, self.marks))
        yield from islice(marked, 1)
        if found := letter_ids.find(self.message_ids, domain):
            yield found


def read(raw: bytes) -> Bounce | None:
    """The bounce in these bytes, which a program has written; None if they are not
    one."""
    try:
        mail = mime.whole(raw)
        is_report = mail.kind == "multipart/report"
        if is_report and not re.search(_IS_REPORT, mail.to_parse("content-type")):
            return None  # of something else
    except Exception:  # whatever the parser raises; others say that it is unreadable
        return None
    try:
        parts = list(mime.leaves(raw, mail))
        if is_report or any(part.kind in _REPORTS for part in parts):
            return _report(raw, mail, parts)
        return _in_words(raw, mail, parts)
    except Exception:  # it may be a bounce all the same
        return Bounce() if is_report else None


def _report(raw: bytes, mail: Part, parts: Sequence[Part]) -> Bounce:
    """The bounce that a report brings (RFC 3464)."""
    report = next((part for part in parts if part.kind in _REPORTS), None)
    addresses = tuple(_addresses(_text(raw, report))) if report else ()
    return _bounce(raw, mail, parts, addresses)


def _in_words(raw: bytes, mail: Part, parts: Sequence[Part]) -> Bounce | None:
    """The bounce that a mail is by its words; None if it is not one. Its recipients are
    in a header that some systems have, or are named above the letter that came back."""
    mail.to_parse("subject")
    subject = incoming.subject_of(mail.headers)
    text = incoming.body_of(raw, parts) or ""
    failed = mail.headers.get("x-failed-recipients", ())
    if not (failed or unattended.is_bounce(subject, text, parts, by_program=True)):
        return None
    below = re.search(_BELOW, text)
    said = text[: below.start()] if below else text
    named = tuple(islice(_named([*failed, said]), _MOST_ADDRESSES))
    is_over = has_code(said, _PERMANENT) or not (
        has_code(said) or re.search(_WAITING, f"{subject} {said}")
    )
    counts = is_over and not is_full(said) and not re.search(_FULL, said)
    return _bounce(raw, mail, parts, named if counts else (), text)


def _bounce(
    raw: bytes,
    mail: Part,
    parts: Sequence[Part],
    addresses: tuple[str, ...],
    text: str = "",
) -> Bounce:
    """The bounce about these addresses. The letter that came back is a part, or is
    written in the `text`, or is what the mail answers."""
    returned = next((part for part in parts if part.kind in unattended.RETURNED), None)
    ids = _message_ids(raw, returned) if returned else re.findall(_CALLED, text)[:1]
    if not (returned or ids):
        answered = (mail.field(name) for name in ("in-reply-to", "references"))
        ids = re.findall(_MESSAGE_ID, " ".join(answered)[: mime.MOST_FIELD])[:1]
    return Bounce(addresses, tuple(_marks(mail.headers)), tuple(ids))


def _named(texts: Iterable[str]) -> Iterator[str]:
    """The addresses in these texts, each once."""
    found = (each for text in texts for each in re.findall(_WRITTEN, text[:MOST_READ]))
    yield from dict.fromkeys(found)


def _text(raw: bytes, part: Part) -> str:
    return mime.content(raw, part, MOST_READ).decode("utf-8", "replace")


def _addresses(report: str) -> Iterator[str]:
    """The recipients whom the mail will never reach, as it was addressed and as it was
    sent on. There is a group of fields for each (RFC 3464, 2.1)."""
    for group in re.split(_GROUPS, report.strip(), maxsplit=MOST_GROUPS)[:MOST_GROUPS]:
        fields = _fields(group)
        if _has_failed(fields):
            for name in ("original-recipient", "final-recipient"):
                kind, _, address = fields.get(name, "").rpartition(";")
                if address and kind.strip().lower() in ("", "rfc822", "utf-8"):
                    yield address.strip().removeprefix("<").removesuffix(">")


def _fields(group: str) -> Mapping[str, str]:
    """The fields by their names in lower case; the first of each name counts."""
    found: dict[str, str] = {}
    for line in re.sub(_FOLD, "", group).splitlines():
        name, _, value = line.partition(":")
        found.setdefault(name.strip().lower(), value.strip())
    return found


def _has_failed(fields: Mapping[str, str]) -> bool:
    """Whether delivery has failed for ever, and not because a mailbox is full: some
    systems say that only in the words of the other server."""
    status = fields.get("status", "")
    return (
        fields.get("action", "").lower().split()[:1] == ["failed"]
        and bool(re.match(_FAILED, status))
        and not is_full(f"{status} {fields.get('diagnostic-code', '')}")
    )


def _marks(headers: Headers) -> Iterator[str]:
    """What is after a `+` in the addresses that a bounce has come to."""
    for name in _TO:
        for value in headers.get(name, ())[:_MOST_FIELDS]:
            for found in re.findall(_MARK, value[: mime.MOST_FIELD]):
                yield found.lower()


def _message_ids(raw: bytes, returned: Part) -> list[str]:
    """The Message-ID of a mail that was returned, or of which the headers were."""
    mail = mime.whole(mime.content(raw, returned, MOST_READ))
    return re.findall(_MESSAGE_ID, mail.to_parse("message-id"))[:1]
