"""Several machines that share a database: at once, with clocks that differ, through
pgbouncer, and over a dump that is restored while they run."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from datetime import datetime, timedelta
from functools import partial
from unittest import mock

from pbm_holomino.store.library import Library
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
from tests.postgres.conftest import Open
from tests.postgres.scene import BEGUN, Machine, Move, assert_played, moves, named
from tests.processes import at_once, deliver, resident, send, wait_until

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
        raw = named(line, who, f"chat{number}", f"Hello {number}!")
        codes[number] = send(path, raw)[0]

    with ExitStack() as stack:
        paths = [stack.enter_context(resident(home)).path for home in homes]
        numbers = range(WRITERS)
        at_once(*(partial(write, paths[number // 2 % 2], number) for number in numbers))
        wait_until(lambda: not homes[0].is_marked(), "the removal of all marks")
    assert codes == dict.fromkeys(range(WRITERS), 250)
    said = homes[0].log(1)[BEGUN:]
    assert len({line.source for line in said}) == len(said) == WRITERS
    letters = homes[0].letters() | homes[1].letters()
    for number, line in enumerate(said, BEGUN):
        reader = {"alice": "bob", "bob": "alice"}[line.who]
        assert f"holo.1.{number}.{reader}" in letters


def test_a_game_on_two_machines_whose_clocks_differ(
    cluster: Cluster, games: str, opened: Open
) -> None:
    """One of them is an hour ahead: the log has the database's time."""
    homes = [opened(cluster.url(games)), opened(cluster.url(games))]
    ((before,),) = cluster.ask("SELECT now()")
    made = moves(1)[:10]
    for number, move in enumerate(made):
        with an_hour_ahead() if number % 2 else nullcontext():
            assert homes[number % 2].receive(move.mail) == 250
    ((after,),) = cluster.ask("SELECT now()")
    assert_played(homes[0], made, homes[1])
    times = [datetime.fromisoformat(line.time) for line in homes[0].log(1)[BEGUN:]]
    assert times == sorted(times)
    assert before - timedelta(seconds=1) <= times[0]
    assert times[-1] <= after


@contextmanager
def an_hour_ahead() -> Iterator[None]:
    """In this block the clock of the machine is wrong."""
    now, in_parts = time.time, time.gmtime

    def later() -> float:
        return now() + 3600

    def in_parts_later(seconds: float | None = None) -> time.struct_time:
        return in_parts(later() if seconds is None else seconds)

    with mock.patch("time.time", later), mock.patch("time.gmtime", in_parts_later):
        yield


@BOUNCER
def test_a_game_through_pgbouncer(cluster: Cluster, games: str, opened: Open) -> None:
    """Two machines that stay and the process of a single mail share two connections,
    which change hands with each transaction."""
    with open_bouncer(cluster, connections=2) as folder:
        homes = [opened(address(games, folder)) for _ in range(3)]
        for number, move in enumerate(moves(1)):
            if number == 7:
                assert deliver(homes[2].folder, move.mail).status == 0
            else:
                homes[number % 2].play([move])
        assert_played(homes[0], moves(1), *homes[1:])
        assert not homes[0].is_marked()


def test_an_older_dump_is_restored_under_a_running_worker(
    cluster: Cluster, games: str, opened: Open
) -> None:
    """The worker remembers the board with six moves, and there are six again when it
    looks the next time; but two of them are others."""
    worker, other = opened(cluster.url(games)), opened(cluster.url(games))
    made = moves(1)[:4]
    worker.play(made)
    with short_folder() as folder:
        words = ("-h", str(cluster.folder), "-U", ADMIN, "-d", games)
        run_program("pg_dump", *words, "-Fc", "-f", folder / "dump")
        worker.play(moves(1)[4:6])
        run_program("pg_restore", *words, "--clean", folder / "dump")
    for machine in (other, other, worker):
        made.append(another(machine, made))
        machine.play(made[-1:])
    assert made[4:6] != moves(1)[4:6]
    assert_played(worker, made, other)


def another(machine: Machine, made: list[Move]) -> Move:
    """The last legal move on board 1 after these, in a mail of its own."""
    (who,) = {"alice", "bob"} - {made[-1].who}
    line = BEGUN + len(made)
    text = Library(machine.store).match("holo", 1).view(None).legal[-1]
    return Move(1, line, who, text, f"another{line}")
