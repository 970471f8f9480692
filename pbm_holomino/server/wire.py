"""What a command's own process and a resident server say to each other.

A connection is for one command. The process says `run`, where its program and its store
are, what its terminal is like, and the words that were typed. The server may say `ask`
or `text`, and is told what is `given`, or that there is `nobody` to ask. In the end it
says what to print (`out`, `err` or `file`); if it ends the connection without that, the
process does the work itself.

Every command pays for the imports here, so there are next to none.
"""

import _socket
import posix
import sys

MOST = 16 << 20  # bytes of a message
_HEAD = 8  # digits that say how long a message is

PACKAGE = __file__.rpartition("/server/")[0]


class Cut(Exception):
    """The other side has gone, hangs, or does not say what it should."""


def send(peer: _socket.socket, kind: str, *rest: bytes) -> None:
    """Send a message. Raises Cut if it does not leave whole."""
    message = b"\0".join((kind.encode(), *rest))
    if len(message) > MOST:
        raise Cut
    try:
        peer.sendall(b"%0*d" % (_HEAD, len(message)) + message)
    except OSError:
        raise Cut from None


def receive(peer: _socket.socket) -> tuple[str, bytes]:
    """The kind of the next message, and the rest. Raises Cut if none comes whole."""
    head = _exactly(peer, _HEAD)
    if not head.isdigit() or int(head) > MOST:
        raise Cut
    kind, _, rest = _exactly(peer, int(head)).partition(b"\0")
    return decode(kind), rest


def _exactly(peer: _socket.socket, count: int) -> bytes:
    pieces = []
    while count:
        try:
            piece = peer.recv(min(count, 1 << 18))
        except OSError:
            raise Cut from None
        if not piece:
            raise Cut
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def encode(text: str) -> bytes:
    """A text as it is sent, also one with characters that cannot be printed."""
    return text.encode("utf-8", "surrogatepass")


def decode(sent: bytes) -> str:
    """A text as it was sent. Raises Cut if it is not a text."""
    try:
        return sent.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise Cut from None


def decode_number(sent: bytes) -> int:
    """A number as it was sent. Raises Cut."""
    if not sent.isdigit():
        raise Cut
    return int(sent[:_HEAD])


def is_ours(peer: _socket.socket) -> bool:
    """Whether the process at the other end belongs to our account, as far as the system
    can say."""
    option = getattr(_socket, "SO_PEERCRED", None)
    if option is None:
        return True  # nobody else may enter the folder
    ids = peer.getsockopt(_socket.SOL_SOCKET, option, 12)  # pid, uid, gid
    return int.from_bytes(ids[4:8], sys.byteorder) == posix.geteuid()


def identity(folder: str) -> bytes:
    """Which folder this is, whatever path leads to it. Raises Cut if it is gone."""
    try:
        status = posix.stat(folder)
    except OSError:
        raise Cut from None
    return b"%d:%d" % (status.st_dev, status.st_ino)
