"""`pbm web`: serves the pages on a port, or on a socket in the store."""

import ipaddress
import resource
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

import uvicorn

from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import BadCommand, NotAllowed
from pbm_holomino.mail.post import sender
from pbm_holomino.mail.ways import close
from pbm_holomino.resident import garbage, listeners
from pbm_holomino.resident.cache import Passwords, remembering
from pbm_holomino.resident.listeners import Address
from pbm_holomino.server.open import given_by, open_home, open_store
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import Home
from pbm_holomino.web.app import application
from pbm_holomino.web.news import MOST_STREAMS, News
from pbm_holomino.web.site import Site

SOCKET = "web"  # beside the folders of the store
_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_LEAVING = 10  # seconds that requests have to end when the server stops


def serve(words: Sequence[str], path: str = "") -> Answer:
    """Serve the pages until SIGTERM or SIGINT; with a path, that page of a port is
    opened in a browser of this machine. Raises PbmError if that is not possible."""
    home = open_home()
    garbage.collect_seldom()
    stopped = threading.Event()
    for number in _SIGNALS:
        signal.signal(number, lambda *_: stopped.set())
    with announced(home, words):
        if path:
            import webbrowser  # few want to be shown a page

            webbrowser.open(f"http://localhost:{words[0]}/{path}")
        stopped.wait()
    return Answer("Served, and stopped.\n")


@contextmanager
def announced(home: Home, words: Sequence[str]) -> Iterator[None]:
    """Serve the pages where these words say, and say so on standard output, while the
    block works. Raises PbmError if that is not possible."""
    where = _address(words)
    _check_is_safe(where, home.config)
    with serving(home, where) as at:
        print(f"Serving pages on {at}", flush=True)
        yield


def _address(words: Sequence[str]) -> Address | None:
    try:
        return listeners.address(words)
    except BadCommand:
        raise BadCommand("Please write: pbm web [[host:]port]", "web") from None


def _check_is_safe(where: Address | None, config: Config) -> None:
    """Raises NotAllowed for a port that other machines reach without TLS: passwords
    would be sent in the clear."""
    if where is None or config.web_certificate or _is_loopback(where[0]):
        return
    raise NotAllowed(
        "Without a certificate, pages are served to this machine alone: please write "
        f'"pbm web {where[1]}" and put a proxy such as nginx in front, or name a '
        "web_certificate in config.yaml."
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def allow_streams() -> None:
    """Have room for all streams and as many files again, if the system lets us: often
    a process may have only 1,024 open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * MOST_STREAMS
    more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < more:
        resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))


@contextmanager
def serving(home: Home, where: Address | None) -> Iterator[str]:
    """Serve the pages while the block works, from threads; where, in words."""
    allow_streams()
    with ExitStack() as stack:
        store = stack.enter_context(closing(open_store(home)))
        stack.callback(close, home)
        post = sender(home, store)
        library, fits = remembering(store), Passwords().fits
        server = Server(library, post, store.now, fits=fits, **given_by(home))
        site = Site(server, home.config)
        at = stack.enter_context(_listening(home.path(SOCKET), where))
        stack.enter_context(_running(site, at))
        yield _url(where, home.config) if where else home.path(SOCKET)


def _url(where: Address, config: Config) -> str:
    host, port = where
    scheme = "https" if config.web_certificate else "http"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


@contextmanager
def _listening(path: str, where: Address | None) -> Iterator[list[socket.socket]]:
    if where is not None:
        with listeners.at_port(*where) as found:
            for each in found:  # what it accepts has the same: no answer waits
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            yield found
    else:
        with listeners.at_socket(path) as one:
            yield [one]


@contextmanager
def _running(site: Site, at: list[socket.socket]) -> Iterator[None]:
    """Answer requests at these sockets, in a thread of their own."""
    news = News(site)
    certificate = site.config.web_certificate or None
    settings = uvicorn.Config(
        application(site, news),
        log_config=None,
        access_log=False,  # paths may hold tokens
        proxy_headers=False,  # see visit.client
        server_header=False,
        ssl_certfile=certificate,
        lifespan="off",
        timeout_graceful_shutdown=_LEAVING,
    )
    runner = uvicorn.Server(settings)
    thread = threading.Thread(target=runner.run, args=(at,), name="pages")
    thread.start()
    try:
        yield
    finally:
        news.close()
        runner.should_exit = True
        thread.join()
