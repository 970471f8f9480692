"""The games as "help verify" and their own pages tell them, with every draw: nothing of
the package is imported."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from tests.match.verified_moves import (
    hextad_moves,
    hextol_moves,
    holo_moves,
    walomino_moves,
)
from tests.match.verified_scores import hextad_score, hextol_score, holo_score

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


# The games: each has `moves` (legal ones of a seat), `play`, `settle` (what follows by
# itself) and `drop`


class VerifiedGame:
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

    def begin(self) -> None:
        raise NotImplementedError

    def settle(self) -> None:
        raise NotImplementedError

    def play(self, seat: int, move: str) -> None:
        raise NotImplementedError

    def drop(self, seat: int) -> None:
        raise Wrong("nobody drops out of a game for two")


def smallest_turn(face: str) -> str:
    return min(face, face[2] + face[:2], face[1:] + face[0])


class Holo(VerifiedGame):
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


class Hextol(VerifiedGame):
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


class Hextad(Hextol):
    def moves(self, seat: int) -> set[str]:
        return hextad_moves(self.cells, self.pools[seat], self.options)

    def score(self, halves: list[int]) -> int:
        return hextad_score(self.cells, halves)


class Walomino(VerifiedGame):
    def begin(self) -> None:
        self.dropped: set[int] = set()
        self.round = 0
        self.next_round()

    def next_round(self) -> None:
        self.round += 1
        self.phase = "take"
        self.pot = sorted("RGYPB" * 10)
        self.turn = (self.round - 1) % self.seats
        self.pools = [[] for _ in range(self.seats)]
        self.wishes = [""] * self.seats
        self.white = False
        self.pairs: list[list[str] | None] = [None] * self.seats
        self.path: list[int] = []
        self.cells = {}

    def may_move(self) -> list[int]:
        if self.phase == "pair" and not self.over:
            unpaired = (s for s in range(self.seats) if self.pairs[s] is None)
            return [seat for seat in unpaired if seat not in self.dropped]
        return super().may_move()

    def settle(self) -> None:
        {
            "take": self.settle_takes,
            "pair": self.settle_pairs,
            "play": self.settle_turn,
        }[self.phase]()

    def settle_takes(self) -> None:
        while len(self.pot) > 2:
            colour = self.colour_taken()
            if not colour:
                return
            self.pot.remove(colour)
            self.pools[self.turn].append(colour)
            self.white = False
            self.turn = (self.turn + 1) % self.seats
        first = sorted(self.pot, key="RGYPB".index)
        self.path, self.cells, self.pot = [0, 1], dict(enumerate(first)), []
        self.wishes = [""] * self.seats
        self.phase = "pair"
        self.settle()

    def colour_taken(self) -> str:
        """The colour that the player to take gets; empty where the game waits."""
        draft = self.options["draft"]
        if self.turn in self.dropped or draft == "random":
            return self.draws.take(self.pot)
        if draft == "die" and not self.white:
            face = self.draws.take("BGPRWY")
            while face != "W" and face not in self.pot:
                face = self.draws.take("BGPRWY")
            if face != "W":
                return face
            self.white = True
        letters, comma, _ = self.wishes[self.turn].partition(",")
        while letters and letters[0] not in self.pot:
            letters = letters[1:]
        self.wishes[self.turn] = letters[1:] + comma * bool(comma)
        if letters:
            return letters[0]
        return self.draws.take(self.pot) if comma else ""

    def settle_pairs(self) -> None:
        for seat in range(self.seats):
            asked = self.pairs[seat] == ["any"]
            if asked or (self.pairs[seat] is None and seat in self.dropped):
                left = list(self.pools[seat])
                drawn = [self.take_tile(left) for _ in self.pools[seat]]
                twos = zip(drawn[::2], drawn[1::2], strict=True)
                self.pairs[seat] = [named(first + second) for first, second in twos]
        if None in self.pairs:
            return
        self.pools = [list(pairs or ()) for pairs in self.pairs]
        self.phase, self.turn = "play", (self.round - 1) % self.seats
        self.settle()

    def settle_turn(self) -> None:
        for _ in range(self.seats):
            if self.turn not in self.dropped and self.placings(self.turn):
                return
            self.turn = (self.turn + 1) % self.seats
        self.scores = [
            score + len(pool)
            for score, pool in zip(self.scores, self.pools, strict=True)
        ]
        if self.round == int(self.options["rounds"]):
            self.over = True
            return
        self.next_round()
        self.settle()

    def placings(self, seat: int) -> set[str]:
        return walomino_moves(self.path, self.cells, self.pools[seat])

    def play(self, seat: int, move: str) -> None:
        kind, _, words = move.partition(":")
        if kind == "take":
            must(self.phase == "take", f"not taking: {move}")
            must(words[0] in self.pot or words == "any", f"none left: {move}")
            self.wishes[seat] = "," if words == "any" else words
        elif kind == "pairs":
            pairs = words.split(",")
            whole = sorted("".join(pairs)) == sorted(self.pools[seat])
            must(self.phase == "pair" and (words == "any" or whole), f"not all: {move}")
            self.pairs[seat] = pairs
        else:
            must(
                self.phase == "play" and move in self.placings(seat), f"illegal: {move}"
            )
            self.lay(seat, kind, [int(position) for position in words.split(",")])

    def lay(self, seat: int, pair: str, at: list[int]) -> None:
        first_end = walomino_moves(self.path, self.cells, [named(pair)], ends=(0,))
        joins_first = f"{pair}:{at[0]},{at[1]}" in first_end
        self.pools[seat].remove(named(pair))
        self.cells |= dict(zip(at, pair, strict=True))
        self.path = at[::-1] + self.path if joins_first else self.path + at
        self.turn = (seat + 1) % self.seats

    def drop(self, seat: int) -> None:
        self.dropped.add(seat)
        self.wishes[seat] = ""
        self.settle()

    def best(self) -> list[int]:
        left = [seat for seat in range(self.seats) if seat not in self.dropped]
        least = min(self.scores[seat] for seat in left)
        return [seat for seat in left if self.scores[seat] == least]


def named(pair: str) -> str:
    return "".join(sorted(pair, key="RGYPB".index))


GAMES: Mapping[str, type[VerifiedGame]] = {
    "holo": Holo,
    "hextad": Hextad,
    "hextol": Hextol,
    "walomino": Walomino,
}
