"""What a resident server remembers: boards, accounts, and passwords that fitted.

The files are the truth. What is remembered of a file counts only while it is the very
file that was read or written: each save makes a new one, whoever saves.
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
from pbm_holomino.store.files import Stamp, Store
from pbm_holomino.store.library import Library, Reader
from pbm_holomino.store.summary import is_number

MOST_BOARDS = 1000  # of which each takes about 0.1 MB
MOST_ACCOUNTS = 1000
MOST_PASSWORDS = 1000
BOARDS_ON_NOTICE = 100  # whoever asks for a list compares the stamps of all
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
    """What a file held, and which file that was."""

    stamp: Stamp
    thing: _Thing


class CachingReader(Reader[_Thing]):
    """Does not read a file again while it is the very file that was read or saved.
    It remembers the last `most` files that were asked for."""

    def __init__(self, store: Store, most: int) -> None:
        self._store = store
        self._recent = Recent[_Known[_Thing]](most)

    def get(self, folder: str, name: str, read: Callable[[], _Thing]) -> _Thing:
        stamp = self._store.stamp(folder, name)  # older than what is read
        known = self._recent.get((folder, name))
        if known is not None and known.stamp == stamp:
            return known.thing
        found = read()
        self._remember(folder, name, stamp, found)
        return found

    def put(self, folder: str, name: str, thing: _Thing) -> None:
        self._remember(folder, name, self._store.stamp(folder, name), thing)

    def _remember(
        self, folder: str, name: str, stamp: Stamp | None, thing: _Thing
    ) -> None:
        if stamp is not None:
            self._recent.put((folder, name), _Known(stamp, thing))


def remembering(store: Store) -> Library:
    """A library that reads a file only if it has changed. To be closed in the end."""
    boards = CachingReader[Table](store, MOST_BOARDS)
    accounts = CachingReader[Player | None](store, MOST_ACCOUNTS)
    return Library(store, boards, accounts, BOARDS_ON_NOTICE)


def read_ahead(library: Library, is_ended: Callable[[], bool]) -> None:
    """Have the library read the boards that were changed last, until `is_ended()`."""
    saved = sorted(
        (stamp.time, game, int(name))
        for game in rules.names()
        for name, stamp in library.store.stamps(game).items()
        if is_number(name)
    )
    for _, game, board in saved[-MOST_BOARDS:]:
        if is_ended():
            break
        with suppress(PbmError):
            library.table(game, board)


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
