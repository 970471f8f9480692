"""The headers of a mail and its parts, found with bounded work.

The library's parser reads a whole mail, its cost grows with the number of lines times
the depth of the parts, and it is slow to load. So it gets only what few mails have:
base64, and parameters in pieces. Headers are read here, in blocks of a bounded size, as
the library reads them; parts are found by their boundaries (RFC 2046, 5.1.1).
"""

import re
from binascii import a2b_qp
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from pbm_holomino.named_tuples import NamedTuple

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
_HEADER = re.compile(rb"From |[!-9;-~]*:|[\t ]")  # how a line of headers begins
_RETURN = ord("\r")
_KIND = re.compile(r"([^\s/,]+)\s*/\s*([^\s/,]+)")
ENVELOPE = "from "  # among the headers: the line before them that mailboxes have

# As they came, by their names in lower case; bytes beyond ASCII are surrogates
Headers = Mapping[str, Sequence[str]]


class Part(NamedTuple):
    """A mail, or a part of it: its headers, where its content begins and ends, and what
    it is if it does not say so."""

    headers: Headers
    start: int
    end: int
    usual: str = "text/plain"

    def field(self, name: str, missing: str = "") -> str:
        """The first header of this name, with only ASCII characters."""
        first, *_ = self.headers.get(name, (missing,))
        return first.encode("ascii", "surrogateescape").decode("ascii", "replace")

    def to_parse(self, name: str) -> str:
        """The same. Raises ValueError if it is too long to be parsed."""
        value = self.field(name)
        if len(value) > MOST_FIELD:
            raise ValueError(f"its {name} is too long")
        return value

    @property
    def kind(self) -> str:
        """Its type, such as `text/plain`, for which one counts that makes no sense.
        Some programs forget the semicolon after it."""
        said = self.field("content-type", self.usual).partition(";")[0].strip().lower()
        found = _KIND.match(said) if said.count("/") == 1 else None
        return "/".join(found.groups()) if found else "text/plain"

    @property
    def is_attached(self) -> bool:
        said = self.field("content-disposition").partition(";")[0]
        return said.strip().lower() == "attachment"

    @property
    def parameters(self) -> Mapping[str, str]:
        """Those of its Content-Type, by their names in lower case; of two with one name
        the first counts."""
        said = self.field("content-type")
        if "*" in said:  # in pieces, or with a charset of their own (RFC 2231)
            return _parameters(said)
        named = (piece.partition("=") for piece in _between_semicolons(said))
        found = [(name.strip().lower(), value.strip()) for name, _, value in named]
        return {name: _unquoted(value) for name, value in reversed(found)}


def whole(raw: bytes) -> Part:
    """The mail in these bytes, with only its headers parsed. Raises ValueError if they
    are too large."""
    return _part(raw, 0, len(raw), MOST_HEAD, MOST_LINES)


def leaves(raw: bytes, mail: Part) -> Iterator[Part]:
    """The parts of a mail that have no parts, in order, but for attachments and what is
    in them. Raises ValueError when finding the next one would cost too much."""
    return _Walk(raw).leaves(mail, 0)


def content(raw: bytes, part: Part, most: int) -> bytes:
    """The content of a part without its transfer encoding, or what its first `most`
    bytes come to."""
    encoded = raw[part.start : min(part.end, part.start + most)]
    encoding = part.field("content-transfer-encoding").lower()
    if encoding == "quoted-printable":
        return a2b_qp(encoded)
    if encoding not in _CODED:
        return encoded
    from email.message import Message  # slow to load

    coded = Message()
    coded["Content-Transfer-Encoding"] = encoding
    coded.set_payload(encoded.decode("ascii", "surrogateescape"))
    payload = coded.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload


_CODED = ("base64", "x-uuencode", "uuencode", "uue", "x-uue")


def _parameters(content_type: str) -> Mapping[str, str]:
    """The parameters of a Content-Type. We only need ASCII ones: of a value with a
    charset of its own, only the value is taken."""
    from email.message import Message  # slow to load

    part = Message()
    part["Content-Type"] = content_type
    found: Any = part.get_params()
    return {
        name.lower(): value if isinstance(value, str) else value[2]
        for name, value in reversed(found)
    }


def _between_semicolons(text: str) -> Iterator[str]:
    """The pieces of a header, which may have semicolons between quotation marks."""
    piece = ""
    for more in text.split(";"):
        piece += more
        if (piece.count('"') - piece.count('\\"')) % 2:
            piece += ";"
        else:
            yield piece
            piece = ""
    if piece:  # a quotation that does not end
        yield piece.removesuffix(";")


def _unquoted(value: str) -> str:
    """A value without its quotation marks, or angle brackets."""
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace(r"\\", "\\").replace(r"\"", '"')
    return value[1:-1] if value[:1] + value[-1:] == "<>" else value


def _part(raw: bytes, start: int, end: int, most: int, most_lines: int) -> Part:
    """The part in these bytes. Its headers may have so many bytes and lines."""
    head, content = _head(raw, start, end, most)
    if head.count(b"\n") > most_lines:
        raise ValueError("it has too many header lines")
    lines = [*takewhile(_HEADER.match, head.splitlines(keepends=True))]
    if lines[1:] and lines[-1].startswith(b"From "):
        lines.pop()  # it is the first of the content
    rest = head[sum(map(len, lines)) :].removeprefix(b"\r").removeprefix(b"\n")
    if rest:  # no blank line ends the headers: the content begins where they break off
        content = start + len(head) - len(rest)
    part = Part(_headers(lines), content, end)
    part.to_parse("content-type")
    part.to_parse("content-disposition")
    return part


def _headers(lines: Sequence[bytes]) -> Headers:
    """The headers on these lines. Lines without a name are passed over, with those that
    continue them."""
    headers: dict[str, list[list[str]]] = {}
    pieces: list[str] = []
    for number, line in enumerate(lines):
        text = line.decode("ascii", "surrogateescape")
        if text[0] in " \t":
            pieces.append(text)
            continue
        name, _, value = text.partition(":")
        pieces = [value.lstrip(" \t")]
        if text.startswith("From "):  # it is not a header: nothing continues it
            if not number:
                headers[ENVELOPE] = [[text.removeprefix("From ")]]
        elif name:
            headers.setdefault(name.lower(), []).append(pieces)
    joined = {name: map("".join, values) for name, values in headers.items()}
    return {name: [value.rstrip("\r\n") for value in joined[name]] for name in joined}


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
                inner = inner._replace(usual="message/rfc822")
            yield from self.leaves(inner, depth + 1)

    def _next(self, start: int, end: int) -> Part:
        if self._left == 0:
            raise ValueError("it has too many parts")
        self._left -= 1
        return _part(self._raw, start, end, _MOST_PART_HEAD, _MOST_PART_LINES)


def _sections(raw: bytes, part: Part) -> Iterator[tuple[int, int]]:
    """Where the parts of a multipart begin and end."""
    boundary = part.parameters.get("boundary", "").rstrip()
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


# Charsets: Python has codecs that are not charsets, and some take minutes (punycode) or
# import modules by any name; so only those listed here are used.

_UTF = "utf-8 utf-7 utf-16 utf-16be utf-16le utf-32 utf-32be utf-32le"
_ISO = "ascii " + " ".join(f"iso-8859-{n}" for n in range(1, 17) if n != 12)
_WINDOWS = "cp437 cp850 cp852 cp866 cp874 cp932 cp949 cp950 " + " ".join(
    f"cp{n}" for n in range(1250, 1259)
)
_ASIAN = (
    "big5 big5hkscs gb2312 gbk gb18030 hz euc-jp euc-kr johab shift_jis iso-2022-jp "
    "iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-3 iso-2022-jp-ext iso-2022-kr tis-620"
)
_OTHERS = "koi8-r koi8-u mac-roman mac-cyrillic mac-greek mac-latin2 mac-turkish"
# Other names that mail programs use.
_ALIASES = {
    "us-ascii": "ascii",
    "ansi_x3.4-1968": "ascii",
    "utf": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
    "unicode-1-1-utf-8": "utf-8",
    "latin1": "iso-8859-1",
    "latin-1": "iso-8859-1",
    "latin-9": "iso-8859-15",
    "iso-8859-6-i": "iso-8859-6",
    "iso-8859-8-i": "iso-8859-8",
    "ks_c_5601-1987": "cp949",
    "korean": "cp949",
    "x-euc-jp": "euc-jp",
    "x-euc-kr": "euc-kr",
    "x-gbk": "gbk",
    "x-sjis": "shift_jis",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
    **{f"windows-{n}": f"cp{n}" for n in (874, 932, 949, 950, *range(1250, 1259))},
    **{f"ibm{n}": f"cp{n}" for n in (437, 850, 852, 866)},
}


def _squeezed(name: str) -> str:
    """A charset's name without case, hyphens and underscores."""
    return name.lower().replace("-", "").replace("_", "")


_KNOWN = {
    _squeezed(name): name
    for name in " ".join((_UTF, _ISO, _WINDOWS, _ASIAN, _OTHERS)).split()
} | {_squeezed(alias): name for alias, name in _ALIASES.items()}


def decoded(text: bytes, charset: str) -> str:
    """The characters of these bytes, whatever is wrong with them. An unknown charset is
    taken for Latin-1."""
    known = _KNOWN.get(_squeezed(charset[:40].strip()), "iso-8859-1")
    try:
        return text.decode(known, "replace")
    except ValueError:  # some codecs refuse what they cannot replace
        return text.decode("iso-8859-1")
