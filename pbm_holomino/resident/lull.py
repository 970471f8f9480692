"""Letters are written while nobody waits to be answered.

Threads of Python that compute at the same time only hold each other up, so those that
write letters would make answers late, and take longer themselves.
"""

import asyncio

from pbm_holomino.resident.senders import Senders
from pbm_holomino.resident.turns import Turns

_MOMENT = 0.003  # seconds after an answer, in which whoever got it may ask again
_LONGEST = 0.25  # seconds that letters wait, whoever else is answered


class Lull:
    """Has senders begin with the letters that they hold in the next lull: when nobody
    has a turn, and nobody has been answered for a moment. It belongs to the loop that
    runs."""

    def __init__(self, senders: Senders, turns: Turns) -> None:
        self._senders, self._turns = senders, turns
        self._loop = asyncio.get_running_loop()
        self._next_look: asyncio.TimerHandle | None = None
        self._begun = self._answered = 0.0  # when it began to wait, and the last answer

    def wait(self) -> None:
        """Wait for the next lull. To be called after each answer."""
        self._answered = self._loop.time()
        if self._next_look is None:
            self._begun = self._answered
            self._next_look = self._loop.call_later(_MOMENT, self._look)

    def _look(self) -> None:
        """Let the senders go on, if it is time, and look again while letters are
        held."""
        now, self._next_look = self._loop.time(), None
        is_lull = self._turns.are_over and now - self._answered >= _MOMENT
        if is_lull or now - self._begun >= _LONGEST:
            self._senders.go_on()
        if self._senders.are_holding:
            self._next_look = self._loop.call_later(_MOMENT, self._look)

    def close(self) -> None:
        """Leave it to the senders when they begin."""
        if self._next_look is not None:
            self._next_look.cancel()
