"""One process of a kind at a time, on this machine."""

from collections.abc import Iterator
from contextlib import contextmanager

from pbm_holomino.errors import PbmError
from pbm_holomino.store.files.disk import lock_file
from pbm_holomino.store.files.folders import WRITING, Folders
from pbm_holomino.store.home import Home


@contextmanager
def alone(home: Home, lock: str, patience: float, refusal: PbmError) -> Iterator[None]:
    """Hold the lock with this name in the home during this block. If somebody else
    holds it for so many seconds, this raises the refusal."""
    with WRITING:
        Folders(home.root).make("")
        release = lock_file(home.path(lock), patience)
    if release is None:
        raise refusal
    try:
        yield
    finally:
        release()
