"""The texts that the owner of a server reads, in the shell only."""

import os
from functools import cache
from typing import NamedTuple

_HERE = os.path.dirname(__file__)


class About(NamedTuple):
    """What is to be said about one of the owner's commands."""

    text: str
    pages: tuple[str, ...]  # the longer texts that say more


def page(subject: str) -> str:
    """The text on one of `table.OWNERS_TEXTS`."""
    with open(os.path.join(_HERE, f"{subject}.txt"), encoding="ascii") as file:
        return file.read()


@cache
def commands() -> dict[str, About]:
    """What is to be said about each command, by its name."""
    found = {}
    for paragraph in page("commands").split("\n\n"):
        head, *lines = paragraph.splitlines()
        name, _, pages = head.partition(":")
        found[name] = About(" ".join(lines), tuple(pages.replace(",", "").split()))
    return found
