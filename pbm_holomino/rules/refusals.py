"""How games refuse what is not a move, or not a legal one."""

from collections.abc import Iterable, Mapping, Sequence

from pbm_holomino.errors import BadMove
from pbm_holomino.rules.grid import LAST_POSITION


def not_a_move(text: str, right: str) -> BadMove:
    """The error about a word in no notation of a game; `right` is a sentence that says
    what would be a move. Players who know other games try `swap`."""
    if text.lower() == "swap":
        return BadMove("There is no swap in this game: the first move is harmless.")
    return BadMove(f'"{text}" is not a move. {right}')


def not_in_pool(kind: str, name: str, pool: Sequence[str]) -> str:
    """The refusal of a tile that its player does not hold; `kind` says what a tile is
    called."""
    held = ", ".join(pool) or "nothing"
    return f"{kind.capitalize()} {name} is not in {{your}} pool, which holds {held}."


def off_grid(positions: Iterable[int]) -> str | None:
    """Why a tile cannot lie at these positions: the first that the grid does not
    have. None if all of them are on it."""
    for position in positions:
        if position > LAST_POSITION:
            return f"There is no position {position}: the last one is {LAST_POSITION}."
    return None


def not_empty(cells: Mapping[int, str], positions: Iterable[int]) -> str | None:
    """Why a tile cannot lie at these positions: the first that is off the grid or
    taken. None if all of them are empty."""
    for position in positions:
        if objection := off_grid((position,)):
            return objection
        if face := cells.get(position):
            return f"Position {position} is taken, by {face}."
    return None


def beyond_size(what: str, size: int) -> str:
    """The refusal of a move that leaves -board_size."""
    return (
        f"{what} would spread the board over more than {size} columns or {size} cells "
        "from top to bottom (-board_size)."
    )
