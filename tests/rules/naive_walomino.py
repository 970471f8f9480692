"""A second Walomino, slow and plain, that counts what the engine must find.

It knows cells by their coordinates, the chain as a list of pairs, and tries every
pair on every two free cells near the chain.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.rules.spiral import NUMBER, SPIRAL, STEPS, Cell, beside, step

__all__ = ["NUMBER", "SPIRAL", "beside", "step"]

Walong = tuple[Cell, str]


@cache
def around(cell: Cell) -> frozenset[Cell]:
    return frozenset(step(cell, way) for way in STEPS)


class NaiveWalomino(NamedTuple):
    """The chain from one end to the other, pair after pair, each pair's walongs in
    that order; the pairs in hand; whose turn it is."""

    chain: tuple[tuple[Walong, Walong], ...]
    pools: tuple[tuple[str, ...], ...]
    turn: int

    def board(self) -> dict[Cell, str]:
        return {cell: colour for pair in self.chain for cell, colour in pair}

    def moves(self, seat: int) -> dict[str, "NaiveWalomino"]:
        """What a seat can play, as it is written, and what comes of it."""
        return dict(self._moves(seat))

    def _moves(self, seat: int) -> Iterator[tuple[str, "NaiveWalomino"]]:
        board = self.board()
        free = {cell for taken in board for cell in around(taken)} - board.keys()
        for pair in sorted(set(self.pools[seat])):
            for face in {pair, pair[::-1]}:
                for p in free:
                    for q in around(p) - board.keys():
                        chain = self.joined((p, face[0]), (q, face[1]), board)
                        if chain is not None:
                            text = f"{face}:{NUMBER[p]},{NUMBER[q]}"
                            yield text, self.after(seat, pair, chain)

    def joined(
        self, half: Walong, other: Walong, board: dict[Cell, str]
    ) -> tuple[tuple[Walong, Walong], ...] | None:
        """The chain with this pair, or None where it may not lie (RULES: Play)."""
        (first, last), (before_last, last_walong) = self.chain[0], self.chain[-1]
        touches = {
            (mine, theirs): board[theirs]
            for mine in (half, other)
            for theirs in around(mine[0]) & board.keys()
        }
        touched = {theirs for _, theirs in touches}
        if len(touches) > 2 or any(m[1] != c for (m, _), c in touches.items()):
            return None
        for tip, partner, far, before in (
            (first[0], last[0], last_walong[0], True),
            (last_walong[0], before_last[0], first[0], False),
        ):
            if (half, tip) not in touches or far in touched:
                continue
            if touched <= {tip, partner}:
                pair = ((other, half),) if before else ((half, other),)
                return pair + self.chain if before else self.chain + pair
        return None

    def after(
        self, seat: int, pair: str, chain: tuple[tuple[Walong, Walong], ...]
    ) -> "NaiveWalomino":
        pools = [list(pool) for pool in self.pools]
        pools[seat].remove(pair)
        turn = (seat + 1) % len(pools)
        return NaiveWalomino(chain, tuple(map(tuple, pools)), turn)

    def successors(self) -> dict[str, "NaiveWalomino"]:
        """What the next player who can play at all can play."""
        for k in range(len(self.pools)):
            found = self.moves((self.turn + k) % len(self.pools))
            if found:
                return found
        return {}


def perft(game: NaiveWalomino, depth: int) -> int:
    """How many lines of `depth` legal moves there are."""
    following = game.successors()
    if depth == 1:
        return len(following)
    return sum(perft(after, depth - 1) for after in following.values())
