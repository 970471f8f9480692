"""Boards with all that can happen on them: played by chance, with offers, undos, words,
resignations and players whose time runs out."""

import random
from collections.abc import Iterator

from pbm_holomino.errors import PbmError
from pbm_holomino.match import replay
from pbm_holomino.match.board import OPENING, Match
from pbm_holomino.match.record import NOBODY, Line, Record
from pbm_holomino.rules import load, names
from pbm_holomino.rules.options import configure
from tests.tables import MAIL, MOST_MOVES, TIME, notations, seats_of, some_options

NAMES = ("zoe", "alice", "mallory", "bob2")
MOST_ROUNDS = 3  # twelve are legal, and take long


def chronicle(seed: int, game: str = "") -> Iterator[Match]:
    """A board of a game, any unless told: as it stands after each line of its log."""
    dice = random.Random(seed)
    board = _opened(game or dice.choice(names()), dice)
    calm = dice.choice([0.0, 0.05, 0.3])  # how often there is no move
    yield board
    for _ in range(MOST_MOVES):
        if board.result is not None:
            return
        disturbed = dice.random() < (calm if board.offer is None else 0.7)
        board = _disturbed(board, dice) if disturbed else _moved(board, dice)
        yield board


def finished(seed: int, game: str = "") -> Match:
    """Such a board at its end."""
    *_, last = chronicle(seed, game)
    assert last.result is not None
    return last


def _opened(name: str, dice: random.Random) -> Match:
    game = load(name)
    words = some_options(game, dice)
    if "rounds" in words:
        words["rounds"] = str(dice.randint(1, MOST_ROUNDS))
    players = dice.sample(NAMES, dice.choice(seats_of(name)))
    lot, secret = dice.random() < 0.5, dice.randbytes(32)
    options = configure(game, words)
    record = Record(name, 1, game.VERSION, (), lot, options, secret, ())
    return replay.begin(record, tuple(players), Line(0, TIME, NOBODY, MAIL, OPENING))


def _moved(board: Match, dice: random.Random) -> Match:
    who = dice.choice(board.turn)
    word = dice.choice(notations(board, who))
    return replay.play(board, Line(None, TIME, who, MAIL, word))


def _disturbed(board: Match, dice: random.Random) -> Match:
    """The board after something else than a move, or as it was where that may not be.
    An undo is mostly accepted, a game seldom given up."""
    acts = ["!undo"] * 8 + ["!chat", "!propose"] * 2 + ["!resign", "!forfeit"]
    if board.offer is not None:
        acts = ["!accept"] * 12 + ["!reject", "!chat", "!resign"]
        if board.offer.kind == "draw":
            acts = ["!reject", "!accept"] * 2 + ["!chat"]
    elif dice.random() < 0.01:
        acts = ["!decline", "!void"]
    what = dice.choice(acts)
    who = NOBODY if what == "!void" else dice.choice(board.record.players)
    try:
        return replay.act(board, Line(None, TIME, who, MAIL, what))
    except PbmError:
        return board
