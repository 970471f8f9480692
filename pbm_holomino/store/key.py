"""The server's key: random bytes from which follows whatever nobody may guess, such as
the word for a new password."""

import os

from pbm_holomino.store import disk
from pbm_holomino.store.damage import damaged_file
from pbm_holomino.store.files import Store
from pbm_holomino.store.folders import READING, WRITING

KEY_BYTES = 32
FILE = "key"  # beside the folders of the store
_FOR_OTHERS = 0o077  # of a file's mode


def key(store: Store) -> bytes:
    """The store's key, which is made durably when it is first needed. Raises
    CorruptFile if its file is damaged."""
    return _read(store) or _made(store)


def _read(store: Store) -> bytes | None:
    with READING:
        try:
            with open(store.path(FILE), "rb") as file:
                found = file.read(KEY_BYTES + 1)
        except FileNotFoundError:
            return None
        except IsADirectoryError:
            raise damaged_file(FILE, "it is a folder") from None
    if len(found) != KEY_BYTES:
        raise damaged_file(
            FILE,
            f"it does not have {KEY_BYTES} bytes. If you remove it, a new one is made, "
            "and links in letters that were sent before no longer work",
        )
    return found


def _made(store: Store) -> bytes:
    """A new key, unless another process has just made one."""
    with store.lock("", FILE):
        found = _read(store)
        if found is None:
            found = os.urandom(KEY_BYTES)
            with WRITING:
                beside = store.path(f"{FILE}.new")
                disk.write(beside, found, durably=True)
                os.rename(beside, store.path(FILE))
                disk.sync(store.path())
        return found


def is_lost(store: Store) -> bool:
    """Whether a store that has had a key has none. Raises CorruptFile."""
    return _read(store) is None and store.was_locked("", FILE)


def is_open(store: Store) -> bool:
    """Whether other accounts of the machine may read the file of the key."""
    with READING:
        try:
            return bool(os.stat(store.path(FILE)).st_mode & _FOR_OTHERS)
        except FileNotFoundError:
            return False


def close(store: Store) -> None:
    """Let nobody but the store's account read the file of the key."""
    with WRITING:
        os.chmod(store.path(FILE), 0o600)
