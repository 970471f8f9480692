"""Mails that are kept whole: a row for each."""

from pbm_holomino.store import closing
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.closing import Closing
from pbm_holomino.store.postgres.connection import Call, Row, Value
from pbm_holomino.store.postgres.pool import Pool

MOST_KEPT = 1_000  # mails in a folder: strangers must not fill the disk
MOST_KEPT_BYTES = 100_000_000


class Mails:
    """The mails that are kept in the database (see `contract.Mails`)."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def keep(self, folder: str, filename: str, content: bytes) -> None:
        """Put a mail there. Beyond MOST_KEPT and MOST_KEPT_BYTES the oldest go. Raises
        StoreTrouble if the store is closed."""
        put = Call(sql.PUT_MAIL, (folder, filename, content))
        limit = Call(sql.LIMIT_MAILS, (folder, MOST_KEPT, MOST_KEPT_BYTES))
        was_put, _ = self._pool.run([put, limit])
        if not was_put:
            raise closing.refusal(Closing(self._pool).closed())

    def is_full(self, folder: str) -> bool:
        """Whether the oldest mail in a folder would go if one more were kept."""
        return len(self.mails(folder)) >= MOST_KEPT

    def mails(self, folder: str) -> list[str]:
        """The filenames of the mails in a folder, the oldest first."""
        return [filename for (filename,) in self._ask(sql.MAILS, folder)]

    def read(self, folder: str, filename: str) -> bytes | None:
        """A mail; None where somebody has collected it."""
        rows = self._ask(sql.READ_MAIL, folder, filename)
        return bytes(rows[0][0]) if rows else None

    def remove(self, folder: str, filename: str) -> None:
        """Remove a mail, if it is still there."""
        self._ask(sql.REMOVE_MAIL, folder, filename)

    def sweep(self, folder: str) -> None:
        """Nothing is ever left half written."""

    def times(self, folder: str) -> dict[str, float]:
        """When each of the mails in a folder was put there (see `contract.Mails`)."""
        return dict(self._ask(sql.MAILS_AT, folder))

    def _ask(self, statement: bytes, *values: Value) -> list[Row]:
        return self._pool.run([Call(statement, values)])[0]
