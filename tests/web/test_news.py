"""What tells a browser that something has happened on a board."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Hashable, Mapping, Sequence

import pytest
from starlette.requests import Request as HttpRequest
from starlette.responses import StreamingResponse
from starlette.types import Message

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.contract import Key
from pbm_holomino.web import boards, news
from pbm_holomino.web.clients import Client, state_of
from pbm_holomino.web.news import News
from pbm_holomino.web.site import Site
from tests.house import House
from tests.processes import PATIENCE

PRIVATE = "holo queue 1 bob {bob} 123:99"


def asking(*boards: str) -> HttpRequest:
    query = "&".join(f"board={board}" for board in boards or ["holo/1"])
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/news",
        "path_params": {},
        "headers": [],
        "query_string": query.encode(),
        "client": ("192.0.2.1", 1),
    }
    return HttpRequest(scope)


async def opened(source: News, *boards: str) -> AsyncIterator[str]:
    """The stream of these boards."""
    answer = await source.answer(asking(*boards))
    assert isinstance(answer, StreamingResponse)
    return aiter(answer.body_iterator)  # type: ignore[arg-type]


def told(house: House, *happens: Callable[[], object]) -> list[str]:
    """What a stream says at first, and after each of these things."""

    async def listen() -> list[str]:
        source = News(Site(house.server, house.config), seconds=0.01)
        stream = await opened(source)
        said = [str(await anext(stream))]
        for happen in happens:
            happen()
            said.append(str(await asyncio.wait_for(anext(stream), 20)))
        source.close()
        with pytest.raises(StopAsyncIteration):
            await asyncio.wait_for(anext(stream), 20)
        return said

    return asyncio.run(listen())


def test_a_move_and_a_word_are_news(house: House) -> None:
    first, move, chat = told(
        house,
        lambda: house.play(moves=1),
        lambda: house.type("holo chat 1 bob {bob} -m=hello"),
    )
    assert len({first, move, chat}) == 3
    for said in (first, move, chat):
        revision = said.split("\n")[0].removeprefix("id: ")
        assert said == f"id: {revision}\ndata: holo/1 {revision}\n\n"
    assert revision == boards.revision(house.match())


def test_one_stream_is_for_several_boards(house: House) -> None:
    """What is told is about the board that has changed alone."""
    house.challenge(game="hextol")

    async def listen() -> list[str]:
        source = News(Site(house.server, house.config), seconds=0.01)
        stream = await opened(source, "holo/1", "hextol/1", "holo/1")
        said = [str(await anext(stream)) for _ in range(2)]
        house.accept(1, "hextol")
        said.append(str(await asyncio.wait_for(anext(stream), 20)))
        source.close()
        return [line.split("data: ")[1].split()[0] for line in said]

    assert asyncio.run(listen()) == ["holo/1", "hextol/1", "hextol/1"]


def test_a_move_on_a_page_is_told_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for the next look."""

    async def listen() -> str:
        site = Site(house.server, house.config)
        source = News(site, seconds=3600)
        stream = await opened(source)
        await anext(stream)
        house.play(moves=1)
        site.ring()
        said = str(await asyncio.wait_for(anext(stream), 20))
        source.close()
        return said

    assert asyncio.run(listen()).endswith(f"{boards.revision(house.match())}\n\n")


def test_nothing_older_is_told_than_a_page_shows(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look that has begun before a move ends after the next page has asked."""
    reading, go_on = threading.Event(), threading.Event()
    found = News._revision

    def slow(source: News, key: Key) -> str:
        revision = found(source, key)
        if reading.is_set():
            return revision
        reading.set()
        assert go_on.wait(PATIENCE)
        return revision

    async def listen() -> list[str]:
        site = Site(house.server, house.config)
        source = News(site, seconds=3600)
        before = await opened(source)
        await anext(before)
        monkeypatch.setattr(News, "_revision", slow)
        house.play(moves=1)
        site.ring()
        assert await asyncio.to_thread(reading.wait, PATIENCE)
        house.play(moves=1)
        page = asyncio.create_task(opened(source))
        await asyncio.wait([page], timeout=0.3)
        go_on.set()
        stream = await page
        await asyncio.sleep(0.3)
        said = [str(await anext(stream))]
        source.close()
        return [*said, *[str(more) async for more in stream]]

    said = asyncio.run(listen())
    now = boards.revision(house.match())
    assert said == [f"id: {now}\ndata: holo/1 {now}\n\n"]


def test_a_stream_that_begins_when_the_last_one_has_ended_tells_no_news(
    house: House,
) -> None:
    """As when a page leads to the next: what was known is forgotten with the last
    stream, and what the next one found before it began is told all the same."""

    async def listen() -> str:
        source = News(Site(house.server, house.config), seconds=0.01)
        before = await opened(source)
        await anext(before)
        stream = await opened(source)
        await before.aclose()  # type: ignore[attr-defined]
        assert source._looking is not None
        await asyncio.wait_for(source._looking, PATIENCE)
        said = str(await anext(stream))
        source.close()
        return said

    now = boards.revision(house.match())
    assert asyncio.run(listen()) == f"id: {now}\ndata: holo/1 {now}\n\n"


def test_what_a_player_plans_is_no_news(house: House) -> None:
    house.accept()
    before = boards.revision(house.match())
    assert house.type(PRIVATE).status == 0
    assert boards.revision(house.match()) == before


def test_a_stream_says_that_it_is_alive(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "_SILENCE", 0.03)
    assert told(house, lambda: None)[1] == ": still here\n\n"


def test_a_store_that_is_away_for_a_while_ends_no_stream(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = house.library.store
    asked, failures = store.revisions, [StoreTrouble("away")] * 3

    def shaky(keys: Sequence[Key]) -> Mapping[Key, Hashable]:
        if failures:
            raise failures.pop()
        return asked(keys)

    def go_away() -> None:
        house.play(moves=1)
        monkeypatch.setattr(store, "revisions", shaky)

    first, later = told(house, go_away)
    assert first != later
    assert not failures


@pytest.mark.parametrize("words", ["holo/9", "chess/1", "holo/x", "holo", ""])
def test_what_is_no_board_has_no_news(house: House, words: str) -> None:
    async def status() -> int:
        answer = await News(Site(house.server, house.config)).answer(asking(words))
        return answer.status_code

    assert asyncio.run(status()) == 404


class Reader(Client):
    """A reader of news, from a network."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.was_ended = False

    def hang_up(self) -> None:
        self.was_ended = True

    async def open(self, source: News) -> int:
        """Ask for a stream: the status of the answer."""
        asked = asking()
        asked.scope.update(client=(self.address, 1), state=state_of(self))
        return (await source.answer(asked)).status_code


def test_streams_are_not_without_number(house: House) -> None:
    """Those who take all leave room for others, and are refused more."""
    crowd = [Reader("192.0.2.1") for _ in range(4)]
    player = Reader("192.0.3.1")

    async def statuses() -> list[int]:
        source = News(Site(house.server, house.config), most=3)
        found = [await reader.open(source) for reader in (*crowd, player, crowd[-1])]
        assert source.streams == 3
        return found

    assert asyncio.run(statuses()) == [200, 200, 200, 503, 200, 503]
    assert [one.was_ended for one in (*crowd, player)] == [0, 0, 1, 0, 0]


def test_a_stream_that_has_ended_makes_room(house: House) -> None:
    async def again() -> None:
        source = News(Site(house.server, house.config), most=1)
        for reader in (Reader("192.0.2.1"), Reader("192.0.2.2")):
            asked = asking()
            asked.scope.update(state=state_of(reader))
            stream = await source.answer(asked)
            assert stream.status_code == 200
            ends = asyncio.create_task(stream(asked.scope, gone, unheard))
            await ends
            assert source.streams == 0

    async def gone() -> Message:
        return {"type": "http.disconnect"}

    async def unheard(message: Message) -> None:
        pass

    asyncio.run(again())


def test_a_question_whether_there_is_news_gets_no_stream(house: House) -> None:
    async def ask() -> tuple[int, str]:
        source = News(Site(house.server, house.config))
        asked = asking()
        asked.scope["method"] = "HEAD"
        answer = await source.answer(asked)
        assert source.streams == 0
        return answer.status_code, answer.headers["Content-Type"]

    assert asyncio.run(ask()) == (200, "text/event-stream; charset=utf-8")
