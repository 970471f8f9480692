"""A mail, from bytes to a sender, the words of a command, and a text.

Hostile mail breaks the standard library's parser with nearly every exception there
is; whatever it raises is Unreadable here.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from email import message_from_bytes
from email.header import decode_header
from email.message import Message
from email.utils import parseaddr
from functools import lru_cache, wraps
from typing import Any, NamedTuple, TypeVar

from pbm_holomino.errors import PbmError
from pbm_holomino.players import is_address
from pbm_holomino.texts import MOST_COMMAND, words

MOST_TEXT = 1_000_000  # characters of a mail's text
MOST_HEADER = 100_000  # characters: mail systems allow about as many
MOST_PARTS = 3_000  # that a mail may announce

_PREFIX = re.compile(
    r"\s*(?:(?:re|aw|fwd?|wg|antw|sv|vs|tr)(?:\[\d+\]|\(\d+\))?\s?:|\[[^\]]*\])",
    re.IGNORECASE,
)
_CONTENT = re.compile(
    rb"^content-[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE
)
_FOLD = re.compile(r"\r?\n(?=[ \t])")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SHORT = 200  # characters of a header as most are
_Parsed = TypeVar("_Parsed")
_Headers = dict[str, list[str]]  # by their names in small letters
_DAEMONS = ("mailer-daemon", "postmaster", "daemon")


def _remembered(parse: Callable[[str], _Parsed]) -> Callable[[str], _Parsed]:
    """A parser of headers that come again and again. It remembers what it has made of
    short ones: nobody shall fill the memory."""
    known = lru_cache(maxsize=100)(parse)

    @wraps(parse)
    def answer(header: str) -> _Parsed:
        return known(header) if len(header) <= _SHORT else parse(header)

    return answer


class Unreadable(PbmError):
    """A message that is none, or that breaks the parser."""


class Mail(NamedTuple):
    """What counts of a mail. `id` is the same each time that it comes; `body` is its
    plain text; `problem` says why its Subject can be no command, if so."""

    sender: str
    subject: str
    body: str
    id: str
    message_id: str
    problem: str = ""

    def words(self) -> list[str]:
        """The words of the command in the Subject, without `Re:` and `[tag]`."""
        subject = self.subject
        while found := _PREFIX.match(subject):
            subject = subject[found.end() :]
        return words(subject)


def read(raw: bytes, own_address: str) -> Mail | None:
    """The mail in these bytes; None for one that must be neither executed nor
    answered. Raises Unreadable."""
    try:
        _check(raw)
        message = message_from_bytes(raw)
        headers = _headers(message)
        senders = [_address(text) for text in _all(headers, "from")]
        if _is_automatic(message, headers, senders, own_address):
            return None
        return _mail(message, headers, senders)
    except Exception as error:  # whatever the parser raises
        raise Unreadable(f"{type(error).__name__}: {error}") from None


def _check(raw: bytes) -> None:
    """Keep from the parser what would take it minutes: its work grows with the square
    of a header's length, and of how deep parts are nested."""
    if len(raw) <= min(MOST_HEADER, MOST_PARTS * len(b"boundary")):
        return  # too short for either
    if any(
        found.end() - found.start() > MOST_HEADER for found in _CONTENT.finditer(raw)
    ):
        raise ValueError("one of its headers is too long")
    if raw.lower().count(b"boundary") > MOST_PARTS:
        raise ValueError("it has too many parts")


def _mail(message: Message, headers: _Headers, senders: list[str]) -> Mail:
    (sender,) = senders
    if not is_address(sender):
        raise ValueError("no sender who could be answered")
    subjects = _all(headers, "subject")
    subject = " ".join(map(_decoded, subjects[:1]))
    body = _plain_text(message)
    message_id = " ".join(_all(headers, "message-id")[:1]).strip()
    sign = message_id or "\n".join((sender, *_all(headers, "date"), *subjects, body))
    return Mail(
        sender=sender,
        subject=subject,
        body=body,
        id=hashlib.sha256(sign.encode("utf-8", "replace")).hexdigest()[:16],
        message_id=message_id
        if re.fullmatch(r"<[!-;=?-~]{1,250}>", message_id)
        else "",
        problem=_problem(subjects, subject, body),
    )


def _problem(subjects: list[str], subject: str, body: str) -> str:
    if len(subjects) > 1:
        return "That mail has more than one Subject line; please send it with one."
    if _CONTROL.search(subject):
        return "There are control characters in the Subject line of that mail."
    if len(subject) > MOST_COMMAND:
        return "The Subject line of that mail is too long for a command."
    if len(body) > MOST_TEXT:
        return "That mail is too long: its text may be 1 MB at most."
    return ""


def _headers(message: Message) -> _Headers:
    """The headers as they came, so that each name is looked for once."""
    headers: _Headers = {}
    fields: Any = message.raw_items()
    for name, value in fields:
        headers.setdefault(name.lower(), []).append(str(value))
    return headers


def _all(headers: _Headers, name: str) -> list[str]:
    """All headers of this name (in small letters), unfolded."""
    values = headers.get(name, [])
    if any(len(value) > MOST_HEADER for value in values):
        raise ValueError("one of its headers is too long")
    return [_FOLD.sub("", _unescaped(value)) for value in values]


def _unescaped(value: str) -> str:
    """A header that has bytes beyond ASCII, as nobody should send but many do."""
    raw = value.encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "replace")


def _is_automatic(
    message: Message, headers: _Headers, senders: list[str], own_address: str
) -> bool:
    """Whether a program sent this: then an answer would only make a loop."""
    lower = [sender.lower() for sender in senders]
    submitted = [text.partition(";")[0] for text in _all(headers, "auto-submitted")]
    return (
        any(text.strip() == "<>" for text in _all(headers, "return-path"))
        or (message.get_unixfrom() or "").lower().startswith("from mailer-daemon")
        or any(text.strip().lower() != "no" for text in submitted)
        or any(
            text.strip().lower() in ("bulk", "junk", "list")
            for text in _all(headers, "precedence")
        )
        or bool(_all(headers, "list-id"))
        or any(sender.partition("@")[0] in _DAEMONS for sender in lower)
        or own_address.lower() in lower
        or any(text.strip() == own_address for text in _all(headers, "x-loop"))
    )


@_remembered
def _address(sender: str) -> str:
    return parseaddr(sender)[1]


def _decoded(subject: str) -> str:
    """A Subject with its encoded words decoded."""
    parts = []
    for part, charset in decode_header(subject):
        if isinstance(part, bytes):
            part = _decode(part, charset or "ascii")
        parts.append(part)
    return "".join(parts)


def _decode(text: bytes, charset: str) -> str:
    try:
        return text.decode(charset, "replace")
    except (LookupError, ValueError):  # nobody knows the charset
        return text.decode("latin-1")


def _plain_text(message: Message) -> str:
    """The first plain text that is not attached, nor in anything attached."""
    parts = [message]
    while parts:
        part = parts.pop()
        if part.get_content_disposition() == "attachment":
            continue
        kind = part.get_content_type()
        if kind.startswith("multipart/") and part.is_multipart():
            parts += reversed(part.get_payload())  # type: ignore[arg-type]
        elif kind == "text/plain":
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                return _text(part, payload)
    return ""


def _text(part: Message, payload: bytes) -> str:
    """A plain text, as it was written."""
    parameters = _parameters(str(part.get("content-type", "")))
    text = _decode(payload, parameters.get("charset", "utf-8"))
    if parameters.get("format", "").lower() != "flowed":
        return text
    return _unflowed(text, parameters.get("delsp", "").lower() == "yes")


@_remembered
def _parameters(content_type: str) -> Mapping[str, str]:
    """Those of a Content-Type, by their names in small letters; of two of one name
    the first counts. What is asked for is ASCII: of a value in a charset of its own
    (RFC 2231) only the value is taken."""
    part = Message()
    part["Content-Type"] = content_type
    found: Any = part.get_params()
    return {
        name.lower(): value if isinstance(value, str) else value[2]
        for name, value in reversed(found)
    }


def _unflowed(text: str, deletes: bool) -> str:
    """A text as it was written that came as format=flowed (RFC 3676): a line that ends
    with a space goes on in the next one, and the space goes if it `deletes` them.
    Else a command on a line of its own would be cut in two. Quoted lines stay."""
    lines: list[str] = []
    goes_on = False
    for line in text.splitlines():
        is_quoted = line.startswith(">")
        line = line.removeprefix(" ")  # stuffed, so that it looks like nothing else
        is_text = not is_quoted and line != "-- "
        if goes_on and is_text:
            lines[-1] += line
        else:
            lines.append(line)
        goes_on = is_text and line.endswith(" ")
        if goes_on and deletes:
            lines[-1] = lines[-1][:-1]
    return "".join(f"{line}\n" for line in lines)
