"""News of boards, as server-sent events. What goes wrong here costs no move anything.

One task looks at all boards that are open in browsers: when the store rings, when
somebody has moved on a page, and every few seconds. A stream, which a browser has for
all its tabs, is told when the revision of one of its boards is another. A revision
tells nobody what happened, and does not change with what only one player may know.

There is room for so many streams, which the networks of their readers share.
"""

import asyncio
from asyncio import to_thread
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from contextlib import suppress

from starlette.requests import Request as HttpRequest
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from pbm_holomino import rules
from pbm_holomino.errors import PbmError, StoreTrouble
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.store.contract import Bell, Key
from pbm_holomino.web import boards
from pbm_holomino.web.clients import Client, client_of
from pbm_holomino.web.shares import Shares
from pbm_holomino.web.site import Site
from pbm_holomino.web.visit import NoPage, Visit, answered, to_players

MOST_STREAMS = 1000  # of a process
MOST_BOARDS = 20  # of a stream
_SECONDS = 5.0  # from one look to the next, at most
_PAUSE = 0.2  # seconds from one look to the next, at least
_SILENCE = 20.0  # seconds without news, after which a stream says that it is alive
_LATER = "30"  # seconds until a reader for whom there is no room had better ask again
_KIND = "text/event-stream"
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class _Streaming(StreamingResponse):
    """An answer that goes on. In the end, it `leaves`."""

    def __init__(self, stream: AsyncIterator[str], leave: Callable[[], object]) -> None:
        super().__init__(stream, headers=_HEADERS, media_type=_KIND)
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


class News:
    """The streams of a site, `most` at once."""

    def __init__(
        self, site: Site, seconds: float = _SECONDS, most: int = MOST_STREAMS
    ) -> None:
        self._site = site
        self._store = site.library.store
        self._seconds = seconds
        self._shares = Shares[Client](most)
        self._open = Counter[Key]()
        self._saved: dict[Key, Hashable] = {}  # the revisions of the documents
        self._revisions: dict[Key, str] = {}  # of what everybody may know
        self._reading = asyncio.Lock()  # so that nothing older replaces these
        self._turned = asyncio.Event()  # set, and replaced, after each look
        self._rung = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bell: Bell | None = None
        self._heard_at = -1  # its file, which a bell that is broken no longer knows
        self._is_closing = False
        site.ring = self.ring

    @property
    def streams(self) -> int:
        """How many streams there are."""
        return self._shares.total

    async def answer(self, http: HttpRequest) -> Response:
        """The stream of the revisions of boards, or the page about an error."""
        visit, client = Visit(self._site, http, {}), client_of(http.scope)
        saved, revisions = dict[Key, Hashable](), dict[Key, str]()

        def check(visit: Visit) -> Response:
            words = http.query_params.getlist("board")[:MOST_BOARDS]
            keys = dict.fromkeys(map(_key, words or [""]))
            saved.update(self._store.revisions([*keys]))
            revisions.update({key: self._revision(key) for key in keys})
            return Response(headers=_HEADERS, media_type=_KIND)

        async with self._reading:
            answer = await to_thread(answered, to_players(check), visit)
            if not revisions or http.method == "HEAD":
                return answer
            if self._is_closing or not self._has_room(visit.network, client):
                said, again = (
                    "There are too many streams now.\n",
                    {"Retry-After": _LATER},
                )
                return Response(said, 503, again)
            self._saved.update(saved)
            self._revisions.update(revisions)
        return _Streaming(self._stream(revisions), lambda: self._shares.leave(client))

    def _has_room(self, network: str, client: Client) -> bool:
        """Whether there is room for the stream of a client of a network, which others
        may have to leave for it."""
        lost = self._shares.take(network, client)
        if client in lost:
            return False
        client.streams()
        for other in lost:
            other.hang_up()
        return True

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

    async def _stream(self, found: Mapping[Key, str]) -> AsyncIterator[str]:
        self._loop = loop = asyncio.get_running_loop()
        keys = [*found]
        self._open.update(keys)
        # the last look may have forgotten what was found before this stream began
        for key, revision in found.items():
            self._revisions.setdefault(key, revision)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        sent, silent = dict[Key, str](), loop.time()
        try:
            while not self._is_closing:
                turned = self._turned  # whatever comes from here on sets it
                fresh = [key for key in keys if self._now(key) != sent.get(key)]
                for key in fresh:
                    sent[key] = now = self._now(key)
                    yield f"id: {now}\ndata: {key[0]}/{key[1]} {now}\n\n"
                if fresh:
                    silent = loop.time()
                elif loop.time() - silent >= _SILENCE:
                    yield ": still here\n\n"
                    silent = loop.time()
                await turned.wait()
        finally:
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
                async with self._reading:
                    await to_thread(self._find, list(self._open))
                self._turn()
                await asyncio.sleep(min(_PAUSE, self._seconds))
        finally:
            self._listen_no_more()
            for remembered in (self._saved, self._revisions):
                for key in remembered.keys() - self._open.keys():
                    del remembered[key]

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
            self._bell = await to_thread(self._store.bell)
        if self._bell is not None:
            self._heard_at = self._bell.fileno()
            asyncio.get_running_loop().add_reader(self._heard_at, self._hear)

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
            asyncio.get_running_loop().remove_reader(self._heard_at)
            bell.close()


def _key(word: str) -> Key:
    """The board that a word such as `holo/12` names. Raises NotFound."""
    game, _, number = word.partition("/")
    if game not in rules.names() or not is_number(number):
        raise NoPage
    return game, int(number)
