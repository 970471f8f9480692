"""What the games share: the draws of a seed, and what a verifier asks of a game."""

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

Record = dict[str, Any]


class Wrong(Exception):
    """A record that cannot have come about."""


def must(fact: object, what: str) -> None:
    if not fact:
        raise Wrong(what)


# The draws


class Draws:
    """The draws of a seed, made in order from a count on."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.count = 0
        self.made: list[tuple[int, int, int]] = []

    def take(self, things: Sequence[str]) -> str:
        """The thing drawn, among these in ascending order."""
        size = len(things)
        while True:
            self.count += 1
            digits = str(self.count).encode("ascii")
            mac = hmac.new(self.seed, digits, hashlib.sha256).digest()
            value = int.from_bytes(mac, "big")
            if value < size * (2**256 // size):
                self.made.append((self.count, value % size, size))
                return sorted(things)[value % size]


# Each game has, beside what follows, `moves` (from the fields of a line of JSON, as a
# client finds them), and a class `Game`


class VerifiedGame(ABC):
    """What the games have in common; a copy of the fields is all that an undo needs."""

    def __init__(self, record: Record, draws: Draws) -> None:
        options = record["options"]
        self.options: dict[str, str] = options
        self.draws = draws
        self.seats = len(record["players"])
        self.pools: list[list[str]] = [[] for _ in range(self.seats)]
        self.scores = [0] * self.seats
        self.cells: dict[int, str] = {}
        self.turn = 0
        self.over = False
        self.begin()
        self.settle()

    def snapshot(self) -> tuple[dict[str, Any], int]:
        fields = {k: v for k, v in vars(self).items() if k not in ("draws", "options")}
        return deepcopy(fields), self.draws.count

    def restore(self, snapshot: tuple[dict[str, Any], int]) -> None:
        vars(self).update(snapshot[0])
        self.draws.count = snapshot[1]

    def take_tile(self, sack: list[str]) -> str:
        tile = self.draws.take(sack)
        sack.remove(tile)
        return tile

    def deal(self, sack: list[str]) -> None:
        for pool in self.pools:
            pool += [
                self.take_tile(sack) for _ in range(int(self.options["pool_size"]))
            ]

    def may_move(self) -> list[int]:
        return [] if self.over else [self.turn]

    def best(self) -> list[int]:
        return [s for s in range(self.seats) if self.scores[s] == max(self.scores)]

    @abstractmethod
    def begin(self) -> None: ...

    @abstractmethod
    def settle(self) -> None: ...

    @abstractmethod
    def play(self, seat: int, move: str) -> None: ...

    def drop(self, seat: int) -> None:
        raise Wrong("nobody drops out of a game for two")
