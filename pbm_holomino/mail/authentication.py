"""What the receiving mail server found out about a mail (RFC 8601), and whether its
filter takes it for spam."""

import re
from collections.abc import Callable, Iterable, Mapping

from pbm_holomino.named_tuples import NamedTuple

_COMMENT = r"\([^()]*\)"
_RESULT = re.compile(r"\s*([a-z0-9-]+)\s*=\s*([a-z]+)(?=[\s(;]|$)")
_PROPERTY = re.compile(r"([a-z]+\.[a-z0-9-]+)\s*=\s*\"?([^\s;\"()]+)")
_REASON = re.compile(r"\(([^()]*)\)|reason\s*=\s*\"?([^\";]+)")
_MOST_FIELD = 5_000  # characters of a field that are read
_SPAM = ("x-spam-flag", "x-spam-status", "x-spam")  # of SpamAssassin, rspamd and others


class Result(NamedTuple):
    """What a server found by a method, such as `spf`: a word, such as `pass`; why, if
    it said so; and what it looked at, such as `header.d`."""

    method: str
    word: str
    reason: str
    properties: Mapping[str, str]

    def of(self, *names: str) -> str:
        """The first of these properties that is there; empty if none is."""
        return next(filter(None, map(self.properties.get, names)), "") or ""


def results(field: str) -> tuple[str, list[Result]]:
    """The server that has written a field, and what it found, all in lower case."""
    text = re.sub(r"\s+", " ", field[:_MOST_FIELD]).lower()
    (server, *_), found = (*_parts(field)[0].split(), ""), []
    for part in re.split(r";(?![^()]*\))", text)[1:]:
        if result := _RESULT.match(part):
            reason = _REASON.search(part)
            why = next(filter(None, reason.groups()), "") if reason else ""
            seen = dict(_PROPERTY.findall(re.sub(_COMMENT, " ", part)))
            found.append(Result(result[1], result[2], why.strip(), seen))
    return server, found


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
