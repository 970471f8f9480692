"""What is counted by the hour: a row for each name, of which only a digest is kept.

A count is a transaction of its own, also where a command counts under a lock: it stays
when the command is refused.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from pbm_holomino.store.contract import Claim
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call, Value
from pbm_holomino.store.postgres.pool import Pool, order

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

    def count_of(self, folder: str, hour: str, name: str) -> int:
        """How often a name has been counted in an hour."""
        rows = self._pool.ask(Call(sql.COUNT_OF, (folder, hour, _digest(name))))
        return int(rows[0][0]) if rows else 0

    def claim(
        self, folder: str, hour: str, claims: Mapping[str, tuple[int, int]]
    ) -> bool:
        """Count these names unless one of them would be counted too often (see
        `contract.Counters`)."""
        if any(more > most for more, most in claims.values()):
            return False
        wanted = [_claim(folder, hour, name, *claims[name]) for name in claims]
        if len(wanted) == 1:
            return self._claimed(*wanted)
        self._pool.undo_early()
        # everybody takes the rows in the same order, or two may wait for each other
        wanted.sort(key=order)
        forget = Call(sql.FORGET_HOURS, (folder, hour))
        connection, (_, *answers) = self._pool.start([Call(sql.BEGIN), *wanted])
        try:
            if all(answers):
                connection.run([forget, Call(sql.COMMIT)])
            return all(answers)
        finally:
            self._pool.give_back(connection)

    def _claimed(self, claim: Call) -> bool:
        """Make a claim to one name, unless it was made early; whether it was counted.
        With the first one of a name in an hour, the hours before it are forgotten."""
        folder, hour, _, more, _ = claim.values
        forget = Call(sql.FORGET_HOURS, (folder, hour))
        rows = self._pool.done_early(claim)
        if rows == [(more,)]:
            self._pool.do_later([forget])
        elif rows is None:
            (rows,) = self._pool.run([claim])
            if rows == [(more,)]:
                self._pool.run([forget])
        return bool(rows)

    def hold(self, folder: str, hour: str, limits: Mapping[str, int]) -> "Held | None":
        """Hold these names (see `contract.Counters`): they are counted at once, and
        given back if that was wrong."""
        claims = {name: (1, most) for name, most in limits.items()}
        held = Held(self._pool, (folder, hour), tuple(limits))
        return held if self.claim(folder, hour, claims) else None

    def is_used_up(self, folder: str, hour: str, limits: Mapping[str, int]) -> bool:
        """Whether one of these names is counted as often as its limit, without what is
        held."""
        return any(
            self.count_of(folder, hour, _for_good(name)) >= most
            for name, most in limits.items()
        )


class Held:
    """Names that are counted, and that may be given back."""

    def __init__(self, pool: Pool, hour: tuple[str, str], names: Sequence[str]) -> None:
        self._pool = pool
        self._hour = hour
        self._names = names

    def count(self) -> None:
        """Leave the names counted, and note that this is for good."""
        names = sorted(_digest(_for_good(name)) for name in self._names)
        self._pool.run([Call(sql.COUNT, (*self._hour, name, 1)) for name in names])

    def release(self) -> None:
        """Give the names back, perhaps with the next commit."""
        names = map(_digest, self._names)
        self._pool.do_later(_give_back(*self._hour, name) for name in names)


def _for_good(name: str) -> str:
    """The name under which it is counted how often another was counted for good."""
    return f"wrong {name}"


def _claim(folder: str, hour: str, name: str, more: int, most: int) -> Call:
    return Call(sql.CLAIM, (folder, hour, _digest(name), more, most))


def made_early(claim: Claim) -> tuple[Call, Call]:
    """What claims a name that will probably be held, and what gives it back."""
    call = _claim(*claim[:3], 1, claim.most)
    return call, _give_back(*call.values[:3])


def _give_back(*key: Value) -> Call:
    return Call(sql.GIVE_BACK, key)


def _digest(name: str) -> bytes:
    code = name.encode("utf-8", "surrogatepass")
    return blake2b(code, digest_size=_DIGEST_BYTES).digest()
