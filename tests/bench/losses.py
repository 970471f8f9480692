"""What level 3 gives away: `bin/bench losses [--positions N] [--seconds S]`.

Positions of Holomino are recorded from games between players who take what scores most,
each more or less often, and otherwise move by chance; so there are as many positions as
wanted in which the player to move is about level, ahead and behind. They follow from
the rules and a seed alone, and are the same for all robots.

A loss is how many points fewer than the best move the robot's move is worth, by three
plies at full width: what it scores, less the best reply, which scores less what can
then be expected.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from pbm_holomino import robots
from pbm_holomino.robots.contract import Budget, Choose, Meter
from pbm_holomino.robots.games import holo as robot
from pbm_holomino.robots.search import ranked
from pbm_holomino.rules.chance import SEED_BYTES, Chance
from pbm_holomino.rules.games import holo
from pbm_holomino.rules.options import configure

HOLO = holo.GAME

SECONDS = 0.2  # of processor time a move, as of robots.py
POSITIONS = 60  # of each standing
BOUND = 3.0  # points
_LEVEL = 40  # points: a lead of no more than these is about level
_SKILLS = (0.0, 0.5, 1.0)  # how often a player takes what scores most
_OPTIONS: tuple[dict[str, str], ...] = ({}, {"limit_scores": "yes"})


class Standing(NamedTuple):
    """Who leads, in words, and the leads of which that is said."""

    name: str
    least: float
    most: float


_INF = float("inf")
STANDINGS = (
    Standing("level", -_LEVEL, _LEVEL),
    Standing("ahead", _LEVEL + 1, _INF),
    Standing("behind", -_INF, -_LEVEL - 1),
)


def recorded(standing: Standing, words: Mapping[str, str]) -> Iterator[holo.State]:
    """Positions of this standing, one of a game, for ever."""
    for number in count():
        dice = random.Random(f"{standing.name} {[*words]} {number}")
        found = [s for s in _game(words, dice) if _is_of(standing, s)]
        if found:
            yield dice.choice(found)


def _is_of(standing: Standing, state: holo.State) -> bool:
    (seat,) = HOLO.to_move(state)
    lead = state.scores[seat] - state.scores[1 - seat]
    return standing.least <= lead <= standing.most


def _game(words: Mapping[str, str], dice: random.Random) -> Iterator[holo.State]:
    """The positions of a game in which there is something to choose."""
    chance = Chance(dice.randbytes(SEED_BYTES))
    skills = [dice.choice(_SKILLS) for _ in range(2)]
    state, _ = HOLO.settle(HOLO.start(2, configure(HOLO, words)), chance)
    while seats := HOLO.to_move(state):
        moves = HOLO.legal(state, seats[0])
        if len(moves) > 1 and HOLO.view(state, None).sack:
            yield state
        gains = HOLO.gains(state, moves)
        is_careful = dice.random() < skills[seats[0]]
        best = [m for m, gain in zip(moves, gains, strict=True) if gain == max(gains)]
        move = dice.choice(best if is_careful else moves)
        state, _ = HOLO.settle(HOLO.play(state, seats[0], move)[0], chance)


def loss(state: holo.State, choose: Choose, budget: Budget) -> float:
    """What the move of a robot gives away here."""
    view = HOLO.view(state, *HOLO.to_move(state))
    word = choose(view, budget, random.Random(1))
    position = robot.Position(view.known)
    worths = {position.word(m): w for w, m in ranked(position, 2, Meter(Budget()))}
    return max(worths.values()) - worths[word]


def losses(
    standing: Standing, words: Mapping[str, str], number: int, budget: Budget
) -> list[float]:
    """What level 3 gives away in so many positions of this standing."""
    choose = robots.load("holo", robots.LEVELS[-1])
    states = islice(recorded(standing, words), number)
    return [loss(state, choose, budget) for state in states]


def summary(name: str, found: list[float]) -> str:
    """A row of the table: the mean with its interval of 95 %, and the bound."""
    mean = fmean(found)
    half = 1.96 * stdev(found) / sqrt(len(found)) if len(found) > 1 else 100.0
    verdict = "reached" if mean <= BOUND else "NOT reached"
    return (
        f"{name:24} {mean:5.1f} +- {half:4.1f} points of {len(found):3} positions, "
        f"{BOUND:g} {verdict}"
    )


def main(given: list[str], show: Callable[[str], object] = sys.stdout.write) -> int:
    """Measure each standing, with each of the ways to count, and print it."""
    parser = argparse.ArgumentParser(prog="bench losses", description=__doc__)
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--steps", type=float, help="instead of seconds")
    chosen = parser.parse_args(given)
    budget = Budget(chosen.seconds)
    if chosen.steps:
        budget = Budget(steps=chosen.steps)
    for words in _OPTIONS:
        for standing in STANDINGS:
            name = "-".join(("holo", *words, standing.name))
            found = losses(standing, words, chosen.positions, budget)
            show(f"{summary(name, found)}\n")
            sys.stdout.flush()
    return 0
