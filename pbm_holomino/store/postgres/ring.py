"""What rings when boards have changed: PostgreSQL's NOTIFY, which those who change them
send after their transactions."""

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.postgres.connection import Call, Connection

_LISTEN = b"LISTEN pbm"


class Ring:
    """A connection that listens. Raises StoreTrouble."""

    def __init__(self, connection: Connection) -> None:
        connection.run([Call(_LISTEN)])
        self._open = connection

    def fileno(self) -> int:
        """The file that becomes readable when it rings."""
        return self._open.fileno()

    def hear(self) -> None:
        """Take in that it has rung. Raises StoreTrouble if it rings no more."""
        try:
            self._open.hear()
        except StoreTrouble:
            raise StoreTrouble("The database cannot be listened to.") from None

    def close(self) -> None:
        """Listen no more."""
        self._open.close()


def listening(address: str) -> Ring | None:
    """What rings when boards in the database at an address have changed; None behind a
    pooler, which gives a connection to others. Raises StoreTrouble."""
    connection = Connection(address)
    try:
        if connection.is_direct:
            return Ring(connection)
    except StoreTrouble:
        connection.close()
        raise
    connection.close()
    return None
