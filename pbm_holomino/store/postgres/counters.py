"""What is counted by the hour: a row for each name, of which only a digest is kept.

A count is a transaction of its own, also where a command counts under a lock: it stays
when the command is refused.
"""

from collections.abc import Mapping
from hashlib import blake2b

from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call
from pbm_holomino.store.postgres.pool import Pool

_DIGEST_BYTES = 16


class Counters:
    """The counts in the database (see `contract.Counters`)."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def count(self, folder: str, hour: str, name: str) -> int:
        """Count a name once more in an hour; how often it had been counted before."""
        forget = Call(sql.FORGET_HOURS, (folder, hour))
        count = Call(sql.COUNT, (folder, hour, _digest(name), 1))
        (_, ((now,),)) = self._pool.run([forget, count])
        return int(now) - 1

    def expect(self, folder: str, hour: str, name: str) -> None:
        """Be told what is asked for next (see `contract.Counters`)."""
        self._pool.expect([_count_of(folder, hour, name)])

    def count_of(self, folder: str, hour: str, name: str) -> int:
        """How often a name has been counted in an hour."""
        rows = self._pool.ask(_count_of(folder, hour, name))
        return int(rows[0][0]) if rows else 0

    def claim(
        self, folder: str, hour: str, claims: Mapping[str, tuple[int, int]]
    ) -> bool:
        """Count these names unless one of them would be counted too often (see
        `contract.Counters`)."""
        wanted = sorted((_digest(name), *claims[name]) for name in claims)
        counts = [
            Call(sql.COUNT, (folder, hour, digest, more)) for digest, more, _ in wanted
        ]
        forget = Call(sql.FORGET_HOURS, (folder, hour))
        connection, (_, *answers) = self._pool.start([Call(sql.BEGIN), *counts])
        try:
            now = [count for ((count,),) in answers]
            fits = all(
                count <= most for count, (_, _, most) in zip(now, wanted, strict=True)
            )
            if fits:
                connection.run([forget, Call(sql.COMMIT)])
            return fits
        finally:
            self._pool.give_back(connection)


def _count_of(folder: str, hour: str, name: str) -> Call:
    return Call(sql.COUNT_OF, (folder, hour, _digest(name)))


def _digest(name: str) -> bytes:
    code = name.encode("utf-8", "surrogatepass")
    return blake2b(code, digest_size=_DIGEST_BYTES).digest()
