"""The harness of real PostgreSQL servers does what the tests that use it rely on."""

from collections.abc import Iterator
from threading import Thread

import psycopg
import pytest

from tests.postgres.bouncer import BOUNCER, open_bouncer
from tests.postgres.cluster import (
    POSTGRESQL,
    Cluster,
    address,
    open_cluster,
)
from tests.postgres.proxy import Proxy, Verdict, at, open_proxy
from tests.processes import PATIENCE, wait_until

pytestmark = POSTGRESQL


@pytest.fixture
def own() -> Iterator[Cluster]:
    """A server with a table, which the test may break."""
    with open_cluster(fsync=False) as cluster:
        cluster.ask("CREATE TABLE lines (no int)")
        yield cluster


def lines(cluster: Cluster) -> list[int]:
    return [number for (number,) in cluster.ask("SELECT no FROM lines ORDER BY no")]


def test_a_new_database_is_empty_and_belongs_to_an_ordinary_role(database: str) -> None:
    with psycopg.connect(database) as connection:
        tables = connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        )
        assert tables.fetchone() == (0,)
        shown = connection.execute("SHOW server_encoding")
        assert shown.fetchone() == ("UTF8",)
        roles = connection.execute(
            "SELECT rolsuper, rolcreatedb FROM pg_roles WHERE rolname = current_user"
        )
        assert roles.fetchone() == (False, False)
        connection.execute("CREATE TABLE mine (no int)")


def test_a_database_is_copied_from_another(cluster: Cluster) -> None:
    with cluster.database() as name:
        cluster.ask("CREATE TABLE lines AS SELECT 7 AS no", database=name)
        with cluster.database(name) as copied:
            assert cluster.ask("SELECT no FROM lines", database=copied) == [(7,)]


def test_a_port_is_open_only_if_asked_for(cluster: Cluster) -> None:
    assert cluster.ask("SHOW listen_addresses") == [("",)]
    with open_cluster(fsync=False, tcp=True) as own:
        words = f"host=127.0.0.1 port={own.port} dbname=postgres user=postgres"
        psycopg.connect(words).close()


def test_what_was_committed_is_there_after_the_postmaster_was_killed(
    own: Cluster,
) -> None:
    own.ask("INSERT INTO lines VALUES (1)")
    with psycopg.connect(own.url("postgres", "postgres")) as connection:
        connection.execute("INSERT INTO lines VALUES (2)")
        own.restart()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    assert lines(own) == [1]


def test_the_backend_of_a_client_can_be_killed(own: Cluster) -> None:
    with psycopg.connect(own.url("postgres", "postgres")) as connection:
        own_pid = connection.info.backend_pid
        assert own_pid in own.backends("postgres")
        own.kill_backend(own_pid)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    wait_until(own.answers, "the server's recovery", own.log)
    assert lines(own) == []


# The proxy

FRAMES = ["Q", "C", "Z"]  # a simple query without rows, and its answers


@pytest.fixture
def proxy(own: Cluster) -> Iterator[Proxy]:
    with open_proxy(own.folder) as proxy:
        yield proxy


def connect(proxy: Proxy) -> "psycopg.Connection[tuple[int]]":
    url = address("postgres", proxy.folder, user="postgres")
    return psycopg.connect(url, autocommit=True)


def test_messages_pass_and_are_counted(own: Cluster, proxy: Proxy) -> None:
    with connect(proxy) as connection:
        assert [m.kind for m in proxy.seen[:2]] == ["", "R"]
        proxy.recount()
        connection.execute("INSERT INTO lines VALUES (1)")
        assert [m.kind for m in proxy.seen] == FRAMES
        assert [m.from_client for m in proxy.seen] == [True, False, False]
        assert [m.number for m in proxy.seen] == [1, 2, 3]
        assert proxy.seen[0].body == b"INSERT INTO lines VALUES (1)\0"
    assert lines(own) == [1]


@pytest.mark.parametrize(
    ("number", "verdict", "arrives"),
    [
        (1, Verdict.CUT_BEFORE, False),
        (1, Verdict.CUT_AFTER, True),
        (2, Verdict.CUT_BEFORE, True),
        (2, Verdict.CUT_AFTER, True),
        (3, Verdict.CUT_BEFORE, True),
    ],
)
def test_a_connection_is_cut_at_a_message(
    own: Cluster, proxy: Proxy, number: int, verdict: Verdict, arrives: bool
) -> None:
    with connect(proxy) as connection:
        proxy.recount(at(number, verdict))
        with pytest.raises(psycopg.OperationalError):
            connection.execute("INSERT INTO lines VALUES (1)")
        assert connection.closed
    wanted = [1] if arrives else []
    wait_until(lambda: lines(own) == wanted)
    with connect(proxy) as connection:
        connection.execute("INSERT INTO lines VALUES (2)")
    assert lines(own) == [*wanted, 2]


def test_a_message_is_held_up_until_it_is_released(own: Cluster, proxy: Proxy) -> None:
    with connect(proxy) as connection:
        proxy.recount(at(1, Verdict.HOLD))
        statement = "INSERT INTO lines VALUES (1)"
        client = Thread(target=connection.execute, args=(statement,))
        client.start()
        assert proxy.holds.wait(PATIENCE)
        assert lines(own) == []
        proxy.release()
        client.join(PATIENCE)
    assert lines(own) == [1]


def test_a_proxy_can_refuse_connections(proxy: Proxy) -> None:
    with connect(proxy) as connection:
        proxy.refuses = True
        with pytest.raises(psycopg.OperationalError):
            connect(proxy)
        connection.execute("SELECT 1")
        proxy.cut()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


# pgbouncer


@BOUNCER
def test_each_transaction_may_get_another_connection(cluster: Cluster) -> None:
    with cluster.database() as name, open_bouncer(cluster, 2) as folder:
        url = address(name, folder)
        with psycopg.connect(url) as first, psycopg.connect(url) as second:
            pids = set()
            for connection in (first, second, first):
                connection.execute("SET work_mem = '1MB'")
                pids.add(connection.execute("SELECT pg_backend_pid()").fetchone())
            assert len(pids) == 2
            first.commit()
            second.commit()
            three = psycopg.connect(url)
            assert three.execute("SHOW work_mem").fetchone() == ("1MB",)
            three.close()
