"""The word that is mailed to a player who has forgotten their password.

It follows from the server's key, the account with its present hash, and the hour. So
nothing has to be kept, the word is the same for an hour, and a new password ends it.
"""

from pbm_holomino.match.account import Player
from pbm_holomino.match.times import later
from pbm_holomino.match.tokens import is_same, token

_HOUR = len("2026-11-20T08")


def word(key: bytes, player: Player, now: str) -> str:
    """The word for this player in the hour of a time, which has the form of a token in
    the password's place: `~` and 16 characters."""
    words = ("forgot", player.userid, player.password, now[:_HOUR])
    return f"~{token(key, words)}"


def fits(text: str, key: bytes, player: Player, now: str) -> bool:
    """Whether a text is the word of this hour or of the one before: each is good for at
    least an hour after it was mailed."""
    before = later(now, seconds=-3_600)
    return any(is_same(word(key, player, time), text) for time in (now, before))
