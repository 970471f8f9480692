"""Moves in sentences, for people who have a board read to them: what can be played, and
what it does."""

from collections.abc import Iterable, Sequence
from typing import Any

from pbm_holomino.languages import Sentence, of_number, sentence, together
from pbm_holomino.letters.proposals import BEST
from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple

MOST_TOLD = 12  # moves that an answer tells one by one, with what they do

_TO_PLAY = sentence("The best moves at once:")
_MORE_MOVES = of_number("There is {n} more.", "There are {n} more.")


_Scores = Sequence[int]


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
    legal, words, scores = moves_of(match, seat)
    covers, pool = match.rules.covers, match.view(None).pools[seat]
    heads = dict.fromkeys(word.partition(":")[0] for word in words)
    tiles = {head: named(pool, head) for head in heads}

    def told(move: Any, written: str, score: int) -> Told:
        cells = covers(move)
        tile = tiles[written.partition(":")[0]] if cells else written
        return Told(move, written, score, cells, tile)

    return sorted(map(told, legal, words, scores), key=lambda told: -told.score)


def moves_of(match: Match, seat: int) -> tuple[Sequence[Any], Sequence[str], _Scores]:
    """The moves of a seat, as they are written, and what each scores at once."""
    game, state, view = match.rules, match.state, match.view(None)
    legal, words, scores = view.moves, view.legal, view.gains
    if not legal or game.to_move(state)[0] != seat:  # else they are known already
        legal = game.legal(state, seat)
        words, scores = tuple(map(game.format_move, legal)), ()
    return legal, words, scores or game.gains(state, legal)


def named(pool: Sequence[str], word: str) -> str:
    """The tile of a pool that a word names, such as 123 for 231, as a tile may be
    turned; empty if there is none."""
    turned = (word.upper()[at:] + word.upper()[:at] for at in range(len(word)))
    return next((tile for tile in turned if tile in pool), "")


def effects(match: Match, seat: int, moves: Iterable[Told]) -> list[Sentence]:
    """What moves will do."""
    return [match.rules.effect(match.state, seat, told.move) for told in moves]


def listed(match: Match, seat: int, moves: Sequence[Told]) -> list[Sentence]:
    """What moves will do, and how many are left out of a long list."""
    said = effects(match, seat, moves[:MOST_TOLD])
    left = len(moves) - len(said)
    return [*said, _MORE_MOVES.of(n=left)] if left else said


def to_play(match: Match) -> list[Sentence]:
    """What the first player to move can play: the best move with each tile, of a few
    tiles, and at how many places each tile fits."""
    game, seat = match.rules, match.rules.to_move(match.state)[0]
    legal, words, scores = moves_of(match, seat)
    by_head: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        by_head.setdefault(word.partition(":")[0], []).append(at)
    pool, by_tile = match.view(None).pools[seat], dict[str, list[int]]()
    for head, found in by_head.items():
        if game.covers(legal[found[0]]):
            by_tile.setdefault(named(pool, head), []).extend(found)
        else:  # each is named by itself
            by_tile |= {words[at]: [at] for at in found}
    # the first of those that score alike, as each tile's moves are in their order
    bests = ((max(at, key=scores.__getitem__), tile) for tile, at in by_tile.items())
    ranked = sorted((-scores[at], at, tile) for at, tile in bests)
    best = [legal[at] for _, at, _ in ranked[:BEST]]
    fits = game.SCORING.gains["fits"]
    where = [
        fits.of(tile=tile, n=len(by_tile[tile]))
        for _, at, tile in ranked
        if game.covers(legal[at])
    ]
    told = [game.effect(match.state, seat, move) for move in best]
    return [_TO_PLAY, *told, *([together(where)] if where else [])]
