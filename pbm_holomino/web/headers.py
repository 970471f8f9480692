"""The headers that protect who reads a page, and the tags by which a browser knows a
page that it has already."""

from collections.abc import MutableMapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}
_SECURE = {"Strict-Transport-Security": "max-age=31536000"}


class Headers:
    """Adds the headers to every answer, but for those that it has of its own. One that
    does not say how long it may be kept is asked for anew each time."""

    def __init__(self, app: ASGIApp, is_secure: bool) -> None:
        self._app = app
        headers = {**_HEADERS, **(_SECURE if is_secure else {})}
        self._headers = [
            (name.lower().encode(), value.encode()) for name, value in headers.items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add(message)
            await send(message)

        await self._app(scope, receive, sending)

    def _add(self, message: MutableMapping[str, Any]) -> None:
        headers = message["headers"]
        has = {name for name, _ in headers}
        more = [header for header in self._headers if header[0] not in has]
        message["headers"] = [*headers, *more]
