"""A mail, from bytes to a sender, the words of a command, and a text.

Hostile mail makes the standard library's parser raise nearly every exception there is;
all become Unreadable here.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import partial

from pbm_holomino import rules
from pbm_holomino.commands import refusals
from pbm_holomino.commands.texts import CUT_OFF, MOST_COMMAND
from pbm_holomino.errors import PbmError
from pbm_holomino.languages import Text
from pbm_holomino.mail import authentication, automatic, mime, reply_tokens
from pbm_holomino.mail.intake import MOST_MAIL
from pbm_holomino.mail.mime import Headers, Part
from pbm_holomino.match.account import Player, is_address
from pbm_holomino.named_tuples import NamedTuple

MOST_TEXT = 1_000_000  # bytes of a mail's text, as it comes
MOST_READ = 100_000  # bytes of it that are read
MOST_LINES = 5_000  # lines of it that are read
MOST_ANSWERED = 50  # Message-IDs of other mails that are kept of a mail
_MOST_ENCODED = 3 * MOST_READ  # quoted-printable may write a byte as three
_MOST_SUBJECT = 4 * MOST_COMMAND  # characters of a Subject that is decoded

_PLAIN, _HTML = "text/plain", "text/html"
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,248}>")
_FOLD = re.compile(r"\r?\n(?=[ \t])")
_CONTROL = r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"

# What a From is made of (RFC 5322, 3.2): a character after a backslash, a quoted
# string, a bracket of a comment, or anything else. Quotes mean nothing in a comment.
_PIECE = re.compile(r'\\.|"(?:\\.|[^"\\])*"?|[()]|[^"()\\]+|\\', re.DOTALL)
_PIECE_OF_COMMENT = re.compile(r"\\.|[()]|[^()\\]+|\\", re.DOTALL)


class Unreadable(PbmError):
    """A message that could not be read."""


class Mail(NamedTuple):
    """What matters of a mail."""

    sender: str
    subject: str
    body: str  # its text, read from HTML if there is no other
    id: str  # the same each time the mail comes
    message_id: str
    problem: Text = ""  # why its Subject cannot be a command, if so
    # The Message-IDs of the mails that it answers, the nearest first, and of letters of
    # ours whose ids it has in another place.
    answered: tuple[str, ...] = ()
    is_forged: bool = False  # a trusted server says that it is not from its sender
    is_spam: bool = False  # that server takes it for spam
    is_to_many: bool = False  # a program for newsletters or lists has sent it
    languages: str = ""  # what its Content-Language says

    def is_from(self, player: Player) -> bool:
        """Whether it came from an address of this player, as far as the mail systems on
        the way know."""
        return not self.is_forged and player.owns(self.sender)


def read(raw: bytes, own_address: str, trusted: str = "") -> Mail | None:
    """The mail in these bytes; None if it must be neither executed nor answered.
    `trusted` is the name of a server whose Authentication-Results count. Raises
    Unreadable."""
    try:
        whole = mime.whole(raw)
        values = partial(_all, whole.headers)
        if automatic.is_automatic(whole, values, own_address):
            return None
        (sender,) = map(_address, values("from"))
        if automatic.is_program(sender, own_address):
            return None
        mail = _mail(raw, whole, sender, own_address)
        if mail is None:
            return None
        mail = mail._replace(is_to_many=automatic.is_to_many(whole.headers))
        if not trusted:
            return mail
        return mail._replace(
            is_forged=authentication.is_forged(values, trusted),
            is_spam=authentication.is_spam(values, trusted),
        )
    except Exception as error:  # whatever the parser raises
        raise Unreadable(f"{type(error).__name__}: {error}") from None


def _mail(raw: bytes, whole: Part, sender: str, own_address: str) -> Mail | None:
    if not is_address(sender):
        raise ValueError("it has no sender to answer")
    headers = whole.headers
    subjects = _all(headers, "subject")
    problem = _problem(raw, subjects)
    subject = "" if problem else subject_of(headers)
    problem = problem or _problem_of_subject(subject)
    parts = [] if problem else _parts(raw, whole)
    if any(map(automatic.is_notice, parts)):
        return None
    body = body_of(raw, parts)
    if _may_be_unattended(subject):
        from pbm_holomino.mail import unattended  # the words of a move are none

        if unattended.is_unattended(subject, body or "", parts):
            return None
    if body is None:
        body, problem = "", refusals.LONG_TEXT
    message_id = " ".join(_all(headers, "message-id")[:1]).strip()
    sign = message_id or "\n".join((sender, *_all(headers, "date"), *subjects, body))
    return Mail(
        sender=sender,
        subject=subject,
        body=body,
        id=hashlib.sha256(sign.encode("utf-8", "replace")).hexdigest()[:16],
        message_id=message_id if _MESSAGE_ID.fullmatch(message_id) else "",
        problem=problem,
        answered=_answered(headers, body, own_address),
        languages=",".join(_all(headers, "content-language"))[: mime.MOST_FIELD],
    )


def _may_be_unattended(subject: str) -> bool:
    """Whether a program may have written this Subject: it names no game first."""
    first = subject.split(maxsplit=1)[:1]
    return not first or first[0].lower() not in rules.names()


def _parts(raw: bytes, whole: Part) -> list[Part]:
    """The parts of a mail, as far as they can be found if there is a text among them.
    Raises ValueError."""
    parts: list[Part] = []
    try:
        parts.extend(mime.leaves(raw, whole))
    except ValueError:
        if not any(part.kind in (_PLAIN, _HTML) for part in parts):
            raise
    return parts


def body_of(raw: bytes, parts: Iterable[Part]) -> str | None:
    """The first plain text that is not blank; without one, the text of the first HTML.
    None if it is too long."""
    plain, html = ([p for p in parts if p.kind == kind] for kind in (_PLAIN, _HTML))
    for part in (*plain, *html[:1]):
        if part.end - part.start > MOST_TEXT:
            return None
        text = _text(raw, part)
        if part.kind == _HTML or (_begins_as_html(text) and not _is_plain(part)):
            from pbm_holomino.mail import markup  # slow to load and rarely needed

            text = markup.text_of(text)
        if text.strip():
            return text
    return ""


def _begins_as_html(text: str) -> bool:
    if not text.lstrip().startswith("<"):
        return False  # most texts, for which no pattern need be compiled
    return re.match(r"(?i)\s*<(?:!doctype|!--|[a-z][a-z0-9]*[\s/>])", text) is not None


def _is_plain(part: Part) -> bool:
    """Whether a part says itself that it is plain text, and not because its
    Content-Type is missing or makes no sense."""
    said = part.field("content-type")
    return re.match(r"(?i)\s*text/plain\s*(?:;|$)", said) is not None


def _answered(headers: Headers, body: str, own_address: str) -> tuple[str, ...]:
    """The Message-IDs that a mail answers: those of In-Reply-To; then those that a
    letter of ours has in another place, in case its Message-ID was changed; then those
    of References from the last to the first (RFC 5322, 3.6.4)."""
    direct = _MESSAGE_ID.findall(" ".join(_all(headers, "in-reply-to")))
    to = (*_all(headers, "to"), *_all(headers, "cc"))
    ours = reply_tokens.brought_back(to, body, own_address)
    thread = _MESSAGE_ID.findall(" ".join(_all(headers, "references")))
    return tuple(dict.fromkeys([*direct, *ours, *reversed(thread)]))[:MOST_ANSWERED]


def subject_of(headers: Headers) -> str:
    """The Subject, decoded. Raises nearly anything."""
    return "".join(map(_decoded, _all(headers, "subject")))


def _problem(raw: bytes, subjects: list[str]) -> Text:
    """Why a mail is not read further, if so."""
    if len(raw) > MOST_MAIL:
        return refusals.LARGE_MAIL.of(most=MOST_MAIL >> 20)
    if len(subjects) > 1:
        return refusals.SUBJECTS
    is_long = any(len(subject) > _MOST_SUBJECT for subject in subjects)
    return refusals.LONG_SUBJECT if is_long else ""


def _problem_of_subject(subject: str) -> Text:
    is_plain = subject.isascii() and subject.isprintable()  # as most are
    if not is_plain and re.search(_CONTROL, subject):
        return refusals.CONTROL
    return refusals.LONG_SUBJECT if len(subject) > MOST_COMMAND else ""


def _all(headers: Headers, name: str) -> list[str]:
    """All headers of this name (in lower case), unfolded."""
    return [*map(_unfolded, headers.get(name, ()))]


def _unfolded(value: str) -> str:
    plain = value if value.isascii() else _unescaped(value)
    return _FOLD.sub("", plain) if "\n" in plain else plain


def _unescaped(value: str) -> str:
    """A header with bytes beyond ASCII, which nobody should send but many do."""
    raw = value.encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "replace")


def _address(sender: str) -> str:
    """The address in a From: for each mailbox that it names, the one in angle brackets
    if it has any. Quoted strings and comments hold no address. Raises ValueError for
    none, or more than one."""
    if len(sender) > mime.MOST_FIELD:
        raise ValueError("its From is too long")
    plain = "".join(_outside(sender))
    addresses: set[str] = {
        address.strip()
        for mailbox in _BETWEEN.split(plain)
        for address in _IN_BRACKETS.findall(mailbox) or _WITH_AT.findall(mailbox)
    }
    if len(addresses) != 1:
        raise ValueError(f"it has {len(addresses)} senders")
    return addresses.pop()


_BETWEEN = re.compile(r"[,;:](?![^<>]*>)")  # mailboxes, and the name of a group
_IN_BRACKETS = re.compile(r"<([^<>]*)>")
_WITH_AT = re.compile(r"[^<>]*@[^<>]*")


def _outside(sender: str) -> Iterator[str]:
    """The pieces of a From that are in no quoted string and no comment."""
    start = depth = 0
    # each character begins a piece of one kind
    while found := (_PIECE_OF_COMMENT if depth else _PIECE).match(sender, start):
        start = found.end()
        piece: str = found[0]
        if piece == "(":
            depth += 1
        elif piece == ")":
            depth = max(0, depth - 1)
        elif not depth and piece[0] not in '"\\':
            yield piece


def _decoded(subject: str) -> str:
    """A Subject with its encoded words decoded."""
    if "=?" not in subject:
        return subject
    from email.header import decode_header  # slow to load

    return "".join(
        part if isinstance(part, str) else mime.decoded(part, charset or "ascii")
        for part, charset in decode_header(subject)
    )


def _text(raw: bytes, part: Part) -> str:
    """The text of a part as it was written, or as much of it as is read."""
    payload = mime.content(raw, part, _MOST_ENCODED)
    parameters = part.parameters
    text = mime.decoded(payload[:MOST_READ], parameters.get("charset", "utf-8"))
    lines = text.splitlines()
    is_cut = (
        part.end - part.start > _MOST_ENCODED
        or len(payload) > MOST_READ
        or len(lines) > MOST_LINES
    )
    lines = lines[:MOST_LINES]
    if parameters.get("format", "").lower() == "flowed":
        text = _unflowed(lines, parameters.get("delsp", "").lower() == "yes")
    elif is_cut:
        text = "\n".join(lines)
    return f"{text}\n{CUT_OFF}\n" if is_cut else text


def _unflowed(lines: Iterable[str], deletes: bool) -> str:
    """The text that came as format=flowed (RFC 3676): a line that ends with a space
    goes on in the next one; the space is removed if the text `deletes` such spaces.
    Otherwise a command on a line of its own could be cut in two. Quoted lines stay."""
    pieces: list[str] = []
    goes_on = False
    for line in lines:
        is_quoted = line.startswith(">")
        line = line.removeprefix(" ")  # put there to mark it as unquoted
        is_text = not is_quoted and line != "-- "
        if pieces and not (goes_on and is_text):
            pieces.append("\n")
        goes_on = is_text and line.endswith(" ")
        pieces.append(line[:-1] if goes_on and deletes else line)
    return "".join([*pieces, "\n"] if pieces else [])
