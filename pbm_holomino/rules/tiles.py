"""Shared by the games in which tiles are drawn from a sack and laid on the grid.

A state of such a game keeps its tiles in `pools`, which keep the order of drawing,
and in the `sack`, which is sorted. `frontier` holds every empty cell beside a tile,
with what the game has to remember about it; `box` bounds the tiles on the board.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, Self, TypeVar

from pbm_holomino.rules.chance import Draws
from pbm_holomino.rules.grid import LAST_POSITION, Box, fits_board, neighbours, spread
from pbm_holomino.rules.options import Option, Options
from pbm_holomino.rules.seats import replaced
from pbm_holomino.sentences import listed

Pool = tuple[str, ...]
Cells = Mapping[int, str]  # the face at each position that is taken


class TileState(Protocol):
    """The fields of a state that the functions below read and replace."""

    @property
    def options(self) -> Options: ...

    @property
    def pools(self) -> tuple[Pool, ...]: ...

    @property
    def sack(self) -> Pool: ...

    @property
    def draws(self) -> int: ...

    @property
    def cells(self) -> Cells: ...

    @property
    def frontier(self) -> Mapping[int, str]: ...

    @property
    def box(self) -> Box: ...

    def _replace(self, *values: Any, **changes: Any) -> Self: ...


S = TypeVar("S", bound=TileState)


def pool_size(default: int, tile_set: Callable[[Options], Pool]) -> Option:
    """The option for the size of the pools. Two pools and the first tile must be in
    the set."""

    def limits(options: Options) -> tuple[int, int, str]:
        size = len(tile_set(options))
        why = f"(the set has {size} tiles, for two pools and the first)"
        return 1, (size - 1) // 2, why

    return Option("pool_size", "Each player holds N tiles.", default, limits)


# The sack and the pools


def draw(state: S, chance: Draws) -> tuple[str, S]:
    """A tile drawn from the sack, and the state without it."""
    index, draws = chance.draw(state.draws, len(state.sack))
    sack = state.sack[:index] + state.sack[index + 1 :]
    return state.sack[index], state._replace(sack=sack, draws=draws)


def draw_to_pool(state: S, chance: Draws, seat: int) -> tuple[str, S]:
    """A tile drawn by a seat, and the state in which that seat holds it."""
    tile, state = draw(state, chance)
    pools = replaced(state.pools, seat, (*state.pools[seat], tile))
    return tile, state._replace(pools=pools)


def deal(state: S, chance: Draws) -> S:
    """The state in which each seat, one after the other, has drawn a whole pool."""
    for seat in range(len(state.pools)):
        for _ in range(state.options["pool_size"]):
            _, state = draw_to_pool(state, chance, seat)
    return state


def put_back(state: S, *tiles: str) -> S:
    """The state with these tiles in the sack again."""
    return state._replace(sack=tuple(sorted((*state.sack, *tiles))))


def without_tile(state: S, seat: int, tile: str) -> S:
    """The state in which a seat no longer holds a tile."""
    kept = tuple(held for held in state.pools[seat] if held != tile)
    return state._replace(pools=replaced(state.pools, seat, kept))


# The board


def lay(state: S, faces: Cells, remember: Callable[[Cells, int], str]) -> S:
    """The state with these faces on the board as well. `remember` gives what the
    frontier holds about an empty cell, from the board and its position."""
    cells = {**state.cells, **faces}
    frontier, box = dict(state.frontier), state.box
    for position in faces:
        frontier.pop(position, None)
        box = spread(box, position)
        for beside in neighbours(position):
            if beside not in cells and beside <= LAST_POSITION:
                frontier[beside] = remember(cells, beside)
    return state._replace(cells=cells, frontier=frontier, box=box)


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


def not_empty(cells: Cells, positions: Iterable[int]) -> str | None:
    """Why a tile cannot lie at these positions: the first that is off the grid or
    taken. None if all of them are empty."""
    for position in positions:
        if position > LAST_POSITION:
            return f"There is no position {position}: the last one is {LAST_POSITION}."
        if face := cells.get(position):
            return f"Position {position} is taken, by {face}."
    return None


def beyond_size(what: str, size: int) -> str:
    """The refusal of a move that leaves -board_size."""
    return (
        f"{what} would spread the board over more than {size} columns or {size} cells "
        "from top to bottom (-board_size)."
    )


def scored(score: int, parts: str, values: Sequence[int]) -> str:
    """The end of the sentence about a move, where it scored at all: ` and scored 36`.
    Several `values` are listed, under the name of these parts of the score."""
    if not values:
        return ""
    several = f" with {parts} of {listed([*map(str, values)])}"
    return f" and scored {score}{several * (len(values) > 1)}"
