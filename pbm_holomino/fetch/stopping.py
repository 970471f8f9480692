"""How a process that stays is stopped: by SIGTERM or SIGINT, at once, or after the mail
that it is carrying out. At SIGHUP it begins anew, when it only waits."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from pbm_holomino.resident import report
from pbm_holomino.resident.signals import Signals


class Stopped(BaseException):
    """Somebody wants the process to stop. Nothing but its outermost block handles
    this."""


class Reloading(BaseException):
    """Somebody wants the process to read its settings again."""


class Stopping:
    """Raises Stopped when a signal to stop comes; within `held` only at the second
    one. `program` is what the owner knows the process by."""

    def __init__(self, program: str) -> None:
        self.program = program
        self._signals = Signals()
        self._is_asked = False
        self._is_held = False
        self._shall_reload = False
        self._is_waiting = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen to the signals in this block, which ends when one to stop comes."""
        numbers = self._signals.numbers
        before = {number: signal.signal(number, self._hear) for number in numbers}
        try:
            yield
        except Stopped:
            pass
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Finish this block first."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
            if self._is_asked:
                raise Stopped

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """In this block nothing is in progress. It raises Reloading when a signal to
        reload comes, or has come."""
        self._is_waiting = True
        try:
            if self._shall_reload:
                self._reload()
            yield
        finally:
            self._is_waiting = False

    def say(self, words: str) -> None:
        """Write a line for the owner."""
        report.say(words, self.program)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self._signals.is_stop(number):
            is_first, self._is_asked = not self._is_asked, True
            if not (self._is_held and is_first):
                raise Stopped
        elif self._is_waiting:
            self._reload()
        else:
            self._shall_reload = True

    def _reload(self) -> None:
        self._shall_reload = False
        raise Reloading
