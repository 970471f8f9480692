"""The longer texts that the owner of a server reads, in the shell only."""

import os

_HERE = os.path.dirname(__file__)


def page(subject: str) -> str:
    """The text on one of `table.OWNERS_TEXTS`."""
    with open(os.path.join(_HERE, f"{subject}.txt"), encoding="ascii") as file:
        return file.read()
