"""Monte Carlo tree search for games in which tiles are drawn.

UCT (Kocsis and Szepesvari, 2006) with an open-loop tree: a node is a sequence of moves,
whatever is drawn on the way, and each iteration draws anew.
"""

from collections.abc import Sequence
from math import copysign, inf, log, sqrt
from typing import Generic, Protocol, TypeVar

from pbm_holomino.robots.contract import Meter
from pbm_holomino.robots.search import Position

MoveT = TypeVar("MoveT")
# Leads, beyond which more points make a game no better: one triple hole would outweigh
# all else. With chances of winning, from 0 to 1, instead of leads it won no more often.
_MOST = 3.0
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
    `lead` points; more than a few count for no more than these.
    """
    seat, root, spread = position.turn, _Node[MoveT](), _Spread()
    ahead = position.scores[seat] - position.scores[1 - seat]
    for gain, move in candidates:
        leads = _limited((ahead + gain) / lead)
        spread.add(leads)
        root.children[move] = _Node(_PRIOR, _PRIOR * leads)
        root.visits += _PRIOR
    moves = [move for _, move in candidates]
    while meter.step() and len(moves) > 1:
        path, made = _descend(position, root, moves, width, seat, spread)
        for _ in range(plies):
            if position.over:
                break
            position.make(position.reply())
            made += 1
        leads = _limited(_margin(position, seat) / lead)
        for _ in range(made):
            position.unmake()
        spread.add(leads)
        for node in path:
            node.visits += 1
            node.total += leads
    return max(moves, key=lambda move: root.children[move].visits)


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
    best, found = -inf, moves[0]
    for move in moves:
        child = children.get(move)
        if child is None:
            return move, True
        bound = child.total / child.visits / sign + sqrt(total / child.visits)
        if bound > best:
            best, found = bound, move
    return found, False


def _margin(position: Scored[MoveT], seat: int) -> float:
    """The points by which a seat is ahead, with half of what the player to move can
    expect to gain: the other player will answer. A game that is over is won or lost."""
    margin: float = position.scores[seat] - position.scores[1 - seat]
    prospect = position.prospect() / 2
    margin += prospect if position.turn == seat else -prospect
    return copysign(inf, margin) if position.over and margin else margin


def _limited(leads: float) -> float:
    return max(-_MOST, min(_MOST, leads))
