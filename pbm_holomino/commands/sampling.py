"""Draws of an analysis that are made, if its player wants that."""

import os
from collections.abc import Callable

from pbm_holomino.commands.request import Request


def sample(request: Request) -> Callable[[int], int] | None:
    """What makes the draws that are not named, if the request wants them made: chance
    of its own, which knows nothing of the board's seed."""
    return by_chance if "sample" in request.options else None


def by_chance(size: int) -> int:
    """An index below this size."""
    return int.from_bytes(os.urandom(16), "big") % size
