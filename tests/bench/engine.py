"""What the rules cost: listing legal moves, and replaying a match."""

import random
import sys
from collections.abc import Iterator

from pbm_holomino import rules
from pbm_holomino.match import replay
from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.options import configure
from pbm_holomino.store import yaml as strict
from tests.bench import positions
from tests.bench.harness import Contender, Row, race

_ROUNDS = 60
_LOOP = range(1000)


def _loop() -> None:
    for _ in _LOOP:
        pass


_BASE = Contender("a loop of 1000 empty turns", _loop, calls=50)


def _sizes(game: str) -> tuple[int, ...]:
    """How many tiles lie on a young board, a grown one, and one that is nearly done."""
    played_on = positions.sizes(game)
    return played_on[3], played_on[len(played_on) // 2], played_on[-1]


def legal_moves(folder: str) -> list[Row]:
    """Listing the legal moves of young and old boards of every game."""
    boards = [(game, tiles) for game in rules.names() for tiles in _sizes(game)]
    return race(_ROUNDS, _BASE, *(_listing(*board) for board in boards))


def regions(folder: str) -> list[Row]:
    """Scoring the regions that a move of Hextol closes, as the board grows."""
    return race(_ROUNDS, _BASE, *map(_scoring, _sizes("hextol")))


def _scoring(tiles: int) -> Contender:
    board = positions.at_tiles(tiles, "hextol")
    gains, state = board.rules.gains, board.state
    moves = board.rules.legal(state, *board.rules.to_move(state))[-1:]
    return Contender(
        f"hextol: scoring a move at {tiles} tiles",
        lambda: gains(state, moves),
        calls=50,
    )


def _listing(game: str, tiles: int) -> Contender:
    board = positions.at_tiles(tiles, game)
    legal, state = board.rules.legal, board.state
    (seat,) = board.rules.to_move(state)
    count = len(legal(state, seat))
    return Contender(
        f"{game}: legal moves at {tiles} tiles ({count} moves)",
        lambda: legal(state, seat),
        calls=50,
    )


def plies(folder: str) -> list[Row]:
    """Random games, ply by ply: the moves listed, one judged, scored, and followed by
    its draws."""
    return race(_ROUNDS, _BASE, *map(_playing, rules.names()))


def _playing(game: str) -> Contender:
    plies = _plies(game)
    return Contender(f"{game}: a random ply", lambda: next(plies), calls=200)


def _plies(game: str) -> Iterator[None]:
    """One game after another, for ever; each turn of it makes a ply."""
    dice, rule = random.Random(game), rules.load(game)
    options = configure(rule, {})
    while True:
        chance = Chance(dice.randbytes(32))
        state, _ = rule.settle(rule.start(2, options), chance)
        while seats := rule.to_move(state):
            legal = rule.legal(state, seats[0])
            state, _ = rule.play(state, seats[0], dice.choice(legal))
            state, _ = rule.settle(state, chance)
            yield


def replays(folder: str) -> list[Row]:
    """Replaying a finished match, in a process that has seen boards and in one
    that has not."""
    board = positions.finished()
    text = strict.dump(to_data(board))

    def replay_anew() -> None:
        _forget()
        replay.replay(board.record)

    return race(
        _ROUNDS,
        Contender("YAML load of a finished match", lambda: strict.load(text)),
        *map(_replay, rules.names()),
        Contender("holo: the same, as the first in its process", replay_anew),
    )


def _replay(game: str) -> Contender:
    board = positions.finished(game)
    return Contender(
        f"{game}: replay of a finished match ({board.ply} moves)",
        lambda: replay.replay(board.record),
    )


def _forget() -> None:
    """Empty every cache of the package, as in a process that has just begun."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pbm_holomino"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
