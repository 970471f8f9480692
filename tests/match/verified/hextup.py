"""Hextup, verified."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tests.match.verified.base import VerifiedGame, must
from tests.match.verified.grid import Cells, around, free_around, is_within

Joints = Collection[frozenset[int]]  # of the tiles of which both halves can be seen


def beside_others(
    cells: Cells, one: tuple[int, str], two: tuple[int, str], options: Mapping[str, Any]
) -> bool:
    """Whether these halves can lie on two empty cells that are beside each other."""
    for here, face in (one, two):
        met = {cells[at] for at in around(here) if at in cells}
        if met and face not in met:
            return False
    return is_within(cells, [one[0], two[0]], options)


def hextup_moves(
    cells: Cells,
    heights: Mapping[int, int],
    joints: Joints,
    pool: Sequence[str],
    options: Mapping[str, Any],
) -> set[str]:
    """Every way to lay a tile, beside others and on top of them."""
    places = [
        (here, there)
        for here in free_around(cells)
        for there in set(around(here)) - {*cells}
    ]
    tops = [
        (here, there)
        for here in cells
        for there in around(here)
        if there in cells
        and frozenset((here, there)) not in joints
        and heights.get(here, 1) == heights.get(there, 1)
    ]
    found = set()
    for tile in pool:
        for a, b in (tuple(tile), tuple(tile[::-1])):
            fitting = [
                (here, there)
                for here, there in places
                if beside_others(cells, (here, a), (there, b), options)
            ]
            fitting += [(p, q) for p, q in tops if (cells[p], cells[q]) == (a, b)]
            for here, there in fitting:
                (_, p), (_, q) = sorted([(a, here), (b, there)])
                found.add(f"{min(a, b)}{max(a, b)}:{p},{q}")
    return found


class Game(VerifiedGame):
    def begin(self) -> None:
        least, most = int(self.options["min_pips"]), int(self.options["max_pips"])
        self.pips = "0123456789"[least : most + 1]
        every = [a + b for a in self.pips for b in self.pips if a <= b]
        self.sacks = [list(every), list(every)]
        self.winner: int | None = None
        self.owners: dict[int, int] = {}
        self.heights: dict[int, int] = {}
        self.joints: set[frozenset[int]] = set()
        aside: list[str] = []
        while True:
            seat = len(aside) % 2
            tile = self.take_tile(self.sacks[seat])
            if tile[0] == tile[1]:
                break
            aside.append(tile)
        for number, went_back in enumerate(aside):
            self.sacks[number % 2].append(went_back)
        self.turn = seat
        self.lay(seat, tile, [0, 1])
        for pool, sack in zip(self.pools, self.sacks, strict=True):
            pool += [
                self.take_tile(sack) for _ in range(int(self.options["pool_size"]))
            ]

    def lay(self, seat: int, tile: str, halves: list[int]) -> None:
        for at, face in zip(halves, tile, strict=True):
            self.heights[at] = self.heights.get(at, 0) + 1
            self.cells[at], self.owners[at] = face, seat
        self.joints = {pair for pair in self.joints if not pair & {*halves}}
        self.joints.add(frozenset(halves))
        self.scores = [self.connected(0), self.connected(1)]

    def connected(self, seat: int) -> int:
        """The most numbers in a group of this seat."""
        left, most = {at for at, who in self.owners.items() if who == seat}, 0
        while left:
            group, ahead = set(), [left.pop()]
            while ahead:
                group.add(at := ahead.pop())
                near = {*around(at)} & left
                left -= near
                ahead += near
            most = max(most, len({self.cells[at] for at in group}))
        return most

    def moves(self, seat: int) -> set[str]:
        return hextup_moves(
            self.cells, self.heights, self.joints, self.pools[seat], self.options
        )

    def settle(self) -> None:
        while not self.moves(self.turn):
            if self.sacks[self.turn]:
                tile = self.take_tile(self.sacks[self.turn])
                self.pools[self.turn].append(tile)
            elif self.sacks[1 - self.turn] or self.moves(1 - self.turn):
                self.turn = 1 - self.turn
            else:
                self.over = True
                return

    def play(self, seat: int, move: str) -> None:
        must(move in self.moves(seat), f"not legal: {move}")
        tile, _, where = move.partition(":")
        self.pools[seat].remove(tile)
        self.lay(seat, tile, [int(position) for position in where.split(",")])
        if self.scores[seat] == len(self.pips):
            self.winner, self.over = seat, True
            return
        if self.sacks[seat]:
            self.pools[seat].append(self.take_tile(self.sacks[seat]))
        self.turn = 1 - seat

    def best(self) -> list[int]:
        return [0, 1] if self.winner is None else [self.winner]


def moves(fields: dict[str, Any], cells: Cells, pool: Sequence[str]) -> set[str]:
    """The legal moves, as a client finds them."""
    heights = {int(at): height for at, height in fields.get("heights", {}).items()}
    joints = {frozenset(joint) for joint in fields["joints"]}
    return hextup_moves(cells, heights, joints, pool, fields["options"])
