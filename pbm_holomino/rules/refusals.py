"""How games refuse what is not a move, or not a legal one."""

from collections.abc import Iterable, Mapping, Sequence

from pbm_holomino.errors import BadMove
from pbm_holomino.languages import InARow, OfPlayer, Sentence, of_player, sentence
from pbm_holomino.rules.grid import LAST_POSITION

Refusal = Sentence | OfPlayer  # to everybody, or about the player who moves

BEYOND_SIZE = sentence(
    "{move} would spread the board over more than {size} columns or {size} cells from "
    "top to bottom (-board_size)."
)
A_TILE_BEYOND_SIZE = sentence(
    "A tile at {position} would spread the board over more than {size} columns or "
    "{size} cells from top to bottom (-board_size)."
)

WOULD_FIT = sentence("{move} would fit.")


# The refusals of a `{tile}` that its player does not hold: what the pool holds instead,
# or that it is empty.
NO_SUCH_TILE = (
    of_player(
        "Tile {tile} is not in your pool, which holds {pool}.",
        "Tile {tile} is not in {player}'s pool, which holds {pool}.",
    ),
    of_player(
        "Tile {tile} is not in your pool, which holds nothing.",
        "Tile {tile} is not in {player}'s pool, which holds nothing.",
    ),
)


def not_in_pool(
    tile: str, pool: Sequence[str], why: tuple[OfPlayer, OfPlayer] = NO_SUCH_TILE
) -> OfPlayer:
    """The refusal of a tile that its player does not hold."""
    holds, is_empty = why
    return (holds if pool else is_empty).of(tile=tile, pool=InARow(pool))


def not_a_move(text: str, right: Sentence) -> BadMove:
    """The error about a word in no notation of a game; `right` says what would be a
    move. Players who know other games try `swap`."""
    if text.lower() == "swap":
        return BadMove(
            sentence("There is no swap in this game: the first move is harmless.")
        )
    return BadMove(sentence('"{move}" is not a move. {right}', move=text, right=right))


def off_grid(positions: Iterable[int]) -> Sentence | None:
    """Why a tile cannot lie at these positions: the first that the grid does not
    have. None if all of them are on it."""
    for position in positions:
        if position > LAST_POSITION:
            return sentence(
                "There is no position {position}: the last one is {last}.",
                position=position,
                last=LAST_POSITION,
            )
    return None


def not_empty(cells: Mapping[int, str], positions: Iterable[int]) -> Sentence | None:
    """Why a tile cannot lie at these positions: the first that is off the grid or
    taken. None if all of them are empty."""
    for position in positions:
        if objection := off_grid((position,)):
            return objection
        if face := cells.get(position):
            return sentence(
                "Position {position} is taken, by {face}.", position=position, face=face
            )
    return None
