"""What a resident server reports to its owner, on standard error."""

import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from time import monotonic

from pbm_holomino.errors import PbmError

# what the owner is told at SIGHUP
NEW_SETTINGS = "The new settings are in use."
OLD_SETTINGS = "The old settings stay in use."


def report(error: BaseException | None) -> None:
    """Report a fault."""
    say(in_words(error))


def in_words(error: BaseException | None) -> str:
    """A fault in the owner's words. Only our own errors are quoted: others might quote
    the mail."""
    if error is None or isinstance(error, PbmError):
        return str(error)
    told = type(error).__name__
    for last in traceback.extract_tb(error.__traceback__)[-1:]:
        told += f" in {last.filename}, line {last.lineno}"
    return told


def say(words: str, program: str = "pbm serve") -> None:
    """Write a line for the owner."""
    with suppress(OSError):  # it may have been closed
        print(f"{program}: {words}\n", end="", file=sys.stderr, flush=True)


MOST_AN_HOUR = 20  # lines about what strangers can bring about
_HOUR = 3600.0


class Rarely:
    """Says what can happen as often as a stranger likes: each thing once an hour, and
    no more than twenty things. Threads may share it."""

    def __init__(
        self, say: Callable[[str], None], clock: Callable[[], float] = monotonic
    ) -> None:
        self._say = say
        self._clock = clock
        self._said = set[str]()
        self._unsaid = 0
        self._end = 0.0
        self._lock = Lock()

    def __call__(self, words: str) -> None:
        """Say this, unless it has been said, or too much."""
        with self._lock:
            if self._clock() >= self._end:
                self._begin_anew()
            if words in self._said or len(self._said) >= MOST_AN_HOUR:
                self._unsaid += 1
                return
            self._said.add(words)
            self._say(words)

    def _begin_anew(self) -> None:
        if self._unsaid:
            self._say(f"and {self._unsaid} more such lines in the hour before")
        self._said.clear()
        self._unsaid = 0
        self._end = self._clock() + _HOUR
