"""Hextol's robots.

A tile scores if it closes in empty cells. It can do that only where the cells round it
are not one unbroken row of empty ones, or inside of a region that is closed already, so
that most moves are known at once to score nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from pbm_holomino.robots import hextiles
from pbm_holomino.robots.hextiles import EMPTY, Held, Kinds, Move, Slot, Tile
from pbm_holomino.robots.search import ALL
from pbm_holomino.rules.grid import neighbours, position_to_cell
from pbm_holomino.rules.hextiles import State

# A region that a tile would border: the sum of the others' pips round it, and how often
# the pips of its own halves count, 0 or 1.
Region = tuple[int, int, int]
Parts = list[tuple[Region, set[int]]]  # regions with their cells
_NOTHING: Parts = []
# By cells, what a player could score with a tile there or beside it, each with the only
# face on the cell that does not prevent it.
Threats = defaultdict[int, list[tuple[int, int]]]


@cache
def _outward(position: int) -> tuple[int, ...]:
    """The neighbours of a cell, those in outer rings last."""
    return tuple(sorted(neighbours(position)))


@cache
def _rows(way: int, taken: int, taken_there: int) -> tuple[tuple[int, int], ...]:
    """The rows of empty cells round a tile, by a cell of each: beside which half it is,
    0 or 1, and in which direction; from the bits of the cells that are taken."""
    ring = [(0, (way + turn) % 6) for turn in range(1, 6)]
    ring += [(1, (way + turn) % 6) for turn in (-1, 0, 1)]
    empty = [
        not ((taken, taken_there)[half] >> direction) & 1 for half, direction in ring
    ]
    return tuple(
        cell
        for cell, now, before in zip(ring, empty, empty[-1:] + empty, strict=False)
        if now and not before
    )


class Kind(hextiles.Kind):
    """A kind of empty cell. A tile from it away from all others parts the cells round
    it in the directions `parting`. `face` is the only one that may lie on it, EMPTY if
    none may."""

    def __init__(self, around: tuple[int, ...]) -> None:
        beside = {face for face in around if face != EMPTY}
        super().__init__(around, beside if len(beside) == 1 else ())
        self.face = min(self.allowed, default=EMPTY)
        rows = {way: _rows(way, self.taken, 0) for way in self.free}
        self.parting = {way for way in self.free if len(rows[way]) > 1}


_KINDS = Kinds(Kind)


def _prevented(move: Move, threats: Threats) -> int:
    """The most that a move prevents the other player from scoring."""
    position, face, beside, other = move
    return max(
        (
            gain
            for at, own in ((position, face), (beside, other))
            for gain, matching in threats.get(at, ())
            if own != matching
        ),
        default=0,
    )


class Position(hextiles.Position[Kind, Parts]):
    """A state of Hextol that is changed in place. `inside` holds the cells of regions
    that are closed."""

    def __init__(self, state: State, pick: Callable[[int], int] | None = None) -> None:
        super().__init__(state, _KINDS, pick)
        self._held: dict[tuple[Tile, ...], Held] = {}
        self.inside = set[int]()
        self._noted: list[tuple[set[int], set[int]]] = []
        for position in self.frontier:
            if position not in self.inside and (region := self._region(position, ())):
                self.inside |= region[1]

    def parts(self, slot: Slot[Kind]) -> Parts:
        position, way, beside, kind, there = slot
        rows = _rows(way, kind.taken, there.taken if there else 0)
        is_inside = position in self.inside
        if len(rows) < 2 and not is_inside:
            return _NOTHING
        begins = [neighbours((position, beside)[at])[turn] for at, turn in rows]
        begins.sort(key=self._surrounded)
        regions, seen, closed = _NOTHING, set[int](), 0
        for begin in begins:
            # What lies round all tiles is one of the rows, if no other is.
            if closed == len(begins) - 1 and not is_inside:
                break
            if begin in seen:
                continue
            region = self._region(begin, (position, beside))
            if region:
                closed += 1
                seen |= region[1]
                regions = [*regions, region]
        return regions

    def _surrounded(self, position: int) -> int:
        """Smaller for a cell with more neighbours taken, which is sooner closed in."""
        kind = self.frontier.get(position)
        return -kind.taken.bit_count() if kind else 0

    def held(self) -> Held:
        pool = tuple(self.pools[self.turn])
        if pool not in self._held:
            self._held[pool] = super().held()
        return self._held[pool]

    def _held_by_other(self) -> Held:
        self.turn = 1 - self.turn
        held = self.held()
        self.turn = 1 - self.turn
        return held

    def in_order(self) -> Iterable[int]:
        """The outer cells come first: most of the inner ones are blocked."""
        return sorted(self.frontier, reverse=True)

    def scoring(self, held: Held) -> list[tuple[int, Slot[Kind], Parts]]:
        frontier, inside, slots = self.frontier, self.inside, []
        most = max(held, default=0)
        for position, kind in frontier.items():
            if kind.face not in held:
                continue
            is_inside, around = position in inside, neighbours(position)
            for way in kind.free:
                beside = around[way]
                there = frontier.get(beside)
                if there is None:
                    is_parting = way in kind.parting
                elif beside < position or there.face not in held:
                    continue
                else:
                    is_parting = len(_rows(way, kind.taken, there.taken)) > 1
                if not is_parting and not is_inside:
                    continue
                slot = (position, way, beside, kind, there)
                parts = self.parts(slot)
                if parts and self.is_within(position, beside):
                    slots.append((self.gain(parts, most, most), slot, parts))
        return slots

    def _others(
        self, held: Held, scoring: Iterable[tuple[int, Slot[Kind], Parts]]
    ) -> Iterator[tuple[int, Move]]:
        """See hextiles.Position. First come the moves that prevent what the other
        player threatens most."""
        threats, others = self._threats(), super()._others(held, scoring)
        if threats:
            others = iter(
                sorted(others, key=lambda pair: -_prevented(pair[1], threats))
            )
        yield from others

    def _threats(self) -> Threats:
        """What the other player threatens."""
        threats, held = Threats(list), self._held_by_other()
        for _, slot, parts in self.scoring(held):
            for gain, (*half, beside, other) in self._placings(slot, parts, held):
                for at, face in (half, (beside, other)):
                    threats[at].append((gain, EMPTY))
                    for near in neighbours(at):
                        threats[near].append((gain, face))
        return threats

    def most(self) -> int:
        held = self.held()
        return self._most(self.scoring(held), held)

    def outlook(self) -> float:
        """As in hextiles.Position, of both players at once."""
        if self.must_draw:
            return super().outlook()
        mine, theirs = self.held(), self._held_by_other()
        scoring = self.scoring(mine | theirs)
        return self._most(scoring, mine) - self._most(scoring, theirs) / 2

    def _most(self, scoring: list[tuple[int, Slot[Kind], Parts]], held: Held) -> int:
        """The most that a tile that is held scores in these slots."""
        most = 0
        for bound, slot, parts in scoring:
            if bound > most:
                for gain, _ in self._placings(slot, parts, held):
                    most = max(most, gain)
        return most

    def _region(
        self, begin: int, tile: tuple[int, ...]
    ) -> tuple[Region, set[int]] | None:
        """The region of an empty cell once a tile lies at these positions, if it is
        closed then."""
        cells = self.cells
        left, right, top, bottom = self.spread(*tile)
        region, ahead, border = {begin}, [begin], set[int]()
        while ahead:
            position = ahead.pop()
            col, row = position_to_cell(position)
            if not (left <= col <= right and top <= row <= bottom):
                return None
            for beside in _outward(position):
                if beside in cells or beside in tile:
                    border.add(beside)
                elif beside not in region:
                    region.add(beside)
                    ahead.append(beside)
        mine = [int(position in border) for position in tile] or [0, 0]
        total = sum(cells.get(half, 0) for half in border)
        return (total, mine[0], mine[1]), region

    def gain(self, parts: Parts, face: int, other: int) -> int:
        gain = 0
        for (total, first, second), _ in parts:
            gain += total + face * first + other * second
        return gain

    def note(self, parts: Parts, tile: tuple[int, int]) -> None:
        lost = self.inside.intersection(tile)
        won = {cell for _, region in parts for cell in region} - self.inside
        self.inside = (self.inside | won) - lost
        self._noted.append((won, lost))

    def forget(self) -> None:
        won, lost = self._noted.pop()
        self.inside = (self.inside | lost) - won


_ROBOTS = hextiles.Robots(Position, few=16, many=ALL, width=10)
LEVELS, REASONS = _ROBOTS.LEVELS, _ROBOTS.REASONS
forecast, worths = _ROBOTS.forecast, _ROBOTS.worths
