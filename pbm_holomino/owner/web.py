"""`pbm web`: the pages, if the libraries that they need are installed."""

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import NotAllowed


def run(request: Request) -> Answer:
    """Serve the pages, until a signal stops it."""
    try:
        from pbm_holomino.web.serve import serve
    except ModuleNotFoundError:
        raise NotAllowed(
            "pbm web needs Starlette, uvicorn and Jinja2: please install them with "
            "\"pip install 'pbm_holomino[web]'\"."
        ) from None
    return serve(request.words)
