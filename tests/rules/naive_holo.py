"""Holomino played slowly, with nothing of the engine's, to count by.

A cell `(col, row)` has its middle at the point `(3 * col, row)` of the plane. Its
six corners are points too, and neighbours share theirs, so a board is no more than
digits at points: a tile may lie where its three digits meet no other digit.
"""

import hmac
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from tests.rules.spiral import NUMBER, Cell

Point = tuple[int, int]

DIGITS: tuple[Point, ...] = ((-1, -1), (2, 0), (-1, 1))  # upper left, right, lower left
BITES: tuple[Point, ...] = ((1, -1), (-2, 0), (1, 1))
EDGES: tuple[Point, ...] = ((-2, 0), (1, -1), (1, 1))  # from a hole to its edges' ends


def points(cell: Cell, corners: tuple[Point, ...]) -> list[Point]:
    """Where these corners of a cell are in the plane."""
    return [(3 * cell[0] + x, cell[1] + y) for x, y in corners]


def tiles(num_digits: int, non_unique: bool) -> list[str]:
    """The names of a whole set: every three digits, but each rotation once."""
    seen: set[str] = set()
    names = []
    for face in map("".join, product("123456789"[:num_digits], repeat=3)):
        if face not in seen and (non_unique or len(set(face)) == 3):
            names.append(face)
        seen |= set(rotations(face))
    return names


def rotations(tile: str) -> set[str]:
    """The different ways in which a tile can lie."""
    return {tile[turn:] + tile[:turn] for turn in range(3)}


def digits(cells: Mapping[Cell, str]) -> dict[Point, str]:
    """The digits of a board, at their points."""
    return {
        point: digit
        for cell, face in cells.items()
        for point, digit in zip(points(cell, DIGITS), face, strict=True)
    }


def window(cells: Mapping[Cell, str], margin: int) -> Iterator[Cell]:
    """Every cell of the board and of a margin round it."""
    cols, rows = [col for col, _ in cells], [row for _, row in cells]
    for col in range(min(cols) - margin, max(cols) + margin + 1):
        for row in range(min(rows) - 2 * margin, max(rows) + 2 * margin + 1):
            if (col + row) % 2 == 0:
                yield col, row


def beside(cells: Mapping[Cell, str]) -> list[Cell]:
    """The empty cells that share a corner with a tile."""
    corners = {point for cell in cells for point in points(cell, DIGITS + BITES)}
    return [
        cell
        for cell in window(cells, 1)
        if cell not in cells and not corners.isdisjoint(points(cell, DIGITS + BITES))
    ]


def pattern(cells: Mapping[Cell, str], cell: Cell) -> str:
    """The digits that are there already at a cell's corners, `.` where none is."""
    known = digits(cells)
    return "".join(known.get(point, ".") for point in points(cell, DIGITS))


def agrees(known: Mapping[Point, str], cell: Cell, face: str) -> bool:
    """Whether a face contradicts no digit that is known."""
    corners = zip(points(cell, DIGITS), face, strict=True)
    return all(known.get(point, digit) == digit for point, digit in corners)


def within(cells: Mapping[Cell, str], cell: Cell, size: int | None) -> bool:
    """Whether a board of this size holds the tiles and one more."""
    cols = [col for col, _ in (*cells, cell)]
    rows = [row for _, row in (*cells, cell)]
    return size is None or (
        max(cols) - min(cols) <= size - 1 and max(rows) - min(rows) <= 2 * size - 1
    )


def score(cells: Mapping[Cell, str], cell: Cell, limit_scores: bool) -> int:
    """What the last tile, at this cell, makes."""
    bites = [point for tile in cells for point in points(tile, BITES)]
    known = digits(cells)
    holes = [
        sum(int(known[x + dx, y + dy]) for dx, dy in EDGES)
        for x, y in points(cell, BITES)
        if bites.count((x, y)) == 3
    ]
    if limit_scores:
        return sum(holes) * len(holes)
    product_of_all = 1 if holes else 0
    for hole in holes:
        product_of_all *= hole
    return product_of_all


@dataclass(frozen=True)
class NaiveHolo:
    """A position, with the draw of its turn already made."""

    options: Mapping[str, Any]
    seed: bytes
    pools: tuple[tuple[str, ...], ...]
    sack: tuple[str, ...]
    cells: Mapping[Cell, str]
    scores: tuple[int, ...] = (0, 0)
    turn: int = 0
    draws: int = 0
    passes: int = 0
    over: bool = False

    def drawn(self) -> tuple[str, "NaiveHolo"]:
        """The next tile of the sack, and the game without it."""
        message = str(self.draws + 1).encode()
        value = int(hmac.new(self.seed, message, "sha256").hexdigest(), 16)
        tile = self.sack[value % len(self.sack)]
        sack = tuple(other for other in self.sack if other != tile)
        return tile, replace(self, sack=sack, draws=self.draws + 1)

    def supplied(self) -> "NaiveHolo":
        """The game after the draw that begins a turn."""
        if self.over or not self.sack:
            return self
        tile, game = self.drawn()
        return game.holding((*game.pools[game.turn], tile))

    def holding(self, pool: tuple[str, ...]) -> "NaiveHolo":
        """The game in which the player to move holds these tiles."""
        mine, yours = self.turn, 1 - self.turn
        pools = {mine: pool, yours: self.pools[yours]}
        return replace(self, pools=(pools[0], pools[1]))

    def moves(self) -> dict[str, tuple[str, Cell | None]]:
        """Every legal move as it is written: the face and cell, or a tile passed."""
        if self.over:
            return {}
        known, size = digits(self.cells), self.options["board_size"]
        pool = self.pools[self.turn]
        found: dict[str, tuple[str, Cell | None]] = {}
        for cell in beside(self.cells):
            if not within(self.cells, cell, size):
                continue
            for tile in pool:
                faces = [f for f in rotations(tile) if agrees(known, cell, f)]
                for face in faces:
                    written = tile if len(faces) == 1 else face
                    found[f"{written}:{NUMBER[cell]}"] = face, cell
        return found or {f"pass:{tile}": (tile, None) for tile in pool}

    def after(self, move: tuple[str, Cell | None]) -> "NaiveHolo":
        """The game after a move and the draw that follows it."""
        face, cell = move
        pool = tuple(t for t in self.pools[self.turn] if t not in rotations(face))
        game = self.holding(pool)
        if cell is None:
            sack = tuple(sorted((*game.sack, face)))
            game = replace(game, sack=sack, passes=game.passes + 1)
        else:
            cells = {**game.cells, cell: face}
            scores = list(game.scores)
            scores[game.turn] += score(cells, cell, game.options["limit_scores"])
            game = replace(game, cells=cells, scores=tuple(scores), passes=0)
        over = not pool or game.passes == 2
        return replace(game, turn=1 - game.turn, over=over).supplied()

    def blocked(self) -> set[Cell]:
        """The cells inside the board's size where no tile of the full set fits."""
        known, size = digits(self.cells), self.options["board_size"]
        full = tiles(self.options["num_digits"], self.options["non_unique"])
        faces = [face for tile in full for face in rotations(tile)]
        return {
            cell
            for cell in beside(self.cells)
            if within(self.cells, cell, size)
            and not any(agrees(known, cell, face) for face in faces)
        }


def begin(options: Mapping[str, Any], seed: bytes) -> NaiveHolo:
    """A new game: both pools dealt, the first tile laid, the first draw made."""
    sack = tuple(tiles(options["num_digits"], options["non_unique"]))
    game = NaiveHolo(options, seed, ((), ()), sack, {})
    for seat in (0, 1):
        game = replace(game, turn=seat)
        for _ in range(options["pool_size"]):
            tile, game = game.drawn()
            game = game.holding((*game.pools[seat], tile))
    tile, game = game.drawn()
    return replace(game, cells={(0, 0): tile}, turn=0).supplied()


def perft(
    game: Any, depth: int, successors: Callable[[Any], list[Any]]
) -> tuple[int, int]:
    """The lines of legal moves of this length, and all points made on them."""
    if depth == 0:
        return 1, sum(game.scores)
    lines = [perft(after, depth - 1, successors) for after in successors(game)]
    return sum(count for count, _ in lines), sum(points for _, points in lines)
