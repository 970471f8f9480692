"""Boards to measure on: games played at random, the same each time."""

import os
import random
from collections.abc import Iterator
from functools import cache

from pbm_holomino import rules
from pbm_holomino.match import replay
from pbm_holomino.match.account import AccountLine, Change, Kind, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act, Line, Record
from pbm_holomino.rules.options import configure
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.library import Library

GAME = "holo"
NAMES = ("alice", "bob")
TIME = "2026-01-31T12:00:00Z"


def at_tiles(tiles: int, game: str = GAME) -> Match:
    """A match of this game when it has come to so many tiles."""
    return next(board for board in _played(game) if _tiles(board) == tiles)


def sizes(game: str = GAME) -> tuple[int, ...]:
    """The numbers of tiles with which somebody has to put one down."""
    boards = (board for board in _played(game) if board.view(None).phase == "play")
    return (*dict.fromkeys(_tiles(board) for board in boards if board.turn),)


def finished(game: str = GAME) -> Match:
    """The match when it is over."""
    return _played(game)[-1]


def _tiles(board: Match) -> int:
    drawing = board.view(None).drawing
    return len(drawing.joints) or len(drawing.faces)


def new_library(root: str, game: str = GAME) -> Library:
    """A store for boards of this game, in a folder that is made."""
    for folder in (game, PLAYERS):
        os.makedirs(os.path.join(root, folder), exist_ok=True)
    return Library(FileStore(root))


def save_players(library: Library, password: str) -> None:
    """Put the players of the boards into a store, each with this password's hash."""
    line = AccountLine(1, TIME, "-", "-", Change(Kind.SIGNUP))
    for name in NAMES:
        player = Player(name, password, (f"{name}@example.org",), (line,))
        with library.store.lock(PLAYERS, name):
            library.save(player, player.log[-1].no)


def save_boards(library: Library, board: Match, numbers: range) -> None:
    """Put copies of a board into a store, with these numbers."""
    for number in numbers:
        record = board.record._replace(board=number)
        # the lock's file stays, as on every board that somebody has moved on
        with library.store.lock(record.game, str(number)):
            library.save(board._replace(record=record))


@cache
def _played(game: str) -> tuple[Match, ...]:
    """The match as it stood at the start and after each move."""
    return tuple(_play(game))


def _play(name: str) -> Iterator[Match]:
    game = rules.load(name)
    choose = random.Random(1).choice
    record = Record(
        game=name,
        board=1,
        version=game.VERSION,
        players=NAMES,
        random=False,
        options=configure(game, {}),
        seed=bytes(32),
        log=(),
        challenger=NAMES[0],
    )
    board = replay.begin(record, NAMES, Line(0, TIME, NAMES[0], "-", Act.CHALLENGE))
    yield board
    while board.turn:
        move = choose(board.view(None).legal)
        board = replay.after(board, Line(None, TIME, board.turn[0], "-", move))
        yield board


def files_of(library: Library) -> FileStore:
    """The store of a library that `new_library` has made."""
    assert isinstance(library.store, FileStore)
    return library.store
