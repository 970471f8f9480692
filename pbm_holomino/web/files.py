"""The files that pages use: a style sheet, scripts, and what those say, packed once."""

import gzip
from functools import lru_cache

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pbm_holomino.web.site import Site

KINDS = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
}
_FOR_EVER = "public, max-age=31536000, immutable"


class Files:
    """The files of a site. Browsers may keep those whose paths have its stamp for ever.
    With the stamp of another version, the same files come, and are asked for anew each
    time: whoever keeps them for others must not have them under a stamp to come."""

    def __init__(self, site: Site) -> None:
        self._files = site.files
        self._stamp = site.stamp
        self._packed = {
            name: _packed(content)
            for name, content in site.files.items()
            if not name.endswith(".png")  # which is packed as it is
        }

    async def answer(self, http: HttpRequest) -> Response:
        """The file that a path names."""
        name: str = http.path_params["name"]
        if name not in self._files:
            return Response("There is no such file here.\n", 404)
        headers = {"Vary": "Accept-Encoding"}
        if http.path_params["stamp"] == self._stamp:
            headers["Cache-Control"] = _FOR_EVER
        content = self._files[name]
        accepted = http.headers.get("Accept-Encoding", "")
        if "gzip" in accepted and name in self._packed:
            content = self._packed[name]
            headers["Content-Encoding"] = "gzip"
        kind = KINDS[name.rpartition(".")[2]]
        return Response(content, headers=headers, media_type=kind)


@lru_cache(maxsize=100)
def _packed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)
