"""Hextad's robots.

What a half scores on an empty cell depends on the kind of the cell alone; only at the
two intersections that both halves of a tile form must they be seen together.
"""

from collections.abc import Callable
from functools import cache

from pbm_holomino.robots import hextiles
from pbm_holomino.robots.hextiles import EMPTY, Held, Kinds, Slot
from pbm_holomino.rules.games import hextad
from pbm_holomino.rules.hextiles import State, faces

# What each face scores on the first cell and on the other, and the faces of the cells
# that are beside both.
Parts = tuple[dict[int, int], dict[int, int], tuple[int, ...]]


@cache
def _sum(one: int, two: int, three: int) -> int | None:
    return hextad.sum_of(f"{one}{two}{three}")


class Kind(hextiles.Kind):
    """A kind of empty cell. `points` holds what each face scores there."""

    def __init__(self, around: tuple[int, ...], every: range, is_strict: bool) -> None:
        pairs = [
            (one, other)
            for one, other in zip(around, around[1:] + around[:1], strict=True)
            if EMPTY not in (one, other)
        ]
        sums = {face: [_sum(face, *pair) for pair in pairs] for face in every}
        allowed = [face for face in every if not is_strict or None not in sums[face]]
        super().__init__(around, allowed)
        self.points = {face: sum(filter(None, sums[face])) for face in every}


@cache
def _kinds(least: int, most: int, is_strict: bool) -> Kinds[Kind]:
    every = range(least, most + 1)
    return Kinds(lambda around: Kind(around, every, is_strict))


class Position(hextiles.Position[Kind, Parts]):
    """A state of Hextad that is changed in place."""

    def __init__(self, state: State, pick: Callable[[int], int] | None = None) -> None:
        every = [int(face) for face in faces(state.options)]
        self._most = every[-1]
        self._is_strict = state.options["strict"]
        kinds = _kinds(every[0], every[-1], self._is_strict)
        super().__init__(state, kinds, pick)

    def parts(self, slot: Slot[Kind]) -> Parts:
        _, way, _, kind, there = slot
        around = kind.around
        one, other = around[way - 1], around[way - 5]
        shared = (one,) * (one != EMPTY) + (other,) * (other != EMPTY)
        return kind.points, (there or self._kinds.blank).points, shared

    def scoring(self, held: Held) -> list[tuple[int, Slot[Kind], Parts]]:
        tops = {
            at: max(map(kind.points.__getitem__, kind.allowed & held.keys()), default=0)
            for at, kind in self.frontier.items()
        }
        slots = []
        for slot in self.slots(held):
            parts = self.parts(slot)
            bound = tops[slot[0]] + tops.get(slot[2], 0) + self._most * len(parts[2])
            slots.append((bound, slot, parts))
        return slots

    def gain(self, parts: Parts, face: int, other: int) -> int | None:
        points, points_there, shared = parts
        gain = points[face] + points_there[other]
        for third in shared:
            value = _sum(face, other, third)
            if value is None and self._is_strict:
                return None
            gain += value or 0
        return gain


_ROBOTS = hextiles.Robots(Position, few=10, many=40, width=10)
LEVELS, REASONS = _ROBOTS.LEVELS, _ROBOTS.REASONS
forecast, worths = _ROBOTS.forecast, _ROBOTS.worths
