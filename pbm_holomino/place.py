"""Where the store is, and a server on it."""

import os

from pbm_holomino.config import Config
from pbm_holomino.errors import StoreTrouble
from pbm_holomino.library import Library
from pbm_holomino.post import sender
from pbm_holomino.server import Server
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


def open_server() -> tuple[Server, Config]:
    """A server on the store, and the settings that stand there. Raises
    StoreTrouble."""
    root = find_store()
    config = Library(Store(root)).config()
    store = Store(root, config.wait)
    return Server(Library(store), sender(config, store)), config
