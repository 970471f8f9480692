"""What the seats at a board hold: one value each, in order."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def replaced(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The values of all seats, with one seat's replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def leaders(scores: Sequence[int]) -> tuple[int, ...]:
    """The seats that share the highest score."""
    best = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)
