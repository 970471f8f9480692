"""Shared by the games in which tiles are drawn from a sack and laid on the grid.

A state of such a game keeps its tiles in `pools`, which keep the order of drawing,
and in `sacks`, which are sorted: one that all seats draw from, or one for each seat.
`frontier` holds every empty cell beside a tile, with what the game has to remember
about it; `box` bounds the tiles on the board, and `last` has the positions of the one
that was played last.

Whoever thinks a game over may leave a draw open. Then a pool holds UNKNOWN in place of
the tile, which is any of those in the sack, fits nowhere, and cannot be played.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Generic, Protocol, Self, TypeVar

from pbm_holomino.errors import NoPosition
from pbm_holomino.languages import (
    Listed,
    OfPlayer,
    Sentence,
    of_number,
    of_player,
    sentence,
)
from pbm_holomino.rules.chance import Draws, LeftOpen
from pbm_holomino.rules.contract import Closed
from pbm_holomino.rules.grid import (
    LAST_POSITION,
    Box,
    fits_board,
    neighbours,
    position_to_cell,
    spread,
)
from pbm_holomino.rules.options import Limits, Option, Options
from pbm_holomino.rules.scoring import Scoring
from pbm_holomino.rules.seats import leaders, replaced

Pool = tuple[str, ...]
UNKNOWN = "?"  # a tile whose draw was left open
Cells = Mapping[int, str]  # the face at each position that is taken


class TileState(Protocol):
    """The fields of a state that the functions below read and replace."""

    @property
    def options(self) -> Options: ...

    @property
    def pools(self) -> tuple[Pool, ...]: ...

    @property
    def sacks(self) -> tuple[Pool, ...]: ...

    @property
    def draws(self) -> int: ...

    @property
    def cells(self) -> Cells: ...

    @property
    def frontier(self) -> Mapping[int, str]: ...

    @property
    def box(self) -> Box: ...

    @property
    def scores(self) -> tuple[int, ...]: ...

    @property
    def turn(self) -> int: ...

    @property
    def over(self) -> bool: ...

    def _replace(self, *values: Any, **changes: Any) -> Self: ...


S = TypeVar("S", bound=TileState)
M = TypeVar("M")


class Duel(ABC, Generic[S, M]):
    """What two players share who play in turn, with nothing hidden: the parts of a game
    that most of them need not replace."""

    SEATS = (2, 2)
    SECRETS = False
    SCORING = Scoring()
    SIDES: tuple[Sentence, ...] = ()
    PRESETS: Mapping[str, Options] = {}
    WORDS: tuple[str, ...] = ()

    def to_move(self, state: S) -> tuple[int, ...]:
        return () if state.over else (state.turn,)

    def public_move(self, move: M) -> str:
        return self.format_move(move)

    @abstractmethod
    def format_move(self, move: M) -> str:
        """The move in canonical notation."""

    def drop(self, state: S, seat: int) -> S:
        """Of two players the other one is left."""
        return state._replace(over=True)

    def closed(self, state: S) -> Sequence[Closed]:
        return ()

    def outcome(self, state: S) -> tuple[int, ...] | None:
        return leaders(state.scores) if state.over else None


def pool_size(default: int, tile_set: Callable[[Options], Pool]) -> Option:
    """The option for the size of the pools. Two pools and the first tile must be in
    the set."""

    def limits(options: Options) -> Limits:
        size = len(tile_set(options))
        return Limits(1, (size - 1) // 2, _BEYOND_SET.of(n=size))

    return Option("pool_size", POOL_SIZE, default, limits)


POOL_SIZE = sentence("Each player holds N tiles.")
_BEYOND_SET = of_number(
    "-{option}={value} is outside its limits: {least} to {greatest} (the set has {n} "
    "tile, for two pools and the first).",
    "-{option}={value} is outside its limits: {least} to {greatest} (the set has {n} "
    "tiles, for two pools and the first).",
)


# The sack and the pools


def sack_of(state: TileState, seat: int) -> Pool:
    """The undrawn tiles of the sack that a seat draws from; of which one is drawn for
    each that is UNKNOWN."""
    return state.sacks[seat % len(state.sacks)]


def tiles_left(state: TileState, seat: int) -> int:
    """How many tiles are in the sack that a seat draws from."""
    pools = state.pools if len(state.sacks) == 1 else state.pools[seat : seat + 1]
    return len(sack_of(state, seat)) - sum(pool.count(UNKNOWN) for pool in pools)


def known(pool: Pool) -> Pool:
    """The tiles of a pool that can be played."""
    return tuple(tile for tile in pool if tile != UNKNOWN)


def _with_sack(state: S, seat: int, sack: Iterable[str]) -> S:
    which = seat % len(state.sacks)
    return state._replace(sacks=replaced(state.sacks, which, tuple(sack)))


def draw(state: S, chance: Draws, seat: int) -> tuple[str, S]:
    """A tile drawn from the sack of a seat, and the state without it; UNKNOWN if the
    draw is left open."""
    sack = sack_of(state, seat)
    try:
        index, draws = chance.pick(state.draws, sack)
    except LeftOpen:
        return UNKNOWN, state
    state = _with_sack(state, seat, sack[:index] + sack[index + 1 :])
    return sack[index], state._replace(draws=draws)


def draw_to_pool(state: S, chance: Draws, seat: int) -> tuple[str, S]:
    """A tile drawn by a seat, and the state in which that seat holds it."""
    tile, state = draw(state, chance, seat)
    pools = replaced(state.pools, seat, (*state.pools[seat], tile))
    return tile, state._replace(pools=pools)


def deal(state: S, chance: Draws) -> S:
    """The state in which each seat, one after the other, has drawn a whole pool."""
    for seat in range(len(state.pools)):
        for _ in range(state.options["pool_size"]):
            _, state = draw_to_pool(state, chance, seat)
    return state


def put_back(state: S, seat: int, *tiles: str) -> S:
    """The state with these tiles in a seat's sack again."""
    return _with_sack(state, seat, sorted((*sack_of(state, seat), *tiles)))


def without_tile(state: S, seat: int, tile: str) -> S:
    """The state in which a seat no longer holds a tile."""
    pool = tuple(held for held in state.pools[seat] if held != tile)
    return state._replace(pools=replaced(state.pools, seat, pool))


# The board


def lay(state: S, faces: Cells, remember: Callable[[Cells, int], str]) -> S:
    """The state with a tile of these faces on empty cells. `remember` gives what the
    frontier holds about an empty cell, from the board and its position."""
    cells = {**state.cells, **faces}
    frontier, box = dict(state.frontier), state.box
    for position in faces:
        frontier.pop(position, None)
        box = spread(box, position)
        for beside in neighbours(position):
            if beside not in cells and beside <= LAST_POSITION:
                frontier[beside] = remember(cells, beside)
    last = tuple(faces)
    return state._replace(cells=cells, frontier=frontier, box=box, last=last)


def check_touching(cells: Cells) -> None:
    """Raises NoPosition unless every tile is connected with the first."""
    ahead = list(cells)[:1]
    found = {*ahead}
    while ahead:
        beside = [at for at in neighbours(ahead.pop()) if at in cells]
        ahead += [at for at in beside if at not in found]
        found |= {*beside}
    if apart := cells.keys() - found:
        raise NoPosition(min(apart), _APART)


_APART = sentence("A tile there is connected with no other, or not with all others.")


def check_set(tiles: Mapping[int, str], every: Iterable[str]) -> None:
    """Raises NoPosition for a tile that is not in the set, or is there twice; they are
    by their positions."""
    left = {*every}
    known = frozenset(left)
    for at, tile in tiles.items():
        if tile not in left:
            raise NoPosition(at, (_TWICE if tile in known else _NO_TILE).of(tile=tile))
        left.discard(tile)


_TWICE = sentence("The tile {tile} is on the board twice.")
_NO_TILE = sentence("There is no tile {tile} in this game.")


def box_of(cells: Iterable[int]) -> Box:
    """The box that holds these cells, of which there is one at least."""
    first, *more = cells
    col, row = position_to_cell(first)
    return reduce(spread, more, (col, col, row, row))


def within_size(state: TileState, *positions: int) -> bool:
    """Whether tiles at these positions keep the board within -board_size."""
    size = state.options["board_size"]
    if size is None:
        return True
    box = state.box
    for position in positions:
        box = spread(box, position)
    return fits_board(box, size)


# Sentences


DREW = of_player("You drew {tile}.", "{player} drew {tile}.")
_PLAYED = of_player("You played {move}.", "{player} played {move}.")
_SCORED = of_player(
    "You played {move} and scored {points}.",
    "{player} played {move} and scored {points}.",
)


def told(move: str, score: int, values: Sequence[int], several: OfPlayer) -> OfPlayer:
    """What is said about a move, and about its score if it scored at all; `several`
    also names the `{parts}` of the score, where it has more than one."""
    if not values:
        return _PLAYED.of(move=move)
    if len(values) == 1:
        return _SCORED.of(move=move, points=score)
    return several.of(move=move, points=score, parts=Listed(map(str, values)))
