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


def not_in_pool(kind: str, name: str, pool: Sequence[str]) -> str:
    """The refusal of a tile that its player does not hold; `kind` says what a tile is
    called."""
    held = ", ".join(pool) or "nothing"
    return f"{kind.capitalize()} {name} is not in {{your}} pool, which holds {held}."
