"""What a resident server remembers: boards, accounts, and passwords that fitted.

The store is the truth. What is remembered of a document counts only while the store has
it in the very revision that was read or saved.
"""

import os
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from hmac import digest
from sys import getsizeof
from threading import Lock
from time import monotonic
from typing import Any, Generic, TypeVar

from pbm_holomino import rules
from pbm_holomino.errors import PbmError
from pbm_holomino.match.account import Player, fits_password
from pbm_holomino.match.board import Match
from pbm_holomino.match.ledgers import BOARDS, is_number
from pbm_holomino.match.tournament import Tournament
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.contract import PLAYERS, TOURNAMENTS, Document, Store
from pbm_holomino.store.library import Library, Reader

MOST_BOARDS = 1000  # that are read ahead
MOST_REMEMBERED = 200 << 20  # bytes of boards, of which most take about 0.1 MB
_ACCOUNTS = 5  # as small a part of that may accounts take
MOST_TOURNAMENTS = 50  # as a list has
MOST_PASSWORDS = 1000
PASSWORD_SECONDS = 600.0

_Thing = TypeVar("_Thing")


class Recent(Generic[_Thing]):
    """The things that were used last, by their keys: as many as come to `most` by their
    sizes. Each counts as one unless `size` says more. Threads may share it."""

    def __init__(
        self, most: int, size: Callable[[_Thing], int] = lambda thing: 1
    ) -> None:
        self._most = most
        self._size = size
        self._things: dict[Hashable, tuple[_Thing, int]] = {}
        self._total = 0
        self._lock = Lock()

    def get(self, key: Hashable) -> _Thing | None:
        with self._lock:
            found = self._things.pop(key, None)
            if found is None:
                return None
            self._things[key] = found  # the last of all
            return found[0]

    def put(self, key: Hashable, thing: _Thing) -> None:
        size = self._size(thing)
        with self._lock:
            self._remove(key)
            if size > self._most:
                return
            self._things[key] = thing, size
            self._total += size
            while self._total > self._most:
                self._remove(next(iter(self._things)))

    def _remove(self, key: Hashable) -> None:
        _, size = self._things.pop(key, (None, 0))
        self._total -= size

    def __len__(self) -> int:
        return len(self._things)


class _Known(NamedTuple, Generic[_Thing]):
    """What a document held, and in which revision."""

    revision: Hashable
    thing: _Thing


class CachingReader(Reader[_Thing]):
    """Does not read a document again while it is in the revision that was read or
    saved. It remembers the last documents that were asked for (see Recent)."""

    def __init__(
        self, store: Store, most: int, size: Callable[[_Thing], int] = lambda thing: 1
    ) -> None:
        super().__init__(store)
        self._recent = Recent[_Known[_Thing]](most, lambda known: size(known.thing))

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


# About the bytes that things take in memory, as measured
_BASE, _LINE, _MOVE = 5_000, 320, 3_200


def board_size(match: Match) -> int:
    """About how many bytes a board takes in memory: its moves take most."""
    record = match.record
    moves = sum(line.no is not None for line in record.log)
    return _BASE + len(record.log) * _LINE + moves * _MOVE + _texts(record.notes)


def account_size(player: Player | None) -> int:
    """About how many bytes an account takes in memory."""
    if player is None:
        return _BASE
    words = _words([player.blocked, *(line.action for line in player.log)])
    return _BASE + len(player.log) * _LINE + words + _texts(player.notes)


def _texts(notes: Mapping[int, str]) -> int:
    return sum(map(getsizeof, notes.values()))


def _words(thing: object) -> int:
    """The bytes of the words in tuples within tuples."""
    if isinstance(thing, (tuple, list)):
        return sum(map(_words, thing))
    return getsizeof(thing)


def remembering(store: Store, most: int = MOST_REMEMBERED) -> Library:
    """A library that reads a document only if it has changed. What it remembers takes
    about `most` bytes."""
    share = most // _ACCOUNTS
    readers: dict[str, Reader[Any]] = {
        BOARDS: CachingReader[Match](store, most - share, board_size),
        PLAYERS: CachingReader[Player | None](store, share, account_size),
        TOURNAMENTS: CachingReader[Tournament](store, MOST_TOURNAMENTS),
    }
    return Library(store, readers)


def read_ahead(library: Library, is_ended: Callable[[], bool]) -> None:
    """Have the library read the boards that were changed last, until `is_ended()`."""
    for game, name in library.store.latest(rules.names(), MOST_BOARDS):
        if is_ended():
            break
        if is_number(name):
            with suppress(PbmError):
                library.board(game, int(name))


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
