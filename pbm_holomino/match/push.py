"""Browsers that are told of their player's turn by web push (RFC 8030)."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from pbm_holomino.match.session import Sessions, running
from pbm_holomino.named_tuples import NamedTuple

# The services of browsers: nothing is sent to any other host.
_HOSTS = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "web.push.apple.com",
)
_DOMAINS = (".notify.windows.com", ".push.apple.com", ".push.services.mozilla.com")
_MOST = 1000  # characters of an endpoint
_KEY, _AUTH = r"[\w-]{87}", r"[\w-]{22}"  # 65 and 16 bytes, in base64url


class Subscription(NamedTuple):
    """Where a browser is told: the hash of the session that it has, the endpoint that
    its service gave it, and the key and the secret by which only it can read."""

    session: str
    endpoint: str
    key: str
    auth: str

    def __str__(self) -> str:
        return " ".join(self)


Subscriptions = tuple[Subscription, ...]  # of one player, the oldest first


def is_right(endpoint: str, key: str, auth: str) -> bool:
    """Whether a browser can be told there: at a known service, by TLS."""
    try:
        url = urlsplit(endpoint)
        host = url.hostname or ""
    except ValueError:
        return False
    is_known = host in _HOSTS or host.endswith(_DOMAINS)
    is_theirs = url.scheme == "https" and url.netloc == host and is_known
    is_plain = bool(re.fullmatch(rf"(?a)[!-~]{{1,{_MOST}}}", endpoint))
    has_keys = bool(re.fullmatch(rf"(?a){_KEY} {_AUTH}", f"{key} {auth}"))
    return is_theirs and is_plain and not url.fragment and has_keys


def parse_subscriptions(texts: Iterable[str]) -> Subscriptions:
    """The subscriptions that a file has. Raises TypeError or ValueError."""
    found = tuple(Subscription(*text.split(" ")) for text in texts)
    if not all(is_right(*one[1:]) for one in found):
        raise ValueError("a subscription is malformed")
    return found


def live(had: Subscriptions, sessions: Sessions, now: str) -> Subscriptions:
    """Those whose sessions have not ended: whoever is signed out is told nothing."""
    digests = {each.digest for each in running(sessions, now) if not each.letter}
    return tuple(one for one in had if one.session in digests)


def without(had: Subscriptions, gone: Subscription) -> Subscriptions:
    """The subscriptions without those of the same session or endpoint."""
    return tuple(
        one
        for one in had
        if one.session != gone.session and one.endpoint != gone.endpoint
    )
