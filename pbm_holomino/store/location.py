"""Where the store is, and the door of a server that stays.

The quick way of pbm-inbox begins here, in a Python that has not even loaded `os`:
so this stands on `posix`, which each has.
"""

import posix

SOCKET = "lmtp"  # beside the folders of the store

_KIND, _FOLDER, _FILE = 0o170000, 0o040000, 0o100000  # of a file's mode


def find_store(named: str | None) -> str | None:
    """The folder that PBM_GAMES names, if it names one; else the checkout's `games`;
    else `./games` where it exists; else none."""
    if named:
        return named
    checkout = __file__.rpartition("/pbm_holomino/")[0]
    beside = f"{checkout}/games"
    if _kind(f"{checkout}/setup.cfg") == _FILE and _kind(beside) == _FOLDER:
        return beside
    return f"{posix.getcwd()}/games" if _kind("games") == _FOLDER else None


def foreign_owner(store: str) -> int | None:
    """The account that a store belongs to, if that is another one than root's and we
    are root: what root writes there would lock it out."""
    if posix.geteuid():
        return None
    try:
        return posix.stat(store).st_uid or None
    except OSError:  # there is none yet
        return None


def _kind(path: str) -> int:
    try:
        return posix.stat(path).st_mode & _KIND
    except OSError:
        return 0
