"""The connections of a process to its database."""

import threading
from collections.abc import Callable, Iterable, Sequence
from time import monotonic, sleep

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.postgres.connection import Call, Connection, Lost, Row

_PAUSE = 0.1  # seconds from one try to connect to the next


class Expected(threading.local):
    """What a thread is about to ask. It is asked along with something else, as each
    exchange with the database costs more than what is asked in it; its answers count
    until the next exchange."""

    def __init__(self) -> None:
        self.calls: tuple[Call, ...] = ()
        self.answers: list[tuple[Call, list[Row]]] = []


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
        rows, *more = self.run([call, *others])
        self.learn(others, more)
        return rows

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
