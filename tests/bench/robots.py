"""How strong the robots are: `bin/bench robots [row]...`.

A row is a robot against another, over pairs of games with the same deal in which they
change seats; with more than two players, over as many games as there are seats. A row's
word chooses all rows that begin with it. Each pair's result is a line in a file, from
which a later run goes on: what was played by the same code is not played again.

The interval is that of 95 % over the pairs, and the mean is held against a bound.
"""

import argparse
import random
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from pbm_holomino import robots, rules
from pbm_holomino.robots import search
from pbm_holomino.robots.contract import Budget, Choose, Meter
from pbm_holomino.robots.games import hextol, holo
from pbm_holomino.robots.general import General
from pbm_holomino.rules.chance import SEED_BYTES, Chance
from pbm_holomino.rules.contract import View
from pbm_holomino.rules.options import configure
from tests.bench.harness import FOLDER
from tests.paths import ROOT

RESULTS = Path(FOLDER) / "pbm-robots.txt"
SECONDS = 0.2  # of processor time a move
PAIRS = 100


class Row(NamedTuple):
    """A robot, and the one that it must win against so often, in percent of the games
    (a game that is shared counts for as much)."""

    game: str
    robot: str
    other: str
    bound: float
    options: Mapping[str, str] = {}
    seats: int = 2

    @property
    def name(self) -> str:
        """What chooses the row: `holo-limit_scores:robot3:robot2`."""
        words = [self.game, *self.options, *(["seats"] * (self.seats > 2))]
        words += [str(self.seats)] * (self.seats > 2)
        return f"{'-'.join(words)}:{self.robot}:{self.other}"


def _three_plies(view: View, budget: Budget, rng: random.Random) -> str:
    position = holo.Position(view.known)
    return position.word(search.lookahead(position, 2, Meter(Budget()), rng))


def _one_ply(view: View, budget: Budget, rng: random.Random) -> str:
    position = hextol.Position(view.known)
    return position.word(search.lookahead(position, 1, Meter(Budget()), rng))


# Robots that are on no level, and look ahead at full width: what level 3 has to beat.
OTHERS: dict[str, Choose] = {"three-plies": _three_plies, "one-ply": _one_ply}

_HOLO: tuple[dict[str, str], ...] = ({}, {"limit_scores": "yes"})
# Level 1 is greedy in every game.
_ROWS = [
    *(Row("holo", "robot3", "three-plies", 60, options) for options in _HOLO),
    *(Row("holo", "robot3", "robot1", 95, options) for options in _HOLO),
    *(Row("holo", "robot3", "robot2", 70, options) for options in _HOLO),
    *(Row("holo", "robot2", "robot1", 70, options) for options in _HOLO),
    Row("hextol", "robot3", "one-ply", 65),
    *(Row(game, "robot3", "robot1", 85) for game in ("hextol", "hextad")),
    *(Row(game, "robot3", "robot2", 70) for game in ("hextol", "hextad")),
    *(Row(game, "robot2", "robot1", 70) for game in ("hextol", "hextad")),
    Row("walomino", "robot3", "robot1", 90),
    Row("walomino", "robot3", "robot1", 50, seats=3),
    Row("walomino", "robot3", "robot1", 37.5, seats=4),
    Row("walomino", "robot3", "robot2", 70),
    Row("walomino", "robot2", "robot1", 70),
]
_NAMED = {row.game for row in _ROWS}
# Of games without rows of their own, what every robot of a game's own must reach.
_ROWS += [
    Row(game, *pair)
    for game in rules.names()
    for pair in (
        ("robot3", "general", 80),
        ("robot3", "robot2", 60),
        ("robot2", "robot1", 70),
    )
    if game not in _NAMED
]
ROWS = [row for row in _ROWS if row.game in rules.names()]


# Playing


@cache
def _choose(game: str, name: str) -> Choose:
    if name in OTHERS:
        return OTHERS[name]
    if name == "general":
        return General(rules.load(game))
    return robots.load(game, int(name.removeprefix("robot")))


def play(row: Row, pair: int, budget: Budget) -> float:
    """The part of the games with one deal that the row's robot wins, once in every
    seat."""
    return fmean(_won(row, pair, seat, budget) for seat in range(row.seats))


def _won(row: Row, pair: int, seat: int, budget: Budget) -> float:
    """How much of first place the robot gets, in this seat."""
    game = rules.load(row.game)
    dice = random.Random(f"{row.game} {pair}")
    chance = Chance(dice.randbytes(SEED_BYTES))
    state, _ = game.settle(game.start(row.seats, configure(game, row.options)), chance)
    names = [row.other] * row.seats
    names[seat] = row.robot
    while seats := game.to_move(state):
        mover = seats[0]
        rng = random.Random(dice.random())
        choose = _choose(row.game, names[mover])
        word = choose(game.view(state, mover), budget, rng)
        move = game.parse_move(state, mover, word)
        state, _ = game.play(state, mover, move)
        state, _ = game.settle(state, chance)
    winners = game.outcome(state)
    assert winners
    return (seat in winners) / len(winners)


# Results


def results(row: Row, pairs: int, budget: Budget, file: Path) -> Iterator[list[float]]:
    """The results so far after each pair, beginning with those in the file; those that
    are played are added to it."""
    code = f"{fingerprint(row.game):08x} {row.name}"
    code += f" {budget.seconds:g} {budget.steps:g}"
    found: list[float] = []
    lines = file.read_text("ascii").splitlines() if file.exists() else []
    for line in lines:
        if line.startswith(f"{code} {len(found)} "):
            found.append(float(line.rpartition(" ")[2]))
    del found[pairs:]
    yield [*found]
    while len(found) < pairs:
        result = play(row, len(found), budget)
        with file.open("a", encoding="ascii") as results:
            results.write(f"{code} {len(found)} {result!r}\n")
        found.append(result)
        yield [*found]


_TALKING = tuple(
    f"robots/{name}.py" for name in ("__init__", "playouts", "remarks", "reasons")
)


@cache
def fingerprint(game: str) -> int:
    """A checksum of the code that plays a game: without what is made for others, and
    without what only talks about games."""
    folders = (ROOT / "pbm_holomino" / name for name in ("robots", "rules"))
    files = sorted(path for folder in folders for path in folder.rglob("*.py"))
    others = [name for name in rules.names() if name != game]
    own = [path for path in files if not {path.stem, path.parent.name} & {*others}]
    playing = [path for path in own if not str(path).endswith(_TALKING)]
    return zlib.crc32(b"".join(path.read_bytes() for path in playing))


def summary(row: Row, found: list[float]) -> str:
    """A row of the table: the mean in percent with its interval, and the bound."""
    mean = 100 * fmean(found)
    half = 196 * stdev(found) / sqrt(len(found)) if len(found) > 1 else 100.0
    verdict = "reached" if mean >= row.bound else "NOT reached"
    return (
        f"{row.name:40} {mean:5.1f} +- {half:4.1f} % of {len(found):3} pairs, "
        f"{row.bound:g} % {verdict}"
    )


def main(words: list[str], show: Callable[[str], object] = sys.stdout.write) -> int:
    """Play the rows that these words choose, and print each."""
    parser = argparse.ArgumentParser(prog="bench robots", description=__doc__)
    parser.add_argument("rows", nargs="*", default=[""], help="beginnings of names")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--steps", type=float, help="instead of seconds")
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args(words)
    budget = Budget(given.seconds)
    if given.steps:
        budget = Budget(steps=given.steps)
    for row in ROWS:
        if row.name.startswith(tuple(given.rows)):
            *_, found = results(row, given.pairs, budget, given.results)
            show(f"{summary(row, found)}\n")
            sys.stdout.flush()
    return 0
