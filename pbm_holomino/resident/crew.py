"""Threads that stay, and do what they are given.

For each piece of work one thread is woken, the one that has worked last. (Those of a
ThreadPoolExecutor wake each other, and each waits for the interpreter to find that
there is nothing to do.)
"""

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread

from pbm_holomino.resident.report import report

Work = Callable[[], object]


class Crew:
    """At most so many threads, which begin when they are needed. To be closed in the
    end; then all that they were given is done."""

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._threads: list[Thread] = []
        self._idle: list[SimpleQueue[Work | None]] = []  # by which each is woken
        self._waiting = deque[Work]()
        self._is_closed = False
        self._lock = Lock()

    def do(self, work: Work) -> None:
        """Have this done. Raises RuntimeError when the crew has been closed."""
        with self._lock:
            if self._is_closed:
                raise RuntimeError("These threads have ended.")
            if self._idle:
                self._idle.pop().put(work)
                return
            self._waiting.append(work)
            if len(self._threads) < self._most:
                name = f"{self._name}_{len(self._threads)}"
                self._threads.append(Thread(target=self._stay, name=name))
                self._threads[-1].start()

    def _stay(self) -> None:
        own = SimpleQueue[Work | None]()
        while (work := self._next(own)) is not None:
            try:
                work()
            except Exception as error:  # it must not be lost, nor end the thread
                report(error)
            del work  # it may hold much, and the next may take long to come

    def _next(self, own: SimpleQueue[Work | None]) -> Work | None:
        """What one of the threads does next, when it has come; None to end."""
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            if self._is_closed:
                return None
            self._idle.append(own)
        return own.get()

    def close(self) -> None:
        """End, when all that was given is done."""
        with self._lock:
            self._is_closed = True
            while self._idle:
                self._idle.pop().put(None)
        for thread in self._threads:
            thread.join()
