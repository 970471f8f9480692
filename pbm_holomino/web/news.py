"""News of boards, as server-sent events. What goes wrong here costs no move anything.

One task looks at all boards that are open in browsers: when the store rings, when
somebody has moved on a page, and every few seconds. A stream, which a browser has for
all its tabs, is told when the revision of one of its boards is another. A revision
tells nobody what happened, and does not change with what only one player may know.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import suppress

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import Response, StreamingResponse

from pbm_holomino import rules
from pbm_holomino.errors import NotFound, PbmError, StoreTrouble
from pbm_holomino.store.contract import Bell, Key
from pbm_holomino.store.summary import is_number
from pbm_holomino.web import boards
from pbm_holomino.web.site import Site
from pbm_holomino.web.visit import Visit, answered, to_players

MOST_STREAMS = 1000  # of a process
MOST_BOARDS = 20  # of a stream
_SECONDS = 5.0  # from one look to the next, at most
_PAUSE = 0.2  # seconds from one look to the next, at least
_SILENCE = 20.0  # seconds without news, after which a stream says that it is alive
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class News:
    """The streams of a site."""

    def __init__(self, site: Site, seconds: float = _SECONDS) -> None:
        self._site = site
        self._store = site.library.store
        self._seconds = seconds
        self._streams = 0
        self._open = Counter[Key]()
        self._saved: dict[Key, Hashable] = {}  # the revisions of the documents
        self._revisions: dict[Key, str] = {}  # of what everybody may know
        self._turned = asyncio.Event()  # set, and replaced, after each look
        self._rung = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bell: Bell | None = None
        self._is_closing = False
        site.ring = self.ring

    async def answer(self, http: HttpRequest) -> Response:
        """The stream of the revisions of boards, or the page about an error."""
        visit = Visit(self._site, http, {})
        found: list[Key] = []

        def check(visit: Visit) -> Response:
            words = http.query_params.getlist("board")[:MOST_BOARDS]
            keys = list(dict.fromkeys(map(_key, words or [""])))
            self._saved.update(self._store.revisions(keys))
            self._revisions.update({key: self._revision(key) for key in keys})
            found.extend(keys)
            return Response()

        refused = await run_in_threadpool(answered, to_players(check), visit)
        if not found:
            return refused
        if self._streams >= MOST_STREAMS or self._is_closing:
            return Response("There are too many streams now.\n", 503)
        return StreamingResponse(
            self._stream(found), headers=_HEADERS, media_type="text/event-stream"
        )

    def ring(self) -> None:
        """Look at the boards soon. Any thread may do so."""
        self._in_loop(self._rung.set)

    def close(self) -> None:
        """End all streams. Any thread may do so."""
        self._is_closing = True
        self._in_loop(self._turn)
        self.ring()

    def _in_loop(self, call: Callable[[], None]) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(call)

    def _turn(self) -> None:
        """Wake all streams."""
        self._turned.set()
        self._turned = asyncio.Event()

    async def _stream(self, keys: list[Key]) -> AsyncIterator[str]:
        self._loop = loop = asyncio.get_running_loop()
        self._streams += 1
        self._open.update(keys)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        told, silent = dict[Key, str](), loop.time()
        try:
            while not self._is_closing:
                turned = self._turned  # whatever comes from here on sets it
                fresh = [key for key in keys if self._now(key) != told.get(key)]
                for key in fresh:
                    told[key] = now = self._now(key)
                    yield f"id: {now}\ndata: {key[0]}/{key[1]} {now}\n\n"
                if fresh:
                    silent = loop.time()
                elif loop.time() - silent >= _SILENCE:
                    yield ": still here\n\n"
                    silent = loop.time()
                await turned.wait()
        finally:
            self._streams -= 1
            self._open.subtract(keys)
            for key in keys:
                if self._open[key] <= 0:
                    del self._open[key]

    def _now(self, key: Key) -> str:
        return self._revisions.get(key, "")

    async def _look(self) -> None:
        """Look at all open boards, as long as there are any."""
        try:
            while self._open and not self._is_closing:
                await self._listen()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._rung.wait(), self._seconds)
                self._rung.clear()
                await run_in_threadpool(self._find, list(self._open))
                self._turn()
                await asyncio.sleep(min(_PAUSE, self._seconds))
        finally:
            self._listen_no_more()
            for kept in (self._saved, self._revisions):
                for key in kept.keys() - self._open.keys():
                    del kept[key]

    def _find(self, keys: list[Key]) -> None:
        """Find the revisions of these boards, as far as they can be read now."""
        with suppress(PbmError):
            for key, saved in self._store.revisions(keys).items():
                if self._saved.get(key) != saved:
                    self._revisions[key] = self._revision(key)
                    self._saved[key] = saved

    def _revision(self, key: Key) -> str:
        return boards.revision(self._site.library.shown(*key))

    # The bell of the store, which is looked for again when it is lost

    @property
    def is_listening(self) -> bool:
        """Whether the store rings when boards have changed."""
        return self._bell is not None

    async def _listen(self) -> None:
        if self._bell is not None:
            return
        with suppress(PbmError):
            self._bell = await run_in_threadpool(self._store.bell)
        if self._bell is not None:
            loop = asyncio.get_running_loop()
            loop.add_reader(self._bell.fileno(), self._hear)

    def _hear(self) -> None:
        try:
            if self._bell is not None:
                self._bell.hear()
        except StoreTrouble:
            self._listen_no_more()
        self._rung.set()

    def _listen_no_more(self) -> None:
        bell, self._bell = self._bell, None
        if bell is not None:
            asyncio.get_running_loop().remove_reader(bell.fileno())
            bell.close()


def _key(word: str) -> Key:
    """The board that a word such as `holo/12` names. Raises NotFound."""
    game, _, number = word.partition("/")
    if game not in rules.names() or not is_number(number):
        raise NotFound("There is no such page here.")
    return game, int(number)
