"""The names of robots: players that are programs, without password or mail."""

import re
from collections.abc import Callable

from pbm_holomino.match.open_challenge import SOME_ROBOT

LEVELS = (1, 2, 3)
_NAME = r"robot([1-3])_*"


def level_of(name: str) -> int:
    """The level of the robot that may have this name; 0 for a name of no robot."""
    match = re.fullmatch(_NAME, name)
    return int(match[1]) if match else 0


def names(is_taken: Callable[[str], bool]) -> dict[str, int]:
    """The robots of a server, and their levels: `robot1` to `robot3`, with underscores
    where a person has the name."""
    levels = {}
    for level in LEVELS:
        name = f"{SOME_ROBOT}{level}"
        while is_taken(name):
            name += "_"
        levels[name] = level
    return levels
