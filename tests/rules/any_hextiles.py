"""What tests do on a board of Hextad, Hextol or Hextup."""

from collections.abc import Iterable

from pbm_holomino.errors import IllegalMove
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.contract import Game
from pbm_holomino.rules.hextiles import Move, State
from tests.rules.told import told

Hextiles = Game[State, Move]


def hold(state: State, *pools: Iterable[str], sack: Iterable[str] = ()) -> State:
    """The same board with these tiles in the pools and in the boneyard."""
    held = tuple(map(tuple, pools))
    return state._replace(pools=held, sacks=(tuple(sorted(sack)),), due=())


def passed(state: State) -> State:
    """The same board with the other player to move."""
    return state._replace(turn=1 - state.turn)


def play(game: Hextiles, state: State, text: str) -> tuple[State, list[str]]:
    """Make a move of the player whose turn it is; what the letter says about it."""
    move = game.parse_move(state, state.turn, text)
    state, events = game.play(state, state.turn, move)
    return state, [f"{event.seat} {told(event)}" for event in events]


def legal(game: Hextiles, state: State) -> set[str]:
    """The moves of the player whose turn it is, as they are written."""
    return set(map(game.format_move, game.legal(state, state.turn)))


def is_accepted(game: Hextiles, state: State, move: Move) -> bool:
    try:
        game.play(state, state.turn, move)
    except IllegalMove:
        return False
    return True


def lines(game: Hextiles, state: State, chance: Chance, depth: int) -> int:
    """How many legal lines of this length the engine knows."""
    moves = () if state.over else game.legal(state, state.turn)
    if depth == 1:
        return len(moves)
    after = (game.play(state, state.turn, move)[0] for move in moves)
    settled = (game.settle(state, chance)[0] for state in after)
    return sum(lines(game, state, chance, depth - 1) for state in settled)
