"""`pbm serve`: a resident server takes mail by LMTP (RFC 2033), on a socket in the
store and, for other programs, on a port.
"""

import asyncio
import errno
import gc
import os
import re
import signal
import socket
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress

from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import BadCommand, Busy, NotAllowed, StoreTrouble
from pbm_holomino.mail.post import sender
from pbm_holomino.resident.batch import Batches
from pbm_holomino.resident.cache import Passwords, read_ahead, remembering
from pbm_holomino.resident.lmtp import Handler, LmtpServer
from pbm_holomino.resident.preload import load_everything
from pbm_holomino.resident.report import report
from pbm_holomino.resident.shell import ShellServer
from pbm_holomino.server.open import settings
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config
from pbm_holomino.store.location import SHELL, SOCKET

_NOT_HERE = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)


def serve(words: Sequence[str]) -> Answer:
    """Serve the store until SIGTERM or SIGINT, on its socket and, if one is named, on a
    port. Raises PbmError if that is not possible."""
    address = _address(words)
    load_everything()
    gc.enable()  # commands run without it, but this stays
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)  # boards have many objects, and little is garbage
    sys.unraisablehook = lambda fault: report(fault.exc_value)
    root, config = settings()
    with ExitStack() as stack:
        store = stack.enter_context(closing(Batches(root, config.wait))).store
        library = stack.enter_context(closing(remembering(store)))
        server = Server(library, sender(config, store), fits=Passwords().fits)
        asyncio.run(_serve(server, config, address))
    return Answer("Served, and stopped.\n")


def _address(words: Sequence[str]) -> tuple[str, int] | None:
    if not words:
        return None
    found = re.fullmatch(r"(?:(\[[0-9a-f:.]+\]|[^:\s]+):)?([0-9]{1,5})", words[0])
    if len(words) > 1 or found is None or not 0 < int(found[2]) < 1 << 16:
        raise BadCommand("Please write: pbm serve [[host:]port]", "owner")
    return (found[1] or "localhost").strip("[]"), int(found[2])


async def _serve(
    server: Server, config: Config, address: tuple[str, int] | None
) -> None:
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    lmtp = LmtpServer(Handler(server, config))
    shell = ShellServer(server)
    path = server.store.path(SOCKET)
    with _alone(server):
        with ExitStack() as open_now:
            listeners = [open_now.enter_context(_at_socket(path))]
            commands = open_now.enter_context(_at_socket(server.store.path(SHELL)))
            if address is not None:
                listeners += open_now.enter_context(_at_port(*address))
            loop.run_in_executor(None, _read_ahead, server, lmtp.closing.is_set)
            where = path if address is None else f"{path} and {address[0]}:{address[1]}"
            print(f"Serving on {where}.", flush=True)
            coming = [loop.create_task(lmtp.accept(each)) for each in listeners]
            coming.append(loop.create_task(shell.accept(commands)))
            await stopped.wait()
            for task in coming:
                task.cancel()
            await asyncio.wait(coming)
        lmtp.close()
        shell.close()


def _read_ahead(server: Server, is_ended: Callable[[], bool]) -> None:
    """Read boards that are likely to be asked for, while the server works."""
    try:
        read_ahead(server.library, is_ended)
    except Exception as error:  # it must not be lost with the thread
        report(error)


@contextmanager
def _alone(server: Server) -> Iterator[None]:
    """Make sure that in this block no other server runs on the store."""
    with ExitStack() as stack:
        try:
            stack.enter_context(server.store.lock("", SOCKET))
        except Busy:
            raise NotAllowed("A server is already running on this store.") from None
        yield


@contextmanager
def _at_socket(path: str) -> Iterator[socket.socket]:
    """A listener at this path. While it listens there is a socket: clients that find no
    socket process the mail themselves."""
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
def _at_port(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Listeners at this port, one for each address of the host that the machine has."""
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
