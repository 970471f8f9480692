"""What a robot is, what it may spend on a move, and what it can say of a position."""

from collections.abc import Callable, Sequence
from math import inf
from random import Random
from time import thread_time
from typing import Protocol

from pbm_holomino.languages import Sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import View

_BETWEEN = 8  # steps between two looks at the clock


class Budget(NamedTuple):
    """Seconds of processor time, or steps: a step is one position of a tree search or
    one simulated game, so that what was chosen with steps can be repeated exactly."""

    seconds: float = inf
    steps: float = inf

    @property
    def is_empty(self) -> bool:
        return self.seconds <= 0 or self.steps <= 0

    def part(self, part: float) -> "Budget":
        """So much of the budget, between 0 and 1."""
        return Budget(self.seconds * part, self.steps * part)


# From what its seat may see when it is to move, a move in canonical notation. All that
# is left to chance comes from the generator, which the caller seeds.
Choose = Callable[[View, Budget, Random], str]


class Forecast(NamedTuple):
    """How a game is expected to end for a seat: by how many points it leads the best of
    the others, and its chance of coming first, a shared first place counting as half.
    A lead in minus points is how many fewer the seat has."""

    lead: float
    chance: float


class Worth(NamedTuple):
    """What a move is worth, in points gained on the others, to be compared with other
    moves from the same call only; and why, to the player."""

    points: float
    reason: Sentence


class Made(Protocol):
    """What is made for a game: the robots of levels 1 to 3, and their judgement."""

    @property
    def LEVELS(self) -> Sequence[Choose]: ...

    @property
    def REASONS(self) -> Sequence[Sentence]:
        """All that `worths` give as a reason."""

    def forecast(self, view: View, budget: Budget, rng: Random) -> Forecast:
        """What a seat can expect of a game that is not over, whoever is to move."""

    def worths(
        self, view: View, words: Sequence[str], budget: Budget, rng: Random
    ) -> list[Worth]:
        """What these moves are worth to the seat, which is to move. They are legal and
        in canonical notation."""


def seat_of(view: View) -> int:
    """The seat whose view this is. Raises ValueError for the view of everybody."""
    if view.seat is None:
        raise ValueError("this is no seat's view")
    return view.seat


class Meter:
    """A budget that is being spent, from now on; or a part of it."""

    def __init__(self, budget: Budget, part: float = 1.0) -> None:
        self._end = thread_time() + budget.seconds * part
        self._left = budget.steps * part
        self._until_look = _BETWEEN
        self._is_late = False

    def step(self) -> bool:
        """Whether one more step may be made, which is then counted."""
        self._left -= 1
        self._until_look -= 1
        if not self._until_look:
            self._until_look = _BETWEEN
            self._is_late = thread_time() >= self._end
        return self._left >= 0 and not self._is_late
