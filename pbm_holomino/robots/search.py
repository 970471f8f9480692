"""Searches over a position that is changed in place, for two players."""

from collections.abc import Callable, Generator, Hashable, Sequence
from contextlib import closing, suppress
from itertools import count
from math import inf
from random import Random
from statistics import fmean
from typing import Generic, Protocol, TypeVar

from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.robots.contract import Meter

MoveT = TypeVar("MoveT")
ALL = 1_000_000  # moves: more than any position has


class Position(Protocol[MoveT]):
    """A state in which moves are made and taken back."""

    over: bool

    @property
    def turn(self) -> int:
        """The side to move, 0 or 1."""

    def moves(self, most: int = ALL) -> Sequence[tuple[float, MoveT]]:
        """What each legal move scores, and the move, the most promising first; no more
        than so many, and none when the game is over or a draw must come first."""

    def draws(self) -> Generator[Sequence[tuple[float, MoveT]], None, None]:
        """For each tile that may be drawn before the player to move moves, all equally
        likely, the moves that it adds, or those of them that may be better than the
        others; the tile is drawn until the next is asked for. Nothing where no draw is
        due."""

    def make(self, move: MoveT) -> None:
        """Make a legal move, and the draws and skips that follow."""

    def unmake(self) -> None:
        """Take back the last move."""

    def reply(self) -> MoveT:
        """A good move of the player to move, found quickly."""

    def prospect(self) -> float:
        """How much the player to move can expect to gain on the other; when the game is
        over, what its result counts for besides the points: mostly nothing."""

    def outlook(self) -> float:
        """The same for the next plies, as well as that can be seen from here."""


def greedy(position: Position[MoveT], rng: Random) -> MoveT:
    """A move that scores most."""
    moves = position.moves()
    best = max(gain for gain, _ in moves)
    return rng.choice([move for gain, move in moves if gain == best])


def lookahead(
    position: Position[MoveT], plies: int, meter: Meter, rng: Random, most: int = ALL
) -> MoveT:
    """A move that is worth most so many plies later, of all moves or of so many that
    are most promising."""
    found = ranked(position, plies, meter, most)
    best = found[0][0]
    return rng.choice([move for worth, move in found if worth == best])


def ranked(
    position: Position[MoveT], plies: int, meter: Meter, most: int = ALL
) -> list[tuple[float, MoveT]]:
    """These moves with their worth, the best first; all replies are considered. Without
    steps left only the most promising moves are, and one in any case."""
    moves = list[tuple[float, MoveT]]()
    for gain, move in position.moves(most):
        if moves and not meter.step():
            break
        moves.append((gain + later(position, move, plies), move))
    return sorted(moves, key=lambda pair: -pair[0])


def later(position: Position[MoveT], move: MoveT, plies: int) -> float:
    """What a player gains on the other after this move, by the prospect of the player
    who is to move so many plies later."""
    seat = position.turn
    position.make(move)
    if plies > 1 and not position.over:
        worth = _best(position, plies - 1)
    else:
        worth = position.prospect()
    worth = worth if position.turn == seat else -worth
    position.unmake()
    return worth


def _best(position: Position[MoveT], plies: int) -> float:
    """What the player to move gains on the other by the best move, on average over the
    tiles that may be drawn for it."""

    def most(moves: Sequence[tuple[float, MoveT]], least: float) -> float:
        gains = (gain + later(position, move, plies) for gain, move in moves)
        return max(gains, default=least)

    known = most(position.moves(), -inf)
    gains = [max(known, most(added, known)) for added in position.draws()]
    return fmean(gains) if gains else known


class _Spent(Exception):
    """The budget is spent."""


class _Bound(NamedTuple):
    """What a search found about a position: to which depth, between which limits its
    worth is, and whether nothing was left out for want of depth."""

    depth: int
    least: float
    most: float
    is_complete: bool

    def says_enough(self, depth: int, alpha: float, beta: float) -> bool:
        """Whether a search to this depth, between alpha and beta, is not needed."""
        if depth > self.depth and not self.is_complete:
            return False
        return self.least >= beta or self.most <= alpha or self.least == self.most


def alpha_beta(
    position: Position[MoveT],
    meter: Meter,
    width: int = ALL,
    moves: Sequence[tuple[float, MoveT]] = (),
    key: Callable[[], Hashable] | None = None,
) -> MoveT:
    """The best move by alpha-beta search with iterative deepening, of all moves or of
    these. It considers no more than `width` moves of a position: of the root's, those
    that are best after one ply. It ends when the budget is spent or the games have been
    searched to their end. `key` gives what is equal in positions of equal worth, for a
    table of those that were searched."""
    search = _AlphaBeta(position, meter, width, key)
    moves = moves or position.moves()
    with suppress(_Spent):
        for depth in count(1):
            moves = search.deepen(moves, depth)[:width]
            if search.is_complete or len(moves) == 1:
                break
    return search.best or moves[0][1]


def worths(
    position: Position[MoveT],
    moves: Sequence[tuple[float, MoveT]],
    meter: Meter,
    width: int = ALL,
    key: Callable[[], Hashable] | None = None,
) -> list[float]:
    """What each of these moves is worth by the same search, all to the same depth."""
    search = _AlphaBeta(position, meter, width, key)
    worths = [gain for gain, _ in moves]
    with suppress(_Spent):
        for depth in count(1):
            search.is_complete = True
            worths = [gain + search.later(move, depth - 1) for gain, move in moves]
            if search.is_complete:
                break
    return worths


class _AlphaBeta(Generic[MoveT]):
    """A search. `best` is the best move so far, and `is_complete` says that nothing was
    left out for want of depth."""

    def __init__(
        self,
        position: Position[MoveT],
        meter: Meter,
        width: int,
        key: Callable[[], Hashable] | None,
    ) -> None:
        self._position, self._meter, self._width = position, meter, width
        self._key, self._table = key, dict[Hashable, _Bound]()
        self.best: MoveT | None = None
        self.is_complete = False

    def deepen(
        self, moves: Sequence[tuple[float, MoveT]], depth: int
    ) -> Sequence[tuple[float, MoveT]]:
        """The moves of the root after a search to this depth, the best first."""
        self.is_complete = True
        most, order = -inf, list[tuple[float, tuple[float, MoveT]]]()
        for gain, move in moves:
            worth = gain + self.later(move, depth - 1, most - gain, inf)
            if worth > most:
                most, self.best = worth, move
            order.append((worth, (gain, move)))
        order.sort(key=lambda pair: -pair[0])
        return [pair for _, pair in order]

    def later(
        self, move: MoveT, depth: int, alpha: float = -inf, beta: float = inf
    ) -> float:
        """What the player to move gains on the other after this move."""
        position = self._position
        seat = position.turn
        position.make(move)
        try:
            if position.turn == seat:
                return self._worth(depth, alpha, beta)
            return -self._worth(depth, -beta, -alpha)
        finally:
            position.unmake()

    def _worth(self, depth: int, alpha: float, beta: float) -> float:
        """What the player to move gains on the other, as far as it is between alpha and
        beta; otherwise a bound."""
        position = self._position
        if not self._meter.step():
            raise _Spent
        if position.over:
            return position.prospect()
        if not depth:
            self.is_complete = False
            return position.outlook()
        if self._key is None:
            return self._searched(depth, alpha, beta)
        key = self._key()
        known = self._table.get(key)
        if known and known.says_enough(depth, alpha, beta):
            self.is_complete &= known.is_complete
            return known.least if known.least > -inf else known.most
        before, self.is_complete = self.is_complete, True
        worth = self._searched(depth, alpha, beta)
        least = worth if worth > alpha else -inf
        most = worth if worth < beta else inf
        self._table[key] = _Bound(depth, least, most, self.is_complete)
        self.is_complete &= before
        return worth

    def _searched(self, depth: int, alpha: float, beta: float) -> float:
        moves = self._position.moves(self._width)
        return self._best(moves, depth, alpha, beta) if moves else self._drawn(depth)

    def _best(
        self,
        moves: Sequence[tuple[float, MoveT]],
        depth: int,
        alpha: float = -inf,
        beta: float = inf,
    ) -> float:
        best = -inf
        for gain, move in moves:
            later = self.later(move, depth - 1, max(alpha, best) - gain, beta - gain)
            best = max(best, gain + later)
            if best >= beta:
                break
        return best

    def _drawn(self, depth: int) -> float:
        """What the player to move gains who must draw before they can move."""
        with closing(self._position.draws()) as draws:
            return fmean(self._best(added[: self._width], depth) for added in draws)
