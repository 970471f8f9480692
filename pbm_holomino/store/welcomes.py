"""Which strangers have been welcomed, so that nobody has many letters sent to others.

Of an address nothing is kept but an HMAC under the server's key, with the day of the
last welcome and how many there have been. They are in a few documents of a bounded
size: beyond that those that were welcomed longest ago are forgotten. As there are at
most sixty welcomes in an hour, that takes longer than WAIT_DAYS, whoever asks.
"""

import re

from pbm_holomino.errors import CorruptFile
from pbm_holomino.match.record import Key
from pbm_holomino.match.times import later
from pbm_holomino.match.tokens import token
from pbm_holomino.store import documents
from pbm_holomino.store.contract import WELCOMES, Store

WAIT_DAYS = 30  # from one welcome of an address to the next
MOST_EVER = 3  # of one address
_MOST_LINES = 2_000  # of a document; there is one for each letter of base32
_LINE = r"(?a)([a-z2-7]{16}) (\d{4}-\d\d-\d\d) ([1-9])"


class Welcomed:
    """The welcomes of one address, as it is counted."""

    def __init__(self, store: Store, key: bytes, address: str) -> None:
        self._store = store
        self._sign = token(key, ("welcomed", address))
        self.place = Key(WELCOMES, self._sign[0])  # of the document that has it

    def may_be(self, now: str) -> bool:
        """Whether there may be another one."""
        had = [line for line in self._lines() if line[0] == self._sign]
        is_late = all(day <= later(now, -WAIT_DAYS)[:10] for _, day, _ in had)
        return is_late and all(int(count) < MOST_EVER for _, _, count in had)

    def note(self, now: str) -> bool:
        """Count one more, unless there may be none any more; whether it was counted."""
        with self._store.lock(*self.place):
            if not self.may_be(now):
                return False
            lines = self._lines()
            had = sum(int(count) for sign, _, count in lines if sign == self._sign)
            kept = [line for line in lines if line[0] != self._sign]
            kept.append((self._sign, now[:10], str(had + 1)))
            data = {"welcomed": [" ".join(line) for line in kept[-_MOST_LINES:]]}
            self._store.save(*self.place, data)
            return True

    def _lines(self) -> list[tuple[str, str, str]]:
        """Each address that was welcomed, the last one at the end. A document that is
        damaged is made anew."""
        try:
            data = documents.read(self._store, *self.place)
            lines = data["welcomed"] if data else []
            found = [re.fullmatch(_LINE, line) for line in lines]
        except (CorruptFile, LookupError, TypeError):
            return []
        return [(each[1], each[2], each[3]) for each in found if each]
