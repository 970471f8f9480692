"""Where the store is."""

import os

from pbm_holomino.config import Config
from pbm_holomino.errors import StoreTrouble
from pbm_holomino.library import Library
from pbm_holomino.store import Store


def find_store() -> str:
    """The folder PBM_GAMES; else the checkout's `games`; else `./games` where it
    exists. Raises StoreTrouble."""
    named = os.environ.get("PBM_GAMES")
    if named:
        return named
    checkout = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    beside = os.path.join(checkout, "games")
    if os.path.isfile(os.path.join(checkout, "setup.cfg")) and os.path.isdir(beside):
        return beside
    if os.path.isdir("games"):
        return os.path.abspath("games")
    raise StoreTrouble(
        "There is no store here: please set PBM_GAMES to the folder that holds the "
        "games (an empty one will do), or make a folder named games."
    )


def open_library() -> tuple[Library, Config]:
    """The store, and the settings that stand in it. Raises StoreTrouble."""
    store = Store(find_store())
    library = Library(store)
    config = library.config()
    store.patience = config.wait
    return library, config
