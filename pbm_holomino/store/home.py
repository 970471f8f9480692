"""What each machine has for itself: the owner's settings, sockets, and the outbox; and
the store that it opens."""

import os
from contextlib import closing
from functools import cached_property

from pbm_holomino.errors import CorruptFile, NotAllowed, StoreTrouble
from pbm_holomino.store import config, location
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import Store
from pbm_holomino.store.damage import corrupt
from pbm_holomino.store.files.folders import READING, Folders
from pbm_holomino.store.files.spool import Spool
from pbm_holomino.store.files.store import FileStore

OUTBOX = "outbox"  # the folder of letters that leave as files


class Home:
    """A folder on this machine. The store may be in it, or in a database that other
    machines use, too.

    `config` has the settings, if they are not to be read, and `outbox` takes letters.
    """

    def __init__(
        self, root: str, config: Config | None = None, outbox: Spool | None = None
    ) -> None:
        self.root = root
        self.outbox = outbox or Spool(Folders(root))
        if config is not None:
            self.config = config

    @cached_property
    def config(self) -> Config:
        """The owner's settings, in `config.yaml`. Raises StoreTrouble if they are
        wrong."""
        try:
            text = self._text()
            return Config() if text is None else config.from_text(text)
        except ValueError as error:
            damage = corrupt("", "config", error)
            raise StoreTrouble(damage.for_the_owner) from None
        except CorruptFile as error:
            raise StoreTrouble(error.for_the_owner) from None

    def _text(self) -> bytes | None:
        with READING:
            try:
                with open(self.path("config.yaml"), "rb") as file:
                    return file.read(config.MOST_BYTES + 1)
            except FileNotFoundError:
                return None
            except IsADirectoryError:
                raise corrupt("", "config", "it is a folder") from None

    def path(self, *parts: str) -> str:
        """Where a file of this machine is, such as a socket."""
        return "/".join((self.root, *parts))

    def named(self, path: str) -> str:
        """Where a file is that the settings name: in this folder, unless its path
        begins with `/` or `~`."""
        return os.path.join(self.root, os.path.expanduser(path))


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


def missing_folder(home: Home) -> str:
    """The sentence about a store of files whose folder is not there; empty if it is."""
    if home.config.store or os.path.isdir(home.root):
        return ""
    return (
        f"There is no folder {home.root}: is it the one that you mean? The first "
        "signup would make it."
    )


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


def reopened(home: Home) -> Home:
    """A home with the settings as they are now. Raises PbmError if they cannot be
    used."""
    fresh = Home(home.root)
    with closing(open_store(fresh)) as store:
        store.closed()  # it must be possible to ask it
    return fresh
