"""Several worker processes that share the connections of one server.

The parent accepts each connection and hands it to the worker that has the fewest,
through a channel: its descriptor goes with a byte, the number of the listener, and the
byte comes back when the client has left. Whichever side dies, the other finds the
channel closed.

The parent has neither threads nor a loop of asyncio, so that it can fork. A worker is
there at once, shares the memory of what the parent has imported, and is of the same
version as the parent, whatever `git pull` has done since.
"""

import os
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from selectors import EVENT_READ, DefaultSelector
from time import monotonic, sleep

from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.resident.listeners import Listeners
from pbm_holomino.resident.report import report, say
from pbm_holomino.resident.restarts import next_pause
from pbm_holomino.resident.signals import RELOADING, STOPPING, Signals

_ONE = 1  # at a time: a byte, and the descriptor that comes with it

_fork = get_context("fork")


# The parent


class Workers:
    """The parent of worker processes, which accepts connections for them.

    Each worker runs `work` with its end of a channel. At each listener there is room
    for `most` clients for each worker; more wait in the system's queue, or are refused
    by it. `reload` says whether workers that begin from now on do something else; then
    others take the place of those that there are.
    """

    def __init__(
        self,
        listeners: Listeners,
        work: Callable[[socket.socket], None],
        most: int,
        signals: Signals,
        reload: Callable[[], bool],
    ) -> None:
        self._listeners = listeners
        self._work = work
        self._most = most
        self._signals = signals
        self._reload = reload
        self._workers: list[_Worker] = []
        self._vacancies: list[_Vacancy] = []
        self._selector = DefaultSelector()
        self._is_stopping = False

    def run(self, count: int) -> None:
        """Keep so many workers at work until SIGTERM or SIGINT. Then let nobody in any
        more, and wait until they have finished."""
        self._vacancies = [_Vacancy()] * count
        for listener in self._listeners.sockets:
            listener.setblocking(False)
        with self._selector, _heard(self._signals.numbers) as told:
            self._selector.register(told, EVENT_READ, partial(self._obey, told))
            self._listeners.announce()
            while not self._is_stopping:
                self._fill_vacancies()
                self._listen()
                self._react(self._until_due())
            self._listen()
            self._listeners.close()
            for worker in self._workers:
                with suppress(OSError):  # it has ended
                    worker.channel.shutdown(socket.SHUT_WR)
            while self._workers:
                self._react()

    def _react(self, patience: float | None = None) -> None:
        """Do what has become possible: hear from workers first, as a new client goes
        where the fewest are."""
        is_new = self._listeners.sockets.__contains__
        ready = [key for key, _ in self._selector.select(patience)]
        for key in sorted(ready, key=lambda key: is_new(key.fileobj)):
            key.data()

    def _obey(self, told: socket.socket) -> None:
        """Do what a signal means."""
        if self._signals.is_stop(told.recv(1)[0]):
            self._is_stopping = True
        elif self._reload():
            present = self._present()
            for worker in present:
                worker.retire()
            self._vacancies = [_Vacancy()] * (len(self._vacancies) + len(present))

    # Workers

    def _fill_vacancies(self) -> None:
        now = monotonic()
        due = [vacancy for vacancy in self._vacancies if vacancy.due <= now]
        for vacancy in due:
            self._vacancies.remove(vacancy)
            try:
                self._start(vacancy.pause)
            except OSError as error:  # too many processes or files, or no memory
                report(error)
                self._vacancies.append(vacancy.next(now))

    def _until_due(self) -> float | None:
        """Seconds until a vacancy is due; None if there is none."""
        due = min((vacancy.due for vacancy in self._vacancies), default=None)
        return None if due is None else max(0.0, due - monotonic())

    def _start(self, pause: float) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                process = _fork.Process(target=self._in_worker, args=(ours, theirs))
                with _signals_blocked():
                    process.start()
            except OSError:
                ours.close()
                raise
        ours.setblocking(False)  # no worker may keep the others waiting
        worker = _Worker(process, ours, pause)
        self._workers.append(worker)
        self._selector.register(ours, EVENT_READ, partial(self._hear, worker))

    def _in_worker(self, ours: socket.socket, channel: socket.socket) -> None:
        """What a worker does. What it has inherited from the parent is the parent's."""
        for theirs in (
            ours,
            *self._listeners.sockets,
            *(w.channel for w in self._workers),
        ):
            theirs.close()
        signal.set_wakeup_fd(-1)
        for number in STOPPING:
            signal.signal(number, lambda *_: channel.shutdown(socket.SHUT_RD))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        try:
            self._work(channel)
        except Exception as error:
            report(error)
            sys.exit(os.EX_SOFTWARE)

    def _hear(self, worker: "_Worker") -> None:
        """Learn which clients have left, or that the worker has ended."""
        left = b""
        with suppress(ConnectionResetError):  # it died before it had taken a client
            left = worker.channel.recv(1 << 12)
        worker.leave(left)
        if not left:
            self._selector.unregister(worker.channel)
            worker.channel.close()
            worker.process.join()
            if worker.process.exitcode:
                say(f"a worker has ended with status {worker.process.exitcode}")
            self._workers.remove(worker)
            if not worker.is_retired:
                self._vacancies.append(worker.vacancy(monotonic()))

    def _present(self) -> list["_Worker"]:
        """The workers that new clients go to."""
        return [worker for worker in self._workers if not worker.is_retired]

    # Clients

    def _listen(self) -> None:
        """Listen only where there is room for a client."""
        listening = self._selector.get_map()
        for number, listener in enumerate(self._listeners.sockets):
            has_room = self._has_room(number)
            if has_room and listener not in listening:
                accept = partial(self._accept, listener, number)
                self._selector.register(listener, EVENT_READ, accept)
            elif listener in listening and not has_room:
                self._selector.unregister(listener)

    def _has_room(self, listener: int) -> bool:
        present = self._present()
        clients = sum(worker.clients[listener] for worker in present)
        return not self._is_stopping and clients < self._most * len(present)

    def _accept(self, listener: socket.socket, number: int) -> None:
        if not self._has_room(number):  # a worker has just gone
            return
        try:
            client, _ = listener.accept()
        except BlockingIOError:  # it has left meanwhile
            return
        except OSError as error:  # too many files
            report(error)
            sleep(1)
            return
        with client:
            self._hand_over(client, number)

    def _hand_over(self, client: socket.socket, listener: int) -> None:
        """Hand a client to the worker that has the fewest. One that has been told to
        end takes none; if that is all of them, the client has to come again."""
        for worker in sorted(self._present(), key=lambda each: each.clients.total()):
            with suppress(OSError):
                socket.send_fds(worker.channel, [bytes([listener])], [client.fileno()])
                worker.clients[listener] += 1
                return


class _Vacancy(NamedTuple):
    """A worker that is missing: the pause before it is started, and when that ends."""

    pause: float = 0.0
    due: float = 0.0

    def next(self, now: float, lasted: float = 0.0) -> "_Vacancy":
        """The vacancy if that worker, too, has ended, after so many seconds."""
        pause = next_pause(self.pause, lasted)
        return _Vacancy(pause, now + pause)


class _Worker:
    """A worker process, the parent's end of its channel, and how many clients it has of
    each listener."""

    def __init__(
        self, process: ForkProcess, channel: socket.socket, pause: float
    ) -> None:
        self.process = process
        self.channel = channel
        self.clients = Counter[int]()
        self.is_retired = False
        self._pause = pause
        self._began = monotonic()

    def retire(self) -> None:
        """Have it end when its clients have left."""
        self.is_retired = True
        self.leave(b"")

    def leave(self, listeners: bytes) -> None:
        """Note that clients have left, by the numbers of their listeners."""
        self.clients.subtract(listeners)
        if self.is_retired and not self.clients.total():
            with suppress(OSError):  # it has ended
                self.channel.shutdown(socket.SHUT_WR)

    def vacancy(self, now: float) -> _Vacancy:
        """The vacancy that it leaves."""
        return _Vacancy(self._pause).next(now, now - self._began)


@contextmanager
def _heard(numbers: Sequence[int]) -> Iterator[socket.socket]:
    """A socket that has a byte for each of these signals that comes in this block: its
    number."""
    told, tell = socket.socketpair()
    with told, tell:
        tell.setblocking(False)
        before = {number: signal.signal(number, _ignored) for number in numbers}
        signal.set_wakeup_fd(tell.fileno())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [RELOADING])
        try:
            yield told
        finally:
            signal.set_wakeup_fd(-1)
            for number, handler in before.items():
                signal.signal(number, handler)


def _ignored(number: int, frame: object) -> None:
    """The byte for a signal says all."""


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Keep signals to stop waiting in this block."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)


# A worker


class Handed(NamedTuple):
    """A client that was handed over: the number of its listener, its socket, and the
    function to call when it has left."""

    listener: int
    socket: socket.socket
    leave: Callable[[], None]


def handed(channel: socket.socket) -> Iterator[Handed]:
    """The clients that the parent hands over, until a signal to stop has come to this
    worker, or the parent stops or dies."""
    with suppress(ConnectionResetError):  # it has died
        while (received := socket.recv_fds(channel, _ONE, _ONE))[0]:
            message, descriptors, _, _ = received
            leave = partial(_send, channel, message)
            if descriptors:
                client = socket.socket(fileno=descriptors[0])
                client.set_inheritable(False)
                yield Handed(message[0], client, leave)
            else:  # there were too many files here, and the system has closed it
                say("a connection was lost: too many open files")
                leave()


def _send(channel: socket.socket, message: bytes) -> None:
    with suppress(OSError):  # the parent has died
        channel.send(message)
