"""`pbm web`: serves the pages on a port, or on a socket in the store."""

import asyncio
import logging
import resource
import signal
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import uvicorn

from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import NotAllowed
from pbm_holomino.mail.post import sender
from pbm_holomino.mail.transports import close
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.resident import garbage, listeners
from pbm_holomino.resident.cache import Passwords, remembering
from pbm_holomino.resident.listeners import Address
from pbm_holomino.resident.report import in_words
from pbm_holomino.resident.senders import Senders
from pbm_holomino.server.open import server_on
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import location
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import Home, open_home, open_store
from pbm_holomino.web import connections
from pbm_holomino.web.app import application
from pbm_holomino.web.clients import Client
from pbm_holomino.web.connections import Connection, Doors
from pbm_holomino.web.networks import is_loopback
from pbm_holomino.web.news import MOST_STREAMS, News
from pbm_holomino.web.shares import Shares
from pbm_holomino.web.site import Site

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_THREADS = 40  # that make pages, and look for news and for the hints of robots
MOST_REMEMBERED = 40 << 20  # bytes of boards and accounts, beside pages
_LEAVING = 10  # seconds that requests have to end when the server stops


Overviews = Callable[[Server, Home], Iterable[tuple[str, str]]]


def _nothing(server: Server, home: Home) -> Iterable[tuple[str, str]]:
    return ()


def serve(
    words: Sequence[str], path: str = "", overview: Overviews = _nothing
) -> Answer:
    """Serve the pages until SIGTERM or SIGINT; with a path, that page of a port is
    opened in a browser of this machine. The page of the owner shows an `overview` of
    the server. Raises PbmError if that is not possible."""
    home = open_home()
    garbage.collect_seldom()
    stopped = threading.Event()
    for number in _SIGNALS:
        signal.signal(number, lambda *_: stopped.set())
    with announced(home, words, overview=overview):
        if path:
            import webbrowser  # few want to be shown a page

            webbrowser.open(f"http://localhost:{words[0]}/{path}")
        stopped.wait()
    return Answer("Served, and stopped.\n")


@contextmanager
def announced(
    home: Home,
    words: Sequence[str],
    page: str = "web",
    overview: Overviews = _nothing,
) -> Iterator[None]:
    """Serve the pages where these words of a command say, and say so on standard
    output, while the block works. Raises PbmError if that is not possible; `page` is
    the help page of the command."""
    where = listeners.address(words, page)
    _check_is_safe(where, home.config)
    with serving(home, where, overview) as at:
        print(f"Serving pages on {at}", flush=True)
        yield


def _check_is_safe(where: Address | None, config: Config) -> None:
    """Raises NotAllowed for a port that other machines reach without TLS: passwords
    would be sent in the clear. Proxies may be on other machines, as in containers:
    where any are named, nobody else is served."""
    if where is None or config.web_certificate or is_loopback(where[0]):
        return
    if config.web_proxies:
        return
    raise NotAllowed(
        "Without a certificate, pages are served to this machine alone: please write "
        f'"pbm web {where[1]}" and put a proxy such as nginx in front; or name a '
        "web_certificate in config.yaml, or, if the proxy is on another machine or in "
        "a container, its address in web_proxies."
    )


class Room(NamedTuple):
    """How many connections there is room for, and how many streams beside them."""

    connections: int
    streams: int


_FILES = 500  # that are left to everything but connections


def allow_files() -> int:
    """How many files this process may have open: enough for all connections and
    everything else, if the system lets us. Often it may have only 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = connections.MOST + MOST_STREAMS + _FILES
    most = enough if hard == resource.RLIM_INFINITY else min(enough, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def room(files: int) -> Room:
    """What there is room for in a process that may have so many files open, of which at
    least a quarter are for everything else."""
    left = files - min(_FILES, files // 4)
    streams = min(MOST_STREAMS, left * 2 // 3)
    return Room(min(connections.MOST, left - streams), streams)


@contextmanager
def serving(
    home: Home, where: Address | None, overview: Overviews = _nothing
) -> Iterator[str]:
    """Serve the pages while the block works, from threads; where, in words."""
    most = room(allow_files())
    with ExitStack() as stack:
        store = stack.enter_context(closing(open_store(home)))
        stack.callback(close, home)
        post = sender(home, store)
        library, fits = remembering(store, MOST_REMEMBERED), Passwords().fits
        server = server_on(library, post, home, fits)
        senders = Senders(server, "pbm web")
        server.later = stack.enter_context(closing(senders)).take
        stack.callback(senders.hurry)
        site = Site(server, home.config, lambda server: overview(server, home))
        at = stack.enter_context(_listening(home.path(location.PAGES), where))
        stack.enter_context(_running(site, at, most))
        yield _url(where, home.config) if where else home.path(location.PAGES)


def _url(where: Address, config: Config) -> str:
    host, port = where
    scheme = "https" if config.web_certificate else "http"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


@contextmanager
def _listening(path: str, where: Address | None) -> Iterator[list[socket.socket]]:
    if where is not None:
        with listeners.at_port(*where) as sockets:
            yield sockets
    else:
        with listeners.at_socket(path) as one:
            yield [one]


@contextmanager
def _running(site: Site, at: list[socket.socket], most: Room) -> Iterator[None]:
    """Answer requests at these sockets, in a thread of their own."""
    news = News(site, most=most.streams)
    certificate = site.config.web_certificate or None

    def served(peer: str) -> bool:
        """Without TLS, only this machine and proxies are."""
        return bool(certificate) or is_loopback(peer) or peer in site.proxies

    settings = uvicorn.Config(
        application(site, news),
        http="h11",
        ws="none",
        log_config=None,
        access_log=False,  # paths may hold tokens
        proxy_headers=False,  # see networks.network_of
        server_header=False,
        ssl_certfile=certificate,
        lifespan="off",
        timeout_graceful_shutdown=_LEAVING,
    )
    with _told(site.say):
        runner = _Runner(settings, at, most.connections, site.say, served)
        thread = threading.Thread(target=runner.run, name="pages")
        thread.start()
        try:
            yield
        finally:
            news.close()
            runner.should_exit = True
            thread.join()


class _Runner(uvicorn.Server):
    """Lets connections in by our own doors."""

    def __init__(
        self,
        settings: uvicorn.Config,
        at: list[socket.socket],
        most: int,
        say: Callable[[str], None],
        served: Callable[[str], bool],
    ) -> None:
        super().__init__(settings)
        self._served = served
        self._at = at
        self._shares = Shares[Client](most, oldest=True)
        self._say = say
        self._doors: Doors | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._hear)
        loop.set_default_executor(ThreadPoolExecutor(_THREADS, "page"))
        self._doors = Doors(
            self._at, self._connection, self.config.ssl, self._say, self._served
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._doors is not None:
            self._doors.close()
        await super().shutdown(sockets=[])

    def _connection(self) -> Connection:
        return Connection(self.config, self.server_state, self._shares)

    def _hear(self, loop: object, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self._say(in_words(error) if error else str(context["message"]))


class _ToOwner(logging.Handler):
    """Tells the owner of errors of libraries: only what went wrong, and where, as the
    rest might quote a request."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._tell = say

    def emit(self, record: logging.LogRecord) -> None:
        """Say what a record is about."""
        error = record.exc_info[1] if record.exc_info else None
        self._tell(in_words(error) if error else str(record.msg).strip())


@contextmanager
def _told(say: Callable[[str], None]) -> Iterator[None]:
    """Have the owner told of errors of the libraries that serve pages. What clients do
    wrong is no error of ours, and is not told at all."""
    handler = _ToOwner(say)
    loggers = [logging.getLogger(name) for name in ("uvicorn.error", "asyncio")]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
