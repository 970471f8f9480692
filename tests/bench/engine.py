"""What the rules cost: listing legal moves, and replaying a match."""

import sys

from pbm_holomino import library, match, strict
from tests.bench import positions
from tests.bench.harness import Contender, Row, race

_ROUNDS = 60
_LOOP = range(1000)


def legal_moves(folder: str) -> list[Row]:
    """Listing the legal moves of young and old boards."""
    base = Contender("a loop of 1000 empty turns", _loop, calls=50)
    return race(_ROUNDS, base, *map(_listing, (5, 20, 35)))


def _loop() -> None:
    for _ in _LOOP:
        pass


def _listing(tiles: int) -> Contender:
    board = positions.at_tiles(tiles)
    legal, state = board.rules.legal, board.state
    (seat,) = board.rules.to_move(state)
    count = len(legal(state, seat))
    return Contender(
        f"legal moves at {tiles} tiles ({count} moves)",
        lambda: legal(state, seat),
        calls=50,
    )


def replays(folder: str) -> list[Row]:
    """Replaying a finished match, in a process that has seen boards and in one
    that has not."""
    board = positions.finished()
    text = strict.dump(library.to_data(board))

    def replay_anew() -> None:
        _forget()
        match.replay(board.record)

    return race(
        _ROUNDS,
        Contender("YAML load of a finished match", lambda: strict.load(text)),
        Contender(
            f"replay of that match ({board.ply} moves)",
            lambda: match.replay(board.record),
        ),
        Contender("the same, as the first in its process", replay_anew),
    )


def _forget() -> None:
    """Empty every cache of the package, as in a process that has just begun."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pbm_holomino"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
