"""What rings when boards have changed: PostgreSQL's NOTIFY, which those who change them
send after their transactions."""

import psycopg
from psycopg.pq import ConnStatus

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.postgres.connection import Connection, conninfo

_LISTEN = "LISTEN pbm"


class Ring:
    """A connection that listens. Raises StoreTrouble."""

    def __init__(self, address: str) -> None:
        try:
            self._open = psycopg.connect(conninfo(address), autocommit=True)
            self._open.execute(_LISTEN)
        except psycopg.Error:
            raise _LOST from None
        self._pg = self._open.pgconn

    def fileno(self) -> int:
        """The file that becomes readable when it rings."""
        return self._pg.socket

    def hear(self) -> None:
        """Take in that it has rung. Raises StoreTrouble if it rings no more."""
        try:
            self._pg.consume_input()
        except psycopg.Error:
            raise _LOST from None
        if self._pg.status == ConnStatus.BAD:
            raise _LOST
        while self._pg.notifies():
            pass

    def close(self) -> None:
        """Listen no more."""
        self._open.close()


_LOST = StoreTrouble("The database cannot be listened to.")


def listening(address: str) -> Ring | None:
    """What rings when boards in the database at an address have changed; None behind a
    pooler, which gives a connection to others. Raises StoreTrouble."""
    asked = Connection(address)
    try:
        return Ring(address) if asked.is_direct else None
    finally:
        asked.close()
