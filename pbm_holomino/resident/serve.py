"""`pbm serve`: a resident server takes mail by LMTP (RFC 2033), on a socket in the
store and, for other programs, on a port, and commands that are typed in a shell, on a
socket of their own; in this process, or in several workers.
"""

import asyncio
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial

from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import NotAllowed
from pbm_holomino.mail.post import sender
from pbm_holomino.mail.transports import close
from pbm_holomino.resident import garbage, listeners
from pbm_holomino.resident.alone import alone
from pbm_holomino.resident.batch import Batches
from pbm_holomino.resident.cache import Passwords, read_ahead, remembering
from pbm_holomino.resident.clients import Clients, Entrance
from pbm_holomino.resident.companions import Companion, accompanied
from pbm_holomino.resident.listeners import Listeners, kept_for_us
from pbm_holomino.resident.lmtp import MOST_CONNECTIONS, Handler, LmtpServer
from pbm_holomino.resident.preload import load_everything
from pbm_holomino.resident.reloading import reloaded
from pbm_holomino.resident.report import report, say
from pbm_holomino.resident.robots import PLAYING
from pbm_holomino.resident.senders import Senders
from pbm_holomino.resident.shell import Origin, ShellServer
from pbm_holomino.resident.signals import RELOADING, Signals
from pbm_holomino.resident.turns import Turns
from pbm_holomino.resident.workers import Workers, handed
from pbm_holomino.server.open import server_on
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.contract import Store
from pbm_holomino.store.home import Home, open_database, open_home
from pbm_holomino.store.location import SHELL, SOCKET

_LATE = 0.2  # seconds within which a database's marks are removed together
_RUNNING = NotAllowed("A server is already running on this store.")


def serve(
    words: Sequence[str], workers: int = 1, others: Sequence[Companion] = ()
) -> Answer:
    """Serve the store until SIGTERM or SIGINT, on its socket and, if one is named, on a
    port. One worker is this process; several are processes of their own; and there are
    companions, one for the robots and these others. Raises PbmError if that is not
    possible."""
    address = listeners.address(words)
    signals = Signals()
    signal.pthread_sigmask(signal.SIG_BLOCK, [RELOADING])  # it waits until we listen
    setup = Setup(open_home())
    home = setup.home
    load_everything()
    garbage.collect_seldom()
    sys.unraisablehook = lambda fault: report(fault.exc_value)
    with ExitStack() as stack:
        stack.enter_context(alone(home, f"{SOCKET}.lock", home.config.wait, _RUNNING))
        beside = accompanied(home, PLAYING, *others)
        setup.reload_companions = stack.enter_context(beside)
        at = Listeners(home.path(SOCKET), address, home.path(SHELL), kept_for_us())
        stack.enter_context(closing(at))
        if workers == 1:
            asyncio.run(_serve(setup, at, signals))
        else:

            def work(channel: socket.socket) -> None:
                asyncio.run(_serve_handed(setup, at, channel))

            Workers(at, work, MOST_CONNECTIONS, signals, setup.reload).run(workers)
    return Answer("Served, and stopped.\n")


class Setup:
    """What the servers of this process are opened with: the home, with its settings,
    and the files that they begin with. `reload_companions` tells the processes beside
    this one that there are new settings."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.origin = Origin(home)
        self.reload_companions: Callable[[], None] = lambda: None

    def reload(self) -> bool:
        """Read the settings again; whether they are to be used from now on. If they
        cannot be, the owner is told why, and those of before stay."""
        origin = self.origin.with_present_settings()
        fresh = reloaded(self.home, say)
        if fresh is None:
            return False
        self.home, self.origin = fresh, origin
        self.reload_companions()
        return True


@contextmanager
def _opened(home: Home) -> Iterator[tuple[Server, Senders]]:
    """The server of one process, and what sends its letters. In the end those that have
    left are durable."""
    store: Store
    with ExitStack() as stack:
        if home.config.store:
            store = stack.enter_context(closing(open_database(home.config, _LATE)))
        else:
            batches = stack.enter_context(closing(Batches(home)))
            store, home = batches.store, batches.home
        stack.callback(close, home)
        library, post = remembering(store), sender(home, store)
        server = server_on(library, post, home, Passwords().fits)
        senders = Senders(server)
        server.later = stack.enter_context(closing(senders)).hold
        yield server, senders


class _Generation:
    """A server with the settings of one time, and its clients."""

    def __init__(self, setup: Setup, at: Listeners, turns: Turns) -> None:
        self._is_gentle = at.are_kept
        self._have_left = False  # all clients
        self._stack = ExitStack()
        self._server, self._senders = self._stack.enter_context(_opened(setup.home))
        begin = self._senders.begin
        handler = Handler(self._server, setup.home.config, turns, begin)
        self._lmtp = LmtpServer(handler)
        self._shell = ShellServer(self._server, setup.origin)

        async def shell(client: socket.socket) -> None:
            try:
                await turns.do(partial(self._shell.speak, client))
            finally:
                begin()

        self.clients = [
            Clients(shell if listener is at.shell else self._lmtp.speak)
            for listener in at.sockets
        ]
        # boards that are likely to be asked for
        self._reading = threading.Thread(target=self._read_ahead, name="ahead")
        self._reading.start()

    def _read_ahead(self) -> None:
        try:
            read_ahead(self._server.library, self._lmtp.closing.is_set)
        except Exception as error:  # it must not be lost with the thread
            report(error)

    def close(self) -> None:
        """Finish what has come whole, and begin nothing else. But where listeners are
        kept for the next server, clients may finish what they have begun."""
        self._lmtp.close(gently=self._is_gentle)
        self._shell.close()
        if self._have_left:
            self._senders.hurry()

    async def finish(self) -> None:
        """Wait until all clients have left, and all that they have done is durable."""
        for clients in self.clients:
            await clients.finish()
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        self._have_left = True
        if self._lmtp.closing.is_set():
            self._senders.hurry()
        self._reading.join()
        self._stack.close()


class _Generations:
    """The server with the present settings, which takes all clients that come; and
    those with earlier settings, until their clients have left."""

    def __init__(self, setup: Setup, at: Listeners, turns: Turns) -> None:
        self._setup = setup
        self._begun = partial(_Generation, setup, at, turns)
        self._present = self._begun()
        self._leaving: dict[asyncio.Task[None], _Generation] = {}

    def take(
        self, number: int, client: socket.socket, leave: Callable[[], object]
    ) -> None:
        """Serve a client of the listener with this number."""
        self._present.clients[number].take(client, leave)

    def reload(self) -> None:
        """Serve those who come from now on with the settings as they are now."""
        if self._setup.reload():
            self._retire()
            self._present = self._begun()

    def _retire(self) -> None:
        leaving = asyncio.get_running_loop().create_task(self._present.finish())
        self._leaving[leaving] = self._present
        leaving.add_done_callback(self._leaving.pop)

    async def close(self) -> None:
        """Finish what has come whole, and begin nothing else."""
        self._retire()
        for generation in self._leaving.values():
            generation.close()
        await asyncio.gather(*self._leaving)


async def _serve(setup: Setup, at: Listeners, signals: Signals) -> None:
    """Serve everybody in this process, until a signal to stop comes."""
    loop = asyncio.get_running_loop()
    heard = asyncio.Queue[int]()
    for number in signals.numbers:
        loop.add_signal_handler(number, heard.put_nowait, number)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [RELOADING])
    with closing(_turns(at)) as turns:
        generations = _Generations(setup, at, turns)
        at.announce()
        entrances = [
            Entrance(listener, partial(generations.take, number), MOST_CONNECTIONS)
            for number, listener in enumerate(at.sockets)
        ]
        while not signals.is_stop(await heard.get()):
            generations.reload()
        for entrance in entrances:
            entrance.close()
        at.close()
        await generations.close()


def _turns(at: Listeners) -> Turns:
    return Turns(MOST_CONNECTIONS * len(at.sockets))


async def _serve_handed(setup: Setup, at: Listeners, channel: socket.socket) -> None:
    """Serve the clients that are handed to this worker, until a signal to stop comes,
    or the parent stops."""
    loop = asyncio.get_running_loop()
    with closing(_turns(at)) as turns:
        serving = _Generation(setup, at, turns)

        def hand_over() -> None:
            for client in handed(channel):
                take = serving.clients[client.listener].take
                loop.call_soon_threadsafe(take, client.socket, client.leave)

        await asyncio.to_thread(hand_over)
        serving.close()
        await serving.finish()
