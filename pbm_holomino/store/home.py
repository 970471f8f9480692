"""What each machine has for itself: the owner's settings, sockets, and the outbox."""

import os
from functools import cached_property

from pbm_holomino.errors import CorruptFile, StoreTrouble
from pbm_holomino.store import config
from pbm_holomino.store.config import Config
from pbm_holomino.store.damage import corrupt
from pbm_holomino.store.files.folders import READING, Folders
from pbm_holomino.store.files.spool import Spool

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
