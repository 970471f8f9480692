"""What the robots for Hextol and Hextad share: a position that is changed in place.

An empty cell beside tiles is of a kind, by the faces of its six neighbours. What may
lie there, and what else a game knows of such a cell, is worked out once for each kind.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from random import Random
from statistics import fmean
from typing import Generic, TypeVar

from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.robots.contract import (
    Budget,
    Choose,
    Forecast,
    Meter,
    Worth,
    seat_of,
)
from pbm_holomino.robots.playouts import forecast, lead_at_end
from pbm_holomino.robots.reasons import REASONS, reason
from pbm_holomino.robots.search import ALL, alpha_beta, greedy, lookahead, worths
from pbm_holomino.rules import hextiles
from pbm_holomino.rules.contract import View
from pbm_holomino.rules.grid import LAST_POSITION, Box, fits_board, neighbours, spread
from pbm_holomino.rules.hextiles import State
from pbm_holomino.rules.tiles import sack_of

Tile = tuple[int, int]
Move = tuple[int, int, int, int]  # a position and the face there, the other and its own
# The faces of a pool, each with those on the other halves of the tiles that have it.
Held = dict[int, set[int]]
_FIRST = itemgetter(0)
EMPTY = -1  # the face of a cell without a tile


class Kind:
    """A kind of empty cell: the faces of its neighbours, clockwise from N, a bit for
    each that is taken, and the faces that may lie on the cell."""

    def __init__(self, around: tuple[int, ...], allowed: Iterable[int]) -> None:
        self.around, self.allowed = around, frozenset(allowed)
        self.taken = sum(1 << way for way in range(6) if around[way] != EMPTY)
        self.free = tuple(way for way in range(6) if around[way] == EMPTY)


KindT = TypeVar("KindT", bound=Kind)
PartsT = TypeVar("PartsT")


class Kinds(dict[tuple[int, ...], KindT]):
    """Every kind of cell that has come up, by the faces round it."""

    def __init__(self, make: Callable[[tuple[int, ...]], KindT]) -> None:
        self._make = make
        self.blank = self[(EMPTY,) * 6]

    def __missing__(self, around: tuple[int, ...]) -> KindT:
        self[around] = kind = self._make(around)
        return kind


# Two empty cells for a tile: the first, which is beside tiles, the direction to the
# second, that one, and the kinds of both; the second is of none away from all tiles.
Slot = tuple[int, int, int, KindT, KindT | None]


class _Change(NamedTuple, Generic[KindT]):
    """What a move has changed."""

    seat: int
    tile: Tile
    place: int  # of the tile in the pool
    positions: tuple[int, int]
    gain: int
    box: Box  # before the move, as are the code and the frontier
    code: int
    frontier: list[tuple[int, KindT | None]]
    drawn: list[tuple[int, int]]  # the seats that drew, and the places in the sack


class Position(ABC, Generic[KindT, PartsT]):
    """A state of a game with hextiles. `pick` chooses an index below a number: with it
    the draws are made. Without it only the last tile of the sack is drawn, which is
    certain; so a player who cannot move may have to draw, which is `must_draw`. `code`
    is a hash of the board and the pools (Zobrist, 1970)."""

    def __init__(
        self,
        state: State,
        kinds: Kinds[KindT],
        pick: Callable[[int], int] | None = None,
    ) -> None:
        self._kinds, self._pick = kinds, pick
        self._size = state.options["board_size"]
        self.cells: dict[int, int] = {}
        self.frontier: dict[int, KindT] = {}
        self.box: Box = (0, 0, 0, 0)
        self.code = 0
        for position, face in state.cells.items():
            self._lay(position, int(face))
        self.pools = [[_tile(word) for word in pool] for pool in state.pools]
        for seat, tiles in enumerate(self.pools):
            for tile in tiles:
                self.code ^= hash((seat, *tile))
        self.sack = sorted(map(_tile, sack_of(state, state.turn)))
        self.scores = list(state.scores)
        self.turn, self.over = state.turn, state.over
        self.must_draw = False
        self._made: list[_Change[KindT]] = []

    # What a game knows

    @abstractmethod
    def parts(self, slot: Slot[KindT]) -> PartsT:
        """What the score of a tile in a slot is made of, whatever its faces are."""

    @abstractmethod
    def scoring(self, held: Held) -> list[tuple[int, Slot[KindT], PartsT]]:
        """The slots where a tile can score, with what no tile that is held exceeds."""

    @abstractmethod
    def gain(self, parts: PartsT, face: int, other: int) -> int | None:
        """What a tile scores with these faces; None if it may not lie there although
        each of its halves may."""

    def note(self, parts: PartsT, tile: tuple[int, int]) -> None:
        """Remember what a tile at these positions changes for the coming ones."""

    def forget(self) -> None:
        """Forget what was noted last."""

    # Moves

    def word(self, move: Move) -> str:
        """The move in canonical notation."""
        position, face, beside, other = move
        placing = hextiles.move_of(str(face), position, str(other), beside)
        return hextiles.format_move(placing)

    def moves(self, most: int = ALL) -> list[tuple[int, Move]]:
        """See search.Position."""
        placings, least = list[tuple[int, Move]](), 0
        held = {} if self.over else self.held()
        scoring = self.scoring(held)
        for bound, slot, parts in sorted(scoring, key=_FIRST, reverse=True):
            if len(placings) >= most and bound <= least:
                break
            placings += self._placings(slot, parts, held)
            if len(placings) >= most:
                placings = sorted(placings, key=_FIRST, reverse=True)[:most]
                least = placings[-1][0]
        if len(placings) < most:
            placings += islice(self._others(held, scoring), most - len(placings))
        return sorted(placings, key=_FIRST, reverse=True)

    def _others(
        self, held: Held, scoring: Iterable[tuple[int, Slot[KindT], PartsT]]
    ) -> Iterator[tuple[int, Move]]:
        """The moves in all slots but these."""
        done = {slot[:2] for _, slot, _ in scoring}
        for slot in self.slots(held):
            if slot[:2] not in done:
                yield from self._placings(slot, self.parts(slot), held)

    def draws(self) -> Generator[list[tuple[int, Move]], None, None]:
        """See search.Position: the tiles with which a player who must draw can move.
        They go on drawing until they have one."""
        if not self.must_draw:
            return
        seat, sack, code = self.turn, self.sack, self.code
        pool, self.must_draw = self.pools[seat], False
        try:
            for tile in [tile for tile in sack if self._can_move(_held_of([tile]))]:
                place = sack.index(tile)
                pool.append(sack.pop(place))
                self.code = code ^ hash((seat, *tile))
                try:
                    yield self.moves()
                finally:
                    sack.insert(place, pool.pop())
        finally:
            self.code, self.must_draw = code, True

    def reply(self) -> Move:
        """A move that scores most."""
        return self.moves(1)[0][1]

    def prospect(self) -> float:
        """The most that the player to move can score now, or on average if they must
        draw first."""
        if self.must_draw:
            return fmean(moves[0][0] for moves in self.draws())
        return self.most()

    def most(self) -> int:
        """The most that the player to move can score with what they hold."""
        best = self.moves(1)
        return best[0][0] if best else 0

    def key(self) -> object:
        """What is equal in positions from which the same can come."""
        return self.turn, self.code

    def outlook(self) -> float:
        """See search.Position: what the other player threatens counts for half of it,
        since it can be prevented."""
        prospect = self.prospect()
        self.turn = 1 - self.turn
        threat = self.most()
        self.turn = 1 - self.turn
        return prospect - threat / 2

    def held(self) -> Held:
        """What the player to move holds."""
        return _held_of(self.pools[self.turn])

    def in_order(self) -> Iterable[int]:
        """The cells of the frontier, the likeliest ones first."""
        return self.frontier

    def slots(self, held: Held) -> Iterator[Slot[KindT]]:
        """Each slot once where faces that are held may lie."""
        frontier = self.frontier
        for position in self.in_order():
            kind = frontier[position]
            if kind.allowed.isdisjoint(held):
                continue
            around = neighbours(position)
            for way in kind.free:
                beside = around[way]
                there = frontier.get(beside)
                if there is None:
                    if beside > LAST_POSITION:
                        continue
                elif beside < position or there.allowed.isdisjoint(held):
                    continue
                if self.is_within(position, beside):
                    yield position, way, beside, kind, there

    def is_within(self, *positions: int) -> bool:
        """Whether a tile at these positions keeps the board within -board_size."""
        return not self._size or fits_board(self.spread(*positions), self._size)

    def spread(self, *positions: int) -> Box:
        """The box round the tiles and these positions."""
        box = self.box
        for position in positions:
            box = spread(box, position)
        return box

    def _placings(
        self, slot: Slot[KindT], parts: PartsT, held: Held
    ) -> Iterator[tuple[int, Move]]:
        """The tiles that may lie in a slot, with what each scores there."""
        position, _, beside, kind, there = slot
        for face in kind.allowed:
            for other in held.get(face, ()):
                if there is None or other in there.allowed:
                    gain = self.gain(parts, face, other)
                    if gain is not None:
                        yield gain, (position, face, beside, other)

    def _can_move(self, held: Held) -> bool:
        """Whether a tile that is held can be played."""
        return any(
            next(self._placings(slot, self.parts(slot), held), None) is not None
            for slot in self.slots(held)
        )

    # Changes

    def make(self, move: Move) -> None:
        """Make a legal move, and the draws and skips that follow."""
        position, face, beside, other = move
        seat, pool, box, code = self.turn, self.pools[self.turn], self.box, self.code
        tile = (face, other) if face < other else (other, face)
        place = pool.index(tile)
        way = neighbours(position).index(beside)
        kind, there = self.frontier[position], self.frontier.get(beside)
        parts = self.parts((position, way, beside, kind, there))
        gain = self.gain(parts, face, other) or 0
        self.note(parts, (position, beside))
        del pool[place]
        self.code ^= hash((seat, *tile))
        self.scores[seat] += gain
        frontier = self._lay(position, face) + self._lay(beside, other)
        drawn = self._settle()
        positions = position, beside
        self._made.append(
            _Change(seat, tile, place, positions, gain, box, code, frontier, drawn)
        )

    def _settle(self) -> list[tuple[int, int]]:
        """Make the draws and the skip after a move; the seats that drew, and what."""
        seat, drawn = self.turn, list[tuple[int, int]]()
        self._draw(seat, drawn)
        self.turn = 1 - seat
        while not (can_move := self._can_move(self.held())):
            if not self._draw(self.turn, drawn):
                break
        if not can_move:
            # where no tile of the sack can be played, it does not matter who draws it
            self.must_draw = self._can_move(_held_of(self.sack))
            if not self.must_draw:
                self.turn = seat
                self.over = not self._can_move(self.held())
        return drawn

    def _draw(self, seat: int, drawn: list[tuple[int, int]]) -> bool:
        """Make a draw, if that can be, and write it down."""
        sack = self.sack
        if not sack or not self._pick and len(sack) > 1:
            return False
        index = self._pick(len(sack)) if self._pick else 0
        sack[index], sack[-1] = sack[-1], sack[index]
        tile = sack.pop()
        self.pools[seat].append(tile)
        self.code ^= hash((seat, *tile))
        drawn.append((seat, index))
        return True

    def unmake(self) -> None:
        """Take back the last move."""
        change, sack = self._made.pop(), self.sack
        for seat, index in reversed(change.drawn):
            sack.append(self.pools[seat].pop())
            sack[index], sack[-1] = sack[-1], sack[index]
        self.turn, self.over, self.must_draw = change.seat, False, False
        self.box, self.code = change.box, change.code
        self.pools[change.seat].insert(change.place, change.tile)
        self.scores[change.seat] -= change.gain
        for position in change.positions:
            del self.cells[position]
        for position, kind in reversed(change.frontier):
            if kind is None:
                self.frontier.pop(position, None)
            else:
                self.frontier[position] = kind
        self.forget()

    def _lay(self, position: int, face: int) -> list[tuple[int, KindT | None]]:
        """Put a half on a cell, and return what the frontier was."""
        cells, frontier, kinds = self.cells, self.frontier, self._kinds
        changed = [(position, frontier.pop(position, None))]
        cells[position] = face
        self.code ^= hash((position, face))
        for way, beside in enumerate(neighbours(position)):
            if beside in cells or beside > LAST_POSITION:
                continue
            before = frontier.get(beside)
            changed.append((beside, before))
            around = (before or kinds.blank).around
            back = (way + 3) % 6
            frontier[beside] = kinds[(*around[:back], face, *around[back + 1 :])]
        self.box = spread(self.box, position)
        return changed


def _tile(word: str) -> Tile:
    return int(word[0]), int(word[1])


def _held_of(tiles: Iterable[Tile]) -> Held:
    held: Held = {}
    for face, other in tiles:
        held.setdefault(face, set()).add(other)
        held.setdefault(other, set()).add(face)
    return held


# Robots

Opened = Callable[[State, Callable[[int], int] | None], Position[KindT, PartsT]]


class Robots(Generic[KindT, PartsT]):
    """The robots of a game, from what makes its positions. Level 2 looks at the replies
    to a `few` moves, and level 3 to `many`, to go on with `width` moves of a
    position."""

    REASONS = REASONS

    def __init__(
        self, opened: Opened[KindT, PartsT], few: int, many: int, width: int
    ) -> None:
        self._opened, self._few, self._many, self._width = opened, few, many, width
        self.LEVELS: Sequence[Choose] = (self._level_1, self._level_2, self._level_3)

    def _level_1(self, view: View, budget: Budget, rng: Random) -> str:
        position = self._opened(view.known, None)
        return position.word(greedy(position, rng))

    def _level_2(self, view: View, budget: Budget, rng: Random) -> str:
        position = self._opened(view.known, None)
        return position.word(lookahead(position, 1, Meter(budget), rng, self._few))

    def _level_3(self, view: View, budget: Budget, rng: Random) -> str:
        position = self._opened(view.known, None)
        meter, moves = Meter(budget), position.moves(self._many)
        move = alpha_beta(position, meter, self._width, moves, position.key)
        return position.word(move)

    def forecast(self, view: View, budget: Budget, rng: Random) -> Forecast:
        """See contract.Made."""
        seat = seat_of(view)
        position = self._opened(view.known, lambda size: int(rng.random() * size))
        return forecast(lambda: lead_at_end(position, seat, rng), budget)

    def worths(
        self, view: View, moves: Sequence[str], budget: Budget, rng: Random
    ) -> list[Worth]:
        """See contract.Made."""
        position = self._opened(view.known, None)
        named = {position.word(move): (gain, move) for gain, move in position.moves()}
        pairs = [named[word] for word in moves]
        values = worths(position, pairs, Meter(budget), self._width, position.key)
        return [
            Worth(value, reason(position, *pair))
            for value, pair in zip(values, pairs, strict=True)
        ]
