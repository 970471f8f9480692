"""Where the store is, and the sockets of a resident server.

What is handed over to a server begins here, in a Python that has not even loaded `os`,
so this uses `posix`, which is built in.
"""

import posix
import sys

TYPE_CHECKING = False  # the module that has it is slow to import
if TYPE_CHECKING:
    from collections.abc import Iterator

# beside the folders of the store
SOCKET = "lmtp"  # for mails
SHELL = "shell"  # for commands that are typed
PAGES = "web"  # for a proxy that brings browsers

# the keys of config.yaml: what reads that file is slow to import
SETTINGS = (
    b"address name owner send sendmail smtp tls tls_ca_file user auth password_file "
    b"password_command token_file envelope reply_token letters_per_day fetch folder "
    b"done wait "
    b"answers_per_hour signups signups_per_hour robot_seconds rated_robots trust log "
    b"log_form "
    b"store commit_wait web web_public title notices web_proxies web_certificate"
)

_GAMES = __file__.rpartition("/store/")[0] + "/rules/games"  # a module for each
_KEY_BYTES = 32
_MOST_BYTES = 1 << 16  # of a file, to see what it is
_KIND, _FOLDER, _FILE = 0o170000, 0o040000, 0o100000  # of a file's mode


def find_store(environment: dict[bytes, bytes]) -> str | None:
    """The folder of the store: the one that PBM_GAMES names; or else the checkout's
    `games`; or else `./games` if that is a store already; or else, for a program that
    was installed, the folder pbm_holomino in XDG_DATA_HOME or `~/.local/share`, which
    need not exist yet. None without a home folder."""
    folder = _folder(environment, b"PBM_GAMES") or checkout_store()
    if not folder and is_store("games"):
        return f"{posix.getcwd()}/games"
    return folder or data_store(environment)


def is_store(folder: str) -> bool:
    """Whether a folder has what a store has: accounts, a key, settings with our keys
    and no others, or boards. Many a project has a folder called `games`."""
    if _kind(folder) != _FOLDER:
        return False
    has_accounts = bool(_yaml_in(f"{folder}/players"))
    return has_accounts or _has_key(folder) or _has_settings(folder) or _plays(folder)


def _has_key(folder: str) -> bool:
    try:
        return posix.stat(f"{folder}/key").st_size == _KEY_BYTES
    except OSError:
        return False


def _has_settings(folder: str) -> bool:
    text = _begin_of(f"{folder}/config.yaml")
    if not text:
        return False
    lines = (line for line in text.splitlines() if line.strip())
    keys = {line.partition(b":")[0] for line in lines if line[0] not in b" #-"}
    return bool(keys) and keys <= {*SETTINGS.split()}


def _plays(folder: str) -> bool:
    """Whether a folder has a game's folder, with a board."""
    games = (name.removesuffix(".py") for name in _names_in(_GAMES))
    boards = ((game, _yaml_in(f"{folder}/{game}")) for game in games)
    return any(
        path and _begin_of(path).startswith(b"game: %s\n" % game.encode())
        for game, path in boards
    )


def checkout_store() -> str | None:
    """The store of the checkout that this program is in, if it has one."""
    checkout = __file__.rpartition("/pbm_holomino/")[0]
    beside = f"{checkout}/games"
    # a file that is beside no package that was installed, wherever that was
    is_checkout = _kind(f"{checkout}/bin/hand_over.py") == _FILE
    return beside if is_checkout and _kind(beside) == _FOLDER else None


def is_checkout_store(folder: str) -> bool:
    """Whether a folder is the store of the checkout that this program is in. It is open
    to all until it is used, and has examples."""
    store = checkout_store()
    return store is not None and _same(folder) == _same(store)


def _same(folder: str) -> tuple[int, int]:
    """By what a folder is known under all its names."""
    found = posix.stat(folder)
    return found.st_dev, found.st_ino


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


def _yaml_in(folder: str) -> str:
    """The path of some YAML file in a folder; empty if there is none."""
    names = (name for name in _names_in(folder) if name.endswith(".yaml"))
    return next((f"{folder}/{name}" for name in names), "")


def _names_in(folder: str) -> "Iterator[str]":
    try:
        with posix.scandir(folder) as entries:
            yield from (entry.name for entry in entries)
    except OSError:
        return


def _begin_of(path: str) -> bytes:
    """How a file begins; empty if it cannot be read."""
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK)
    except OSError:
        return b""
    try:
        return posix.read(fd, _MOST_BYTES)
    except OSError:  # a folder
        return b""
    finally:
        posix.close(fd)
