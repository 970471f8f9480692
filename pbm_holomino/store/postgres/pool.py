"""The connections of a process to its database."""

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from time import monotonic, sleep

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.postgres.connection import Call, Connection, Lost, Row, Value

_PAUSE = 0.1  # seconds from one try to connect to the next


def order(call: Call) -> tuple[Value, ...]:
    """The place of a row among those that are changed together, by its key."""
    return tuple(call.values[:3])


class Expected(threading.local):
    """What a thread is about to ask. It is asked along with something else, as each
    exchange with the database costs more than what is asked in it; its answers count
    until the next exchange."""

    def __init__(self) -> None:
        self.calls: tuple[Call, ...] = ()
        self.answers: list[tuple[Call, list[Row]]] = []
        self.early: dict[Call, Call] = {}  # these change something; how it is undone
        self.done: list[tuple[Call, Call, list[Row]]] = []  # of them
        self.later: list[Call] = []  # they need no answer


class Pool:
    """Connections that `connect` opens, each used by one thread at a time. If the
    database was reached before, it is tried for `patience` seconds, as it may restart
    or another may take its place."""

    def __init__(self, connect: Callable[[], Connection], patience: float) -> None:
        self._connect = connect
        self._patience = patience
        self._idle: list[Connection] = []
        self._was_reached = False
        self._expected = Expected()

    def close(self) -> None:
        """Close the connections that nobody uses."""
        while self._idle:
            self._idle.pop().close()

    def expect(self, calls: Iterable[Call]) -> None:
        """Be told what this thread will ask next; nothing else is expected any more."""
        self._expected.calls, self._expected.answers = tuple(calls), []

    def expected(self) -> tuple[Call, ...]:
        """What is to be asked along with something else. It is told once."""
        calls, self._expected.calls = self._expected.calls, ()
        return calls

    def learn(self, calls: Iterable[Call], answers: Iterable[list[Row]]) -> None:
        """Keep the answers to what was expected, as far as there are any."""
        self._expected.answers = list(zip(calls, answers, strict=False))

    def ask(self, call: Call) -> list[Row]:
        """The answer to one statement that changes nothing, and perhaps was
        expected."""
        answers = self._expected.answers
        for number, (other, rows) in enumerate(answers):
            if other == call:
                del answers[number]  # whoever asks again wants to know it anew
                return rows
        others = [other for other in self.expected() if other != call]
        early, self._expected.early = self._expected.early, {}
        later = self.to_do_later()
        try:
            rows, *more = self.run([call, *others, *early, *later])
        except BaseException:
            self.do_later(later)
            raise
        self.learn(others, more)
        done = zip(early, early.values(), more[len(others) :], strict=False)
        self._expected.done += done
        return rows

    # What changes something, and is a transaction of its own, but no exchange

    def do_early(self, call: Call, undo: Call) -> None:
        """Do along with the next question what this thread will probably want done; and
        how it is undone."""
        self._expected.early[call] = undo

    def done_early(self, call: Call) -> list[Row] | None:
        """The answer to what was done early, which is told once; None if it was not,
        and now will not be."""
        state = self._expected
        state.early.pop(call, None)
        for number, (other, _, rows) in enumerate(state.done):
            if other == call:
                del state.done[number]
                return rows
        return None

    def undo_early(self) -> None:
        """Have what was done early and not asked for undone, if it did anything."""
        state = self._expected
        done, state.done, state.early = state.done, [], {}
        self.do_later(undo for _, undo, rows in done if rows)

    def do_later(self, calls: Iterable[Call]) -> None:
        """Do along with the next question or commit what may be done at any time."""
        self._expected.later += calls

    def to_do_later(self) -> list[Call]:
        """What is to be done later. It is told once, in the order in which everybody
        changes rows, or two might wait for each other."""
        calls, self._expected.later = self._expected.later, []
        return sorted(calls, key=order)

    def settle(self) -> None:
        """Expect nothing any more, and do what is left to be done later. What this
        thread wanted is done, whatever comes of this."""
        self.expect(())
        self.undo_early()
        if later := self.to_do_later():
            with suppress(StoreTrouble):
                self.run(later)

    def run(
        self, calls: Sequence[Call], within: float | None = None
    ) -> list[list[Row]]:
        """The answers to statements that are a transaction of their own, and may be
        carried out twice (see `Connection.run`, and `start`)."""
        connection, answers = self.start(calls, within)
        self.give_back(connection)
        return answers

    def start(
        self, calls: Sequence[Call], within: float | None = None
    ) -> tuple[Connection, list[list[Row]]]:
        """A connection, to be given back, and its answers to the first statements. If
        it turns out to be lost, the same is asked of a new one."""
        self._expected.answers = []
        connection = self._idle.pop() if self._idle else self._connected()
        try:
            return connection, self._asked(connection, calls, within)
        except Lost:
            pass  # and given back
        connection = self._connected()
        return connection, self._asked(connection, calls, within)

    def give_back(self, connection: Connection) -> None:
        """Let others use a connection. What is left of a transaction is rolled back. If
        it is lost, the others probably are, too."""
        if connection.ended():
            self._idle.append(connection)
        else:
            self.close()

    def _asked(
        self, connection: Connection, calls: Sequence[Call], within: float | None
    ) -> list[list[Row]]:
        try:
            return connection.run(calls, within)
        except BaseException:
            self.give_back(connection)
            raise

    def _connected(self) -> Connection:
        end = monotonic() + (self._patience if self._was_reached else 0)
        while True:
            try:
                connection = self._connect()
            except StoreTrouble:
                if monotonic() >= end:
                    raise
            else:
                self._was_reached = True
                return connection
            sleep(_PAUSE)
