"""A mailbox, as a From has it: an address, with a name before it."""

import re
from binascii import b2a_base64
from collections.abc import Iterator

_ATOMS = r"(?a)[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+"  # RFC 5322: what needs no quotes
_MOST_ENCODED = 45  # bytes in a word of at most 75 characters (RFC 2047)


def mailbox(name: str, address: str) -> str:
    """The address, after the name if there is one."""
    return f"{_phrase(name)} <{address}>" if name else address


def _phrase(name: str) -> str:
    """A name as a header has it: as it is, quoted (RFC 5322) or encoded (RFC 2047)."""
    if not name.isascii() or "=?" in name:
        return "\n ".join(map(_encoded, _pieces(name)))
    if re.fullmatch(_ATOMS, name):
        return name
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def _pieces(name: str) -> Iterator[str]:
    """The name in pieces that fit into an encoded word each."""
    piece = ""
    for letter in name:
        if len((piece + letter).encode()) > _MOST_ENCODED:
            yield piece
            piece = ""
        piece += letter
    yield piece


def _encoded(piece: str) -> str:
    code = b2a_base64(piece.encode(), newline=False).decode()
    return f"=?utf-8?b?{code}?="
