"""The server's key: random bytes from which follows whatever nobody may guess, such as
the word for a new password."""

import os
from collections.abc import Iterator

from pbm_holomino.errors import CorruptFile
from pbm_holomino.store.contract import Fault
from pbm_holomino.store.damage import damaged_file
from pbm_holomino.store.files import disk
from pbm_holomino.store.files.documents import Files
from pbm_holomino.store.files.folders import READING, WRITING

KEY_BYTES = 32
FILE = "key"  # beside the folders of the store
_FOR_OTHERS = 0o077  # of a file's mode


def key(store: Files) -> bytes:
    """The store's key, which is made durably when it is first needed. Raises
    CorruptFile if its file is damaged."""
    return _read(store) or _made(store)


def _read(store: Files) -> bytes | None:
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


def _made(store: Files) -> bytes:
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


def faults(store: Files) -> Iterator[Fault]:
    """What is wrong with the key. There is none before it is needed."""
    try:
        if _read(store) is None and store.was_locked("", FILE):
            yield Fault(
                f"The file {FILE} is missing, and links in letters that were sent "
                "before no longer work",
                lambda: key(store),
            )
        if _is_open(store):
            yield Fault(
                f"Other accounts of this machine can read the file {FILE}",
                lambda: _close(store),
            )
    except CorruptFile as damage:
        yield Fault(damage.for_the_owner)


def _is_open(store: Files) -> bool:
    """Whether other accounts of the machine may read the file of the key."""
    with READING:
        try:
            return bool(os.stat(store.path(FILE)).st_mode & _FOR_OTHERS)
        except FileNotFoundError:
            return False


def _close(store: Files) -> None:
    """Let nobody but the store's account read the file of the key."""
    with WRITING:
        os.chmod(store.path(FILE), 0o600)
