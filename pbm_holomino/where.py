"""Where the store is, and the door of a server that stays.

It imports nothing that Python has not loaded anyway: the quick way of pbm-inbox
begins here.
"""

import os

SOCKET = "lmtp"  # beside the folders of the store


def find_store() -> str | None:
    """The folder PBM_GAMES; else the checkout's `games`; else `./games` where it
    exists; else none."""
    named = os.environ.get("PBM_GAMES")
    if named:
        return named
    checkout = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    beside = os.path.join(checkout, "games")
    if os.path.isfile(os.path.join(checkout, "setup.cfg")) and os.path.isdir(beside):
        return beside
    return os.path.abspath("games") if os.path.isdir("games") else None
