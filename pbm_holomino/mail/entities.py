"""MIME entities, written by hand: the library's own writer is slow to load.

An entity is its headers, a blank line and its content (RFC 2045).
"""

from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Sequence
from hashlib import sha256

from pbm_holomino.letters.letter import Attachment

_LONGEST_LINE = 998  # that a mail may have


def text(words: str, kind: str = "text/plain") -> bytes:
    """Lines of text, in the plainest way that holds them."""
    lines = [*map(str.rstrip, words.splitlines())]
    plain = "\n".join([*lines, ""])
    # players' own words, and long lines for programs
    if not plain.isascii() or max(map(len, lines), default=0) > _LONGEST_LINE:
        body = b2a_qp(plain.encode("utf-8"), istext=True)
        return _entity(f"{kind}; charset=utf-8", "quoted-printable", body)
    return _entity(f"{kind}; charset=us-ascii", "7bit", plain.encode("ascii"))


def file(attachment: Attachment) -> bytes:
    """A file, to be saved or opened."""
    kind = f"{attachment.kind}; name={attachment.name}"
    return _entity(
        kind,
        "base64",
        encodebytes(attachment.content),
        f"Content-Disposition: attachment; filename={attachment.name}\n",
    )


def image(content: bytes, kind: str, name: str) -> bytes:
    """An image that a page shows by its name, as `cid:` (RFC 2392)."""
    more = f"Content-ID: <{name}>\nContent-Disposition: inline\n"
    return _entity(kind, "base64", encodebytes(content), more)


def multipart(kind: str, parts: Sequence[bytes], name: str) -> bytes:
    """Several entities in one, of a kind such as `mixed`, which may have a parameter.
    Their boundary follows from a name, and is in none of them."""
    kind, *parameters = kind.split(";", 1)
    # `=_` is in no base64 and no quoted-printable text (RFC 2045, 6.7)
    boundary = f"=_{kind}_{sha256(name.encode()).hexdigest()[:24]}"
    pieces = [b"--%b\n%b\n" % (boundary.encode("ascii"), part) for part in parts]
    end = b"--%b--\n" % boundary.encode("ascii")
    more = "".join(f";{parameter}" for parameter in parameters)
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"{more}\n\n'
    return head.encode("ascii") + b"".join(pieces) + end


def _entity(kind: str, encoding: str, content: bytes, more: str = "") -> bytes:
    head = f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n{more}\n"
    return head.encode("ascii") + content
