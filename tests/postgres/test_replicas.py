"""A synchronous replica that stops, is not waited for, and takes over while eight
clients play: every move that was answered is there, and once."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.postgres.cluster import (
    POSTGRESQL,
    Cluster,
    address,
    replica_of,
    waiting_commits,
)
from tests.postgres.conftest import BOARDS, Open
from tests.postgres.players import Player, count_answers, wait_for_answers
from tests.postgres.scene import Machine, assert_played, moves
from tests.processes import resident, wait_until
from tests.sizes import sized

pytestmark = POSTGRESQL

LENGTH = sized(6, 38)  # moves of each game


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
    return opened(url, wait=1, commit_wait=1)


@pytest.fixture
def players(machine: Machine) -> Iterator[list[Player]]:
    """Eight clients of a server, each with a game of its own."""
    with ExitStack() as stack:
        server = stack.enter_context(resident(machine))
        found = [
            Player(server.path, moves(board)[:LENGTH]) for board in range(1, BOARDS + 1)
        ]
        for player in found:
            stack.callback(player.end)
        wait_for_answers(found, BOARDS)
        yield found


def finish(players: list[Player], machine: Machine) -> None:
    """Let the clients send all their moves; then all that was answered is there."""
    wait_until(lambda: all(p.has_ended() for p in players), "the last moves")
    assert count_answers(players) == BOARDS * LENGTH
    made = [move for player in players for move in player.answered]
    assert_played(machine, made)


def test_a_replica_that_stops_holds_up_the_game(
    own: Cluster, replica: Cluster, machine: Machine, players: list[Player]
) -> None:
    replica.pause()
    wait_until(lambda: len(waiting_commits(own)) > 1, "moves that wait")
    before = count_answers(players)
    wait_until(lambda: len(waiting_commits(own)) >= BOARDS)
    assert count_answers(players) == before
    replica.resume()
    finish(players, machine)


@pytest.mark.parametrize("how", ["pg_cancel_backend", "pg_terminate_backend"])
def test_what_was_answered_survives_although_nobody_waited_for_the_replica(
    own: Cluster, replica: Cluster, machine: Machine, players: list[Player], how: str
) -> None:
    """Somebody ends all waiting for a replica that has stopped: what has been saved
    only here then is not answered with 250. The replica takes over without it."""
    replica.pause()
    for _ in range(sized(20, 200)):
        wait_until(lambda: waiting_commits(own), "moves that wait")
        for pid in waiting_commits(own):
            own.ask(f"SELECT {how}(%s)", pid)
    own.kill()
    replica.resume()
    replica.ask("SELECT pg_promote()")
    finish(players, machine)


def test_a_replica_takes_over_from_a_database_that_was_killed(
    own: Cluster, replica: Cluster, machine: Machine, players: list[Player]
) -> None:
    own.kill()
    replica.ask("SELECT pg_promote()")
    finish(players, machine)


def test_a_replica_that_is_killed_and_comes_back(
    own: Cluster, replica: Cluster, machine: Machine, players: list[Player]
) -> None:
    replica.kill()
    wait_until(lambda: waiting_commits(own), "moves that wait")
    replica.start()
    finish(players, machine)
