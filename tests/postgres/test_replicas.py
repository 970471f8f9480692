"""A synchronous replica that stops, is not waited for, and takes over while eight
clients play: every move that was answered is there, and once."""

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from time import sleep

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from pbm_holomino.store.postgres import connection
from tests.postgres.cluster import (
    POSTGRESQL,
    Cluster,
    address,
    replica_of,
    waiting_commits,
)
from tests.postgres.conftest import Open
from tests.postgres.players import Table
from tests.postgres.scene import Machine, all_moves, assert_played
from tests.processes import wait_until
from tests.sizes import sized

pytestmark = POSTGRESQL

WAIT = 1  # second, for locks and for COMMIT


@pytest.fixture
def replica(own: Cluster) -> Iterator[Cluster]:
    with replica_of(own) as replica:
        yield replica


@pytest.fixture
def machine(own: Cluster, replica: Cluster, opened: Open) -> Machine:
    """It knows the addresses of both."""
    url = address(
        "games", own.folder, replica.folder, target_session_attrs="read-write"
    )
    return opened(url, wait=WAIT, commit_wait=WAIT)


@pytest.fixture
def table(machine: Machine) -> Iterator[Table]:
    """Eight clients who have begun to play."""
    with closing(Table(machine)) as table:
        table.wait_for(8)
        yield table


def test_a_replica_that_stops_holds_up_all_games(
    own: Cluster, replica: Cluster, table: Table
) -> None:
    replica.pause()
    wait_until(lambda: waiting_commits(own), "moves that wait")

    def is_quiet() -> bool:
        before = table.answered()
        sleep(2 * WAIT)  # the clients have sent their mails again
        return table.answered() == before

    # once what was confirmed before has been answered
    wait_until(is_quiet, "games that are held up")
    assert table.are_all_playing()  # so that each of the eight games is held up
    replica.resume()
    table.finish()


@pytest.mark.parametrize("how", ["pg_cancel_backend", "pg_terminate_backend"])
def test_a_move_is_not_answered_if_nobody_waits_for_the_replica(
    own: Cluster, replica: Cluster, table: Table, how: str
) -> None:
    """Somebody ends each COMMIT that waits for a replica that was killed. The replica,
    which then comes back and takes over, has all that was answered."""
    replica.kill()
    for _ in range(sized(6, 60)):
        wait_until(lambda: waiting_commits(own), "moves that wait")
        for pid in waiting_commits(own):
            own.ask(f"SELECT {how}(%s)", pid)
    own.kill()
    replica.start()
    replica.ask("SELECT pg_promote()")
    table.finish()


def test_a_replica_takes_over_from_a_database_that_was_killed(
    own: Cluster, replica: Cluster, table: Table
) -> None:
    own.kill()
    replica.ask("SELECT pg_promote()")
    table.finish()


def test_a_replica_takes_over_while_the_database_still_runs(
    own: Cluster, replica: Cluster, table: Table
) -> None:
    """What the old one is told then has no replica to wait for, and is not answered."""
    replica.ask("SELECT pg_promote()")
    wait_until(lambda: waiting_commits(own), "moves that wait")
    sleep(WAIT)  # some have given up by now, and come again
    own.kill()
    table.finish()


def test_a_replica_takes_over_from_a_database_that_hangs(
    own: Cluster,
    replica: Cluster,
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All processes of the first one are stopped: it keeps its connections, and takes
    new ones, and says nothing. What is asked next is asked of the second one, and from
    then on that is asked first."""
    made = list(islice(all_moves(), 6))
    machine.play(made[:2])
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 2.0)
    monkeypatch.setitem(connection._DEFAULTS, "connect_timeout", "2")
    own.pause()
    replica.ask("SELECT pg_promote()")
    machine.play(made[2:4])
    tried = list[str]()
    connect = psycopg.connect

    def noted(address: str, autocommit: bool) -> object:
        tried.append(str(conninfo_to_dict(address)["host"]))
        return connect(address, autocommit=autocommit)

    monkeypatch.setattr(psycopg, "connect", noted)
    machine.store.close()  # it needs new connections
    machine.play(made[4:])
    assert tried == [f"{replica.folder},{own.folder}"]
    assert own.process is not None
    own.process.kill()
    own.resume()  # its other processes end without it
    assert_played(machine, made)


@pytest.mark.parametrize(
    ("given", "first", "turned"),
    [
        ("host=a,b,c", ("b", "5432"), {"host": "b,c,a"}),
        ("host=a,b port=1,2", ("b", "2"), {"host": "b,a", "port": "2,1"}),
        ("host=a,a port=1,2", ("a", "2"), {"host": "a,a", "port": "2,1"}),
        ("host=a,b port=7", ("b", "7"), {"host": "b,a", "port": "7"}),
        ("hostaddr=::1,::2", ("::2", "5432"), {"hostaddr": "::2,::1"}),
        (
            "host=a,b hostaddr=::1,::2",
            ("b", "5432"),
            {"host": "b,a", "hostaddr": "::2,::1"},
        ),
        ("host=a,b", ("c", "5432"), {"host": "a,b"}),
        ("host=a", ("b", "5432"), {"host": "a"}),
    ],
)
def test_the_host_that_let_us_in_is_asked_first(
    given: str, first: tuple[str, str], turned: dict[str, str]
) -> None:
    found = conninfo_to_dict(connection.conninfo(given, connection.Host(*first)))
    assert {key: found[key] for key in turned} == turned


def test_a_database_that_hangs_and_has_no_other(
    own: Cluster, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mail is told to come again, and is carried out when the database goes on."""
    machine = opened(own.url("games"), wait=WAIT, commit_wait=WAIT)
    made = list(islice(all_moves(), 3))
    machine.play(made[:2])
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 1.0)
    monkeypatch.setitem(connection._DEFAULTS, "connect_timeout", "2")
    own.pause()
    assert machine.receive(made[2].mail) == 451
    own.resume()
    machine.play(made[2:])
    assert_played(machine, made)


def test_a_replica_that_is_killed_and_comes_back(
    own: Cluster, replica: Cluster, table: Table
) -> None:
    replica.kill()
    wait_until(lambda: waiting_commits(own), "moves that wait")
    replica.start()
    table.finish()
