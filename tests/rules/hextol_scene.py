"""Hextol boards that a test wants, reached by legal moves alone."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from pbm_holomino.rules import load
from pbm_holomino.rules.games import hextol
from pbm_holomino.rules.hextiles import State
from pbm_holomino.rules.options import configure
from tests.rules import any_hextiles
from tests.rules.any_hextiles import hold
from tests.rules.naive_hextol import tiles
from tests.rules.stacked import Stacked
from tests.rules.told import told

HEXTOL = hextol.GAME
play, legal = partial(any_hextiles.play, HEXTOL), partial(any_hextiles.legal, HEXTOL)

# The board of the help file's figure, and the move that scores 36 there.
FIGURE = ("36:4,12", "46:24,11", "23:21,8")
FIGURE_MOVE = "24:22,23"


def options(**words: str) -> dict[str, Any]:
    """Hextol's options, from the words of a challenge."""
    return configure(load("hextol"), words)


def stack(opening: Sequence[str], order: Sequence[str], **words: str) -> Stacked:
    """Draws that bring these tiles until the first double, and then these; the rest
    comes in ascending order."""
    left, indices = tiles(options(**words)), []
    for tile in opening:
        indices.append(left.index(tile))
        left.remove(tile)
    left = sorted((*left, *opening[:-1]))
    for tile in order:
        indices.append(left.index(tile))
        left.remove(tile)
    return Stacked(bytes(indices) + bytes(len(left)))


def board(first: str, *moves: str, **words: str) -> State:
    """A board on which these tiles lie. Nobody has tiles or points, the boneyard is
    empty, and the first player is to move."""
    state = HEXTOL.start(2, options(**words))
    state, _ = HEXTOL.settle(state, stack([first], [], **words))
    for text in moves:
        move = HEXTOL.parse_move(state, state.turn, text)
        pools = ((move.tile,),) * 2
        state = state._replace(pools=pools, sacks=(("00",),), due=())
        state, _ = HEXTOL.play(state, state.turn, move)
    return hold(state._replace(scores=(0, 0), turn=0), (), ())


def settle(state: State, *draws: int) -> tuple[State, list[str]]:
    """Make what is due with draws of these indices."""
    chance = Stacked(bytes(state.draws) + bytes(draws))
    state, events = HEXTOL.settle(state, chance)
    return state, [f"{event.seat} {told(event)}" for event in events]
