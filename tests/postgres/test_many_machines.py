"""Several machines that share a database: at once, with clocks that differ, through
pgbouncer, and over a dump that is restored while they run."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from unittest import mock

import pytest

from tests.house import PASSWORDS
from tests.postgres.bouncer import BOUNCER, open_bouncer
from tests.postgres.cluster import (
    ADMIN,
    POSTGRESQL,
    Cluster,
    address,
    run_program,
    short_folder,
)
from tests.postgres.conftest import BOARDS, Open
from tests.postgres.scene import Machine, Move, assert_played, game, moves, named
from tests.processes import deliver, resident, send

pytestmark = POSTGRESQL

WRITERS = 40


def test_many_writers_on_one_board(cluster: Cluster, games: str, opened: Open) -> None:
    """Half of them write on each of two machines; what each has written is there once,
    and has left for the other player."""
    homes = [opened(cluster.url(games), wait=60) for _ in range(2)]
    codes: dict[int, int] = {}

    def write(path: str, number: int) -> None:
        who = ("alice", "bob")[number % 2]
        line = f"holo chat 1 {who} {PASSWORDS[who]}"
        codes[number] = send(path, named(line, who, f"chat{number}"))[0]

    with ExitStack() as stack:
        paths = [stack.enter_context(resident(home)).path for home in homes]
        writers = [
            Thread(target=write, args=(paths[number // 2 % 2], number))
            for number in range(WRITERS)
        ]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
    assert codes == dict.fromkeys(range(WRITERS), 250)
    log = homes[0].log(1)
    assert len({line.source for line in log[1:]}) == len(log) - 1 == WRITERS
    letters = homes[0].letters() | homes[1].letters()
    for number, line in enumerate(log[1:], 1):
        reader = {"alice": "bob", "bob": "alice"}[line.who]
        assert f"holo.1.{number}.{reader}" in letters
    assert not homes[0].is_marked()


def test_a_game_on_two_machines_whose_clocks_differ(
    cluster: Cluster, games: str, opened: Open
) -> None:
    """One of them is an hour ahead: the log has the database's time."""
