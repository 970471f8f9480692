"""Opens a server on the store."""

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import TYPE_CHECKING

from pbm_holomino.commands.context import Robots
from pbm_holomino.errors import NotAllowed, StoreTrouble
from pbm_holomino.match.account import fits_password
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import location
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import Store
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import Home
from pbm_holomino.store.library import Library

if TYPE_CHECKING:
    from pbm_holomino.letters.letter import Letter, Post


def check_owner(store: str) -> None:
    """Raise NotAllowed for root if the folder of a store belongs to another account."""
    owner = location.foreign_owner(store)
    if owner is not None:
        raise _belongs_to(owner, store)


def _belongs_to(account: int, store: str) -> NotAllowed:
    """The error for root on a store that belongs to another account."""
    import shlex  # only root needs these
    from pwd import getpwuid

    try:
        name = getpwuid(account).pw_name
    except KeyError:
        name = f"#{account}"
    words = f"sudo -u {shlex.quote(name)}"
    if os.environ.get("PBM_GAMES"):
        words += f" env PBM_GAMES={shlex.quote(os.path.abspath(store))}"
    return NotAllowed(
        f"The store {store} belongs to the account {name}, and what root writes there "
        f"would lock it out. Please run the command as {name}.",
        f"{words} ...",
    )


def open_home() -> Home:
    """What this machine has: the folder of the store (see `location.find_store`).
    Raises StoreTrouble if there is none, and NotAllowed for root if it belongs to
    another account."""
    root = location.find_store(dict(os.environb))
    if root is None:
        raise StoreTrouble(
            "There is no store here, and no home folder where one could be: please set "
            "PBM_GAMES to the folder that holds the games (an empty one will do)."
        )
    check_owner(root)
    return Home(root)


def open_store(home: Home) -> Store:
    """The store that the settings name, which is the home itself if they name none.
    Raises StoreTrouble."""
    config = home.config
    if not config.store:
        return FileStore(home.root, config.wait)
    return open_database(config)


def open_database(config: Config, late: float = 0) -> Store:
    """The store in the database that settings name; letters that have left may stay
    marked for so many seconds. Raises StoreTrouble."""
    try:
        from pbm_holomino.store.postgres.store import PostgresStore  # psycopg is slow
    except ModuleNotFoundError:
        from pbm_holomino.extras import line_for

        raise StoreTrouble(
            "A store in a PostgreSQL database needs psycopg. Please install it.",
            line_for("postgresql"),
        ) from None
    waits = config.wait, config.commit_wait, late
    return PostgresStore(config.store, *waits, tells=bool(config.web))


def open_server() -> tuple[Server, Home]:
    """A server on the store, and what this machine has. Raises StoreTrouble."""
    home = open_home()
    return server_of(home), home


def open_existing() -> tuple[Server, Home]:
    """The same for what the owner does with a store that is there. Raises NotAllowed if
    it is not, and StoreTrouble."""
    server, home = open_server()
    if missing := missing_folder(home):
        raise NotAllowed(missing)
    return server, home


def missing_folder(home: Home) -> str:
    """The sentence about a store of files whose folder is not there; empty if it is."""
    if home.config.store or os.path.isdir(home.root):
        return ""
    return (
        f"There is no folder {home.root}: is it the one that you mean? The first "
        "signup would make it."
    )


def server_of(home: Home) -> Server:
    """A server on the store of a home. Raises StoreTrouble."""
    store = open_store(home)

    def post(letter: "Letter") -> Mapping[str, str]:
        from pbm_holomino.mail.post import sender  # a question in the shell sends none

        return sender(home, store)(letter)

    return server_on(Library(store), post, home)


def server_on(
    library: Library,
    post: "Post",
    home: Home,
    fits: Callable[[str, str], bool] = fits_password,
) -> Server:
    """A server as the settings of a home want it (see Server)."""

    def wake() -> bool:
        from pbm_holomino.server import waking  # few boards have robots

        return waking.wake(home)

    robots = Robots(home.config.rated_robots == "yes", wake)
    server = Server(library, post, robots, home.config.web, fits)
    server.notice_hosts = home.config.notice_hosts
    return server


def reopened(home: Home) -> Home:
    """A home with the settings as they are now. Raises PbmError if they cannot be
    used."""
    fresh = Home(home.root)
    with closing(open_store(fresh)) as store:
        store.closed()  # it must be possible to ask it
    return fresh
