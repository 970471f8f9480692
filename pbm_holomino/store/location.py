"""Where the store is, and the sockets of a resident server.

What is handed over to a server begins here, in a Python that has not even loaded `os`,
so this uses `posix`, which is built in.
"""

import posix
import sys

# beside the folders of the store
SOCKET = "lmtp"  # for mails
SHELL = "shell"  # for commands that are typed

_KIND, _FOLDER, _FILE = 0o170000, 0o040000, 0o100000  # of a file's mode


def find_store(environment: dict[bytes, bytes]) -> str | None:
    """The folder of the store: the one that PBM_GAMES names; or else the checkout's
    `games`; or else `./games`; or else, for a program that was installed, the folder
    pbm_holomino in XDG_DATA_HOME or `~/.local/share`, which need not exist yet. None
    without a home folder."""
    found = _folder(environment, b"PBM_GAMES") or checkout_store()
    if not found and _kind("games") == _FOLDER:
        return f"{posix.getcwd()}/games"
    return found or data_store(environment)


def checkout_store() -> str | None:
    """The store of the checkout that this program is in, if it has one."""
    checkout = __file__.rpartition("/pbm_holomino/")[0]
    beside = f"{checkout}/games"
    is_one = _kind(f"{checkout}/setup.cfg") == _FILE and _kind(beside) == _FOLDER
    return beside if is_one else None


def data_store(environment: dict[bytes, bytes]) -> str | None:
    """The store among an account's data. None without a home folder."""
    data, home = (_folder(environment, name) for name in (b"XDG_DATA_HOME", b"HOME"))
    if not data.startswith("/"):  # as the XDG specification says
        data = f"{home}/.local/share" if home.startswith("/") else ""
    return f"{data}/pbm_holomino" if data else None


def foreign_owner(store: str) -> int | None:
    """The user id that a store belongs to, if we are root and it is not root's: files
    that root writes there would lock the owner out."""
    if posix.geteuid():
        return None
    try:
        return posix.stat(store).st_uid or None
    except OSError:  # it does not exist yet
        return None


def _folder(environment: dict[bytes, bytes], name: bytes) -> str:
    """What a variable holds, as file names are decoded."""
    value = environment.get(name, b"")
    return value.decode(sys.getfilesystemencoding(), "surrogateescape")


def _kind(path: str) -> int:
    try:
        return posix.stat(path).st_mode & _KIND
    except OSError:
        return 0
