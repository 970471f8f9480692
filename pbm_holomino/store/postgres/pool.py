"""The connections of a process to its database."""

from collections.abc import Callable, Sequence
from time import monotonic, sleep

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.postgres.connection import Call, Connection, Lost, Row

_PAUSE = 0.1  # seconds from one try to connect to the next


class Pool:
    """Connections that `connect` opens, each used by one thread at a time. If the
    database was reached before, it is tried for `patience` seconds, as it may restart
    or another may take its place."""

    def __init__(self, connect: Callable[[], Connection], patience: float) -> None:
        self._connect = connect
        self._patience = patience
        self._idle: list[Connection] = []
        self._was_reached = False

    def close(self) -> None:
        """Close the connections that nobody uses."""
        while self._idle:
            self._idle.pop().close()

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
        connection = self._idle.pop() if self._idle else self._connected()
        try:
            return connection, self._asked(connection, calls, within)
        except Lost:
            self.close()  # the others probably are lost, too
        connection = self._connected()
        return connection, self._asked(connection, calls, within)

    def give_back(self, connection: Connection) -> None:
        """Let others use a connection. What is left of a transaction is rolled back."""
        if connection.ended():
            self._idle.append(connection)

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
