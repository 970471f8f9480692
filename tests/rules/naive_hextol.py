"""Hextol played slowly, with nothing of the engine's, to count by.

A board is a list of laid tiles; everything else is looked up in it again each time.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

Cell = tuple[int, int]
Half = tuple[Cell, int]  # where, and how many pips
AROUND = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
CLOCKWISE = ((1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1))


def walk_spiral(rings: int) -> list[Cell]:
    """The cells in the order of their numbers, found by walking round."""
    walked = [(0, 0)]
    for ring in range(1, rings + 1):
        cell = (0, -2 * ring)
        for col, row in CLOCKWISE:
            for _ in range(ring):
                walked.append(cell)
                cell = (cell[0] + col, cell[1] + row)
    return walked


SPIRAL = walk_spiral(60)
NUMBER = {cell: number for number, cell in enumerate(SPIRAL)}


def touching(cell: Cell) -> list[Cell]:
    return [(cell[0] + col, cell[1] + row) for col, row in AROUND]


def tiles(options: dict[str, Any]) -> list[str]:
    pips = range(options["min_pips"], options["max_pips"] + 1)
    return [f"{small}{great}" for small in pips for great in pips if small <= great]


@dataclass(frozen=True)
class NaiveHextol:
    """A position of a game with this seed."""

    seed: bytes
    options: dict[str, Any]
    pools: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    laid: tuple[tuple[Half, Half], ...] = ()
    left: tuple[str, ...] = ()
    turn: int = 0
    draws: int = 0
    scores: tuple[int, int] = (0, 0)
    over: bool = False
    halves: dict[Cell, int] = field(default_factory=dict)  # all of what is laid

    def drawn(self) -> tuple[str, "NaiveHextol"]:
        size, draws = len(self.left), self.draws
        while True:
            draws += 1
            digest = hmac.new(self.seed, b"%d" % draws, "sha256").digest()
            value = int.from_bytes(digest, "big")
            if value < 2**256 // size * size:
                break
        tile = sorted(self.left)[value % size]
        left = tuple(other for other in self.left if other != tile)
        return tile, replace(self, left=left, draws=draws)

    def to_pool(self, seat: int) -> "NaiveHextol":
        tile, game = self.drawn()
        own, other = game.pools[seat] + (tile,), game.pools[1 - seat]
        return replace(game, pools=(own, other) if seat == 0 else (other, own))

    def laying(self, halves: tuple[Half, Half]) -> "NaiveHextol":
        laid = (*self.laid, halves)
        return replace(self, laid=laid, halves={c: f for t in laid for c, f in t})

    def opened(self) -> "NaiveHextol":
        game = replace(self, left=tuple(tiles(self.options)))
        drawn, tile = 0, "no double"
        while tile[0] != tile[1]:
            tile, game = game.drawn()
            drawn += 1
        left = tuple(other for other in tiles(self.options) if other != tile)
        game = replace(game, left=left, turn=(drawn - 1) % 2)
        face = int(tile[0])
        game = game.laying((((0, 0), face), ((0, -2), face)))
        for seat in (0,) * self.options["pool_size"] + (1,) * self.options["pool_size"]:
            game = game.to_pool(seat)
        return game.ready()

    def ready(self) -> "NaiveHextol":
        """With forced draws, a skip, or the end."""
        game = self
        while game.left and not game.can_move(game.turn):
            game = game.to_pool(game.turn)
        if game.can_move(game.turn):
            return game
        over = not game.can_move(1 - game.turn)
        return replace(game, over=over, turn=game.turn if over else 1 - game.turn)

    def fits(self, one: Half, two: Half) -> bool:
        halves, size = self.halves, self.options["board_size"]
        if one[0] in halves or two[0] in halves or two[0] not in touching(one[0]):
            return False
        met = [
            (face, halves[beside])
            for cell, face in (one, two)
            for beside in touching(cell)
            if beside in halves
        ]
        if not met or not self.agrees(one, two, met):
            return False
        cols, rows = zip(*halves, one[0], two[0], strict=True)
        spread = max(max(cols) - min(cols) + 1, (max(rows) - min(rows) + 1) / 2)
        return size is None or spread <= size

    def agrees(self, one: Half, two: Half, met: list[tuple[int, int]]) -> bool:
        """Whether these halves go with those that they meet, given as both faces."""
        return all(face == other for face, other in met)

    def moves(self, seat: int) -> set[tuple[str, frozenset[Half]]]:
        """Each tile with where its halves would be, in no order."""
        return set(self.ways(seat))

    def can_move(self, seat: int) -> bool:
        return any(True for _ in self.ways(seat))

    def ways(self, seat: int) -> Iterator[tuple[str, frozenset[Half]]]:
        edge = {cell for half in self.halves for cell in touching(half)} - {
            *self.halves
        }
        return (
            (tile, frozenset(((first, a), (second, b))))
            for tile in self.pools[seat]
            for a, b in ((int(tile[0]), int(tile[1])), (int(tile[1]), int(tile[0])))
            for first in edge
            for second in touching(first)
            if self.fits((first, a), (second, b))
        )

    def played(self, tile: str, halves: frozenset[Half]) -> "NaiveHextol":
        seat = self.turn
        one, two = halves
        kept = tuple(held for held in self.pools[seat] if held != tile)
        pools = (kept, self.pools[1]) if seat == 0 else (self.pools[0], kept)
        game = replace(self, pools=pools, turn=1 - seat).laying((one, two))
        points = sum(game.values([one[0], two[0]]))
        scores = (game.scores[0] + points * (seat == 0), game.scores[1] + points * seat)
        game = replace(game, scores=scores)
        return (game.to_pool(seat) if game.left else game).ready()

    def after(self, text: str) -> "NaiveHextol":
        moves = self.moves(self.turn)
        return next(self.played(*move) for move in moves if written(*move) == text)

    def values(self, cells: list[Cell]) -> list[int]:
        """What the regions are worth that these cells border: every empty cell of a
        large field is coloured by its region, the outside is the corner's colour."""
        cols, rows = zip(*self.halves, strict=True)
        field = {
            (col, row)
            for col in range(min(cols) - 2, max(cols) + 3)
            for row in range(min(rows) - 4, max(rows) + 5)
            if (col + row) % 2 == 0 and (col, row) not in self.halves
        }
        corner = min(field)
        worth = []
        while field:
            region = {min(field)}
            while grown := {c for r in region for c in touching(r)} & field - region:
                region |= grown
            field -= region
            border = {c for r in region for c in touching(r)} & self.halves.keys()
            if corner not in region and border & set(cells):
                worth.append(sum(self.halves[half] for half in border))
        return worth


def written(tile: str, halves: frozenset[Half]) -> str:
    """The move in canonical notation."""
    order = sorted((face, NUMBER[cell]) for cell, face in halves)
    return f"{tile}:{order[0][1]},{order[1][1]}"


def count(game: Any, depth: int) -> int:
    """How many legal lines there are, this many plies long."""
    moves = set() if game.over else game.moves(game.turn)
    if depth == 1:
        return len(moves)
    return sum(count(game.played(*move), depth - 1) for move in moves)
