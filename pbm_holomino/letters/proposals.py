"""Which moves a letter proposes, and what each adds to the score at once."""

from collections.abc import Iterator, Sequence
from typing import Any

from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import View

BEST = 5  # moves that are on the first screen
MOST = 40  # moves, unless the reader has chosen to get all


class Proposed(NamedTuple):
    """A move, its tile and where it puts that, and how many points it adds at once."""

    move: str
    tile: str
    spot: str
    gain: int = 0

    @classmethod
    def of(cls, move: str, gain: int = 0) -> "Proposed":
        tile, _, spot = move.partition(":")
        return cls(move, tile, spot, gain)


class Proposals(NamedTuple):
    """The moves that are proposed, in the order of the game's list, and the best of
    them, which come first."""

    moves: tuple[Proposed, ...]
    best: tuple[Proposed, ...]


def proposals(match: Match, view: View, most: int | None) -> Proposals:
    """At most so many of the moves that a game proposes, and the best of these: one
    with each tile before another with the same tile. Where a game has only an example,
    the best are that and others that can be sent. Of moves that gain as much, those
    nearest to the first tile are better."""
    proposal = view.proposal
    if not proposal.heading:
        examples = dict.fromkeys((*proposal.moves, *view.legal))
        return Proposals((), tuple(map(Proposed.of, examples))[:BEST])
    values = _values(view)
    gains = match.rules.gains(match.state, values)
    moves = tuple(map(Proposed.of, proposal.moves, gains))
    ranked: Sequence[Proposed] = moves
    if not proposal.ranked:
        far = [max(match.rules.covers(value), default=0) for value in values]
        by_gain = sorted(zip([-gain for gain in gains], far, moves, strict=True))
        ranked = [move for _, _, move in by_gain]
    chosen = [*_one_a_tile(ranked)][:most]
    best, every = {*chosen[:BEST]}, {*chosen}
    return Proposals(
        tuple(filter(every.__contains__, moves)),
        tuple(filter(best.__contains__, ranked)),
    )


def _values(view: View) -> Sequence[Any]:
    """The moves of a game's list, as values of the game's own."""
    if view.proposal.moves == view.legal:
        return view.moves
    values = dict(zip(view.legal, view.moves, strict=True))
    return [values[move] for move in view.proposal.moves]


def _one_a_tile(ranked: Sequence[Proposed]) -> Iterator[Proposed]:
    """The first move with each tile, and then the others."""
    seen, others = set[str](), list[Proposed]()
    for one in ranked:
        if one.tile in seen:
            others.append(one)
        else:
            seen.add(one.tile)
            yield one
    yield from others
