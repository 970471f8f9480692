"""Writes and sends the letters of a process that stays, after its answers.

Whoever has carried out a command hands over the letters that are due, which are marked
by then, and goes on. Should the process end before they are sent, the marks are there.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from threading import BoundedSemaphore, Lock
from time import monotonic

from pbm_holomino.errors import PbmError
from pbm_holomino.letters.letter import Due
from pbm_holomino.match.record import Key
from pbm_holomino.resident.crew import Crew
from pbm_holomino.resident.report import in_words, say
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.contract import NOTICES

_SENDERS = 64  # at once: a letter may wait long for a relay, or for a robot's move
_MOST = 256  # that wait for them
_PATIENCE = 10.0  # seconds that an answer waits where there are more
_HURRY = 10.0  # seconds for what waits when the program is told to end
# Seconds between two looks at what others have left behind, at least; and how many
# times as long as a look takes, in a store with very many boards
_BETWEEN, _SPELLS = 60.0, 100


class Senders:
    """Threads that send the letters of a server, those about each ledger in their
    order, and from time to time some that others have left behind. To be closed in the
    end; then all that they have taken has been dealt with."""

    def __init__(self, server: Server, program: str = "pbm serve") -> None:
        self._server = server
        self._deliver = server.delivery.deliver
        server.delivery.notify = self._notify
        self._left_behind = server.left_behind
        self._look = 0.0  # when to look next, by the monotonic clock
        self._end = inf  # when no more may begin, by the same clock
        self._program = program
        self._crew = Crew(_SENDERS, "sender")
        self._room = BoundedSemaphore(_MOST)
        self._waiting: dict[Key, list[Due]] = {}  # also while some are sent
        self._held = deque[Callable[[], None]]()  # work that is to begin
        # whether a thread is about to look what is to be told
        self._is_notified = False
        self._lock = Lock()

    def take(self, due: Sequence[Due]) -> None:
        """Take letters that are due, if need be after a while. Where there is no room
        for long, they stay marked, for whoever sends next."""
        self.hold(due)
        self.begin()

    def hold(self, due: Sequence[Due]) -> None:
        """Take letters that are due, but do not begin with them: whoever still has to
        answer would wait while a thread writes them."""
        if monotonic() >= self._look:
            self._look = monotonic() + _BETWEEN
            self._held.append(self._send_left)
        for each in due:
            if not self._has_room():
                return
            with self._lock:
                if each.key not in self._waiting:
                    self._held.append(partial(self._send, each.key))
                self._waiting.setdefault(each.key, []).append(each)

    def _has_room(self) -> bool:
        """Whether there is room for one more, if need be after a while."""
        if self._room.acquire(blocking=False):
            return True
        self.begin()  # what is held would never make room
        return self._room.acquire(timeout=_PATIENCE)

    def begin(self) -> None:
        """Begin with the letters that are held."""
        with suppress(IndexError):  # there are no more, or others begin with them
            while True:
                self._crew.do(self._held.popleft())

    def _send_left(self) -> None:
        """Send a share of what others have left behind: no letters that wait here."""
        with self._reporting():
            begun = monotonic()
            left = self._left_behind(seldom=True)
            if self._server.store.kept.mails(NOTICES):
                self._notify()
            took = monotonic() - begun
            self._look = max(self._look, begun + _SPELLS * took)
            for due in left:
                with self._lock:
                    if due.key in self._waiting or not self._room.acquire(False):
                        continue
                    self._waiting[due.key] = [due]
                self._send(due.key)

    def _notify(self) -> None:
        """Have told what is to be told of turns elsewhere, by a thread that does
        nothing else."""
        with self._lock:
            is_known, self._is_notified = self._is_notified, True
        if not is_known:
            with suppress(RuntimeError):  # the program ends: others will tell it
                self._crew.do(self._tell)

    def _tell(self) -> None:
        with self._lock:
            self._is_notified = False  # from here on, more has to be looked for again
        if monotonic() < self._end:
            from pbm_holomino.server import notices  # few players want to be told

            with self._reporting():
                notices.tell(self._server)

    def _send(self, ledger: Key) -> None:
        """Send all letters about a ledger."""
        while (due := self._next(ledger)) is not None:
            if monotonic() < self._end:
                with self._reporting():
                    self._deliver([due])
            self._room.release()

    def _next(self, ledger: Key) -> Due | None:
        """The letters about a ledger that come next."""
        with self._lock:
            if waiting := self._waiting[ledger]:
                return waiting.pop(0)
            del self._waiting[ledger]
            return None

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """What goes wrong in this block is not lost with its thread: letters stay
        marked, for whoever sends next."""
        try:
            yield
        except PbmError:
            pass  # the store or the relay may do better another time
        except Exception as error:
            say(in_words(error), self._program)

    def hurry(self) -> None:
        """Begin with no more letters in a moment: those stay marked, for whoever sends
        next."""
        self._end = monotonic() + _HURRY

    def close(self) -> None:
        """End, when all letters have been sent, or their marks are to stay."""
        self.begin()
        self._crew.close()
