"""Holomino's robots.

The neighbours of an empty cell fix the corners at each hole there, so the cell has the
same score whatever tile is laid on it. It is kept with that score and the set of tiles
that fit, as a bit mask: the best move that a pool allows, and the best that can be
expected of a tile drawn, are found in microseconds.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from random import Random

from pbm_holomino.robots import playouts, reasons
from pbm_holomino.robots.contract import Budget, Forecast, Meter, Worth, seat_of
from pbm_holomino.robots.search import (
    ALL,
    alpha_beta,
    greedy,
    later,
    lookahead,
    ranked,
)
from pbm_holomino.robots.uct import uct
from pbm_holomino.rules.contract import View
from pbm_holomino.rules.games import holo
from pbm_holomino.rules.grid import (
    LAST_POSITION,
    NE,
    NW,
    SE,
    SW,
    Box,
    N,
    S,
    fits_board,
    neighbours,
    spread,
)
from pbm_holomino.rules.tiles import sack_of

Face = tuple[int, ...]
Move = tuple[int, int, Face]  # the position, the tile's index in the set, and its face
PASS = -1  # the position of a pass

# What a tile does to its neighbours in the six directions. It fixes one of the
# neighbour's corners, by one of its own. With another neighbour of that cell it makes a
# hole there, for which the neighbour's corner and its own with the last number count.
_JOINTS = (
    (2, 0, SE, 1),
    (2, 1, NW, 0),
    (0, 1, SW, 2),
    (0, 2, NE, 1),
    (1, 2, N, 0),
    (1, 0, S, 2),
)


@cache
def _around(position: int) -> tuple[tuple[int, int, int, int, int, int], ...]:
    """The neighbours of a cell as far as the grid reaches, each with the direction of
    it and its joint."""
    return tuple(
        (way, beside, corner, mine, neighbours(beside)[other], far)
        for way, (beside, (corner, mine, other, far)) in enumerate(
            zip(neighbours(position), _JOINTS, strict=True)
        )
        if beside <= LAST_POSITION
    )


class Cell:
    """A kind of empty cell: what its neighbours demand of the corners (0 is anything),
    and the values of the holes that a tile completes. From these come the score, the
    mask of the tiles that fit, and the faces of each."""

    def __init__(self, kinds: "Kinds", corners: Face, holes: tuple[int, ...]) -> None:
        self._kinds, self.corners, self._holes = kinds, corners, holes
        self.score = holo.move_score(list(holes), kinds.limit_scores)
        pattern = "".join(map(str, corners)).replace("0", ".")
        self.faces: dict[int, tuple[Face, ...]] = {}
        for tile, name in enumerate(kinds.tiles):
            if turned := holo.fitting_turns(name, pattern):
                self.faces[tile] = tuple(tuple(map(int, face)) for face in turned)
        self.mask = _mask(self.faces)
        # What the cell becomes, by the direction from which a tile is laid beside it,
        # the digit that it puts to a corner here, and the third digit of a hole
        self.next: dict[int, Cell] = {}

    def fixed(self, corner: int, digit: int, hole: int) -> "Cell":
        """The cell with a corner fixed, and one more hole if its value is not 0."""
        corners = (*self.corners[:corner], digit, *self.corners[corner + 1 :])
        return self._kinds.cell(corners, (*self._holes, hole) if hole else self._holes)


class Kinds:
    """Every kind of empty cell that has come up with these options."""

    def __init__(self, num_digits: int, non_unique: bool, limit_scores: bool) -> None:
        options = {"num_digits": num_digits, "non_unique": non_unique}
        self.tiles = holo.tile_set(options)
        self.index = {tile: index for index, tile in enumerate(self.tiles)}
        self.limit_scores = limit_scores
        self._cells: dict[tuple[Face, tuple[int, ...]], Cell] = {}
        self.blank = Cell(self, (0, 0, 0), ())

    def cell(self, corners: Face, holes: tuple[int, ...]) -> Cell:
        """The cell of this kind."""
        if (corners, holes) not in self._cells:
            self._cells[corners, holes] = Cell(self, corners, holes)
        return self._cells[corners, holes]


_kinds = cache(Kinds)


def _mask(tiles: Iterable[int]) -> int:
    return sum([1 << tile for tile in tiles])


class Position:
    """A state of Holomino that is changed in place. `pick` chooses an index below a
    number: with it the draws are made, and without it they are due at each turn."""

    def __init__(
        self, state: holo.State, pick: Callable[[int], int] | None = None
    ) -> None:
        options, self._pick = state.options, pick
        self._kinds = _kinds(
            options["num_digits"], options["non_unique"], options["limit_scores"]
        )
        self._size = options["board_size"]
        self.cells: dict[int, Face] = {}
        self.frontier: dict[int, Cell] = {}
        self._scoring: dict[int, Cell] = {}
        self._box: Box = (0, 0, 0, 0)
        for position, face in state.cells.items():
            self._lay(position, tuple(map(int, face)))
        index = self._kinds.index
        self.pools = [[index[tile] for tile in pool] for pool in state.pools]
        self._masks = [*map(_mask, self.pools)]
        self.sack = sorted(index[tile] for tile in sack_of(state, state.turn))
        self.scores = list(state.scores)
        self.turn, self.over = state.turn, state.over
        self._passes = state.passes
        self._made: list[tuple[Move, int, int, Box, list[tuple[int, Cell | None]]]] = []
        self._drawn: list[int] = []

    def word(self, move: Move) -> str:
        """The move in canonical notation."""
        position, tile, face = move
        name = self._kinds.tiles[tile]
        if position == PASS:
            return f"pass:{name}"
        is_only = len(self.frontier[position].faces[tile]) == 1
        return f"{name if is_only else ''.join(map(str, face))}:{position}"

    # Moves

    def _open(
        self, cells: dict[int, Cell], mask: int | None = None
    ) -> Iterator[tuple[int, Cell]]:
        """Those of these cells where one of these tiles fits, or one of the pool of the
        player to move, as far as -board_size allows."""
        mask = self._masks[self.turn] if mask is None else mask
        box, size = self._box, self._size
        for at, cell in cells.items():
            if cell.mask & mask and (not size or fits_board(spread(box, at), size)):
                yield at, cell

    def moves(self, most: int = ALL) -> list[tuple[int, Move]]:
        """See search.Position."""
        if self.over:
            return []
        if found := list(islice(self._placings(), most)):
            return found
        passes: list[Move] = [(PASS, tile, ()) for tile in self.pools[self.turn]]
        return [(0, move) for move in passes[:most]]

    def _placings(self) -> Iterator[tuple[int, Move]]:
        pool = self.pools[self.turn]
        for position, cell in self._best_first():
            for tile in pool:
                for face in cell.faces.get(tile, ()):
                    yield cell.score, (position, tile, face)

    def _best_first(self) -> Iterator[tuple[int, Cell]]:
        yield from sorted(self._open(self._scoring), key=_score_of, reverse=True)
        yield from (pair for pair in self._open(self.frontier) if not pair[1].score)

    def draws(self) -> Generator[list[tuple[int, Move]], None, None]:
        """See search.Position: of the moves that a tile adds, those that score."""
        sack = self.sack if not (self._pick or self.over) else []
        mask, pool, seat = _mask(sack), self.pools[self.turn], self.turn
        scoring = [*self._open(self._scoring, mask)] if sack else []
        for place, tile in enumerate(tuple(sack)):
            added: list[tuple[int, Move]] = [
                (cell.score, (position, tile, face))
                for position, cell in scoring
                for face in cell.faces.get(tile, ())
            ]
            del sack[place]
            pool.append(tile)
            self._masks[seat] ^= 1 << tile
            try:
                yield added
            finally:
                self._masks[seat] ^= 1 << tile
                sack.insert(place, pool.pop())

    def reply(self) -> Move:
        """A move that scores most, found quickly."""
        pool = self.pools[self.turn]
        best = max(self._open(self._scoring), key=_score_of, default=None)
        best = best or next(self._open(self.frontier), None)
        if not best:
            return PASS, pool[0], ()
        position, cell = best
        tile = next(tile for tile in pool if tile in cell.faces)
        return position, tile, cell.faces[tile][0]

    def prospect(self) -> float:
        """What the player to move can expect to score by this move: the best that the
        pool allows, or a tile that is still to be drawn for it."""
        if self.over:
            return 0.0
        pool = self._masks[self.turn]
        sack = _mask(self.sack) if not self._pick else 0
        size, total = sack.bit_count() or 1, 0
        cells = self._open(self._scoring, pool | sack)
        for _, cell in sorted(cells, key=_score_of, reverse=True):
            if cell.mask & pool:
                return (total + cell.score * (sack.bit_count() or 1)) / size
            if hit := cell.mask & sack:
                total += cell.score * hit.bit_count()
                sack ^= hit
        return total / size

    outlook = prospect

    # Changes

    def make(self, move: Move) -> None:
        """Make a legal move, and the draw for the next."""
        position, tile, face = move
        seat, pool = self.turn, self.pools[self.turn]
        place = pool.index(tile)
        del pool[place]
        self._masks[seat] ^= 1 << tile
        before, changed = self._passes, []
        box = self._box
        if position == PASS:
            self.sack.append(tile)
            self._passes += 1
        else:
            self.scores[seat] += self.frontier[position].score
            changed = self._lay(position, face)
            self._passes = 0
        self._made.append((move, place, before, box, changed))
        self.over = not pool or self._passes == 2
        self.turn = 1 - seat
        self._draw()

    def _draw(self) -> None:
        sack, drawn = self.sack, -1
        if self._pick and sack and not self.over:
            drawn = self._pick(len(sack))
            sack[drawn], sack[-1] = sack[-1], sack[drawn]
            tile = sack.pop()
            self.pools[self.turn].append(tile)
            self._masks[self.turn] ^= 1 << tile
        self._drawn.append(drawn)

    def unmake(self) -> None:
        """Take back the last move."""
        drawn, sack = self._drawn.pop(), self.sack
        if drawn >= 0:
            last = self.pools[self.turn].pop()
            sack.append(last)
            self._masks[self.turn] ^= 1 << last
            sack[drawn], sack[-1] = sack[-1], sack[drawn]
        (position, tile, _), place, self._passes, self._box, changed = self._made.pop()
        self.turn, self.over = 1 - self.turn, False
        self.pools[self.turn].insert(place, tile)
        self._masks[self.turn] ^= 1 << tile
        if position == PASS:
            sack.pop()
            return
        del self.cells[position]
        for at, cell in changed:
            if cell is None:
                del self.frontier[at]
                self._scoring.pop(at, None)
                continue
            self.frontier[at] = cell
            if cell.score:
                self._scoring[at] = cell
            else:
                self._scoring.pop(at, None)
        self.scores[self.turn] -= self.frontier[position].score

    def _lay(self, position: int, face: Face) -> list[tuple[int, Cell | None]]:
        """Put a tile on a cell, and return what the frontier was."""
        cells, frontier = self.cells, self.frontier
        changed = [(position, frontier.pop(position, None))]
        self._scoring.pop(position, None)
        cells[position] = face
        for way, beside, corner, mine, other, far in _around(position):
            if beside in cells:
                continue
            before = frontier.get(beside)
            changed.append((beside, before))
            cell = before or self._kinds.blank
            digit, third = face[mine], face[far] if other in cells else 0
            # the direction says which of the cell's own corners is at the hole
            key = way * 100 + digit * 10 + third
            after = cell.next.get(key)
            if after is None:
                hole = third and digit + cell.corners[far] + third
                after = cell.next[key] = cell.fixed(corner, digit, hole)
            frontier[beside] = after
            if after.score:
                self._scoring[beside] = after
        if self._size:
            self._box = spread(self._box, position)
        return changed


def _score_of(entry: tuple[int, Cell]) -> int:
    return entry[1].score


# Robots


def _level_1(view: View, budget: Budget, rng: Random) -> str:
    """The move that scores most."""
    position = Position(view.known)
    return position.word(greedy(position, rng))


def _level_2(view: View, budget: Budget, rng: Random) -> str:
    """The move that scores most less what the opponent can then expect."""
    position = Position(view.known)
    return position.word(lookahead(position, 1, Meter(budget), rng))


_CANDIDATES = 8  # moves that level 3 looks at more closely
_WIDTH = 10  # moves that it considers of the replies
_PLIES = 4  # that it plays on
_SOLVED = 6  # tiles with which a game without draws is searched to its end
# The lead in points with which a game is won about three times out of four: among good
# players so much, and so much more for each tile that is still to be played.
_LEAD, _LEAD_PER_TILE = 2.0, 0.2


def _level_3(view: View, budget: Budget, rng: Random) -> str:
    """The move found by simulating games; near the end by searching all of them."""
    meter, position = Meter(budget), Position(view.known)
    in_pools = sum(map(len, position.pools))
    if not position.sack and in_pools <= _SOLVED:
        return position.word(alpha_beta(position, meter))
    candidates = ranked(position, 2, Meter(budget, 0.5))[:_CANDIDATES]
    drawn = _drawing(view, rng)
    lead = _LEAD + _LEAD_PER_TILE * (len(position.sack) + in_pools)
    return position.word(uct(drawn, candidates, meter, _WIDTH, _PLIES, lead))


def _drawing(view: View, rng: Random) -> Position:
    return Position(view.known, lambda size: int(rng.random() * size))


LEVELS = (_level_1, _level_2, _level_3)
REASONS = reasons.REASONS


def forecast(view: View, budget: Budget, rng: Random) -> Forecast:
    """See contract.Made."""
    seat, position = seat_of(view), _drawing(view, rng)
    return playouts.forecast(lambda: playouts.lead_at_end(position, seat, rng), budget)


def worths(
    view: View, moves: Sequence[str], budget: Budget, rng: Random
) -> list[Worth]:
    """See contract.Made: by three plies at full width, with what may be drawn."""
    position = Position(view.known)
    named = {position.word(move): (gain, move) for gain, move in position.moves()}
    return [
        Worth(gain + later(position, move, 2), reasons.reason(position, gain, move))
        for gain, move in map(named.__getitem__, moves)
    ]
