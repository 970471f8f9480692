"""What the receiving mail server found out about a mail (RFC 8601)."""

import re
from collections.abc import Iterable

_COMMENT = re.compile(r"\([^()]*\)")
_MOST_FIELD = 5_000  # characters of a field that are read


def is_forged(results: Iterable[str], trusted: str) -> bool:
    """Whether a server that the owner trusts, by its name in these fields
    Authentication-Results, found that a mail does not come from where it says: its
    DMARC check failed. Fields of other servers count for nothing, as anybody can write
    them."""
    return any(_fails(field, trusted.lower()) for field in results)


def _fails(field: str, trusted: str) -> bool:
    server, *methods = _COMMENT.sub(" ", field[:_MOST_FIELD]).lower().split(";")
    if server.split()[:1] != [trusted]:
        return False
    found = (re.match(r"\s*dmarc\s*=\s*([a-z]+)", method) for method in methods)
    return any(result and result[1] == "fail" for result in found)
