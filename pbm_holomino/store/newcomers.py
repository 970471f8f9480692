"""Which accounts are new: those that share one place wherever something scarce is dealt
out (see `match.turns`)."""

from collections.abc import Iterable
from contextlib import suppress

from pbm_holomino.errors import CorruptFile
from pbm_holomino.match.times import later
from pbm_holomino.match.turns import NEW_DAYS
from pbm_holomino.store.library import Library


def newcomers(library: Library, userids: Iterable[str], now: str) -> set[str]:
    """Those of these players whose accounts are younger than a week, or who have not
    finished a game by score: not by a resignation, which takes no time. Accounts are
    read only of those who have finished their first game this week."""
    asked, week_ago = {*userids}, later(now, -NEW_DAYS)
    new = asked - library.lists.finished(asked, week_ago)
    played = library.lists.finished(new, now)
    return new - {who for who in played if _is_old(library, who, week_ago)}


def _is_old(library: Library, who: str, time: str) -> bool:
    """Whether an account was there at this time. Of a log that has lost its first lines
    the oldest that is left counts."""
    with suppress(CorruptFile):
        account = library.account(who)
        return account is not None and account.log[0].time <= time
    return False
