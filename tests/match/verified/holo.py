"""Holomino, verified."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from tests.match.verified.base import VerifiedGame, must
from tests.match.verified.grid import (
    NE,
    NW,
    SE,
    SW,
    Cells,
    N,
    S,
    face_beside,
    free_around,
    is_within,
)

# The corners of a neighbour that the upper left, right and lower left digit meet.
MEETS = (((N, 2), (NW, 1)), ((NE, 2), (SE, 0)), ((S, 0), (SW, 1)))
UPPER_LEFT, RIGHT, LOWER_LEFT = 0, 1, 2

# Two neighbours, two digits of the tile, and one of the first neighbour's.
HOLES = (
    (N, NE, UPPER_LEFT, RIGHT, RIGHT),
    (SE, S, RIGHT, LOWER_LEFT, LOWER_LEFT),
    (SW, NW, LOWER_LEFT, UPPER_LEFT, UPPER_LEFT),
)


def _fits(cells: Cells, position: int, face: str) -> bool:
    for digit, meets in zip(face, MEETS, strict=True):
        for way, corner in meets:
            other = face_beside(cells, position, way)
            if other and other[corner] != digit:
                return False
    return True


def holo_moves(
    cells: Cells, pool: Sequence[str], options: Mapping[str, Any]
) -> dict[str, str]:
    """The moves but for passes, each with the face as it lies."""
    found = {}
    for position in free_around(cells):
        if not is_within(cells, [position], options):
            continue
        for tile in pool:
            turns = {tile, tile[1:] + tile[0], tile[2] + tile[:2]}
            faces = [face for face in turns if _fits(cells, position, face)]
            for face in faces:
                name = tile if len(faces) == 1 else face
                found[f"{name}:{position}"] = face
    return found


def holo_score(cells: Mapping[int, str], at: int, limited: bool) -> int:
    """What the tile that was laid last scores."""
    face, values = cells[at], []
    for first, second, one, other, far in HOLES:
        there = face_beside(cells, at, first)
        if there and face_beside(cells, at, second):
            values.append(int(face[one]) + int(face[other]) + int(there[far]))
    if not values:
        return 0
    return sum(values) * len(values) if limited else prod(values)


def smallest_turn(face: str) -> str:
    return min(face, face[2] + face[:2], face[1:] + face[0])


class Game(VerifiedGame):
    def begin(self) -> None:
        digits = "123456789"[: int(self.options["num_digits"])]
        faces = [a + b + c for a in digits for b in digits for c in digits]
        same = self.options["non_unique"] == "yes"
        self.sack = [
            face
            for face in faces
            if face == smallest_turn(face) and (same or len(set(face)) == 3)
        ]
        self.passes = 0
        self.deal(self.sack)
        self.cells = {0: self.take_tile(self.sack)}

    def settle(self) -> None:
        if self.sack and not self.over:
            self.pools[self.turn].append(self.take_tile(self.sack))

    def play(self, seat: int, move: str) -> None:
        faces = holo_moves(self.cells, self.pools[seat], self.options)
        kind, _, where = move.partition(":")
        if kind == "pass":
            must(not faces and where in self.pools[seat], f"no passing: {move}")
            self.pools[seat].remove(where)
            self.sack.append(where)
            self.passes += 1
        else:
            must(move in faces, f"not legal: {move}")
            self.pools[seat].remove(smallest_turn(kind))
            self.cells[int(where)] = faces[move]
            limited = self.options["limit_scores"] == "yes"
            self.scores[seat] += holo_score(self.cells, int(where), limited)
            self.passes = 0
        self.over = not self.pools[seat] or self.passes == 2
        self.turn = 1 - seat


def moves(fields: dict[str, Any], cells: Cells, pool: Sequence[str]) -> set[str]:
    """The legal moves, as a client finds them."""
    placings = {*holo_moves(cells, pool, fields["options"])}
    return placings or {f"pass:{tile}" for tile in pool}
