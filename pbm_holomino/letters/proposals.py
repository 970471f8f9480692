"""Which moves a letter proposes, and what each adds to the score at once."""

from collections.abc import Iterator, Sequence

from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import View

BEST = 5  # moves that are on the first screen
MOST = 40  # moves, unless the reader has chosen to get all


class Proposed(NamedTuple):
    """A move, and how many points it adds at once."""

    move: str
    gain: int = 0

    @property
    def tile(self) -> str:
        return self.move.partition(":")[0]

    @property
    def spot(self) -> str:
        """Where it puts the tile."""
        return self.move.partition(":")[2]


class Proposals(NamedTuple):
    """The moves that are proposed, in the order of the game's list, and the best of
    them, which come first."""

    moves: tuple[Proposed, ...]
    best: tuple[Proposed, ...]


def proposals(match: Match, view: View, most: int | None) -> Proposals:
    """At most so many of the moves that a game proposes, and the best of these: one
    with each tile before another with the same tile. Where a game has only an example,
    the best are that and others that can be sent."""
    proposal = view.proposal
    if not proposal.heading:
        examples = dict.fromkeys((*proposal.moves, *view.legal))
        return Proposals((), tuple(map(Proposed, examples))[:BEST])
    moves = _with_gains(match, view)
    ranked = moves if proposal.ranked else _by_gain(match, view, moves)
    chosen = [*_one_a_tile(ranked)][:most]
    best = {*chosen[:BEST]}
    return Proposals(
        tuple(move for move in moves if most is None or move in {*chosen}),
        tuple(move for move in ranked if move in best),
    )


def _with_gains(match: Match, view: View) -> Sequence[Proposed]:
    """The moves of a game's list, each with what it gains."""
    values = dict(zip(view.legal, view.moves, strict=True))
    moves = view.proposal.moves
    gains = match.rules.gains(match.state, [values[move] for move in moves])
    return tuple(map(Proposed, moves, gains))


def _by_gain(match: Match, view: View, moves: Sequence[Proposed]) -> list[Proposed]:
    """The moves that gain most first; of equal ones that nearest to the first tile."""
    values, covers = dict(zip(view.legal, view.moves, strict=True)), match.rules.covers
    return sorted(
        moves,
        key=lambda one: (-one.gain, max(covers(values[one.move]), default=0)),
    )


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
