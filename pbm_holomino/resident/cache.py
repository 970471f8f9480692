"""What a resident server remembers: boards, accounts, and passwords that fitted.

The store is the truth. What is remembered of a document counts only while the store has
it in the very revision that was read or saved.
"""

import os
from collections.abc import Callable, Hashable
from contextlib import suppress
from hmac import digest
from threading import Lock
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from pbm_holomino import rules
from pbm_holomino.errors import PbmError
from pbm_holomino.match.account import Player, fits_password
from pbm_holomino.match.open_challenge import Table
from pbm_holomino.store.contract import Document, Store
from pbm_holomino.store.library import Library, Reader
from pbm_holomino.store.summary import is_number

MOST_BOARDS = 1000  # of which each takes about 0.1 MB
MOST_ACCOUNTS = 1000
MOST_PASSWORDS = 1000
PASSWORD_SECONDS = 600.0

_Thing = TypeVar("_Thing")


class Recent(Generic[_Thing]):
    """The `most` things that were used last, by their keys. Threads may share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: dict[Hashable, _Thing] = {}
        self._lock = Lock()

    def get(self, key: Hashable) -> _Thing | None:
        with self._lock:
            thing = self._things.pop(key, None)
            if thing is not None:
                self._things[key] = thing  # the last of all
            return thing

    def put(self, key: Hashable, thing: _Thing) -> None:
        with self._lock:
            self._things.pop(key, None)
            self._things[key] = thing
            if len(self._things) > self._most:
                del self._things[next(iter(self._things))]

    def __len__(self) -> int:
        return len(self._things)


class _Known(NamedTuple, Generic[_Thing]):
    """What a document held, and in which revision."""

    revision: Hashable
    thing: _Thing


class CachingReader(Reader[_Thing]):
    """Does not read a document again while it is in the revision that was read or
    saved. It remembers the last `most` documents that were asked for."""

    def __init__(self, store: Store, most: int) -> None:
        super().__init__(store)
        self._recent = Recent[_Known[_Thing]](most)

    def get(
        self, folder: str, name: str, read: Callable[[Document | None], _Thing]
    ) -> _Thing:
        known = self._recent.get((folder, name))
        found = self.store.find(folder, name, known.revision if known else None)
        if known is not None and found is not None and found.text is None:
            return known.thing
        thing = read(found)
        if found is not None:
            self.put(folder, name, thing, found.revision)
        return thing

    def known(self, folder: str, name: str) -> Hashable | None:
        known = self._recent.get((folder, name))
        return known.revision if known else None

    def earlier(self, folder: str, name: str) -> _Thing | None:
        known = self._recent.get((folder, name))
        return known.thing if known else None

    def put(self, folder: str, name: str, thing: _Thing, revision: Hashable) -> None:
        self._recent.put((folder, name), _Known(revision, thing))


def remembering(store: Store) -> Library:
    """A library that reads a document only if it has changed."""
    boards = CachingReader[Table](store, MOST_BOARDS)
    accounts = CachingReader[Player | None](store, MOST_ACCOUNTS)
    return Library(store, boards, accounts)


def read_ahead(library: Library, is_ended: Callable[[], bool]) -> None:
    """Have the library read the boards that were changed last, until `is_ended()`."""
    for game, name in library.store.latest(rules.names(), MOST_BOARDS):
        if is_ended():
            break
        if is_number(name):
            with suppress(PbmError):
                library.table(game, int(name))


class Passwords:
    """Remembers which passwords fitted, so that they need not be hashed each time.

    For each it keeps HMAC-SHA-256 over the account's stored hash and the password,
    under a key that is made for each process and never leaves it: at most a thousand,
    for ten minutes. The stored hash has a salt of its own, so a new password makes the
    old entry useless. A password that does not fit is hashed each time.
    """

    def __init__(
        self,
        fits: Callable[[str, str], bool] = fits_password,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._key = os.urandom(32)
        self._fits = fits
        self._clock = clock
        self._ends = Recent[float](MOST_PASSWORDS)

    def fits(self, password: str, hashed: str) -> bool:
        """Whether this is the password of a hash. Raises ValueError if the hash is not
        one."""
        words = f"{hashed}\n{password}".encode("utf-8", "surrogatepass")
        code = digest(self._key, words, "sha256")
        if self._clock() < (self._ends.get(code) or 0):
            return True
        fits = self._fits(password, hashed)
        if fits:
            self._ends.put(code, self._clock() + PASSWORD_SECONDS)
        return fits
