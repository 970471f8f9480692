"""News of boards, as server-sent events. What goes wrong here costs no move anything.

One task looks at all boards that are open in browsers, every few seconds; a stream is
told when the revision of its board is another. A revision tells nobody what happened,
and does not change with what only one player may know.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import Response, StreamingResponse

from pbm_holomino.errors import PbmError
from pbm_holomino.store.contract import Key
from pbm_holomino.store.people import People
from pbm_holomino.web import boards
from pbm_holomino.web.site import Site
from pbm_holomino.web.visit import Visit, answered, to_players

MOST_STREAMS = 1000  # of a process
_SECONDS = 5.0  # from one look to the next
_SILENCE = 20.0  # seconds without news, after which a stream says that it is alive
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class News:
    """The streams of a site."""

    def __init__(self, site: Site, seconds: float = _SECONDS) -> None:
        self._site = site
        self._seconds = seconds
        self._open = Counter[Key]()
        self._revisions: dict[Key, str] = {}
        self._turned = asyncio.Event()  # set, and replaced, after each look
        self._looking: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closing = False

    async def answer(self, http: HttpRequest) -> Response:
        """The stream of a board's revisions, or the page about an error."""
        visit = Visit(self._site, http, {})
        found: list[Key] = []

        def check(visit: Visit) -> Response:
            key = visit.game, visit.board
            self._revisions[key] = self._revision(key)
            found.append(key)
            return Response()

        refused = await run_in_threadpool(answered, to_players(check), visit)
        if not found:
            return refused
        if self._open.total() >= MOST_STREAMS or self._is_closing:
            return Response("There are too many streams now.\n", 503)
        return StreamingResponse(
            self._stream(found[0]), headers=_HEADERS, media_type="text/event-stream"
        )

    def close(self) -> None:
        """End all streams. Any thread may do so."""
        self._is_closing = True
        if self._loop is not None:
            with suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(self._turn)

    def _turn(self) -> None:
        """Wake all streams."""
        self._turned.set()
        self._turned = asyncio.Event()

    async def _stream(self, key: Key) -> AsyncIterator[str]:
        self._open[key] += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        told, loop = "", asyncio.get_running_loop()
        self._loop = loop
        silent = loop.time()
        try:
            while not self._is_closing:
                now = self._revisions.get(key, told)
                if now != told:
                    yield f"id: {now}\ndata: {now}\n\n"
                    told, silent = now, loop.time()
                elif loop.time() - silent >= _SILENCE:
                    yield ": still here\n\n"
                    silent = loop.time()
                await self._turned.wait()
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]
                self._revisions.pop(key, None)

    async def _look(self) -> None:
        """Look at all open boards, as long as there are any."""
        while self._open and not self._is_closing:
            await asyncio.sleep(self._seconds)
            found = await run_in_threadpool(self._found, list(self._open))
            self._revisions.update(
                {key: now for key, now in found.items() if key in self._open}
            )
            self._turn()

    def _found(self, keys: list[Key]) -> dict[Key, str]:
        """The revisions of these boards, as far as they can be read now."""
        found = {}
        for key in keys:
            with suppress(PbmError):
                found[key] = self._revision(key)
        return found

    def _revision(self, key: Key) -> str:
        match = self._site.library.shown(*key)
        return boards.revision(People(self._site.library).with_absences(match))
