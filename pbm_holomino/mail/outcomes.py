"""A mail on its way out, and what happens to each copy of it."""

import re
from collections.abc import Mapping

from pbm_holomino.named_tuples import NamedTuple

_LONGEST_COMPLAINT = 200  # characters of another program's words for the owner


class Parcel(NamedTuple):
    """A mail and the addresses that it goes to; `name` is its filename, without a
    suffix, if it becomes a file; `mark` goes into the address for what comes back."""

    name: str
    mail: bytes
    to: tuple[str, ...]
    mark: str = ""

    @property
    def is_bulk(self) -> bool:
        """Whether it is a letter that one can unsubscribe from, which nobody needs to
        play."""
        head, _, _ = self.mail.partition(b"\n\n")
        return b"\nList-Unsubscribe:" in head


class Outcome(NamedTuple):
    """What happened to the copy for one address: it has gone, or `why` not; then it can
    be tried again, unless it was refused for good. It has `bounced` if that was because
    of the address, and not because its mailbox is full."""

    why: str = ""
    for_good: bool = False
    bounced: bool = False


GONE = Outcome()
Outcomes = Mapping[str, Outcome]  # by the address


def has_code(said: str, kinds: str = "45") -> bool:
    """Whether a text has a reply code of SMTP, or an enhanced status code (RFC 3463),
    that begins with one of these digits: 4 for now, 5 for good."""
    after = r"(?:\d\d[ -]|\.\d{1,3}\.\d{1,3}(?![\d.]))"
    return re.search(rf"(?a)(?<![\d.])[{kinds}]{after}", said) is not None


def is_full(said: str) -> bool:
    """Whether a status or an answer says that a mailbox is full (RFC 3463)."""
    return bool(re.search(r"(?<![\d.])5\.2\.2(?![\d.])", said))


def in_brackets(said: bytes | str) -> str:
    """The last line of another program's words, in brackets for the owner."""
    text = said if isinstance(said, str) else said.decode("utf-8", "replace")
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return f" ({lines[-1][:_LONGEST_COMPLAINT]})" if lines else ""
