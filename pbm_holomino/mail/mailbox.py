"""Words in headers, and a mailbox, as a From has it: an address, with a name before
it."""

import re
from binascii import b2a_base64
from collections.abc import Iterator

_ATOMS = r"(?a)[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+"  # RFC 5322: what needs no quotes
_MOST_ENCODED = 45  # bytes in a word of at most 75 characters (RFC 2047)
_MOST_IN_SUBJECT = 39  # where "Subject: " is on the same line, of 76 characters


def mailbox(name: str, address: str) -> str:
    """The address, after the name if there is one."""
    return f"{_phrase(name)} <{address}>" if name else address


def _phrase(name: str) -> str:
    """A name as a header has it: as it is, quoted (RFC 5322) or encoded."""
    if _is_encoded(name):
        return encoded(name)
    if re.fullmatch(_ATOMS, name):
        return name
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def subject(words: str) -> str:
    """A Subject as a header has it."""
    return encoded(words, _MOST_IN_SUBJECT) if _is_encoded(words) else words


def _is_encoded(words: str) -> bool:
    return not words.isascii() or "=?" in words


def encoded(words: str, most: int = _MOST_ENCODED) -> str:
    """Words in a header, with at most so many bytes to a line (RFC 2047)."""
    return "\n ".join(map(_encoded, _pieces(words, most)))


def _pieces(words: str, most: int) -> Iterator[str]:
    """Words in pieces that fit into an encoded word each."""
    piece = ""
    for letter in words:
        if len((piece + letter).encode()) > most:
            yield piece
            piece = ""
        piece += letter
    yield piece


def _encoded(piece: str) -> str:
    code = b2a_base64(piece.encode(), newline=False).decode()
    return f"=?utf-8?b?{code}?="
