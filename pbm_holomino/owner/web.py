"""`pbm web`: the pages, if the libraries that they need are installed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import NotAllowed
from pbm_holomino.store.home import Home


def run(request: Request) -> Answer:
    """Serve the pages, until a signal stops it."""
    answer = _server().serve(request.words)
    assert isinstance(answer, Answer)
    return answer


_PORT = "2480"  # of pages for this machine alone


def show(path: str) -> Answer:
    """Serve the pages for this machine, and open one in its browser, until a signal
    stops it."""
    answer = _server().serve([_PORT], path)
    assert isinstance(answer, Answer)
    return answer


@contextmanager
def beside(home: Home, words: Sequence[str]) -> Iterator[None]:
    """Serve the pages at the port in these words while the block does something else;
    without a word, there are no pages."""
    if not words:
        yield
        return
    with _server().announced(home, words):
        yield


def _server() -> ModuleType:
    """The module that serves pages. Raises NotAllowed if it cannot be imported."""
    try:
        from pbm_holomino.web import serve
    except ModuleNotFoundError:
        from pbm_holomino.extras import line_for

        raise NotAllowed(
            "Pages need Starlette, uvicorn and Jinja2. Please install them.",
            line_for("web"),
        ) from None
    return serve
