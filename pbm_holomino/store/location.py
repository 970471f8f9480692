"""Where the store is, and the sockets of a resident server.

What is handed over to a server begins here, in a Python that has not even loaded `os`,
so this uses `posix`, which is built in.
"""

import posix

# beside the folders of the store
SOCKET = "lmtp"  # for mails
SHELL = "shell"  # for commands that are typed

_KIND, _FOLDER, _FILE = 0o170000, 0o040000, 0o100000  # of a file's mode


def find_store(named: str | None) -> str | None:
    """The folder of the store: the one that PBM_GAMES names; or else the checkout's
    `games`; or else `./games`; None if neither exists."""
    if named:
        return named
    checkout = __file__.rpartition("/pbm_holomino/")[0]
    beside = f"{checkout}/games"
    if _kind(f"{checkout}/setup.cfg") == _FILE and _kind(beside) == _FOLDER:
        return beside
    return f"{posix.getcwd()}/games" if _kind("games") == _FOLDER else None


def foreign_owner(store: str) -> int | None:
    """The user id that a store belongs to, if we are root and it is not root's: files
    that root writes there would lock the owner out."""
    if posix.geteuid():
        return None
    try:
        return posix.stat(store).st_uid or None
    except OSError:  # it does not exist yet
        return None


def _kind(path: str) -> int:
    try:
        return posix.stat(path).st_mode & _KIND
    except OSError:
        return 0
