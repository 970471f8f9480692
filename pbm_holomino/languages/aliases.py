"""What people type in other languages for the words of commands.

Each language's folder may have a table, `aliases.txt`, with a line for each command:
`resign: aufgeben, aufgegeben`. All tables count at once, as a mail does not say in
which language it is; so no word means two commands. A language needs no catalogue for
this.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache

from pbm_holomino.languages import CODE, known

_TABLE = "aliases.txt"


@cache
def meanings() -> Mapping[str, str]:
    """What is meant, in words of commands, by the words that are typed for it: both are
    in small letters, with a blank between words."""
    return {
        alias.strip(): meant.strip()
        for line in _lines()
        for meant, _, aliases in [line.partition(":")]
        for alias in aliases.split(",")
    }


def _lines() -> Iterator[str]:
    for name in sorted(os.listdir(known.HOME)):
        path = os.path.join(known.HOME, name, _TABLE)
        if re.fullmatch(CODE, name) and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                yield from (line for line in file if line.strip() and line[0] != "#")
