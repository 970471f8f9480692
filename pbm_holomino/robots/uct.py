"""Monte Carlo tree search for games in which tiles are drawn.

UCT (Kocsis and Szepesvari, 2006) with an open-loop tree: a node is a sequence of moves,
whatever is drawn on the way, and each iteration draws anew.
"""

from collections.abc import Mapping, Sequence
from math import copysign, inf, log, sqrt
from operator import itemgetter
from typing import Generic, Protocol, TypeVar

from pbm_holomino.robots.contract import Meter
from pbm_holomino.robots.search import Position

MoveT = TypeVar("MoveT")
# Leads, up to which each point counts for as much as the next. Beyond that points count
# for less and less, as one triple hole would outweigh all else; but never for nothing,
# or all moves would be equal to a player who is far ahead or behind.
_NEAR = 3.0
_FAR = 6.0  # leads, from which on a game is as good as won or lost
_PRIOR = 20  # visits, for as many of which counts what was known of a move before


class Scored(Position[MoveT], Protocol[MoveT]):
    """A position with the score of each side."""

    scores: list[int]


class _Node(Generic[MoveT]):
    __slots__ = ("children", "total", "visits")

    def __init__(self, visits: int = 0, total: float = 0.0) -> None:
        self.visits = visits
        self.total = total
        self.children: dict[MoveT, _Node[MoveT]] = {}

    @property
    def mean(self) -> float:
        return self.total / self.visits


class _Spread:
    """The running standard deviation of all results."""

    def __init__(self) -> None:
        self._count, self._sum, self._squares = 1e-9, 0.0, 0.0

    def add(self, value: float) -> None:
        self._count += 1
        self._sum += value
        self._squares += value * value

    def deviation(self) -> float:
        mean = self._sum / self._count
        return sqrt(max(self._squares / self._count - mean * mean, 1e-9))


def uct(
    position: Scored[MoveT],
    candidates: Sequence[tuple[float, MoveT]],
    meter: Meter,
    width: int,
    plies: int,
    lead: float,
) -> MoveT:
    """The best of some moves, which are given with what they seem to gain; this counts
    for as much as a few simulations.

    Below the root the tree has `width` moves of a position; from a leaf the game goes
    on for so many plies of quick replies. The margin then counts in leads, each of
    `lead` points, on a scale on which a great many count for little more than a few.
    Far ahead or behind, what the moves seem to gain decides between those that the
    simulations cannot tell apart: near level it wins fewer games.
    """
    seat, root, spread = position.turn, _Node[MoveT](), _Spread()
    ahead = position.scores[seat] - position.scores[1 - seat]
    for gain, move in candidates:
        leads = _felt((ahead + gain) / lead)
        spread.add(leads)
        root.children[move] = _Node(_PRIOR, _PRIOR * leads)
        root.visits += _PRIOR
    moves = [move for _, move in candidates]
    while meter.step() and len(moves) > 1:
        path, made = _descend(position, root, moves, width, seat, spread)
        made += _play_on(position, plies)
        leads = _result(position, seat, lead)
        for _ in range(made):
            position.unmake()
        spread.add(leads)
        for node in path:
            node.visits += 1
            node.total += leads
    best = max(moves, key=lambda move: root.children[move].visits)
    if abs(ahead) < _FAR * lead:
        return best
    tied = _tied(root.children, root.children[best], spread.deviation())
    return max((pair for pair in candidates if pair[1] in tied), key=itemgetter(0))[1]


def _play_on(position: Scored[MoveT], plies: int) -> int:
    """Make quick replies, as long as the game goes on; how many."""
    for made in range(plies):
        if position.over:
            return made
        position.make(position.reply())
    return plies


def _tied(
    children: Mapping[MoveT, _Node[MoveT]], best: _Node[MoveT], deviation: float
) -> set[MoveT]:
    """The moves that are as good as the best for all that the simulations show: the
    difference is no more than its error."""
    return {
        move
        for move, node in children.items()
        if best.mean - node.mean <= deviation * sqrt(1 / node.visits + 1 / best.visits)
    }


def _descend(
    position: Scored[MoveT],
    node: _Node[MoveT],
    moves: Sequence[MoveT],
    width: int,
    seat: int,
    spread: _Spread,
) -> tuple[list[_Node[MoveT]], int]:
    """Make moves down the tree until one is new or ends the game; the nodes on the way,
    and how many moves were made."""
    path, scale = [node], spread.deviation()
    while True:
        sign = scale if position.turn == seat else -scale
        move, is_new = _select(node, moves, sign)
        node = node.children.setdefault(move, _Node())
        position.make(move)
        path.append(node)
        if is_new or position.over:
            return path, len(path) - 1
        moves = [move for _, move in position.moves(width)]


def _select(
    node: _Node[MoveT], moves: Sequence[MoveT], sign: float
) -> tuple[MoveT, bool]:
    """The move with the greatest upper confidence bound, or the first that is new, and
    whether it is. With a negative `sign` small values are good."""
    children, total = node.children, log(node.visits + 1)
    best, best_move = -inf, moves[0]
    for move in moves:
        child = children.get(move)
        if child is None:
            return move, True
        bound = child.total / child.visits / sign + sqrt(total / child.visits)
        if bound > best:
            best, best_move = bound, move
    return best_move, False


def _result(position: Scored[MoveT], seat: int, lead: float) -> float:
    """How well a seat does at the end of a simulation. A game that is over is won or
    lost, however close it was."""
    leads = _felt(_margin(position, seat) / lead)
    if position.over and leads:
        return copysign(max(abs(leads), _NEAR), leads)
    return leads


def _margin(position: Scored[MoveT], seat: int) -> float:
    """The points by which a seat is ahead, with half of what the player to move can
    expect to gain: the other player will answer."""
    prospect = position.prospect() / 2
    margin = position.scores[seat] - position.scores[1 - seat]
    return margin + (prospect if position.turn == seat else -prospect)


def _felt(leads: float) -> float:
    """What so many leads count for: as they are up to a few, and then growing like
    their logarithm, with no step and no bend between."""
    far = max(abs(leads) / _NEAR, 1.0)
    return copysign(min(abs(leads), _NEAR) + _NEAR * log(far), leads)
