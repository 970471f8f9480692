"""What the receiving mail server found out about a mail (RFC 8601), and whether its
filter takes it for spam."""

import re
from collections.abc import Callable, Iterable

_COMMENT = r"\([^()]*\)"
_MOST_FIELD = 5_000  # characters of a field that are read
_SPAM = ("x-spam-flag", "x-spam-status", "x-spam")  # of SpamAssassin, rspamd and others


Fields = Callable[[str], Iterable[str]]  # those of a mail that have this name


def is_forged(fields: Fields, trusted: str) -> bool:
    """Whether a server that the owner trusts, by its name in Authentication-Results,
    found that a mail does not come from where it says: its DMARC check failed. Fields
    of other servers count for nothing, as anybody can write them."""
    results = fields("authentication-results")
    return any(_fails(field, trusted.lower()) for field in results)


def is_spam(fields: Fields, trusted: str) -> bool:
    """Whether the filter of that server takes a mail for spam. It says so in a field
    that begins with yes. Such fields name no server, so they count only in a mail that
    it has looked at."""
    results = fields("authentication-results")
    if not any(_is_by(field, trusted.lower()) for field in results):
        return False
    said = (field for name in _SPAM for field in fields(name))
    return any(re.match(r"(?i)\s*yes\b", field) for field in said)


def _is_by(field: str, trusted: str) -> bool:
    return _parts(field)[0].split()[:1] == [trusted]


def _parts(field: str) -> list[str]:
    """The server, and what it found by each method."""
    return re.sub(_COMMENT, " ", field[:_MOST_FIELD]).lower().split(";")


def _fails(field: str, trusted: str) -> bool:
    if not _is_by(field, trusted):
        return False
    _, *methods = _parts(field)
    found = (re.match(r"\s*dmarc\s*=\s*([a-z]+)", method) for method in methods)
    return any(result and result[1] == "fail" for result in found)
