"""A validator of what leaves: RFC 5322 (messages), RFC 2045 to 2047 (MIME), RFC 2369
(List-Unsubscribe) and RFC 3834 (Auto-Submitted), beside the library's own parser. Every
mail that a test sends in its own process must pass."""

import binascii
import re
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from email import message_from_bytes
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import strict
from functools import lru_cache

import pytest

from pbm_holomino.mail import transports
from pbm_holomino.mail.outcomes import Outcomes, Parcel
from pbm_holomino.store.home import Home

# The parser asks for the same headers again and again, and many mails share theirs.
_POLICY = strict.clone(header_factory=lru_cache(maxsize=1000)(HeaderRegistry()))
_LONGEST = 998  # characters of a line (RFC 5322, 2.1.1)
_LONGEST_ENCODED = 76  # of a line in quoted-printable or base64 (RFC 2045, 6.7 and 6.8)
_ONE = {"from", "to", "date", "message-id", "subject", "mime-version"}
_ONE |= {"content-type", "auto-submitted"}
_ATOMS = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_DATE = (
    r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d "
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} "
    r"\d\d:\d\d:\d\d [+-]\d{4}"
)
_URI = r"<mailto:[A-Za-z0-9._~!$'()*+,;:@%-]+\?subject=[A-Za-z0-9._~!$'()*+,;:@%-]+>"
_ENCODINGS = {"7bit", "quoted-printable", "base64"}


_found: list[str] = []  # the faults of the mails that have left


def check(raw: bytes) -> None:
    """A mail has left: if it is not valid, `only_valid` says so."""
    _found.extend(faults(raw))


@contextmanager
def only_valid() -> Iterator[None]:
    """In this block no mail may leave that is not valid."""
    begin = len(_found)
    send = transports.send

    def checked(parcel: Parcel, home: Home) -> Outcomes:
        check(parcel.mail)
        return send(parcel, home)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transports, "send", checked)
        yield
    found = _found[begin:]
    del _found[begin:]
    assert found == []


def faults(raw: bytes) -> list[str]:
    """What is wrong with a mail; empty if nothing is."""
    return [*_lines(raw), *_headers(raw), *_structure(raw)]


def _lines(raw: bytes) -> Iterator[str]:
    if not raw.endswith(b"\n"):
        yield "the last line has no end"
    if not raw.isascii():
        yield "there are bytes beyond ASCII"
    if b"\r" in raw or b"\0" in raw:
        yield "there is a CR or a NUL"
    if max(map(len, raw.split(b"\n"))) > _LONGEST:
        yield "a line is too long"


def _headers(raw: bytes) -> Iterator[str]:
    """The fields as they are written."""
    head, blank, _ = raw.decode("latin-1").partition("\n\n")
    if not blank:
        yield "no blank line ends the header"
    fields: dict[str, list[str]] = {}
    for field in re.split(r"\n(?![ \t])", head):
        name, colon, body = field.partition(":")
        if not colon or not re.fullmatch(r"[!-9;-~]+", name):
            yield f"this is no field: {field}"
        if any(not line.strip() for line in body.split("\n")[1:]):
            yield f"{name} is folded with a blank line"
        unfolded = body.replace("\n", "").strip()
        if not unfolded:
            yield f"{name} is empty"
        fields.setdefault(name.lower(), []).append(unfolded)
    for name, bodies in fields.items():
        if len(bodies) > 1:
            yield f"{name} is there {len(bodies)} times"
    missing = sorted(_ONE - fields.keys())
    yield from (f"{name} is missing" for name in missing)
    for name, (body, *_) in fields.items():
        yield from _field(name, body)


def _field(name: str, body: str) -> Iterator[str]:
    ids = r"<[!-;=?-~]+@[!-;=?-~]+>"
    patterns = {
        "date": _DATE,
        "message-id": rf"<{_ATOMS}@{_ATOMS}>",
        "in-reply-to": ids,
        "references": rf"{ids}(?:\s+{ids})*",
        "mime-version": r"1\.0",
        "auto-submitted": "auto-(replied|generated)",
        "list-unsubscribe": rf"(<https://[A-Za-z0-9./_~-]+>,\s+)?{_URI}",
        "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    }
    if name in patterns and not re.fullmatch(patterns[name], body):
        yield f"{name} is malformed: {body}"
    elif name == "date":
        day, _, rest = body.partition(", ")
        try:
            if datetime.strptime(rest, "%d %b %Y %H:%M:%S %z").strftime("%a") != day:
                yield f"that day is no {day}"
        except ValueError as error:
            yield f"there is no such date: {error}"
    for word in re.findall(r"=\?\S*?\?[bBqQ]\?\S*?\?=", body):
        if len(word) > 75:
            yield f"an encoded word in {name} is too long"


def _structure(raw: bytes) -> Iterator[str]:
    """What the library's strict parser says, and the parts."""
    try:
        mail = message_from_bytes(raw, policy=_POLICY)
        assert isinstance(mail, EmailMessage)
        for name, value in mail.items():
            defects = getattr(value, "defects", ())
            yield from (f"{name}: {defect}" for defect in defects)
        for name, most in (("from", 1), ("to", 100)):
            addresses = mail[name].addresses if mail[name] else ()
            if not 1 <= len(addresses) <= most:
                yield f"{name} has {len(addresses)} addresses"
            for address in addresses:
                if not re.fullmatch(rf"{_ATOMS}@{_ATOMS}", address.addr_spec):
                    yield f"{address.addr_spec} is no address"
        if mail.preamble or mail.epilogue:
            yield "there is text outside the parts"
        yield from _part(mail)
    except Exception as error:  # whatever the parser raises is a fault of the mail
        yield f"{type(error).__name__}: {error}"


def _part(part: EmailMessage) -> Iterator[str]:
    kind = part.get_content_type()
    if not part.is_multipart():
        yield from _leaf(part, kind)
        return
    inner = [child for child in part.iter_parts() if isinstance(child, EmailMessage)]
    kinds = [child.get_content_type() for child in inner]
    if part.get("content-transfer-encoding", "7bit") != "7bit":
        yield f"{kind} is encoded"
    if kind not in ("multipart/mixed", "multipart/alternative", "multipart/related"):
        yield f"nobody knows {kind}"
    if len(inner) < 2:
        yield f"{kind} has {len(inner)} parts"
    if kind == "multipart/alternative" and kinds[0] != "text/plain":
        yield "the plainest alternative is not the first"
    if kind == "multipart/related":
        yield from _related(part, inner)
    for child in inner:
        yield from _part(child)


def _related(part: EmailMessage, inner: list[EmailMessage]) -> Iterator[str]:
    """Whether a page and the images in it fit."""
    root, *others = inner
    if part.get_param("type") != root.get_content_type():
        yield "a related part does not say what it is"
    wanted = set(re.findall(r"cid:([^\"'\s>)]+)", str(root.get_content())))
    given = {str(child["content-id"]).strip().strip("<>") for child in others}
    if wanted != given:
        yield f"a page wants the images {wanted} and has {given}"


def _leaf(part: EmailMessage, kind: str) -> Iterator[str]:
    encoding = str(part.get("content-transfer-encoding", "7bit"))
    text = str(part.get_payload())
    if encoding not in _ENCODINGS:
        yield f"nobody knows the encoding {encoding}"
    longest = max(map(len, text.split("\n")))
    if encoding != "7bit" and longest > _LONGEST_ENCODED:
        yield f"a line in {encoding} is too long"
    if encoding == "base64":
        try:
            b64decode(text.replace("\n", ""), validate=True)
        except binascii.Error as error:
            yield f"that is no base64: {error}"
    is_quoted = encoding == "quoted-printable"
    if is_quoted and re.search(r"=(?![0-9A-F]{2}|\n)|[ \t]$", text, re.MULTILINE):
        yield "that is no quoted-printable"
    if kind.startswith("text/"):
        content = part.get_payload(decode=True)
        charset = part.get_content_charset()
        if charset is None:
            yield f"{kind} has no charset"
        elif isinstance(content, bytes):
            content.decode(charset)  # or it raises
