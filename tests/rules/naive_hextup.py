"""Hextup played slowly, with nothing of the engine's, to count by.

A board is the list of all tiles in the order in which they were laid, with their
owners; what can be seen and how high it lies is looked up in it again each time.
"""

import hmac
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tests.rules.naive_hextol import NUMBER, Cell, Half, tiles, touching

Pair = tuple[tuple[str, ...], tuple[str, ...]]  # of each seat: Light's, Dark's


def changed(pair: Pair, seat: int, own: tuple[str, ...]) -> Pair:
    return (own, pair[1]) if seat == 0 else (pair[0], own)


@dataclass(frozen=True)
class NaiveHextup:
    """A position of a game with this seed."""

    seed: bytes
    options: dict[str, Any]
    pools: Pair = ((), ())
    left: Pair = ((), ())
    laid: tuple[tuple[int, Half, Half], ...] = ()
    turn: int = 0
    draws: int = 0
    over: bool = False
    winner: int | None = None

    # What can be seen

    @cached_property
    def top(self) -> dict[Cell, tuple[int, int, int]]:
        """At each taken cell: the pips, the owner, and which of the laid tiles it
        is."""
        seen = {}
        for number, (seat, *halves) in enumerate(self.laid):
            for cell, face in halves:
                seen[cell] = face, seat, number
        return seen

    @cached_property
    def height(self) -> Counter[Cell]:
        return Counter(cell for _, *halves in self.laid for cell, _ in halves)

    def heights(self) -> dict[int, int]:
        """Those of two and more, by position."""
        return {NUMBER[cell]: high for cell, high in self.height.items() if high > 1}

    def owners(self) -> dict[int, int]:
        return {NUMBER[cell]: seat for cell, (_, seat, _) in self.top.items()}

    def whole(self) -> set[frozenset[int]]:
        """The cells of each tile that can be seen whole."""
        top = self.top
        return {
            frozenset((NUMBER[one[0]], NUMBER[two[0]]))
            for number, (_, one, two) in enumerate(self.laid)
            if top[one[0]][2] == top[two[0]][2] == number
        }

    def connected(self, seat: int) -> int:
        """How many numbers of pips the best group of a seat holds."""
        left = {cell: face for cell, (face, who, _) in self.top.items() if who == seat}
        best = 0
        while left:
            group = {min(left)}
            while more := {c for g in group for c in touching(g)} & {*left} - group:
                group |= more
            best = max(best, len({left.pop(cell) for cell in group}))
        return best

    @property
    def scores(self) -> tuple[int, int]:
        return self.connected(0), self.connected(1)

    # Draws

    def drawn(self, seat: int) -> tuple[str, "NaiveHextup"]:
        left, draws = self.left[seat], self.draws
        while True:
            draws += 1
            digest = hmac.new(self.seed, b"%d" % draws, "sha256").digest()
            value = int.from_bytes(digest, "big")
            if value < 2**256 // len(left) * len(left):
                break
        tile = sorted(left)[value % len(left)]
        kept = tuple(other for other in left if other != tile)
        return tile, replace(self, left=changed(self.left, seat, kept), draws=draws)

    def to_pool(self, seat: int) -> "NaiveHextup":
        tile, game = self.drawn(seat)
        pools = changed(game.pools, seat, (*game.pools[seat], tile))
        return replace(game, pools=pools)

    def opened(self) -> "NaiveHextup":
        whole = tuple(tiles(self.options))
        game = replace(self, left=(whole, whole))
        seat, (tile, game) = 0, game.drawn(0)
        while tile[0] != tile[1]:
            seat = 1 - seat
            tile, game = game.drawn(seat)
        rest = tuple(other for other in whole if other != tile)
        face = int(tile[0])
        first = (seat, ((0, 0), face), ((0, -2), face))
        left = changed((whole, whole), seat, rest)
        game = replace(game, left=left, turn=seat, laid=(first,))
        size = self.options["pool_size"]
        for other in (0,) * size + (1,) * size:
            game = game.to_pool(other)
        return game.ready()

    def ready(self) -> "NaiveHextup":
        """With forced draws, a skip, or the end."""
        game = self
        for seat in (self.turn, 1 - self.turn):
            while not game.can_move(seat) and game.left[seat]:
                game = game.to_pool(seat)
            if game.can_move(seat):
                return replace(game, turn=seat)
        return replace(game, over=True)

    # Moves

    def fits(self, one: Half, two: Half) -> bool:
        top = self.top
        taken = [cell in top for cell, _ in (one, two)]
        if all(taken):
            return self.fits_above(one, two)
        return not any(taken) and self.fits_beside(one, two)

    def fits_above(self, one: Half, two: Half) -> bool:
        top = self.top
        below = [top[cell] for cell, _ in (one, two)]
        are_equal = [face for face, _, _ in below] == [one[1], two[1]]
        return (
            are_equal
            and below[0][2] != below[1][2]
            and self.height[one[0]] == self.height[two[0]]
        )

    def fits_beside(self, one: Half, two: Half) -> bool:
        top, size = self.top, self.options["board_size"]
        met = [
            {top[beside][0] for beside in touching(cell) if beside in top}
            for cell, _ in (one, two)
        ]
        if not any(met):
            return False
        for (_, face), faces in zip((one, two), met, strict=True):
            if faces and face not in faces:
                return False
        cols, rows = zip(*top, one[0], two[0], strict=True)
        spread = max(max(cols) - min(cols) + 1, (max(rows) - min(rows) + 1) / 2)
        return size is None or spread <= size

    def ways(self, seat: int) -> Iterator[tuple[str, frozenset[Half]]]:
        top = self.top
        near = {*top} | {beside for cell in top for beside in touching(cell)}
        return (
            (tile, frozenset(((first, a), (second, b))))
            for tile in self.pools[seat]
            for a, b in {(int(tile[0]), int(tile[1])), (int(tile[1]), int(tile[0]))}
            for first in near
            for second in touching(first)
            if self.fits((first, a), (second, b))
        )

    def moves(self, seat: int) -> set[tuple[str, frozenset[Half]]]:
        """Each tile with where its halves would be, in no order."""
        return set(self.ways(seat))

    def can_move(self, seat: int) -> bool:
        return any(True for _ in self.ways(seat))

    def played(self, tile: str, halves: frozenset[Half]) -> "NaiveHextup":
        seat = self.turn
        one, two = halves
        kept = tuple(held for held in self.pools[seat] if held != tile)
        pools = changed(self.pools, seat, kept)
        laid = (*self.laid, (seat, one, two))
        game = replace(self, pools=pools, laid=laid, turn=1 - seat)
        numbers = self.options["max_pips"] - self.options["min_pips"] + 1
        if game.connected(seat) == numbers:
            return replace(game, over=True, winner=seat)
        return (game.to_pool(seat) if game.left[seat] else game).ready()
