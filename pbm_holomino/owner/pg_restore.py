"""A dump of a database, restored on a server of its own that nobody else can reach."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import chown, which
from typing import Any
from urllib.parse import quote

from pbm_holomino.errors import NotAllowed, StoreTrouble

_CUSTOM = b"PGDMP"  # how a file of the custom format begins
_CONTENTS = "toc.dat"  # in a folder, or the first file in a tar
_INSTALLED = Path("/usr/lib/postgresql")  # Debian's; they are not in the PATH
_NAME = "pbm"  # of the role and of the database
_SECONDS = "60"  # until it takes connections
_SETTINGS = {  # nothing of it has to last
    "fsync": "off",
    "full_page_writes": "off",
    "listen_addresses": "",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


def is_dump(path: str) -> bool:
    """Whether pg_dump has written this, in one of its formats but plain SQL."""
    if os.path.isdir(path):
        return os.path.isfile(os.path.join(path, _CONTENTS))
    with open(path, "rb") as file:
        begin = file.read(512)
    return begin.startswith((_CUSTOM, _CONTENTS.encode()))


@contextmanager
def restored(dump: str, folder: str) -> Iterator[str]:
    """The address of a database with what is in a dump, while the block runs. Its
    server works in an empty folder, and listens there alone. Raises NotAllowed where
    PostgreSQL's programs are not installed, and StoreTrouble."""
    bin_ = _programs()
    serving = _account(folder)  # the server's programs refuse to run as root
    data = os.path.join(folder, "data")
    given = {**_SETTINGS, "unix_socket_directories": folder}
    options = " ".join(f"-c {name}='{value}'" for name, value in given.items())
    log = os.path.join(folder, "log")
    client = ("-h", folder, "-U", _NAME)
    initdb = ("-D", data, "-U", _NAME, "--auth=trust", "--no-sync", "-EUTF8")
    _run(f"{bin_}/initdb", *initdb, "--locale=C", **serving)
    staying = ("-w", "-t", _SECONDS, "-l", log, "-o", options)
    _run(f"{bin_}/pg_ctl", "start", "-D", data, *staying, **serving)
    try:
        _run(f"{bin_}/createdb", *client, "-T", "template0", _NAME)
        own = ("--no-owner", "--no-privileges", "--exit-on-error")
        _run(f"{bin_}/pg_restore", *own, *client, "-d", _NAME, dump)
        yield f"postgresql://{_NAME}@/{_NAME}?host={quote(folder, '')}"
    finally:
        _run(f"{bin_}/pg_ctl", "stop", "-D", data, "-m", "immediate", **serving)


def _programs() -> str:
    """The folder of PostgreSQL's programs. Debian has one for each version: the newest
    is taken."""
    kept = _INSTALLED.glob("*/bin/initdb")
    newest = max(kept, key=lambda path: int(path.parts[-3]), default=None)
    found = newest or which("initdb")
    if found is None:
        raise NotAllowed(
            "A dump is restored by PostgreSQL's own programs, which are not installed "
            "here (initdb, pg_ctl and pg_restore): please install its server."
        )
    return os.path.dirname(found)


def _account(folder: str) -> dict[str, Any]:
    """How a program runs that must not be root's: as nobody, who gets the folder."""
    if os.geteuid():
        return {}
    chown(folder, "nobody")
    return {"user": "nobody", "extra_groups": []}


def _run(*words: str, **how: Any) -> None:
    """Run a program, which must succeed. Raises StoreTrouble with its last words."""
    done = subprocess.run(
        words,
        **how,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise StoreTrouble(f"{os.path.basename(words[0])} has failed: {why}")
