"""What makes the pages a program of a phone or a desk: the manifest, the worker that
stays with a browser, and the page that it shows where there is no network."""

import json

from starlette.responses import JSONResponse, Response

from pbm_holomino.languages import sentence
from pbm_holomino.web.visit import Visit

_PAPER = "#f7f5f0"  # as in style.css
_FILES = ("style.css", "look.js", "icon.svg")  # of the page without a network
_YOUR_TURN = sentence("It is your turn.")


def manifest(visit: Visit) -> Response:
    """What a device is told of the pages, to install them."""
    site = visit.site

    def icon(name: str, sizes: str, kind: str, purpose: str = "any") -> dict[str, str]:
        src = site.path("static", site.stamp, name)
        return {"src": src, "sizes": sizes, "type": kind, "purpose": purpose}

    return JSONResponse(
        {
            "name": site.title,
            "short_name": site.title,
            "start_url": site.path(),
            "scope": site.path(),
            "display": "standalone",
            "background_color": _PAPER,
            "theme_color": _PAPER,
            "icons": [
                icon("icon.svg", "any", "image/svg+xml"),
                icon("icon-192.png", "192x192", "image/png"),
                icon("icon-512.png", "512x512", "image/png"),
                icon("icon-whole.png", "512x512", "image/png", "maskable"),
            ],
        },
        media_type="application/manifest+json",
    )


def worker(visit: Visit) -> Response:
    """The worker, with what it has to know: it is another one for each version of the
    pages, and for each language. Its path has no stamp, so browsers find the next."""
    site = visit.site
    knows = {
        "root": site.path(),
        "cache": f"pbm-{site.stamp}-{visit.language.code}",
        "offline": site.path("offline"),
        "files": [site.path("static", site.stamp, name) for name in _FILES],
        "turn": visit.language.word(_YOUR_TURN),
    }
    script = f"const site = {json.dumps(knows)};\n".encode() + site.files["worker.js"]
    return Response(script, media_type="text/javascript")


def offline(visit: Visit) -> Response:
    """The page where there is no network. A browser keeps it, so it is nobody's."""
    return visit.page("offline.html", player=None)
