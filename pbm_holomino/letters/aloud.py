"""Moves in sentences, for people who have a board read to them: what can be played, and
what it does."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from pbm_holomino.languages import Sentence, of_number, sentence, together
from pbm_holomino.letters.proposals import BEST
from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple

MOST_TOLD = 12  # moves that an answer tells one by one, with what they do

_TO_PLAY = sentence("The best moves at once, and at how many places each tile fits:")
_MORE_MOVES = of_number("There is {n} more.", "There are {n} more.")


class Told(NamedTuple):
    """A move as it is written, what it scores at once, the positions that it fills, and
    the tile of the pool that is played; a move that puts nothing down is named by
    itself."""

    move: Any
    written: str
    score: int
    covers: tuple[int, ...]
    tile: str


def playable(match: Match, seat: int) -> list[Told]:
    """What a seat can play, the best at once first."""
    game, state, view = match.rules, match.state, match.view(None)
    legal, words, pool = view.moves, view.legal, view.pools[seat]
    if not legal or game.to_move(state)[0] != seat:  # else they are known already
        legal = game.legal(state, seat)
        words = tuple(map(game.format_move, legal))
    tiles: dict[str, str] = {}

    def told(move: Any, written: str, score: int) -> Told:
        covers = game.covers(move)
        if not covers:
            return Told(move, written, score, covers, written)
        name = written.partition(":")[0]
        if name not in tiles:
            tiles[name] = named(pool, name)
        return Told(move, written, score, covers, tiles[name])

    scored = zip(legal, words, game.gains(state, legal), strict=True)
    return sorted((told(*each) for each in scored), key=lambda told: -told.score)


def named(pool: Sequence[str], word: str) -> str:
    """The tile of a pool that a word names, such as 123 for 231, as a tile may be
    turned; empty if there is none."""
    turned = (word.upper()[at:] + word.upper()[:at] for at in range(len(word)))
    return next((tile for tile in turned if tile in pool), "")


def _best(moves: Iterable[Told]) -> list[Told]:
    """The best move with each tile, of a few tiles."""
    by_tile: dict[str, Told] = {}
    for told in moves:
        by_tile.setdefault(told.tile, told)
    return [*islice(by_tile.values(), BEST)]


def effects(match: Match, seat: int, moves: Iterable[Told]) -> list[Sentence]:
    """What moves will do."""
    return [match.rules.effect(match.state, seat, told.move) for told in moves]


def listed(match: Match, seat: int, moves: Sequence[Told]) -> list[Sentence]:
    """What moves will do, and how many are left out of a long list."""
    said = effects(match, seat, moves[:MOST_TOLD])
    left = len(moves) - len(said)
    return [*said, _MORE_MOVES.of(n=left)] if left else said


def places(match: Match, moves: Iterable[Told]) -> list[Sentence]:
    """At how many places each tile fits."""
    count: dict[str, int] = {}
    for told in moves:
        if told.covers:
            count[told.tile] = count.get(told.tile, 0) + 1
    fits = match.rules.SCORING.gains["fits"]
    return [fits.of(tile=tile, n=n) for tile, n in count.items()]


def to_play(match: Match) -> list[Sentence]:
    """What the first player to move can play: the best moves one by one, and at how
    many places each tile fits."""
    seat = match.rules.to_move(match.state)[0]
    moves = playable(match, seat)
    where = places(match, moves)
    every = [together(where)] if where else []
    return [_TO_PLAY, *effects(match, seat, _best(moves)), *every]
