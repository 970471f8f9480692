"""What the seats at a board hold: one value each, in order; and how much."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


def replaced(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The values of all seats, with one seat's replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def leaders(scores: Sequence[int]) -> tuple[int, ...]:
    """The seats that share the highest score."""
    best = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)


def pool_limits(options: Mapping[str, Any], size: int) -> tuple[int, int, str]:
    """The limits of `pool_size` with a set of so many tiles: two pools and the first
    tile must be there."""
    held = options.get("pool_size", 1)
    needed = f"two pools of {held} and the first tile need {2 * held + 1} tiles"
    return 1, (size - 1) // 2, f"(the set has {size} tiles; {needed})"
