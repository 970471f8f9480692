"""pbm-inbox: hands a mail to the server that runs on the store, or processes it here.

The server answers when everything is done. A mail without an answer is processed here:
if the server has done it, too, it still counts only once.
"""

import _socket
import posix
import sys

from pbm_holomino import handover
from pbm_holomino.mail import intake
from pbm_holomino.store import location

_TRY_LATER = 75
_STATUSES = {b"250": 0, b"451": _TRY_LATER}
_HELLO = (
    b"LHLO localhost\r\nMAIL FROM:<pbm-inbox@localhost>\r\n"
    b"RCPT TO:<pbm-inbox@localhost>\r\nDATA\r\n"
)
_HELD_OUT = [b"220", b"250", b"250", b"250", b"354"]  # the answers to that


def main() -> int:
    """What procmail runs. The exit status is explained in server.inbox."""
    status = handed_over()
    if status is not None:
        return status
    from pbm_holomino.server import inbox

    return inbox.main()


def handed_over() -> int | None:
    """Hand the mail on standard input to the server that runs on the store; returns the
    exit status. None if there is no server, or it has not answered: then the mail can
    be read from standard input as if nothing had happened."""
    try:
        store = handover.find_store()
        if store is None:
            return None
        server = handover.connected(f"{store}/{location.SOCKET}")
        return _talked(server, store) if server else None
    except Exception as error:  # a mail that cannot be done now comes again
        print(f"pbm-inbox: {type(error).__name__}: {error}", file=sys.stderr)
        return _TRY_LATER


def _talked(server: _socket.socket, store: str) -> int | None:
    raw = intake.read_stdin()
    try:
        verdict = _delivered(server, raw)
    except OSError:  # it hangs, or has died
        verdict = b""
    server.close()
    if verdict not in _STATUSES:
        _put_back(raw, store)
    return _STATUSES.get(verdict)


def _delivered(server: _socket.socket, raw: bytes) -> bytes:
    """Speak LMTP (RFC 2033); the code of the answer to the mail."""
    server.sendall(_HELLO)
    if _answers(server, len(_HELD_OUT)) != _HELD_OUT:
        return b""
    lines = b"\n" + raw + (b"" if raw.endswith(b"\n") else b"\n")
    text = lines.replace(b"\n.", b"\n..").replace(b"\n", b"\r\n")
    server.sendall(text[2:] + b".\r\n")
    return _answers(server, 1)[0]


def _answers(server: _socket.socket, count: int) -> list[bytes]:
    """The codes of so many answers. Raises OSError if they do not come."""
    came = b""
    while True:
        lines = came.split(b"\r\n")[:-1]
        codes = [line[:3] for line in lines if line[3:4] != b"-"]
        if len(codes) >= count or codes[-1:] == [b"421"]:
            return codes
        more = server.recv(1 << 16)
        if not more:
            raise ConnectionError
        came += more


def _put_back(raw: bytes, store: str) -> None:
    """Put the mail back on standard input, also for a program that we exec."""
    path = f"{store}/.mail.{posix.getpid()}"
    fd = posix.open(path, posix.O_RDWR | posix.O_CREAT | posix.O_EXCL, 0o600)
    posix.unlink(path)
    left = memoryview(raw)
    while left:
        left = left[posix.write(fd, left) :]
    posix.lseek(fd, 0, 0)
    posix.dup2(fd, 0)
    posix.close(fd)
