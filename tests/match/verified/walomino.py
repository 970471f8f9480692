"""Walomino, verified."""

from collections.abc import Sequence
from typing import Any

from tests.match.verified.base import VerifiedGame, must
from tests.match.verified.grid import Cells, around


def walomino_moves(
    path: Sequence[int],
    cells: Cells,
    pool: Sequence[str],
    ends: Sequence[int] = (0, -1),
) -> set[str]:
    """Every way to join a pair to an open end: the chain's first position, its last
    one, or either."""
    found = set()
    for end in ends:
        tip, partner = path[end], path[1 if end == 0 else -2]
        allowed = {tip} if len(path) == 2 else {tip, partner}
        for p in set(around(tip)) - {*cells}:
            for q in set(around(p)) - {*cells}:
                touches = [(0, at) for at in around(p) if at in cells]
                touches += [(1, at) for at in around(q) if at in cells]
                if len(touches) > 2 or not {at for _, at in touches} <= allowed:
                    continue
                for pair in {turned for one in pool for turned in (one, one[::-1])}:
                    if all(pair[half] == cells[at] for half, at in touches):
                        found.add(f"{pair}:{p},{q}")
    return found


class Game(VerifiedGame):
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


def moves(fields: dict[str, Any], cells: Cells, pool: Sequence[str]) -> set[str]:
    """The legal moves, as a client finds them."""
    if fields["phase"] == "take":
        return {"take:any", *(f"take:{c}" for c, left in fields["pot"].items() if left)}
    if fields["phase"] == "pair":
        return {"pairs:any"}
    path = [position for joint in fields["joints"] for position in joint]
    return walomino_moves(path, cells, pool)
