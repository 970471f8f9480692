"""Searches find what trying everything finds."""

import random
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from itertools import islice
from math import inf
from typing import Any, ClassVar, cast

import pytest

from pbm_holomino import rules
from pbm_holomino.robots import games
from pbm_holomino.robots.contract import Budget, Meter
from pbm_holomino.robots.games import hextol, holo, walomino
from pbm_holomino.robots.halving import halving
from pbm_holomino.robots.search import Position, alpha_beta, ranked, worths
from pbm_holomino.robots.uct import uct
from pbm_holomino.rules.contract import AnyGame, State
from pbm_holomino.rules.games.walomino.chain import COLOURS
from tests import boards
from tests.bench import losses
from tests.boards import Case, states
from tests.rules.holo_table import HOLO, led_by

UNLIMITED = Budget()


def tried(position: Position[Any], move: Any) -> float:
    """What the player to move gains on the other from a move on, if both play best."""
    (gain,) = (gain for gain, found in position.moves() if found == move)
    seat = position.turn
    position.make(move)
    replies = [tried(position, reply) for _, reply in position.moves()]
    later = max(replies, default=0.0)
    worth = gain + (later if position.turn == seat else -later)
    position.unmake()
    return worth


def rounds(pairs: int) -> Iterator[walomino.Position]:
    """Rounds of Walomino with so many random pairs for each of two players."""
    dice = random.Random(1)
    for _ in range(15):
        walongs = dice.choices(COLOURS, k=4 * pairs + 2)
        counts = [0] * len(walomino.PAIRS), [0] * len(walomino.PAIRS)
        shades = [COLOURS.index(colour) for colour in walongs]
        for at in range(0, 4 * pairs, 2):
            pair = walomino.PAIR_OF[shades[at]][shades[at + 1]]
            counts[at % 4 // 2][pair] += 1
        yield walomino.Position(shades[-2:], counts, 0, 0)


def endings(name: str, words: dict[str, str], tiles: int) -> Iterator[Any]:
    """States of games played at random where no more than so many tiles are left."""
    case = Case(name, 2, words)
    for turned in range(6):
        for state in boards.states(case, turned):
            view = case.game.view(state, None)
            if not view.sack and sum(map(len, view.pools)) <= tiles:
                yield state
                break


def positions() -> Iterator[Any]:
    yield from rounds(3)
    short = {"max_pips": "3", "pool_size": "3"}
    yield from map(hextol.Position, endings("hextol", short, 2))


def is_open(position: Any) -> bool:
    return not position.over


def test_alpha_beta_finds_what_trying_everything_finds() -> None:
    checked = 0
    for position in filter(is_open, positions()):
        values = {move: tried(position, move) for _, move in position.moves()}
        for key in (None, position.key):
            best = alpha_beta(position, Meter(UNLIMITED), key=key)
            assert values[best] == max(values.values())
            found = worths(position, position.moves(), Meter(UNLIMITED), key=key)
            assert found == [values[move] for _, move in position.moves()]
        checked += 1
    assert checked > 12


def test_three_plies_in_holomino_are_all_replies_and_what_comes_then() -> None:
    checked = 0
    for state in endings("holo", {"num_digits": "4", "pool_size": "2"}, 3):
        position = holo.Position(state)
        for worth, move in ranked(position, 2, Meter(UNLIMITED)):
            assert worth == after_replies(position, move)
            checked += 1
    assert checked > 20


def after_replies(position: Any, move: Any) -> float:
    """What a move scores, less the best reply, which scores less what can then be
    expected."""
    (gain,) = (gain for gain, found in position.moves() if found == move)
    position.make(move)
    best = 0.0 if position.over else -inf
    for scored, reply in position.moves():
        position.make(reply)
        best = max(best, scored - position.prospect())
        position.unmake()
    position.unmake()
    worth: float = gain - best
    return worth


def drawing(name: str) -> Iterator[Any]:
    """States with tiles in the sack, of games in which few can move without a draw."""
    case = Case(name, 2, {"pool_size": "1", "board_size": "7"})
    for turned in range(3):
        yield from filter(partial(is_before_a_draw, case.game), states(case, turned))


def is_before_a_draw(game: AnyGame, state: State) -> bool:
    """Whether somebody is to move, and there are tiles to draw afterwards."""
    return bool(game.to_move(state) and game.view(state, None).sack)


@pytest.mark.parametrize("name", sorted({"hextad", "hextol"} & {*rules.names()}))
def test_a_player_who_must_draw_is_expected_to_score_the_mean(name: str) -> None:
    """Over the tiles of the sack with which they can move at all, and whatever was
    searched, the position is as it was."""
    module, checked = import_module(f"{games.__name__}.{name}"), 0
    for state in drawing(name):
        position: Any = module.Position(state)
        for _, move in position.moves(3):
            position.make(move)
            if position.must_draw:
                code, pool = position.code, [*position.pools[position.turn]]
                bests = [max(gain for gain, _ in moves) for moves in position.draws()]
                assert 0 < len(bests) <= len(position.sack)
                assert position.prospect() == pytest.approx(sum(bests) / len(bests))
                assert position.moves() == []
                assert not position.over
                assert (position.code, position.pools[position.turn]) == (code, pool)
                assert position.must_draw
                checked += 1
            position.unmake()
            assert not position.must_draw
    assert checked > 5


def test_three_plies_in_holomino_let_the_opponent_draw() -> None:
    """A move is worth what it scores, less the best reply with what the other holds or
    scores by the tile drawn, on average over all tiles."""
    checked = 0
    for turned in range(3):
        found = states(Case("holo", 2, {"num_digits": "5"}), turned)[::5]
        for state in filter(partial(is_before_a_draw, HOLO), found):
            position = holo.Position(cast(Any, state))
            for worth, move in ranked(position, 2, Meter(UNLIMITED))[:3]:
                assert worth == pytest.approx(after_draws(state, position, move))
                checked += 1
    assert checked > 20


def after_draws(state: Any, position: Any, move: Any) -> float:
    """The same, by a position for each tile that may be drawn."""
    (seat,), word = HOLO.to_move(state), position.word(move)
    after, _ = HOLO.play(state, seat, HOLO.parse_move(state, seat, word))
    gain: int = after.scores[seat] - state.scores[seat]
    if not HOLO.to_move(after):
        return gain
    bests, held = [], holo.Position(after)
    known = [one for _, one in held.moves()]
    for dealt in boards.outcomes(HOLO, after):
        drawn = holo.Position(cast(Any, dealt))
        found = [pair for pair in drawn.moves() if pair[0] and pair[1] not in known]
        values = [_worth(drawn, pair) for pair in found]
        values += [_worth(held, pair) for pair in held.moves()]
        bests.append(max(values))
    return gain - sum(bests) / len(bests)


def _worth(position: Any, pair: tuple[float, Any]) -> float:
    """What a reply scores, less what can then be expected."""
    position.make(pair[1])
    worth: float = pair[0] - position.prospect()
    position.unmake()
    return worth


def test_far_ahead_the_game_goes_on_for_points() -> None:
    """Whoever is so far ahead or behind that nobody else can win: a move that scores
    far more than the others is made."""
    checked = 0
    for standing in losses.STANDINGS[1:]:
        for state in islice(losses.recorded(standing, {}), 6):
            far = 5000 if standing.name == "ahead" else -5000
            at, (seat,) = led_by(state, far), HOLO.to_move(state)
            for seed in range(3):
                dice = random.Random(seed)
                view = HOLO.view(at, seat)
                word = holo.LEVELS[2](view, Budget(steps=400), dice)
                position = holo.Position(view.known)
                found = ranked(position, 2, Meter(UNLIMITED))
                worths = {position.word(move): worth for worth, move in found}
                assert max(worths.values()) - worths[word] < 25
                checked += 1
    assert checked > 20


class Exchange:
    """Two plies: the first player takes 3 and lets the other answer with 9 or with
    nothing, or takes 2 and lets the other answer with 1 or with nothing."""

    GAINS: ClassVar = {"": {"greedy": 3, "safe": 2}}
    GAINS |= {"greedy": {"nine": 9, "none": 0}, "safe": {"one": 1, "none": 0}}

    def __init__(self) -> None:
        self.made = list[str]()

    @property
    def turn(self) -> int:
        return len(self.made) % 2

    @property
    def over(self) -> bool:
        return len(self.made) == 2

    @property
    def scores(self) -> list[int]:
        before = ["", *self.made]
        gains = [
            self.GAINS[at][move] for at, move in zip(before, self.made, strict=False)
        ]
        return [*gains, 0, 0][:2]

    def moves(self, most: int = 9) -> list[tuple[float, str]]:
        if self.over:
            return []
        gains = self.GAINS[self.made[0] if self.made else ""]
        return [(gain, move) for move, gain in gains.items()]

    def draws(self) -> Iterator[Any]:
        yield from ()

    def make(self, move: str) -> None:
        self.made.append(move)

    def unmake(self) -> None:
        self.made.pop()

    def reply(self) -> str:
        return "none"  # the playouts' opponent is a fool: the tree must know better

    def prospect(self) -> float:
        return 0.0

    outlook = prospect


def test_the_opponent_in_the_tree_chooses_what_is_good_for_the_opponent() -> None:
    """The first player's 3 are worth 3 - 9, and the 2 are worth 2 - 1; were the
    opponent to choose what is good for the first player, it would be 3 and 2."""
    position: Any = Exchange()
    found = uct(position, position.moves(), Meter(Budget(steps=600)), 2, 0, 5.0)
    assert found == "safe"
    assert position.made == []


class Outlook(Exchange):
    """A game without end in which no move gains anything; but after one of the first
    the player who made it may always expect to gain 10."""

    over = False

    @property
    def scores(self) -> list[int]:
        return [0, 0]

    def moves(self, most: int = 9) -> list[tuple[float, str]]:
        return [(0.0, "on")] if self.made else [(0.0, "poor"), (0.0, "rich")]

    def prospect(self) -> float:
        return 10.0 * (self.turn == 0 and self.made[:1] == ["rich"])

    outlook = prospect


def test_what_a_player_can_expect_counts_for_them() -> None:
    """At every second ply, when it is their turn."""
    position: Any = Outlook()
    found = uct(position, position.moves(), Meter(Budget(steps=600)), 2, 0, 5.0)
    assert found == "rich"


def test_without_simulations_the_most_promising_move_is_the_best() -> None:
    (state, *_) = endings("holo", {"num_digits": "4", "pool_size": "2"}, 6)
    position = holo.Position(state)
    moves = [(float(-place), move) for place, (_, move) in enumerate(position.moves())]
    for width in (1, 5):
        found = uct(position, moves, Meter(Budget(steps=0)), width, 4, 5.0)
        assert found == moves[0][1]


@pytest.mark.parametrize("steps", [20, 21, 400])
def test_halving_finds_the_best_on_average(steps: int) -> None:
    dice = random.Random(1)

    def sample(candidate: float) -> float:
        return candidate + dice.uniform(-0.4, 0.4)

    assert halving([3, 1, 7, 5, 6], sample, Budget(steps=steps)) == 7


def test_halving_spends_no_more_than_its_budget() -> None:
    sampled = []

    def sample(candidate: int) -> float:
        sampled.append(candidate)
        return -candidate

    assert halving([2, 3, 1], sample, Budget(steps=10)) == 1
    assert len(sampled) <= 10
