"""Hextol, verified."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.match.verified.base import VerifiedGame, must
from tests.match.verified.grid import CELL, WAYS, Cells, around, free_around, is_within


def hextol_moves(
    cells: Cells, pool: Sequence[str], options: Mapping[str, Any]
) -> set[str]:
    """Every way to lay a tile."""
    found = set()
    wanted = {
        free: {cells[taken] for taken in around(free) if taken in cells}
        for free in free_around(cells)
    }
    for here in wanted:
        for there in set(around(here)) - {*cells}:
            if not is_within(cells, [here, there], options):
                continue
            for tile in pool:
                for one, other in (tuple(tile), tuple(tile[::-1])):
                    if wanted[here] <= {one} and wanted.get(there, set()) <= {other}:
                        (a, p), (b, q) = sorted([(one, here), (other, there)])
                        found.add(f"{a}{b}:{p},{q}")
    return found


def hextol_score(cells: Mapping[int, str], halves: Sequence[int]) -> int:
    """What the tile that was laid last scores."""
    outside = _outside(cells)
    seen: set[int] = set()
    score = 0
    for half in halves:
        for begin in around(half):
            if begin in cells or begin in seen or CELL[begin] in outside:
                continue
            region = _region(cells, begin)
            seen |= region
            border = {at for cell in region for at in around(cell) if at in cells}
            score += sum(int(cells[at]) for at in border)
    return score


def _region(cells: Mapping[int, str], begin: int) -> set[int]:
    region, ahead = {begin}, [begin]
    while ahead:
        for there in around(ahead.pop()):
            if there not in cells and there not in region:
                region.add(there)
                ahead.append(there)
    return region


def _outside(cells: Mapping[int, str]) -> set[tuple[int, int]]:
    """The empty cells from which a way leads out of the board, and a frame round it."""
    cols, rows = zip(*(CELL[at] for at in cells), strict=True)
    left, right, top, bottom = (
        min(cols) - 2,
        max(cols) + 2,
        min(rows) - 3,
        max(rows) + 3,
    )
    taken = {CELL[at] for at in cells}
    start = (left, top + (left + top) % 2)
    found, ahead = {start}, [start]
    while ahead:
        col, row = ahead.pop()
        for dcol, drow in WAYS:
            cell = col + dcol, row + drow
            inside = left <= cell[0] <= right and top <= cell[1] <= bottom
            if inside and cell not in taken and cell not in found:
                found.add(cell)
                ahead.append(cell)
    return found


class Game(VerifiedGame):
    def begin(self) -> None:
        least, most = int(self.options["min_pips"]), int(self.options["max_pips"])
        pips = "0123456789"[least : most + 1]
        self.sack = [a + b for a in pips for b in pips if a <= b]
        drawn = [self.take_tile(self.sack)]
        while drawn[-1][0] != drawn[-1][1]:
            drawn.append(self.take_tile(self.sack))
        self.turn = (len(drawn) - 1) % 2
        self.cells = dict(enumerate(drawn[-1]))
        self.sack += drawn[:-1]
        self.deal(self.sack)

    def moves(self, seat: int) -> set[str]:
        return hextol_moves(self.cells, self.pools[seat], self.options)

    def score(self, halves: list[int]) -> int:
        return hextol_score(self.cells, halves)

    def settle(self) -> None:
        while not self.moves(self.turn):
            if self.sack:
                self.pools[self.turn].append(self.take_tile(self.sack))
            elif self.moves(1 - self.turn):
                self.turn = 1 - self.turn
            else:
                self.over = True
                return

    def play(self, seat: int, move: str) -> None:
        must(move in self.moves(seat), f"not legal: {move}")
        tile, _, where = move.partition(":")
        halves = [int(position) for position in where.split(",")]
        self.pools[seat].remove(tile)
        self.cells |= dict(zip(halves, tile, strict=True))
        self.scores[seat] += self.score(halves)
        if self.sack:
            self.pools[seat].append(self.take_tile(self.sack))
        self.turn = 1 - seat


def moves(fields: dict[str, Any], cells: Cells, pool: Sequence[str]) -> set[str]:
    """The legal moves, as a client finds them."""
    return hextol_moves(cells, pool, fields["options"])
