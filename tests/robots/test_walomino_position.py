"""Walomino's position without the grid comes to what the rules come to, as long as the
chain leaves room for every pair at both of its ends."""

import random
from collections.abc import Iterator

import pytest

from pbm_holomino.robots.games.walomino import (
    PAIRS,
    Position,
    _result,
    places_of,
    position_of,
)
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.games.walomino.chain import COLOURS, Placing
from pbm_holomino.rules.games.walomino.state import State
from tests.boards import Case
from tests.rules.walomino_table import WALOMINO, has_room

ROUNDS: tuple[dict[str, str], ...] = ({}, {"rounds": "2"}, {"draft": "random"})
CASES = [Case("walomino", n, words) for n in (2, 3, 4) for words in ROUNDS]
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def plays(case: Case) -> Iterator[tuple[State, Placing, State]]:
    """The moves of a game played at random in which pairs are played, each with the
    state before it and after it."""
    dice = random.Random(str(case))
    chance = Chance(dice.randbytes(32))
    state, _ = WALOMINO.settle(WALOMINO.start(case.seats, case.options), chance)
    while seats := WALOMINO.to_move(state):
        before, move = state, dice.choice(WALOMINO.legal(state, seats[0]))
        state, _ = WALOMINO.play(state, seats[0], move)
        state, _ = WALOMINO.settle(state, chance)
        if isinstance(move, Placing):
            yield before, move, state


def round_of(state: State) -> int:
    return WALOMINO.view(state, None).round


def seen(position: Position) -> object:
    """All that is to be known about a position, whichever end is the first."""
    reach = [[*colours] for colours in position.reach]
    moves = sorted(
        (position.ends[end], colour) for _, (end, colour) in position.moves()
    )
    return position.key(), position.over, reach, moves, position.prospect()


@every_case
def test_the_moves_are_those_of_the_rules(case: Case) -> None:
    for state, _, _ in plays(case):
        (seat,) = WALOMINO.to_move(state)
        position = position_of(state, seat)
        found = [move for _, move in position.moves()]
        places = places_of(state, position.ends)
        legal = [move for moves in places.values() for move in moves]
        assert sorted(legal) == sorted(WALOMINO.legal(state, seat))
        assert len(found) == len(set(found))
        assert {*found} >= places.keys()
        assert {*found} == places.keys() or not has_room(state)
        assert position.reply() == position.moves()[0][1]


@every_case
def test_a_move_comes_to_what_the_rules_come_to(case: Case) -> None:
    checked = 0
    for before, move, after in plays(case):
        (seat,), view = WALOMINO.to_move(before), WALOMINO.view(after, None)
        position = position_of(before, seat)
        first = seen(position)
        places = places_of(before, position.ends)
        (found,) = (made for made, moves in places.items() if move in moves)
        position.make(found)
        goes_on = view.phase == "play" and view.round == round_of(before)
        if goes_on and has_room(before) and has_room(after):
            assert position.over == (not WALOMINO.to_move(after))
            assert position.left() == [len(pool) for pool in view.pools]
            if not position.over:
                same = position_of(after, seat)
                assert seen(position) == seen(same)
            checked += 1
        position.unmake()
        assert seen(position) == first
    assert checked


@every_case
def test_the_gains_of_a_round_are_the_lead_at_its_end(case: Case) -> None:
    """What a seat has played, less what the others have played on average."""
    state = next(before for before, _, _ in plays(case))
    (mine,) = WALOMINO.to_move(state)
    position, dice = position_of(state, mine), random.Random(1)
    lead = 0.0
    while not position.over:
        gain, move = dice.choice(position.moves())
        lead += gain if position.turn == 0 else -gain
        position.make(move)
    pools = WALOMINO.view(state, None).pools
    held, left = [len(pool) for pool in pools], position.left()
    played = [one - other for one, other in zip(held, left, strict=True)]
    others = sum(played) - played[mine]
    assert lead == pytest.approx(played[mine] - others / (case.seats - 1))


@pytest.mark.parametrize(
    ("left", "prize"),
    [((0, 1, 2), 6), ((1, 1, 1), 2), ((0, 0, 1), 3), ((1, 0, 1), 0), ((2, 1, 1), 0)],
)
def test_those_who_come_first_share_the_prize(
    left: tuple[int, ...], prize: float
) -> None:
    """Nobody can join RR to an open end that is green."""
    pools = [[count, *[0] * 14] for count in left]
    green = COLOURS.index("G")
    position = Position([green, green], pools, 0, 0)
    assert position.over
    position.prize = 6.0
    assert position.prospect() == prize


def test_a_round_is_worth_more_the_fewer_pairs_are_left() -> None:
    """More than others have, or fewer; here no pair fits, and the round is over."""
    state = WALOMINO.start(2, CASES[0].options)

    def worth(mine: int, theirs: int) -> float:
        pools = [[0] * (len(PAIRS) - 1) + [left] for left in (mine, theirs)]
        return _result((0, 0), pools, state, 0)

    assert worth(1, 3) > worth(1, 2) > worth(2, 2) > worth(3, 2) > worth(4, 2)
