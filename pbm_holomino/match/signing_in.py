"""The word in a link by which a player signs in without a password, and the one by
which the owner sees a page.

The player's follows from the server's key, the account with its present hash and
sessions, and the minute. So nothing has to be kept: a session that begins by it ends
it, as does a new password.
"""

from collections.abc import Iterator

from pbm_holomino.match.account import Player
from pbm_holomino.match.times import later
from pbm_holomino.match.tokens import is_same, token

MINUTES = 60  # for which a player's word is good
OWNERS_MINUTES = 15  # for which the owner's is
_MINUTE = len("2026-11-20T08:00")


def word(key: bytes, player: Player, now: str) -> str:
    """The word for this player in the minute of a time: 16 characters."""
    sessions = map(str, player.sessions)
    words = ("signin", player.userid, player.password, now[:_MINUTE], *sessions)
    return token(key, words)


def fits(text: str, key: bytes, player: Player, now: str) -> bool:
    """Whether a text is the word of this minute, or of one of the sixty before."""
    return any(is_same(word(key, player, time), text) for time in _until(now, MINUTES))


def owners_word(key: bytes, now: str) -> str:
    """The word for the owner in the minute of a time: 16 characters."""
    return token(key, ("owner", now[:_MINUTE]))


def is_owners(text: str, key: bytes, now: str) -> bool:
    """Whether a text is the owner's word of this minute, or of one of the fifteen
    before."""
    times = _until(now, OWNERS_MINUTES)
    return any(is_same(owners_word(key, time), text) for time in times)


def _until(now: str, minutes: int) -> Iterator[str]:
    """A time, and those so many minutes before."""
    return (later(now, seconds=-60 * ago) for ago in range(minutes + 1))
