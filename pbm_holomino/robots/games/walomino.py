"""Walomino's robots.

Where a pair lies on the grid hardly ever matters, only which colours are at the open
ends and which pairs are left. So what is searched is that: a move joins a pair to an
end and brings another colour there. Of the places for it the one is taken that leaves
most room.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement, permutations
from random import Random

from pbm_holomino.robots.contract import Budget, Meter, seat_of
from pbm_holomino.robots.halving import halving
from pbm_holomino.robots.search import ALL, alpha_beta
from pbm_holomino.rules.contract import View
from pbm_holomino.rules.games import walomino as game
from pbm_holomino.rules.games.walomino.chain import (
    COLOURS,
    Chain,
    Placing,
    lay,
    placings,
)
from pbm_holomino.rules.games.walomino.moves import (
    PAIR,
    TAKE,
    Pairing,
    Take,
    canonical,
)
from pbm_holomino.rules.games.walomino.state import State
from pbm_holomino.rules.grid import neighbours

SHADES = range(len(COLOURS))  # the colours as numbers
PAIRS = tuple(combinations_with_replacement(SHADES, 2))
_INDEX = {pair: index for index, pair in enumerate(PAIRS)}
PAIR_OF = tuple(
    tuple(_INDEX[min(one, two), max(one, two)] for two in SHADES) for one in SHADES
)
EVERY_PAIR = tuple(map("".join, combinations_with_replacement(COLOURS, 2)))
CLOSED = -1  # the colour of an end to which nothing can be joined any more
Move = tuple[int, int]  # an open end, 0 or 1, and the colour that it gets


class Position:
    """A round of Walomino while pairs are played, without the grid. `pools` counts the
    pairs of each seat by their index in PAIRS, and `reach` those with each colour. The
    sides are `mine`, a seat, and all others together: each pair played is a gain of
    one, shared by the others if there are several."""

    def __init__(
        self,
        ends: Sequence[int],
        pools: Sequence[Sequence[int]],
        seat: int,
        mine: int,
        dropped: frozenset[int] = frozenset(),
    ) -> None:
        self.ends, self.pools = list(ends), [list(pool) for pool in pools]
        self.reach = [[_with_colour(pool, c) for c in SHADES] for pool in pools]
        self.seat, self._mine, self._dropped = seat, mine, dropped
        self._share = 1 / (len(pools) - len(dropped) - 1)
        self.over = False
        self._made: list[tuple[int, int, int]] = []
        self._pass_on(seat)

    @property
    def turn(self) -> int:
        """The side to move."""
        return int(self.seat != self._mine)

    def key(self) -> object:
        """What is equal in positions from which the same can come."""
        ends = tuple(sorted(self.ends))
        return self.seat, ends, *map(tuple, self.pools)

    def left(self) -> list[int]:
        """How many pairs each seat has left."""
        return list(map(sum, self.pools))

    # Moves

    def moves(self, most: int = ALL) -> list[tuple[float, Move]]:
        """See search.Position."""
        if self.over:
            return []
        gain = 1.0 if self.seat == self._mine else self._share
        found = sorted(self._worths(), reverse=True)
        return [(gain, move) for _, move in found[:most]]

    def reply(self) -> Move:
        """The move after which the player can continue best, and the others worst."""
        return max(self._worths())[1]

    def _worths(self) -> list[tuple[float, Move]]:
        seat, ends = self.seat, self.ends
        pool, found = self.pools[seat], []
        worth = [self._worth(colour) for colour in SHADES]
        for end in (0,) if ends[0] == ends[1] else (0, 1):
            if ends[end] != CLOSED:
                kept = ends[1 - end]
                others = worth[kept] if kept != CLOSED else 0.0
                for colour, pair in enumerate(PAIR_OF[ends[end]]):
                    if pool[pair]:
                        found.append((others + worth[colour], (end, colour)))
        return found

    def _worth(self, colour: int) -> float:
        """How good an end of this colour is for the player to move."""
        mine = self.reach[self.seat][colour]
        total = sum(reach[colour] for reach in self.reach)
        return mine - (total - mine) * self._share

    def prospect(self) -> float:
        """How much more the side to move can continue than the other side."""
        if self.over:
            return 0.0
        ends = [colour for colour in self.ends if colour != CLOSED]
        mine = sum(self.reach[self._mine][colour] for colour in ends)
        total = sum(reach[colour] for reach in self.reach for colour in ends)
        lead = mine - (total - mine) * self._share
        return 0.1 * (lead if self.seat == self._mine else -lead)

    outlook = prospect

    # Changes

    def make(self, move: Move) -> None:
        """Play a pair, and skip those who cannot play."""
        end, colour = move
        seat, joined = self.seat, self.ends[end]
        self._made.append((seat, end, joined))
        self._count(seat, joined, colour, -1)
        self.ends[end] = colour
        self._pass_on((seat + 1) % len(self.pools))

    def unmake(self) -> None:
        """Take back the last move."""
        self.seat, end, joined = self._made.pop()
        self._count(self.seat, joined, self.ends[end], 1)
        self.ends[end] = joined
        self.over = False

    def _count(self, seat: int, one: int, two: int, change: int) -> None:
        self.pools[seat][PAIR_OF[one][two]] += change
        self.reach[seat][one] += change
        if one != two:
            self.reach[seat][two] += change

    def _pass_on(self, seat: int) -> None:
        """Give the turn to the first from this seat on who can play."""
        one, two = self.ends
        for _ in self.pools:
            reach = self.reach[seat]
            can_play = one != CLOSED and reach[one] or two != CLOSED and reach[two]
            if can_play and seat not in self._dropped:
                self.seat = seat
                return
            seat = (seat + 1) % len(self.pools)
        self.over = True


def _with_colour(pool: Sequence[int], colour: int) -> int:
    return sum(pool[pair] for pair in {*PAIR_OF[colour]})


def _counts(pairs: Iterable[str]) -> list[int]:
    """A pool of pairs, counted by their index."""
    counts = [0] * len(PAIRS)
    for pair in pairs:
        one, two = map(COLOURS.index, pair)
        counts[PAIR_OF[one][two]] += 1
    return counts


# Playing


def end_of(chain: Chain, move: Placing) -> int:
    """The open end that a pair is joined to."""
    return next(
        index for index, end in enumerate(chain.ends()) if end.tip in neighbours(move.p)
    )


def position_of(state: State, seat: int) -> Position:
    """The position of a seat in a round that is being played."""
    chain = state.chain
    joined = {end_of(chain, move) for move in placings(chain, EVERY_PAIR)}
    ends = [
        COLOURS.index(chain.cells[end.tip]) if index in joined else CLOSED
        for index, end in enumerate(chain.ends())
    ]
    pools = list(map(_counts, state.pools))
    return Position(ends, pools, state.turn, seat, state.dropped)


def places_of(state: State, ends: Sequence[int]) -> dict[Move, list[Placing]]:
    """The legal moves of the seat to move, by what each is in a position with these
    ends; what could be done at either of two equal ones is done at the first."""
    chain, places = state.chain, dict[Move, list[Placing]]()
    for move in placings(chain, state.pools[state.turn]):
        end = 0 if ends[0] == ends[1] else end_of(chain, move)
        places.setdefault((end, COLOURS.index(move.opening)), []).append(move)
    return places


def _roomiest(chain: Chain, moves: Sequence[Placing], rng: Random) -> Placing:
    """Of these moves one that leaves most room at both ends."""
    room = [sum(1 for _ in placings(lay(chain, move), EVERY_PAIR)) for move in moves]
    return rng.choice(
        [m for m, left in zip(moves, room, strict=True) if left == max(room)]
    )


def _play(view: View, rng: Random, budget: Budget | None) -> str:
    """The move found by alpha-beta search, or without a budget the reply."""
    state: State = view.known
    position = position_of(state, seat_of(view))
    places = places_of(state, position.ends)
    moves = [pair for pair in position.moves() if pair[1] in places]
    if budget:
        move = alpha_beta(position, Meter(budget), moves=moves, key=position.key)
    else:
        move = moves[0][1]
    return game.format_move(_roomiest(state.chain, places[move], rng))


# Pairing


def _mixed(walongs: Iterable[str]) -> tuple[str, ...]:
    """Pairs of different colours, as far as possible."""
    ordered = sorted(walongs, key=COLOURS.index)
    half = len(ordered) // 2
    return canonical(map("".join, zip(ordered[:half], ordered[half:], strict=True)))


def _paired(walongs: Iterable[str], rng: Random) -> tuple[str, ...]:
    """Pairs made at random."""
    order = list(walongs)
    rng.shuffle(order)
    return canonical(map("".join, zip(order[::2], order[1::2], strict=True)))


_PAIRINGS = 32  # that are tried


def _pair(view: View, rng: Random, budget: Budget) -> str:
    """The pairing that does best against others' pairings at random."""
    state: State = view.known
    seat, hands = seat_of(view), state.pools
    ends = [COLOURS.index(state.chain.cells[end.tip]) for end in state.chain.ends()]
    candidates = {_mixed(hands[seat]): None}
    for _ in range(_PAIRINGS - 1):
        candidates[_paired(hands[seat], rng)] = None

    def sample(pairs: tuple[str, ...]) -> float:
        pools = [_counts(_paired(hand, rng)) for hand in hands]
        pools[seat] = _counts(pairs)
        return _result(ends, pools, state, seat)

    best = halving(list(candidates), sample, budget)
    return game.format_move(Pairing(best))


def _result(
    ends: Sequence[int], pools: Sequence[Sequence[int]], state: State, seat: int
) -> float:
    """How a round ends for a seat when all play by quick replies: whether it has the
    fewest pairs left, and a little for each pair fewer than the others have."""
    opener = (state.round - 1) % len(pools)
    position = Position(ends, pools, opener, seat, state.dropped)
    while not position.over:
        position.make(position.reply())
    left = position.left()
    mine = left[seat]
    others = [n for at, n in enumerate(left) if at not in state.dropped | {seat}]
    lead = sum(others) / len(others) - mine
    return (mine < min(others)) - (mine > min(others)) + 0.1 * lead


# Taking


def _least_held(view: View, rng: Random) -> str:
    """The colour that the player has least of."""
    state: State = view.known
    pool = state.pools[state.turn]
    colours = [colour for colour in COLOURS if state.pot[colour]]
    rng.shuffle(colours)
    return game.format_move(Take(min(colours, key=pool.count), False))


def _take(view: View, rng: Random, budget: Budget) -> str:
    """The first colour of the best plan: which colour to take first, and which then, as
    long as there are any."""
    state: State = view.known
    seat = seat_of(view)
    plans = [plan for plan in permutations(COLOURS, 2) if state.pot[plan[0]]]

    def sample(plan: Sequence[str]) -> float:
        return _sampled(state, seat, plan, rng)

    best = halving(plans, sample, budget)
    return game.format_move(Take(best[0], False))


def _sampled(state: State, seat: int, plan: Sequence[str], rng: Random) -> float:
    """How a round ends for a seat that follows a plan, if half of the others follow
    plans, too, and nobody knows how they make pairs."""
    pot = [colour for colour in COLOURS for _ in range(state.pot[colour])]
    rng.shuffle(pot)
    hands = [list(pool) for pool in state.pools]
    plans: list[Sequence[str]] = [
        rng.sample(COLOURS, 2) if rng.random() < 0.5 else () for _ in hands
    ]
    plans[seat] = plan
    turn = state.turn
    while len(pot) > 2:
        wished = next((c for c in plans[turn] if c in pot), pot[-1])
        pot.remove(wished)
        hands[turn].append(wished)
        turn = (turn + 1) % len(hands)
    pools = [_counts(_paired(hand, rng)) for hand in hands]
    return _result([*map(COLOURS.index, pot)], pools, state, seat)


# Robots

_LITTLE = 200  # steps


def _level_1(view: View, budget: Budget, rng: Random) -> str:
    """Takes what it has least of, mixes its pairs, and keeps its choices open."""
    if view.phase == TAKE:
        return _least_held(view, rng)
    if view.phase == PAIR:
        return game.format_move(Pairing(_mixed(view.known.pools[seat_of(view)])))
    return _play(view, rng, None)


def _level_2(view: View, budget: Budget, rng: Random) -> str:
    """Takes what it has least of, and thinks a little while it pairs and plays."""
    little = Budget(budget.seconds, min(budget.steps, _LITTLE))
    if view.phase == TAKE:
        return _least_held(view, rng)
    return _pair(view, rng, little) if view.phase == PAIR else _play(view, rng, little)


def _level_3(view: View, budget: Budget, rng: Random) -> str:
    """Takes and pairs by simulating games, and thinks far ahead."""
    if view.phase == TAKE:
        return _take(view, rng, budget)
    if view.phase == PAIR:
        return _pair(view, rng, budget)
    return _play(view, rng, budget)


LEVELS = (_level_1, _level_2, _level_3)
