"""`pbm web`: the pages, if the libraries that they need are installed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.extras import needed
from pbm_holomino.owner.overview import sections
from pbm_holomino.store.home import Home


def run(request: Request) -> Answer:
    """Serve the pages, until a signal stops it."""
    answer = _server().serve(request.words, overview=sections)
    assert isinstance(answer, Answer)
    return answer


_PORT = "2480"  # of pages for this machine alone


def check_installed() -> None:
    """Raises NotAllowed if the libraries that the pages need are not installed."""
    _server()


def show(path: str) -> Answer:
    """Serve the pages for this machine, and open one in its browser, until a signal
    stops it."""
    port = _free_port()
    print(f"The board is on http://localhost:{port}/{path}")
    answer = _server().serve([port], path, sections)
    assert isinstance(answer, Answer)
    return answer


def _free_port() -> str:
    """The usual port, or where something else has that, any other."""
    import socket  # slow to load

    for port in (int(_PORT), 0):
        with suppress(OSError), socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(("127.0.0.1", port))
            return str(tried.getsockname()[1])
    return _PORT  # which then says what is wrong


@contextmanager
def beside(home: Home, words: Sequence[str]) -> Iterator[None]:
    """Serve the pages at the port in these words while the block does something else;
    without a word, there are no pages."""
    if not words:
        yield
        return
    with _server().announced(home, words, "run", sections):
        yield


def _server() -> ModuleType:
    """The module that serves pages. Raises NotAllowed if it cannot be imported."""
    what = "Pages need Starlette, uvicorn and Jinja2. Please install them."
    with needed("web", what):
        from pbm_holomino.web import serve
    return serve
