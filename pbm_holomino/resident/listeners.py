"""Where a resident server waits for clients: sockets in the store, and a port; or those
that systemd keeps for it (sd_listen_fds(3)), at which clients wait while it restarts.
"""

import errno
import os
import re
import socket
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from pbm_holomino.errors import BadCommand, NotAllowed, StoreTrouble
from pbm_holomino.sentences import quoted

Address = tuple[str, int]  # a host and a port

_NOT_HERE = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)


def address(words: Sequence[str], page: str = "serve") -> Address | None:
    """The address in `[[host:]port]`, as typed; None for no words. Raises BadCommand,
    with the help page of the command."""
    if not words:
        return None
    found = re.fullmatch(r"(?:(\[[0-9a-f:.]+\]|[^:\s]+):)?([0-9]{1,5})", words[0])
    if len(words) > 1 or found is None or not 0 < int(found[2]) < 1 << 16:
        raise BadCommand(
            f"{quoted(' '.join(words))} is not a port: please write one, such as 2480, "
            "or a host and a port, such as localhost:2480.",
            page,
        )
    return (found[1] or "localhost").strip("[]"), int(found[2])


class Listeners:
    """The listening sockets at a path and, if they are given, at an address and, for
    commands that are typed, at the path `shell`. To be closed in the end. Raises
    StoreTrouble or NotAllowed.

    Those that are `kept` for this process take the place of those at the same path,
    and a port among them that of the address; all but the one for commands are for
    mails.
    """

    def __init__(
        self,
        path: str,
        where: Address | None,
        shell: str = "",
        kept: Sequence[socket.socket] = (),
    ) -> None:
        self.are_kept = bool(kept)
        by_path = {_path_of(one): one for one in kept if one.family == socket.AF_UNIX}
        ports = [one for one in kept if one.family != socket.AF_UNIX]
        with ExitStack() as opened:
            for one in kept:
                opened.enter_context(one)

            def at(path: str) -> socket.socket:
                found = by_path.get(os.path.realpath(path))
                return found or opened.enter_context(at_socket(path))

            self.shell = at(shell) if shell else None
            others = [one for one in by_path.values() if one is not self.shell]
            if ports:
                where = ports[0].getsockname()[:2]
            elif where is not None:
                ports = opened.enter_context(at_port(*where))
            mails = dict.fromkeys([at(path), *others, *ports])
            self.sockets = [*mails, *filter(None, [self.shell])]
            self._opened = opened.pop_all()
        self._where = path if where is None else f"{path} and {where[0]}:{where[1]}"

    def announce(self) -> None:
        """Say on standard output that clients can come."""
        print(f"Serving on {self._where}.", flush=True)

    def close(self) -> None:
        """Let nobody in any more; the path becomes free."""
        self._opened.close()


_FIRST = 3  # the first descriptor that systemd hands to a process


def kept_for_us() -> list[socket.socket]:
    """The listening sockets that systemd keeps for this process. Raises NotAllowed for
    a socket that does not listen."""
    words = {name: os.environ.pop(f"LISTEN_{name}", "") for name in ("PID", "FDS")}
    os.environ.pop("LISTEN_FDNAMES", None)  # none of these is meant for our children
    if words["PID"] != str(os.getpid()):
        return []
    numbers = range(_FIRST, _FIRST + int(words["FDS"] or 0))
    found = [socket.socket(fileno=number) for number in numbers]
    for one in found:
        one.set_inheritable(False)
        if not one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            raise NotAllowed(
                f"Descriptor {one.fileno()} is not a listening socket: please write "
                "ListenStream= and Accept=no in the unit of the sockets."
            )
        # as if it were ours: the system tells clients the account that did this last
        one.listen(socket.SOMAXCONN)
    return found


def _path_of(listener: socket.socket) -> str:
    return os.path.realpath(str(listener.getsockname()))


@contextmanager
def at_socket(path: str) -> Iterator[socket.socket]:
    """A listener at this path. While it listens there is a socket: clients that find no
    socket do the work themselves."""
    with socket.socket(socket.AF_UNIX) as listener:
        mask = os.umask(0o177)
        try:
            with suppress(FileNotFoundError):
                if stat.S_ISSOCK(os.lstat(path).st_mode):
                    os.unlink(path)  # of a server that was killed
            listener.bind(path)
        except OSError as error:
            raise StoreTrouble(f"{path} cannot be a socket: {error}.") from None
        finally:
            os.umask(mask)
        listener.listen()
        try:
            yield listener
        finally:
            with suppress(FileNotFoundError):
                os.unlink(path)


@contextmanager
def at_port(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Listeners at this port, one for each address of the host that the machine has.
    Raises NotAllowed."""
    with ExitStack() as opened:
        listeners = []
        refused = None
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            for family, _, _, _, where in dict.fromkeys(found):
                try:
                    listener = socket.create_server(where, family=family)
                    listeners.append(opened.enter_context(listener))
                except OSError as error:
                    if error.errno not in _NOT_HERE:
                        raise
                    refused = error
            if refused and not listeners:
                raise refused
        except (OSError, UnicodeError) as error:
            words = f"Cannot listen on {host}:{port}: {_why(error)}."
            raise NotAllowed(words) from None
        yield listeners


def _why(error: OSError | UnicodeError) -> str:
    if isinstance(error, UnicodeError):
        return "that is not a host name"
    if isinstance(error, socket.gaierror):
        return str(error.strerror)
    return os.strerror(error.errno or 0)  # Python's own words quote its values
