"""Where players are told of their turns besides letters: by a request to an address of
their own, in the form that the service there understands."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from pbm_holomino.languages import Either, sentence
from pbm_holomino.named_tuples import NamedTuple

FORMS = ("ntfy", "gotify", "discord", "slack", "json")
OFF, DAILY = "off", "daily"
ANY_PUBLIC = "*"  # the hosts that may be called where the owner names none
_MOST = 500  # characters of an address
_EACH = "each"  # in files: a request for each turn
_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


NO_PLACE = sentence(
    "After the address please write what is understood there, {forms}, and then "
    '"daily" if you want to be told once a day; or in place of all, "off".',
    forms=Either(FORMS),
)


class Notices(NamedTuple):
    """Where a player is told: an address, which is a secret as whoever knows it can
    write there; what is understood there, one of FORMS; whether once a day; and since
    when nothing has got through, empty if something has."""

    url: str
    form: str
    is_daily: bool = False
    failing: str = ""

    def __str__(self) -> str:
        words = (self.url, self.form, DAILY if self.is_daily else _EACH, self.failing)
        return " ".join(filter(None, words))

    @property
    def host(self) -> str:
        """What may be told of the address."""
        return host_of(self.url)


def parse_notices(text: str) -> Notices:
    """The place that a file names. Raises ValueError."""
    match = re.fullmatch(rf"(?a)(\S+) (\w+) ({DAILY}|{_EACH})(?: ({_TIME}))?", text)
    if match is None or not host_of(match[1]) or match[2] not in FORMS:
        raise ValueError("its notices are malformed")
    return Notices(match[1], match[2], match[3] == DAILY, match[4] or "")


def host_of(url: str) -> str:
    """The host of an address that may be called; empty for what is none."""
    if not re.fullmatch(rf"(?a)https?://[!-~]{{1,{_MOST}}}", url):
        return ""
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        return ""
    is_plain = not ("@" in parts.netloc or parts.fragment) and port != 0
    return host if is_plain and re.fullmatch(r"[a-z0-9.-]+|[0-9a-f:.]+", host) else ""


def is_listed(host: str, hosts: Sequence[str]) -> bool:
    """Whether the owner has named a host: then it may be a private one."""
    return host in hosts


def may_call(url: str, hosts: Sequence[str]) -> bool:
    """Whether the owner allows an address. What is in it is a secret: to a host that
    the owner does not name it goes by TLS."""
    host = host_of(url)
    is_public = ANY_PUBLIC in hosts and url.startswith("https://")
    return bool(host) and (is_listed(host, hosts) or is_public)
