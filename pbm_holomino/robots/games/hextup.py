"""Hextup's robots.

The score alone says little: what counts is who connects all numbers first. So a move
that wins is worth more than any others together, and one that covers the opponent's
halves gains what it takes from them.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from statistics import fmean

from pbm_holomino.languages import Sentence, of_number, sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.robots import playouts, search
from pbm_holomino.robots.contract import (
    Budget,
    Choose,
    Forecast,
    Meter,
    Worth,
    seat_of,
)
from pbm_holomino.robots.search import ALL, alpha_beta, greedy, lookahead
from pbm_holomino.rules.contract import View
from pbm_holomino.rules.games.hextup import GAME, Hextup, connected
from pbm_holomino.rules.hextiles import Move, State, faces
from pbm_holomino.rules.seats import replaced
from pbm_holomino.rules.tiles import sack_of

_RULES = Hextup()
_WON = 50.0  # what a game that is won counts for: more than all numbers
# What it counts for that the other player threatens to win, in one place that can be
# taken or in several.
_ALARM, _LOST = 2.0, 30.0
_HIT = 1.5  # how much more promising is a move where the other player could win
_FEW = 30  # moves of which level 2 looks at the replies
_MANY, _WIDTH = 40, 10  # moves that level 3 looks at: of the root, and later


class _Dice:
    """Draws by chance, for games that are played out."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        self._pick = pick

    def pick(self, drawn: int, things: Sequence[str]) -> tuple[int, int]:
        return self._pick(len(things)), drawn + 1


def _passed_on(state: State) -> State:
    """The state when somebody can move, if need be with a tile that they draw, or when
    the game is over."""
    for _ in state.pools:
        held = (*state.pools[state.turn], *sack_of(state, state.turn))
        if state.over or next(_RULES.placings(state, held), None):
            return state
        state = state._replace(turn=1 - state.turn)
    return state._replace(over=True)


class Position:
    """A state of Hextup that is changed in place. `pick` chooses an index below a
    number: with it the draws are made, without it nobody draws but those who must."""

    def __init__(self, state: State, pick: Callable[[int], int] | None = None) -> None:
        self._dice = _Dice(pick) if pick else None
        self._every = len(faces(state.options))
        sacks = tuple(tuple(sorted(sack)) for sack in state.sacks)
        self._states = [state._replace(sacks=sacks)]
        self._see()

    def _see(self) -> None:
        state = self.state
        self.turn, self.over, self.scores = state.turn, state.over, state.scores

    @property
    def state(self) -> State:
        """The state as it is now."""
        return self._states[-1]

    def moves(self, most: int = ALL) -> list[tuple[float, Move]]:
        """See search.Position. Of a few, those that may prevent the other player's win
        are among the first."""
        gains = self._by_gain()
        if len(gains) <= most or gains[0][0] >= _WON:
            return gains[:most]
        if needed := self._needed():
            hits = {move: not needed.isdisjoint(move[1:]) for _, move in gains}
            gains.sort(key=lambda pair: -pair[0] - _HIT * hits[pair[1]])
        return gains[:most]

    def tempting(self, most: int) -> list[tuple[float, Move]]:
        """So many promising moves; all, if the other player threatens to win, since few
        of them may prevent it."""
        return self.moves(ALL if self._needed() else most)

    def _by_gain(self) -> list[tuple[float, Move]]:
        state = self.state
        legal = () if state.over else GAME.legal(state, state.turn)
        gains = zip(legal, GAME.gains(state, legal), strict=True)
        found = [(self._gain(move, gain), move) for move, gain in gains]
        return sorted(found, key=lambda pair: -pair[0])

    def _needed(self) -> set[int]:
        """The positions where the other player would put a tile to win."""
        with self._other_to_move():
            gains = self._by_gain()
        return {at for gain, move in gains if gain >= _WON for at in move[1:]}

    @contextmanager
    def _other_to_move(self) -> Iterator[None]:
        """As if it were the other player's turn."""
        self._states.append(self.state._replace(turn=1 - self.turn))
        self._see()
        yield
        self.unmake()

    def _gain(self, move: Move, gain: int) -> float:
        """What a move gains on the opponent, from what its own player connects."""
        state, other = self.state, 1 - self.turn
        if state.scores[self.turn] + gain == self._every:
            return _WON
        if other in (state.owners.get(move.first), state.owners.get(move.second)):
            after = state._replace(
                owners={**state.owners, move.first: self.turn, move.second: self.turn}
            )
            return gain + state.scores[other] - connected(after, other)
        return gain

    def draws(self) -> Generator[list[tuple[float, Move]], None, None]:
        """See search.Position: the tiles with which a player who must draw can move.
        They go on drawing until they have one."""
        state, seat = self.state, self.turn
        if GAME.due(state) != "draw":
            return
        for tile in sack_of(state, seat):
            pools = replaced(state.pools, seat, (*state.pools[seat], tile))
            sack = tuple(other for other in sack_of(state, seat) if other != tile)
            sacks = replaced(state.sacks, seat, sack)
            self._states.append(state._replace(pools=pools, sacks=sacks))
            try:
                if moves := self._by_gain():
                    yield moves
            finally:
                self._states.pop()

    def make(self, move: Move) -> None:
        """Make a legal move, and the draws and skips that follow."""
        state, _ = GAME.play(self.state, self.turn, move)
        if self._dice:
            state, _ = GAME.settle(state, self._dice)
        else:
            state = _passed_on(state)
        self._states.append(state)
        self._see()

    def unmake(self) -> None:
        """Take back the last move."""
        self._states.pop()
        self._see()

    def reply(self) -> Move:
        """A move that gains most."""
        return self._by_gain()[0][1]

    def prospect(self) -> float:
        """The most that the player to move can gain now, or on average if they must
        draw first."""
        if best := self._by_gain():
            return best[0][0]
        drawn = [moves[0][0] for moves in self.draws()]
        return fmean(drawn) if drawn else 0.0

    def outlook(self) -> float:
        """See search.Position. What the other player threatens counts for half of it,
        since it can be prevented; but hardly, if they can win in several places."""
        prospect = self.prospect()
        if prospect >= _WON:
            return prospect
        with self._other_to_move():
            theirs = self._by_gain()
        threat = theirs[0][0] if theirs else 0.0
        if threat < _WON:
            return prospect - threat / 2
        places = [{*move[1:]} for gain, move in theirs if gain >= _WON]
        return prospect - (_ALARM if set.intersection(*places) else _LOST)


def _level_1(view: View, budget: Budget, rng: Random) -> str:
    return GAME.format_move(greedy(Position(view.known), rng))


def _level_2(view: View, budget: Budget, rng: Random) -> str:
    position = Position(view.known)
    most = len(position.tempting(_FEW))
    return GAME.format_move(lookahead(position, 1, Meter(budget), rng, most))


def _level_3(view: View, budget: Budget, rng: Random) -> str:
    position = Position(view.known)
    moves = position.tempting(_MANY)
    return GAME.format_move(alpha_beta(position, Meter(budget), _WIDTH, moves))


LEVELS: Sequence[Choose] = (_level_1, _level_2, _level_3)


def forecast(view: View, budget: Budget, rng: Random) -> Forecast:
    """See contract.Made."""
    seat = seat_of(view)
    position = Position(view.known, lambda size: int(rng.random() * size))
    return playouts.forecast(lambda: _lead_at_end(position, seat, rng), budget)


def _lead_at_end(position: Position, seat: int, rng: Random) -> float:
    """The lead of a seat at the end of one game from here; none, if nobody has won."""
    made = playouts.play_out(position, rng)
    winners = GAME.outcome(position.state) or ()
    lead = position.scores[seat] - position.scores[1 - seat]
    for _ in range(made):
        position.unmake()
    return lead if len(winners) == 1 else 0.0


def worths(
    view: View, words: Sequence[str], budget: Budget, rng: Random
) -> list[Worth]:
    """See contract.Made. A game that is won counts for all numbers."""
    position, most = Position(view.known), len(faces(view.known.options))
    named = {GAME.format_move(move): (gain, move) for gain, move in position.moves()}
    pairs = [named[word] for word in words]
    values = search.worths(position, pairs, Meter(budget), _WIDTH)
    return [
        Worth(max(-most, min(most, value)), _reason(position, *pair))
        for value, pair in zip(values, pairs, strict=True)
    ]


class _Connects(NamedTuple):
    """What is said of a move that connects `{n}` more numbers, or none."""

    more: Sentence
    none: Sentence


_WINS = sentence("It wins the game.")
_IN_DANGER = _Connects(
    of_number(
        "It connects {n} more number, but your opponent holds a tile that wins in "
        "return.",
        "It connects {n} more numbers, but your opponent holds a tile that wins in "
        "return.",
    ),
    sentence(
        "It connects no more numbers, but your opponent holds a tile that wins in "
        "return."
    ),
)
_SAFE = _Connects(
    of_number(
        "It connects {n} more number, and your opponent holds no tile that wins in "
        "return.",
        "It connects {n} more numbers, and your opponent holds no tile that wins in "
        "return.",
    ),
    sentence(
        "It connects no more numbers, and your opponent holds no tile that wins in "
        "return."
    ),
)
REASONS = (_WINS, *_IN_DANGER, *_SAFE)


def _reason(position: Position, gain: float, move: Move) -> Sentence:
    """Why a player may choose a move: what it connects, and what the other can do."""
    if gain >= _WON:
        return _WINS
    seat, (more,) = position.turn, GAME.gains(position.state, [move])
    position.make(move)
    replies = position.moves(1) if position.turn != seat else []
    is_in_danger = any(gain >= _WON for gain, _ in replies)
    position.unmake()
    connects = _IN_DANGER if is_in_danger else _SAFE
    return connects.more.of(n=more) if more else connects.none
