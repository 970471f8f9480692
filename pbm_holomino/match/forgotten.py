"""The word that is mailed to a player who has forgotten their password.

It follows from the server's key, the account with its present hash, and the hour. So
nothing has to be kept, the word is the same for an hour, and a new password ends it.
"""

import base64
import hmac
import re
from datetime import timedelta

from pbm_holomino.match.account import Player
from pbm_holomino.match.times import format_time, parse_time

_BYTES = 10  # 80 bits: 16 letters of base32
_HOUR = len("2026-11-20T08")


def word(key: bytes, player: Player, now: str) -> str:
    """The word for this player in the hour of a time: `~` and 16 letters."""
    about = "\n".join(("forgot", player.userid, player.password, now[:_HOUR]))
    code = hmac.digest(key, about.encode(), "sha256")[:_BYTES]
    return f"~{base64.b32encode(code).decode().lower()}"


def is_word(text: str) -> bool:
    """Whether a text has the form of such a word."""
    return bool(re.fullmatch("~[a-z2-7]{16}", text))


def fits(text: str, key: bytes, player: Player, now: str) -> bool:
    """Whether a text is the word of this hour or of the one before: each is good for at
    least an hour after it was mailed."""
    before = format_time(parse_time(now) - timedelta(hours=1))
    words = [word(key, player, time) for time in (now, before)]
    return any(hmac.compare_digest(text.encode(), each.encode()) for each in words)
