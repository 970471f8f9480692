"""Successive halving: the best of many candidates, by random samples of each."""

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import TypeVar

from pbm_holomino.robots.contract import Budget, Meter

T = TypeVar("T")


def halving(candidates: Sequence[T], sample: Callable[[T], float], budget: Budget) -> T:
    """The candidate whose samples are greatest on average (Karnin, Koren and Somekh,
    2013): in each round every candidate left gets equally many more samples, and the
    better half goes on. A step is a sample."""
    left = dict.fromkeys(range(len(candidates)), (0, 0.0))
    rounds = max(1, (len(candidates) - 1).bit_length())
    for _ in range(rounds):
        meter = Meter(budget, 1 / rounds)
        for index in cycle([*left]):
            if not meter.step():
                break
            count, total = left[index]
            left[index] = count + 1, total + sample(candidates[index])
        order = sorted(left, key=lambda index: -_mean(*left[index]))
        left = {index: left[index] for index in order[: (len(order) + 1) // 2]}
    return candidates[next(iter(left))]


def _mean(count: int, total: float) -> float:
    return total / count if count else float("-inf")
