"""Browsers in which a player is signed in. The account keeps a hash of each secret."""

import hashlib
import re
from collections.abc import Collection

from pbm_holomino.match.record import NOBODY
from pbm_holomino.match.times import later
from pbm_holomino.named_tuples import NamedTuple

MOST = 20  # sessions of an account, and as many by letters: a new one ends the oldest
MOST_BY_LETTER = 3  # sessions by the link of one letter
DAYS = 30  # until a session ends
_DIGEST = r"[0-9a-f]{64}"
_LETTER = r"[a-z]+\.[1-9][0-9]{0,8}\.[0-9]{1,6}"


class Session(NamedTuple):
    """A session: the SHA-256 of its secret, when it ends, and the letter by whose link
    it began, as `holo.12.7` for line 7 of that board's log. Such a session is good for
    one turn on that board; one without a letter is good for the whole account. One that
    was ended stays until the next begins, so that an account never again has the
    sessions that it had before one began."""

    digest: str
    until: str
    letter: str = ""

    @property
    def since(self) -> str:
        """When it began, unless it was ended before its time."""
        return later(self.until, -DAYS)

    def __str__(self) -> str:
        return f"{self.digest} {self.until} {self.letter or NOBODY}"


Sessions = tuple[Session, ...]  # of one player, the oldest first


def parse_session(text: str) -> Session:
    """The session that a file has. Raises ValueError."""
    digest, until, letter = text.split(" ")
    if not re.fullmatch(_DIGEST, digest):
        raise ValueError("a session has no hash")
    if letter != NOBODY and not re.fullmatch(_LETTER, letter):
        raise ValueError("a session is for no letter")
    later(until, 0)  # raises ValueError if it is not a time
    return Session(digest, until, "" if letter == NOBODY else letter)


def digest(secret: str) -> str:
    """The hash of a session's secret, which is random and needs no salt."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def begun(sessions: Sessions, secret: str, now: str, letter: str = "") -> Sessions:
    """The sessions after one more begins: those that have not ended. One by a letter
    ends no other kind, so whoever has a link cannot sign its reader out."""
    all_now = (
        *running(sessions, now),
        Session(digest(secret), later(now, DAYS), letter),
    )
    alike = [each for each in all_now if bool(each.letter) == bool(letter)]
    gone = alike[:-MOST]
    if letter:
        gone += [each for each in alike if each.letter == letter][:-MOST_BY_LETTER]
    return tuple(each for each in all_now if each not in gone)


def running(sessions: Sessions, now: str) -> Sessions:
    """The sessions that have not ended."""
    return tuple(each for each in sessions if each.until > now)


def found(sessions: Sessions, secret: str, now: str) -> Session | None:
    """The session with this secret, if it has not ended."""
    hashed = digest(secret)
    return next((s for s in running(sessions, now) if s.digest == hashed), None)


def ended(sessions: Sessions, digests: Collection[str], now: str) -> Sessions:
    """The sessions after those with these hashes have been ended."""
    return tuple(
        each._replace(until=min(each.until, now)) if each.digest in digests else each
        for each in sessions
    )
