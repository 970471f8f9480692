"""The finished matches that come with a checkout.

They are in the checkout's store, in a folder of their own (`examples/holo/1.yaml`).
A board of the store hides the example with its number. 1.0 shipped the same matches
among the boards of the store, as `holo/1.yaml`, and its stores may still have them.
"""

from collections.abc import Mapping
from typing import Any

# The seals of the boards that 1.0 shipped. All have ended, so nobody can play on.
_SHIPPED = {
    "4c1bf706e725b4932cf3c4c7c3d90b0d0e7a4f987cdfbc7ab9150c919ae6ef58",
    "9aa572b33c848852a82ea313f13b259672a20380a4bf4be2f02ced0f353f6f02",
    "eefe3fdfa7776e3c5f42ca1c23f576259a3d87329240ca3a3976dc63d0b0dbc3",
}


_FOLDERS = "examples/"


def folder(game: str) -> str:
    """The folder of a game's examples in the store."""
    return f"{_FOLDERS}{game}"


def is_in(folder: str) -> bool:
    """Whether a folder is one of examples."""
    return folder.startswith(_FOLDERS)


def is_shipped(data: Mapping[str, Any]) -> bool:
    """Whether a board is one that 1.0 shipped, whatever was chatted there since."""
    return data.get("seal", "") in _SHIPPED
