"""Answers, packed for browsers that unpack them."""

import gzip

from starlette.responses import Response

_LEAST = 500  # bytes that are worth it
_LEVEL = 3
_SHORT = ("application/zip", "image/png")  # which are packed as they are


def packed(response: Response, accepted: str) -> Response:
    """The same answer, packed if that is accepted and worth it."""
    content = bytes(response.body)
    is_short = len(content) < _LEAST or response.media_type in _SHORT
    if is_short or "Content-Encoding" in response.headers:
        return response
    response.headers.add_vary_header("Accept-Encoding")
    if "gzip" in accepted:
        response.body = gzip.compress(content, _LEVEL, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
    return response
