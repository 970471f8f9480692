"""Mails and typed commands are handed over to the server that runs on the store, and
are processed here if there is none.

Every mail and every command pays for the imports here, so there are next to none.
"""

import _socket
import posix

from pbm_holomino.store import location

PATIENCE = 30.0  # seconds without a sign of life from the server


def find_store() -> str | None:
    """The folder of the store; None if there is none, or if it is another account's
    and we are root: whoever processes the command here says what is wrong."""
    store = location.find_store(posix.environ)
    if store is None or location.foreign_owner(store) is not None:
        return None
    return store


def connected(path: str) -> _socket.socket | None:
    """A connection to the server at a socket; None if there is no server."""
    server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    server.settimeout(PATIENCE)
    try:
        server.connect(path)
    except OSError:  # no server, or the path is too long for a socket
        server.close()
        return None
    return server
