"""A store in PostgreSQL that is closed to writers: a note says why.

Whoever locks a row reads that note in the same statement. The note is written under a
lock of the tables that such a statement waits for before it looks at anything: so it
is written when nobody writes, and whoever comes later sees it.
"""

from time import monotonic, sleep

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store import closing
from pbm_holomino.store.contract import Closed
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call, Connection
from pbm_holomino.store.postgres.pool import Pool
from pbm_holomino.store.postgres.transactions import limit

_POLL_SECONDS = 0.1


class Closing:
    """What one process may do to a closed store. While it is there, it keeps a
    connection with a lock that is the database's, not a table's."""

    def __init__(self, pool: Pool, patience: float = 0) -> None:
        self._pool = pool
        self._patience = patience
        self._held: Connection | None = None

    @property
    def is_ours(self) -> bool:
        """Whether we have closed the store."""
        return self._held is not None

    def closed(self) -> Closed | None:
        """Whether the store is closed, and why."""
        (rows,) = self._pool.run([Call(sql.NOTE, (sql.CLOSED,))])
        return closing.parse_closed(rows[0][0]) if rows else None

    def close(self, closed: Closed) -> None:
        """Close the store, and wait for those who write."""
        self._take()
        try:
            self._stop_writers(closed)
        except StoreTrouble:
            self.let_go()
            raise
        end = monotonic() + self._patience
        while self._pool.run([Call(sql.LEASES)]) != [[]]:
            if monotonic() >= end:
                self.open()
                raise closing.letters_leave()
            sleep(_POLL_SECONDS)

    def _stop_writers(self, closed: Closed) -> None:
        note = (sql.CLOSED, closing.format_closed(closed))
        self._pool.run(
            [
                Call(sql.BEGIN),
                limit(self._patience),
                Call(sql.STOP_WRITERS),
                Call(sql.PUT_NOTE, note),
                Call(sql.COMMIT),
            ]
        )

    def open(self) -> None:
        """Open the store again."""
        self._take()
        self._pool.run([Call(sql.REMOVE_NOTE, (sql.CLOSED,))])
        self.let_go()

    def let_go(self) -> None:
        """Leave it as it is."""
        held, self._held = self._held, None
        if held is not None:
            self._pool.give_back(held)

    def _take(self) -> None:
        """Make sure that no other process has closed the store and is still there."""
        if self._held is not None:
            return
        begin = [Call(sql.BEGIN), Call(sql.IDLE_FOR_EVER), Call(sql.BE_ALONE)]
        connection, (_, _, ((is_alone,),)) = self._pool.start(begin)
        if not is_alone:
            self._pool.give_back(connection)
            raise closing.being_copied()
        self._held = connection
