"""Why a store of files is closed to writers, as the file `closed` says."""

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store import closing
from pbm_holomino.store.contract import Closed
from pbm_holomino.store.files.folders import CLOSED, READING, Folders


def closed(folders: Folders) -> Closed | None:
    """Whether the store is closed, and why."""
    with READING:
        try:
            with open(
                folders.path("", CLOSED), encoding="utf-8", errors="replace"
            ) as f:
                return closing.parse_closed(f.read())
        except FileNotFoundError:
            return None


def refusal(folders: Folders) -> StoreTrouble:
    """The error for somebody who wants to write into a store that was closed."""
    return closing.refusal(closed(folders))
