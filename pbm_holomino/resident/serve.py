"""`pbm serve`: a resident server takes mail by LMTP (RFC 2033), on a socket in the
store and, for other programs, on a port, and commands that are typed in a shell, on a
socket of their own; in this process, or in several workers.
"""

import asyncio
import gc
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial

from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import NotAllowed
from pbm_holomino.mail.post import sender
from pbm_holomino.mail.ways import close
from pbm_holomino.resident import listeners
from pbm_holomino.resident.batch import WAIT, Batches, by_flock
from pbm_holomino.resident.cache import Passwords, read_ahead, remembering
from pbm_holomino.resident.clients import Clients
from pbm_holomino.resident.listeners import Listeners
from pbm_holomino.resident.lmtp import MOST_CONNECTIONS, Handler, LmtpServer
from pbm_holomino.resident.preload import load_everything
from pbm_holomino.resident.report import report
from pbm_holomino.resident.shell import Origin, ShellServer
from pbm_holomino.resident.workers import STOPPING, Workers, handed
from pbm_holomino.server.open import open_database, open_home
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.contract import Store
from pbm_holomino.store.files.folders import WRITING, Folders
from pbm_holomino.store.home import Home
from pbm_holomino.store.location import SHELL, SOCKET


def serve(words: Sequence[str], workers: int = 1) -> Answer:
    """Serve the store until SIGTERM or SIGINT, on its socket and, if one is named, on a
    port. One worker is this process; several are processes of their own. Raises
    PbmError if that is not possible."""
    address = listeners.address(words)
    home = open_home()
    origin = Origin(home)
    load_everything()
    gc.enable()  # commands run without it, but this stays
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)  # boards have many objects, and little is garbage
    sys.unraisablehook = lambda fault: report(fault.exc_value)
    with ExitStack() as stack:
        server = stack.enter_context(_opened(home)) if workers == 1 else None
        stack.enter_context(_alone(home))
        at = Listeners(home.path(SOCKET), address, home.path(SHELL))
        stack.enter_context(closing(at))
        if server is not None:
            services = _Services(server, home, origin, at, MOST_CONNECTIONS)
            asyncio.run(_serve(services, at))
        else:
            Workers(at, partial(_work, home, origin, at), MOST_CONNECTIONS).run(workers)
    return Answer("Served, and stopped.\n")


@contextmanager
def _opened(home: Home) -> Iterator[Server]:
    """The server of one process. In the end all its letters are durable."""
    store: Store
    with ExitStack() as stack:
        if home.config.store:
            store = stack.enter_context(closing(open_database(home.config, WAIT)))
        else:
            batches = stack.enter_context(closing(Batches(home)))
            store, home = batches.store, batches.home
        stack.callback(close, home)
        post = sender(home, store)
        yield Server(remembering(store), post, store.now, fits=Passwords().fits)


@contextmanager
def _alone(home: Home) -> Iterator[None]:
    """Make sure that in this block no other server of this machine is running."""
    with WRITING:
        Folders(home.root).make("")
        release = by_flock(home.path(f"{SOCKET}.lock"), home.config.wait)
    if release is None:
        raise NotAllowed("A server is already running on this store.")
    try:
        yield
    finally:
        release()


class _Services:
    """What serves the clients of each listener in one process, `most` at once."""

    def __init__(
        self, server: Server, home: Home, origin: Origin, at: Listeners, most: int
    ) -> None:
        self._server = server
        self._lmtp = LmtpServer(Handler(server, home.config))
        self._shell = ShellServer(server, origin)
        speak = {at.shell: self._shell.speak}
        self.clients = [
            Clients(speak.get(listener, self._lmtp.speak), most)
            for listener in at.sockets
        ]

    @contextmanager
    def reading_ahead(self) -> Iterator[None]:
        """Read boards that are likely to be asked for, while the block works."""
        reading = threading.Thread(target=self._read_ahead, name="ahead")
        reading.start()
        try:
            yield
        finally:
            reading.join()

    def _read_ahead(self) -> None:
        try:
            read_ahead(self._server.library, self._lmtp.closing.is_set)
        except Exception as error:  # it must not be lost with the thread
            report(error)

    def close(self) -> None:
        """Finish what has come whole, and begin nothing else."""
        self._lmtp.close()
        self._shell.close()
        for clients in self.clients:
            clients.finish()


async def _serve(services: _Services, at: Listeners) -> None:
    """Serve everybody in this process, until a signal to stop comes."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in STOPPING:
        loop.add_signal_handler(number, stopped.set)
    at.announce()
    with services.reading_ahead():
        coming = [
            loop.create_task(clients.accept(listener))
            for clients, listener in zip(services.clients, at.sockets, strict=True)
        ]
        await stopped.wait()
        for task in coming:
            task.cancel()
        await asyncio.wait(coming)
        at.close()
        services.close()


def _work(home: Home, origin: Origin, at: Listeners, channel: socket.socket) -> None:
    """Serve the clients that are handed to this worker, until a signal to stop comes,
    or the parent stops."""
    most = MOST_CONNECTIONS * len(at.sockets)
    with _opened(home) as server:
        services = _Services(server, home, origin, at, most)
        with services.reading_ahead():
            for client in handed(channel):
                services.clients[client.listener].take(client.socket, client.leave)
            services.close()
