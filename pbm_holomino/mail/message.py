"""A letter as a mail: its headers (RFC 5322), and what it says as MIME entities.

An entity is its headers, a blank line and its content (RFC 2045). They are written by
hand, as the library's own writer is slow to load.
"""

import re
import time
from base64 import encodebytes
from binascii import b2a_base64, b2a_qp
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from pbm_holomino.errors import NotAllowed
from pbm_holomino.letters.content import Paragraph, Picture, in_words, with_page
from pbm_holomino.letters.letter import Attachment, Letter
from pbm_holomino.mail import reply_tokens
from pbm_holomino.store.config import Config

if TYPE_CHECKING:
    from pbm_holomino.letters.html import Shown

_LONGEST_LINE = 998  # that a mail may have
_ATOMS = r"(?a)[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+"  # RFC 5322: what needs no quotes
_MOST_ENCODED = 45  # bytes in a word of at most 75 characters (RFC 2047)
_MOST_IN_SUBJECT = 39  # where "Subject: " is on the same line, of 76 characters


def message(letter: Letter, config: Config) -> bytes:
    """The letter as a mail, marked so that no program answers it."""
    letter = _with_page(letter, config)
    headers = {
        "From": mailbox(config.name, config.address),
        "Reply-To": _reply_to(letter, config),
        "To": ",\n ".join(letter.to),
        "Subject": subject(letter.subject),
        "Date": time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime()),
        "Message-ID": _message_id(letter.name, config),
        "In-Reply-To": letter.answers,
        "References": _references(letter, config),
        "Auto-Submitted": "auto-replied" if letter.replied else "auto-generated",
        "X-Loop": config.address,
        **_unsubscribe(letter, config),
        "MIME-Version": "1.0",
    }
    head = "".join(f"{name}: {value}\n" for name, value in headers.items() if value)
    return head.encode() + _said(letter, config)


def _with_page(letter: Letter, config: Config) -> Letter:
    """The letter with the link to its page, if it has one."""
    if not (letter.page and config.web):
        return letter
    address = f"{config.web.rstrip('/')}/{letter.page}"
    said = with_page(letter.content, address, letter.language)
    return letter._replace(content=said)


def _reply_to(letter: Letter, config: Config) -> str:
    """Where replies go, if not to the From."""
    address = reply_tokens.address(letter.id, config)
    return mailbox(config.name, address) if address else ""


def _references(letter: Letter, config: Config) -> str:
    """The letters that a letter follows, and the mail that it answers."""
    names = [reply_tokens.without_token(name, config) for name in letter.references]
    ours = [_message_id(name, config) for name in names]
    return "\n ".join([*ours, letter.answers] if letter.answers else ours)


def _unsubscribe(letter: Letter, config: Config) -> dict[str, str]:
    """The headers with the links that end letters of this kind: by a mail (RFC 2369),
    and where there are pages, by one request that a mail program makes (RFC 8058)."""
    if not letter.unsubscribe:
        return {}
    from pbm_holomino.letters.html import Links  # few letters need it

    by_mail = f"<{Links(config.address).to(letter.unsubscribe)}>"
    if not (config.web.startswith("https://") and letter.unsubscribe_page):
        return {"List-Unsubscribe": by_mail}
    page = f"<{config.web.rstrip('/')}/{letter.unsubscribe_page}>"
    return {
        "List-Unsubscribe": f"{page},\n {by_mail}",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _message_id(name: str, config: Config) -> str:
    return f"<{name}@{config.domain}>"


# What it says


def _said(letter: Letter, config: Config) -> bytes:
    """What a letter says, as a MIME entity: as text, and for most readers as HTML."""
    line = reply_tokens.line(letter.id, config)
    if line is not None:
        said_last = (Paragraph(in_words(line, letter.language), fine=True),)
        letter = letter._replace(content=(*letter.content, said_last))
    whole = _text(letter.text)
    if letter.form in ("html", "picture"):
        whole = multipart("alternative", [whole, _page(letter, config)], letter.name)
    files = [file(attachment) for attachment in letter.attachments]
    return multipart("mixed", [whole, *files], letter.name) if files else whole


def _page(letter: Letter, config: Config) -> bytes:
    """A letter as a page of HTML, with pictures if its reader wants them and the
    library that draws them is installed."""
    if letter.form == "picture":
        with suppress(NotAllowed):
            return _with_pictures(letter, config)
    return _html(letter, config)


def _html(letter: Letter, config: Config, *images: "Shown") -> bytes:
    from pbm_holomino.letters.html import Links, html  # who wants text does not wait

    links = Links(config.address, letter.token)
    said = html(letter.content, links, images, letter.language)
    return _text(said, "text/html")


def _with_pictures(letter: Letter, config: Config) -> bytes:
    """The letter with a PNG of each board. Raises NotAllowed without the library."""
    blocks = [block for part in letter.content for block in part]
    pictures = [block for block in blocks if isinstance(block, Picture)]
    if not pictures:
        return _html(letter, config)
    # not all letters have one
    from pbm_holomino.letters.html import Shown
    from pbm_holomino.letters.images import Image

    boards = [Image(picture.drawn.drawing, "", "") for picture in pictures]
    names = [
        f"{number}.{letter.name}@{config.domain}"
        for number in range(1, len(boards) + 1)
    ]
    shown = [
        Shown(f"cid:{name}", *board.size)
        for name, board in zip(names, boards, strict=True)
    ]
    files = [
        _image(board.png(is_compact=True), "image/png", name)
        for name, board in zip(names, boards, strict=True)
    ]
    whole = [_html(letter, config, *shown), *files]
    return multipart('related; type="text/html"', whole, letter.name)  # RFC 2387


# Entities


def _text(words: str, kind: str = "text/plain") -> bytes:
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


def _image(content: bytes, kind: str, name: str) -> bytes:
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


# Words in headers


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
