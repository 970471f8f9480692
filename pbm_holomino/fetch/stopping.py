"""How a process that stays is stopped: by SIGTERM or SIGINT, at once, or after the mail
that it is carrying out."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from pbm_holomino.resident import report

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Stopped(BaseException):
    """Somebody wants the process to stop. Nothing but its outermost block handles
    this."""


class Stopping:
    """Raises Stopped when a signal to stop comes; within `held` only at the second
    one. `program` is what the owner knows the process by."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._is_asked = False
        self._is_held = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen to the signals in this block, which ends when one comes."""
        before = {number: signal.signal(number, self._ask) for number in SIGNALS}
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

    def say(self, words: str) -> None:
        """Write a line for the owner."""
        report.say(words, self._program)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        is_first, self._is_asked = not self._is_asked, True
        if not (self._is_held and is_first):
            raise Stopped
