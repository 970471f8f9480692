"""News of boards over PostgreSQL: a database that rings, and one that is away for a
while."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from starlette.responses import StreamingResponse

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.contract import Bell
from pbm_holomino.store.postgres.connection import Call, Connection
from pbm_holomino.store.postgres.statements import REVISIONS, TELL
from pbm_holomino.store.postgres.store import PostgresStore
from pbm_holomino.web import boards
from pbm_holomino.web.news import News
from pbm_holomino.web.site import Site
from tests.faults import attackers
from tests.postgres.bouncer import BOUNCER, open_bouncer
from tests.postgres.cluster import POSTGRESQL, Cluster, address, open_cluster
from tests.postgres.scene import Machine, moves
from tests.processes import wait_until
from tests.web.test_news import asking

pytestmark = pytest.mark.xdist_group("pages-over-postgresql")

NEVER = 3600.0  # seconds until somebody looks unasked
SOON = 60.0  # within which what must come has come


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    """A PostgreSQL that these tests stop."""
    with open_cluster(fsync=False) as found:
        yield found


@pytest.fixture
def url(server: Cluster) -> Iterator[str]:
    with server.database() as name:
        yield server.url(name)


@pytest.fixture
def machine(tmp_path: Path, url: str) -> Iterator[Machine]:
    """A machine for mail, whose settings name pages, and which has boards."""
    found = Machine(tmp_path / "mail", url, web="https://games.example.org")
    with closing(found):
        found.lay()
        yield found


Happen = Callable[[], object]


def told(url: str, seconds: float, *happens: Happen) -> list[str]:
    """The revisions of board 1 that a stream tells, first and after each of these
    things."""

    async def listen() -> list[str]:
        with closing(PostgresStore(url, 5)) as store:
            source = News(_site(store), seconds)
            answer = await source.answer(asking())
            assert isinstance(answer, StreamingResponse)
            stream = aiter(answer.body_iterator)
            said = [await _next(stream)]
            for happen in happens:
                await _until_listening(source, seconds)
                happen()
                said.append(await _next(stream))
            source.close()
            with pytest.raises(StopAsyncIteration):
                await asyncio.wait_for(anext(stream), SOON)
            return said

    return asyncio.run(listen())


def _site(store: PostgresStore) -> Site:
    from pbm_holomino.resident.cache import remembering
    from pbm_holomino.server.transaction import Server
    from pbm_holomino.store.config import Config

    return Site(Server(remembering(store), lambda letter: {}), Config())


async def _next(stream: AsyncIterator[Any]) -> str:
    said = str(await asyncio.wait_for(anext(stream), SOON))
    return said.split("data: holo/1 ")[1].strip()


async def _until_listening(source: News, seconds: float) -> None:
    """Wait until the database can ring, if nobody looks unasked."""
    while seconds == NEVER and not source.is_listening:
        await asyncio.sleep(0.01)


def _now(machine: Machine) -> str:
    return boards.revision(machine.server.library.match("holo", 1))


@POSTGRESQL
def test_a_move_elsewhere_rings(machine: Machine, url: str) -> None:
    """It is news at once: nobody looks for it."""
    first, second = moves(1)[:2]
    said = told(
        url, NEVER, lambda: machine.play([first]), lambda: machine.play([second])
    )
    assert len({*said}) == 3
    assert said[-1] == _now(machine)


@POSTGRESQL
def test_one_question_is_for_all_boards(
    machine: Machine, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a board that has not changed nothing is read."""
    asked, run = list[bytes](), Connection.run

    def counting(self: Connection, calls: list[Call], *more: Any) -> Any:
        asked.extend(call.sql for call in calls)
        return run(self, calls, *more)

    async def look() -> None:
        with closing(PostgresStore(url, 5)) as store:
            source = News(_site(store), NEVER)
            answer = await source.answer(asking("holo/1", "holo/2", "holo/3"))
            assert isinstance(answer, StreamingResponse)
            stream = aiter(answer.body_iterator)
            for _ in range(3):
                await anext(stream)
            await _until_listening(source, NEVER)
            monkeypatch.setattr(Connection, "run", counting)
            machine_asks = len(asked)
            source.ring()
            while not asked[machine_asks:]:
                await asyncio.sleep(0.01)
            source.close()

    asyncio.run(look())
    assert asked == [REVISIONS]


@POSTGRESQL
def test_who_is_told_costs_a_move_nothing(
    machine: Machine, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that does not take the word has the move all the same."""
    run = Connection.run

    refused = Call(b"SELECT no_such_function()")
    told = list[Call]()

    def failing(
        self: Connection,
        calls: list[Call],
        within: float | None = None,
        then: Sequence[Call] = (),
    ) -> Any:
        told.extend(call for call in then if call.sql == TELL)
        then = [refused if call.sql == TELL else call for call in then]
        return run(self, calls, within, then)

    monkeypatch.setattr(Connection, "run", failing)
    (first,) = moves(1)[:1]
    machine.play([first])
    assert told
    assert machine.log(1)[-1].source == first.source


@POSTGRESQL
def test_a_server_without_pages_tells_nobody(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, run = list[bytes](), Connection.run

    def counting(
        self: Connection,
        calls: Sequence[Call],
        within: float | None = None,
        then: Sequence[Call] = (),
    ) -> Any:
        asked.extend(call.sql for call in (*calls, *then))
        return run(self, calls, within, then)

    monkeypatch.setattr(Connection, "run", counting)
    with closing(Machine(tmp_path / "mail", url)) as machine:
        machine.lay()
    assert TELL not in asked


@POSTGRESQL
def test_a_database_that_was_away_ends_no_stream(
    machine: Machine, url: str, server: Cluster
) -> None:
    first, second = moves(1)[:2]

    def restart() -> None:
        server.stop()
        server.start()
        machine.play([first])

    said = told(url, 0.2, restart, lambda: machine.play([second]))
    assert len({*said}) == 3
    assert said[-1] == _now(machine)


@POSTGRESQL
def test_a_database_that_is_back_rings_again(
    machine: Machine, url: str, server: Cluster
) -> None:
    with closing(PostgresStore(url, 5)) as store:
        bell = store.bell()
        assert bell is not None
        server.stop()
        with pytest.raises(StoreTrouble, match="cannot be listened to"):
            _hear_until_it_fails(bell)
        bell.close()
        server.start()
        again = store.bell()
        assert again is not None
        again.close()


def _hear_until_it_fails(bell: Bell) -> None:
    for _ in range(100):
        bell.hear()


@BOUNCER
def test_behind_a_pooler_nothing_rings(machine: Machine, server: Cluster) -> None:
    """Somebody looks every few seconds instead."""
    database = machine.url.rpartition("/")[2].partition("?")[0]
    with open_bouncer(server) as folder:
        behind = address(database, folder)
        with closing(PostgresStore(behind, 5)) as store:
            assert store.bell() is None
        (first,) = moves(1)[:1]
        assert len({*told(behind, 0.1, lambda: machine.play([first]))}) == 2


@POSTGRESQL
def test_a_database_that_is_away_does_not_fill_the_log(
    tmp_path: Path, url: str, server: Cluster
) -> None:
    """However often somebody asks meanwhile, and however it fails."""
    web = "https://games.example.org"
    with closing(Machine(tmp_path / "mail", url, wait=0, web=web)) as machine:
        machine.lay()
    cookie = {"Cookie": "pbm=alice.secret"}
    with attackers.pages(tmp_path / "mail") as target:
        assert target.ask("/holo/1").status == 200
        with attackers.stream(target, "/news?board=holo/1"):
            for _ in range(3):
                sleep(1)  # it listens to the database then
                server.stop()
                try:
                    for path in ("/holo/1", "/", "/nothing", "/holo/standings") * 3:
                        assert target.ask(path, headers=cookie).status in (404, 503)
                finally:
                    server.start()
                wait_until(lambda: target.ask("/holo/1").status == 200, "the board")
        assert target.log == ""
