"""A synchronous replica that stops, is not waited for, and takes over while eight
clients play: every move that was answered is there, and once."""

from collections.abc import Iterator
from contextlib import closing
from time import sleep

import pytest

from tests.postgres.cluster import (
    POSTGRESQL,
    Cluster,
    address,
    replica_of,
    waiting_commits,
)
from tests.postgres.conftest import Open
from tests.postgres.players import Table
from tests.postgres.scene import Machine
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
    wait_until(lambda: len(waiting_commits(own)) == 8, "all moves that wait")
    before = table.answered()
    sleep(2 * WAIT)  # the clients have sent their mails again
    assert table.answered() == before
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
    wait_until(lambda: len(waiting_commits(own)) == 8, "all moves that wait")
    own.kill()
    table.finish()


def test_a_replica_that_is_killed_and_comes_back(
    own: Cluster, replica: Cluster, table: Table
) -> None:
    replica.kill()
    wait_until(lambda: waiting_commits(own), "moves that wait")
    replica.start()
    table.finish()
