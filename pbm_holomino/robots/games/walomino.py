"""Walomino's robots.

Where a pair lies on the grid hardly ever matters, only which colours are at the open
ends and which pairs are left. So what is searched is that: a move joins a pair to an
end and brings another colour there. Of the places for it the one is taken that leaves
most room.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import combinations_with_replacement, permutations
from math import sqrt
from random import Random
from statistics import fmean, stdev

from pbm_holomino.languages import Sentence, of_number, sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.robots import playouts, search
from pbm_holomino.robots.contract import Budget, Forecast, Meter, Worth, seat_of
from pbm_holomino.robots.halving import halving
from pbm_holomino.robots.search import ALL, alpha_beta
from pbm_holomino.rules.contract import View
from pbm_holomino.rules.games.walomino import GAME
from pbm_holomino.rules.games.walomino.chain import (
    COLOURS,
    Chain,
    Placing,
    lay,
    pair_name,
    placings,
)
from pbm_holomino.rules.games.walomino.moves import (
    PAIR,
    PLAY,
    TAKE,
    Pairing,
    Take,
    canonical,
)
from pbm_holomino.rules.games.walomino.state import State
from pbm_holomino.rules.grid import neighbours
from pbm_holomino.rules.seats import replaced
from pbm_holomino.sentences import amount

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
    one, shared by the others if there are several. `prize` is what coming first counts
    for, shared by those who do."""

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
        self._total: list[int] = [
            sum(counts) for counts in zip(*self.reach, strict=True)
        ]
        self.seat, self._mine, self._dropped = seat, mine, dropped
        self._share = 1 / (len(pools) - len(dropped) - 1)
        self.prize = 0.0
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
        ordered = sorted(self._worths(), reverse=True)
        return [(gain, move) for _, move in ordered[:most]]

    def draws(self) -> Generator[list[tuple[float, Move]], None, None]:
        """See search.Position: nothing is drawn while pairs are played."""
        yield from ()

    def reply(self) -> Move:
        """The move after which the player can continue best, and the others worst."""
        return max(self._worths())[1]

    def _worths(self) -> list[tuple[float, Move]]:
        """Each move, with how good the ends that it leaves are for the player: how many
        pairs of the player can be joined to them, less those of the others."""
        seat, ends, share = self.seat, self.ends, self._share
        pool, rated = self.pools[seat], []
        counts = zip(self.reach[seat], self._total, strict=True)
        worth = [mine - (total - mine) * share for mine, total in counts]
        for end in (0,) if ends[0] == ends[1] else (0, 1):
            if ends[end] != CLOSED:
                stays = ends[1 - end]
                others = worth[stays] if stays != CLOSED else 0.0
                for colour, pair in enumerate(PAIR_OF[ends[end]]):
                    if pool[pair]:
                        rated.append((others + worth[colour], (end, colour)))
        return rated

    def prospect(self) -> float:
        """How much more the side to move can continue than the other side; after the
        round, the prize."""
        if self.over:
            return self._won() if self.seat == self._mine else -self._won()
        ends = [colour for colour in self.ends if colour != CLOSED]
        mine = sum(self.reach[self._mine][colour] for colour in ends)
        total = sum(self._total[colour] for colour in ends)
        lead = mine - (total - mine) * self._share
        return 0.1 * (lead if self.seat == self._mine else -lead)

    outlook = prospect

    def _won(self) -> float:
        """What a seat gets of the prize."""
        left = self.left()
        mine, rivals = left[self._mine], set(range(len(left))) - self._dropped
        first = [seat for seat in rivals if left[seat] <= mine]
        if any(left[seat] < mine for seat in first):
            return 0.0
        return self.prize / len(first)

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
        self._total[one] += change
        if one != two:
            self.reach[seat][two] += change
            self._total[two] += change

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


Moves = Sequence[tuple[float, Move]]


def _play(view: View, rng: Random, choose: Callable[[Position, Moves], Move]) -> str:
    """The move that is so chosen from those for which there is room, the reply first;
    of the places for it one that leaves most room."""
    state: State = view.known
    position = position_of(state, seat_of(view))
    places = places_of(state, position.ends)
    moves = [pair for pair in position.moves() if pair[1] in places]
    placing = _roomiest(state.chain, places[choose(position, moves)], rng)
    return GAME.format_move(placing)


def fitting(position: Position, move: Move) -> list[int]:
    """How many pairs of each seat fit at an open end after a move."""
    position.make(move)
    ends = {*position.ends}
    joinable = [index for index, pair in enumerate(PAIRS) if ends.intersection(pair)]
    counts = [sum(pool[index] for index in joinable) for pool in position.pools]
    position.unmake()
    return counts


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
    return GAME.format_move(Pairing(best))


def _opened(
    ends: Sequence[int], pools: Sequence[Sequence[int]], state: State, seat: int
) -> Position:
    """The position when a round begins to be played."""
    opener = (state.round - 1) % len(pools)
    return Position(ends, pools, opener, seat, state.dropped)


def _result(
    ends: Sequence[int], pools: Sequence[Sequence[int]], state: State, seat: int
) -> float:
    """How a round ends for a seat when all play by quick replies: whether it has the
    fewest pairs left, and a little for each pair fewer than the others have."""
    position = _opened(ends, pools, state, seat)
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
    return GAME.format_move(Take(min(colours, key=pool.count), False))


def _take(view: View, rng: Random, budget: Budget) -> str:
    """The first colour of the best plan: which colour to take first, and which then, as
    long as there are any."""
    state: State = view.known
    seat = seat_of(view)
    plans = [plan for plan in permutations(COLOURS, 2) if state.pot[plan[0]]]

    def sample(plan: Sequence[str]) -> float:
        return _sampled(state, seat, plan, rng)

    best = halving(plans, sample, budget)
    return GAME.format_move(Take(best[0], False))


def _sampled(state: State, seat: int, plan: Sequence[str], rng: Random) -> float:
    """How a round ends for a seat that follows a plan, if half of the others follow
    plans, too, and nobody knows how they make pairs."""
    plans: list[Sequence[str]] = [
        rng.sample(COLOURS, 2) if rng.random() < 0.5 else () for _ in state.pools
    ]
    plans[seat] = plan
    ends, hands = _taken(state, plans, rng)
    pools = [_counts(_paired(hand, rng)) for hand in hands]
    return _result(ends, pools, state, seat)


def _taken(
    state: State, plans: Sequence[Sequence[str]], rng: Random
) -> tuple[list[int], list[list[str]]]:
    """The open ends and what the seats hold once all is taken: each seat takes the
    first colour of its plan that there is, or any."""
    pot = [colour for colour in COLOURS for _ in range(state.pot[colour])]
    rng.shuffle(pot)
    hands = [list(pool) for pool in state.pools]
    turn = state.turn
    while len(pot) > 2:
        wished = next((c for c in plans[turn] if c in pot), pot[-1])
        pot.remove(wished)
        hands[turn].append(wished)
        turn = (turn + 1) % len(hands)
    return [*map(COLOURS.index, pot)], hands


# Robots

_PRIZE = 1.5  # pairs, for coming first among several
_TAKE = 0.25  # of a budget: a take is one of many, and matters less than other moves


def _level_1(view: View, budget: Budget, rng: Random) -> str:
    """Takes and pairs by chance, as neither gains anything at once, and keeps most of
    its own choices open."""

    def greediest(position: Position, moves: Moves) -> Move:
        seat = position.seat
        free = {move: fitting(position, move)[seat] for _, move in moves}
        return rng.choice([move for move in free if free[move] == max(free.values())])

    if view.phase == TAKE:
        return GAME.format_move(Take("", True))
    if view.phase == PAIR:
        return GAME.format_move(Pairing(()))
    return _play(view, rng, greediest)


def _level_2(view: View, budget: Budget, rng: Random) -> str:
    """Takes what it has least of, mixes its pairs, and sees which choices it leaves to
    the others."""
    if view.phase == TAKE:
        return _least_held(view, rng)
    if view.phase == PAIR:
        return GAME.format_move(Pairing(_mixed(view.known.pools[seat_of(view)])))
    return _play(view, rng, lambda position, moves: moves[0][1])


def _level_3(view: View, budget: Budget, rng: Random) -> str:
    """Takes and pairs by simulating games, and thinks far ahead."""

    def searched(position: Position, moves: Moves) -> Move:
        if len(position.pools) > 2:
            position.prize = _PRIZE
        return alpha_beta(position, Meter(budget), moves=moves, key=position.key)

    if view.phase == TAKE:
        return _take(view, rng, budget.part(_TAKE))
    if view.phase == PAIR:
        return _pair(view, rng, budget)
    return _play(view, rng, searched)


LEVELS = (_level_1, _level_2, _level_3)


# Judging

_ROUNDS = 8  # are simulated in any case


def forecast(view: View, budget: Budget, rng: Random) -> Forecast:
    """See contract.Made: with what was scored in the rounds before, as if this were the
    last one."""
    state: State = view.known
    seat = seat_of(view)
    before = _lead(state.scores, seat, state.dropped)
    return playouts.forecast(lambda: before + _lead_at_end(state, seat, rng), budget)


def _lead(left: Sequence[int], seat: int, dropped: frozenset[int]) -> int:
    """How many fewer a seat has than the best of the others."""
    others = (n for at, n in enumerate(left) if at not in dropped | {seat})
    return min(others) - left[seat]


def _lead_at_end(state: State, seat: int, rng: Random) -> int:
    """By how many pairs a seat leads at the end of one round from here."""
    if state.phase == PLAY:
        position = position_of(state, seat)
    else:
        ends = [COLOURS.index(state.chain.cells[e.tip]) for e in state.chain.ends()]
        hands: Sequence[Sequence[str]] = state.pools
        if state.phase == TAKE:
            ends, hands = _taken(state, [()] * len(hands), rng)
        pools = [_counts(_paired(hand, rng)) for hand in hands]
        if made := state.sealed[seat]:
            pools[seat] = _counts(made)
        position = _opened(ends, pools, state, seat)
    playouts.play_out(position, rng)
    return _lead(position.left(), seat, state.dropped)


def worths(
    view: View, moves: Sequence[str], budget: Budget, rng: Random
) -> list[Worth]:
    """See contract.Made: a search while pairs are played, else simulated rounds."""
    state: State = view.known
    placed = [GAME.parse_move(state, seat_of(view), word) for word in moves]
    if view.phase != PLAY:
        return _simulated(state, seat_of(view), placed, budget, rng)
    position = position_of(state, seat_of(view))
    places = places_of(state, position.ends).items()
    made = [next(at for at, there in places if move in there) for move in placed]
    pairs = [(1.0, move) for move in made]
    values = search.worths(position, pairs, Meter(budget), key=position.key)
    reasons = [_reason(state, move) for move in placed]
    return list(map(Worth, values, reasons))


class _Fit(NamedTuple):
    """What is said of how many pairs can be joined after a move, `{n}` of the player
    and `{theirs}` of the one other, or of the others."""

    both: Sentence
    only_mine: Sentence
    only_theirs: Sentence


_NOBODY = sentence("Nobody can play after it.")
_ONE = _Fit(
    of_number(
        "After it {n} of your pairs fits at an open end, and {theirs} of your "
        "opponent's.",
        "After it {n} of your pairs fit at an open end, and {theirs} of your "
        "opponent's.",
    ),
    of_number(
        "After it {n} of your pairs fits at an open end, and none of your opponent's.",
        "After it {n} of your pairs fit at an open end, and none of your opponent's.",
    ),
    sentence(
        "After it none of your pairs fit at an open end, and {theirs} of your "
        "opponent's."
    ),
)
_OTHERS = _Fit(
    of_number(
        "After it {n} of your pairs fits at an open end, and {theirs} of the others'.",
        "After it {n} of your pairs fit at an open end, and {theirs} of the others'.",
    ),
    of_number(
        "After it {n} of your pairs fits at an open end, and none of the others'.",
        "After it {n} of your pairs fit at an open end, and none of the others'.",
    ),
    sentence(
        "After it none of your pairs fit at an open end, and {theirs} of the others'."
    ),
)
_LEVEL = sentence("In simulated rounds it ends level on average.")
_AHEAD = of_number(
    "In simulated rounds it ends {n} pair ahead on average.",
    "In simulated rounds it ends {n} pairs ahead on average.",
)
_BEHIND = of_number(
    "In simulated rounds it ends {n} pair behind on average.",
    "In simulated rounds it ends {n} pairs behind on average.",
)
REASONS = (_NOBODY, *_ONE, *_OTHERS, _LEVEL, _AHEAD, _BEHIND)


def _reason(state: State, move: object) -> Sentence:
    """How many pairs of those who play on can be joined to the open ends after a
    move."""
    seat = state.turn
    assert isinstance(move, Placing)
    chain, pools = lay(state.chain, move), [Counter(pool) for pool in state.pools]
    pools[seat][pair_name(move[:2])] -= 1
    joined = {pair_name(placing[:2]) for placing in placings(chain, EVERY_PAIR)}
    fits = {
        at: sum(number for pair, number in pool.items() if pair in joined)
        for at, pool in enumerate(pools)
        if at not in state.dropped
    }
    mine = fits.pop(seat)
    theirs = sum(fits.values())
    if not mine and not theirs:
        return _NOBODY
    fit = _ONE if len(fits) == 1 else _OTHERS
    if not mine:
        return fit.only_theirs.of(theirs=theirs)
    return (fit.both if theirs else fit.only_mine).of(n=mine, theirs=theirs)


def _after(state: State, seat: int, move: object) -> State:
    """The state once a seat has taken its first wish, or sealed its pairs."""
    if isinstance(move, Pairing):
        return state._replace(sealed=replaced(state.sealed, seat, move.pairs))
    if not isinstance(move, Take) or not move.colours:
        return state
    colour = move.colours[0]
    return state._replace(
        pools=replaced(state.pools, seat, (*state.pools[seat], colour)),
        pot={**state.pot, colour: state.pot[colour] - 1},
        turn=(seat + 1) % len(state.pools),
    )


def _simulated(
    state: State, seat: int, moves: Sequence[object], budget: Budget, rng: Random
) -> list[Worth]:
    """The leads at the end of simulated rounds. A move that differs from the first by
    less than two errors of that counts as equal."""
    states = [_after(state, seat, move) for move in moves]
    leads, meter = list[list[int]](), Meter(budget)
    while len(leads) < _ROUNDS or meter.step():
        seed = rng.random()
        leads.append([_lead_at_end(after, seat, Random(seed)) for after in states])
    first, *_ = each = list(zip(*leads, strict=True))
    worths = []
    for results in each:
        gains = [one - other for one, other in zip(results, first, strict=True)]
        gain, error = fmean(gains), stdev(gains) / sqrt(len(gains))
        mean = fmean(first) + gain * (abs(gain) > 2 * error)
        worths.append(Worth(mean, _expected(mean)))
    return worths


def _expected(lead: float) -> Sentence:
    """With which lead a seat ends simulated rounds."""
    if amount(abs(lead)) == "0":
        return _LEVEL
    return (_AHEAD if lead > 0 else _BEHIND).of(n=abs(lead))
