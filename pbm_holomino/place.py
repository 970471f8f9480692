"""A server on the store."""

import os
from collections.abc import Callable

from pbm_holomino import where
from pbm_holomino.config import Config
from pbm_holomino.errors import StoreTrouble
from pbm_holomino.library import Library
from pbm_holomino.players import fits_password
from pbm_holomino.post import sender
from pbm_holomino.server import Server
from pbm_holomino.store import Store


def find_store() -> str:
    """The folder of the store. Raises StoreTrouble where there is none."""
    found = where.find_store(os.environ.get("PBM_GAMES"))
    if found is None:
        raise StoreTrouble(
            "There is no store here: please set PBM_GAMES to the folder that holds the "
            "games (an empty one will do), or make a folder named games."
        )
    return found


def open_server(
    kind: type[Library] = Library, fits: Callable[[str, str], bool] = fits_password
) -> tuple[Server, Config]:
    """A server on the store, with a library of this kind, and the settings that stand
    there. Raises StoreTrouble."""
    root = find_store()
    config = Library(Store(root)).config()
    store = Store(root, config.wait)
    return Server(kind(store), sender(config, store), fits=fits), config
