"""The headers of a mail and its parts, found with bounded work.

The library's parser reads a whole mail, and its cost grows with the number of lines
times the depth of the parts. So it is given only headers, each block of them of a
bounded size; the parts are found by their boundaries (RFC 2046, 5.1.1).
"""

import re
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesHeaderParser
from typing import Any, NamedTuple

MOST_HEAD = 100_000  # bytes of a mail's headers: mail systems allow about as many
MOST_LINES = 2_000  # of a mail's headers, counting folded ones
_MOST_PART_HEAD = 10_000  # bytes of a part's headers
_MOST_PART_LINES = 100
MOST_FIELD = 2_000  # characters of a header that is parsed
MOST_PARTS = 100  # that are looked at
MOST_DEPTH = 10  # of parts within parts
_MOST_FINDS = 1_000  # places that look like a boundary, in each multipart

_END_OF_HEAD = re.compile(rb"\n\r?\n")
_EMPTY_HEAD = re.compile(rb"\r?\n")
_RETURN = ord("\r")
_KIND = re.compile(r"([^\s/,]+)\s*/\s*([^\s/,]+)")
_PARSER = BytesHeaderParser()


class Part(NamedTuple):
    """A mail, or a part of it: its headers, and where its content begins and ends."""

    headers: Message
    start: int
    end: int

    @property
    def kind(self) -> str:
        """Its type, such as `text/plain`, for which a missing one counts, and one that
        makes no sense. Some programs forget the semicolon after it."""
        found = _KIND.match(self.headers.get_content_type())
        return "/".join(found.groups()) if found else "text/plain"

    @property
    def is_attached(self) -> bool:
        return self.headers.get_content_disposition() == "attachment"


def whole(raw: bytes) -> Part:
    """The mail in these bytes, with only its headers parsed. Raises ValueError if they
    are too large."""
    return _part(raw, 0, len(raw), MOST_HEAD, MOST_LINES)


def leaves(raw: bytes, mail: Part) -> Iterator[Part]:
    """The parts of a mail that have no parts, in order, but for attachments and what is
    in them. Raises ValueError when finding the next one would cost too much."""
    return _Walk(raw).leaves(mail, 0)


def field(headers: Message, name: str) -> str:
    """The first header of this name, as it came, to be parsed. Raises ValueError if it
    is too long for that."""
    value = str(headers.get(name, ""))
    if len(value) > MOST_FIELD:
        raise ValueError(f"its {name} is too long")
    return value


def content(raw: bytes, part: Part, most: int) -> bytes:
    """The content of a part without its transfer encoding, or what its first `most`
    bytes come to."""
    encoded = raw[part.start : min(part.end, part.start + most)]
    part.headers.set_payload(encoded.decode("ascii", "surrogateescape"))
    payload = part.headers.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload


def _part(raw: bytes, start: int, end: int, most: int, most_lines: int) -> Part:
    """The part in these bytes. Its headers may have so many bytes and lines."""
    head, content = _head(raw, start, end, most)
    if head.count(b"\n") > most_lines:
        raise ValueError("it has too many header lines")
    headers = _PARSER.parsebytes(head)
    rest: Any = headers.get_payload()
    if rest:  # no blank line ends the headers: the content begins where they break off
        content = start + len(head) - len(rest.encode("ascii", "surrogateescape"))
    field(headers, "content-type")
    field(headers, "content-disposition")
    return Part(headers, content, end)


def _head(raw: bytes, start: int, end: int, most: int) -> tuple[bytes, int]:
    """The bytes of a part's headers, and where its content begins."""
    if empty := _EMPTY_HEAD.match(raw, start, end):
        return b"", empty.end()
    reach = min(end, start + most)
    found = _END_OF_HEAD.search(raw, start, reach)
    if found:
        return raw[start : found.start() + 1], found.end()
    if reach < end:
        raise ValueError("its headers are too long")
    return raw[start:end], end


class _Walk:
    """A walk through the parts of a mail, which ends when there are too many."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._left = MOST_PARTS

    def leaves(self, part: Part, depth: int) -> Iterator[Part]:
        """The parts that are not multiparts, in order, except attachments. Raises
        ValueError if there are too many, or they are nested too deeply."""
        if part.is_attached:
            return
        if not part.kind.startswith("multipart/"):
            yield part
            return
        if depth == MOST_DEPTH:
            raise ValueError("its parts are nested too deeply")
        for start, end in _sections(self._raw, part):
            inner = self._next(start, end)
            if part.kind == "multipart/digest":
                inner.headers.set_default_type("message/rfc822")
            yield from self.leaves(inner, depth + 1)

    def _next(self, start: int, end: int) -> Part:
        if self._left == 0:
            raise ValueError("it has too many parts")
        self._left -= 1
        return _part(self._raw, start, end, _MOST_PART_HEAD, _MOST_PART_LINES)


def _sections(raw: bytes, part: Part) -> Iterator[tuple[int, int]]:
    """Where the parts of a multipart begin and end."""
    boundary = part.headers.get_boundary()
    if not boundary:
        return
    delimiter = b"\n--" + boundary.encode("ascii", "surrogateescape")
    begun = -1
    at = part.start - 1  # the newline before the content
    for _ in range(_MOST_FINDS):
        found = raw.find(delimiter, max(at, 0), part.end)
        if found < 0:
            break
        at = found + len(delimiter)
        last = raw.find(b"\n", at, part.end)
        last = part.end if last < 0 else last
        rest = raw[at : min(last, at + MOST_FIELD)].rstrip(b" \t\r")
        if rest not in (b"", b"--"):
            continue  # another boundary that begins like this one
        if begun >= 0:
            yield begun, max(begun, found - (raw[found - 1] == _RETURN))
        if rest:
            return
        begun = min(last + 1, part.end)
        at = last
    else:
        raise ValueError("it has too many boundaries")
    if begun >= 0:
        yield begun, part.end
