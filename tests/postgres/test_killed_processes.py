"""kill -9 of a process that runs a command, of the backend that serves it, and of the
whole database."""

import os
import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.postgres.cluster import POSTGRESQL, Cluster, address
from tests.postgres.conftest import Open
from tests.postgres.players import Table
from tests.postgres.proxy import Message, Proxy, Rule, Verdict, at, open_proxy
from tests.postgres.scene import all_moves, assert_played, moves
from tests.processes import begin_delivery, deliver, resident, wait_until
from tests.sizes import sized, some

pytestmark = POSTGRESQL


def test_a_worker_that_is_killed(
    games: str, proxy: Proxy, opened: Open, cluster: Cluster
) -> None:
    """At any message of its move: the mail that comes again is one move."""
    killed, other = opened(address(games, proxy.folder)), opened(cluster.url(games))
    todo = all_moves()
    made = [next(todo)]
    assert deliver(killed.folder, made[0].mail).status == 0
    numbers = range(1, len(proxy.seen) + 1)
    for number in some(numbers, 4):
        made.append(next(todo))
        proxy.recount(at(number, Verdict.HOLD))
        with begin_delivery(killed.folder, made[-1].mail) as process:
            # some moves take a few messages less
            wait_until(lambda: proxy.holds.is_set() or process.poll() is not None)
            process.kill()
        proxy.cut()
        proxy.release()
        assert other.receive(made[-1].mail) == 250
    assert_played(other, made, killed)


def test_a_server_that_is_killed_while_eight_clients_play(
    cluster: Cluster, games: str, opened: Open
) -> None:
    with closing(Table(opened(cluster.url(games), wait=2))) as table:
        for _ in range(sized(2, 20)):
            table.wait_for(10)
            table.replace_server()
        table.finish()


def test_a_server_that_is_killed_before_its_letters_leave(
    cluster: Cluster, games: str, opened: Open, tmp_path: Path
) -> None:
    """Whoever comes next on another machine sends them, but not while they may be
    about to leave."""
    program = tmp_path / "sendmail"
    program.write_text("#!/bin/sh\nexec sleep 20\n")
    program.chmod(0o755)
    settings = {"send": "sendmail", "sendmail": program}
    killed, other = opened(cluster.url(games), **settings), opened(cluster.url(games))
    made = [moves(board)[0] for board in (1, 2, 3)]
    with resident(killed) as server:
        assert server.send(made[0].mail)[0] == 250
        server.stop(signal.SIGKILL)
    assert other.receive(made[1].mail) == 250
    assert other.is_marked()
    assert other.letters() == made[1].letters
    other.end_leases()
    assert other.receive(made[2].mail) == 250
    assert not other.is_marked()
    assert_played(other, made)


def once(number: int, deed: Callable[[], object]) -> Rule:
    """Before a message passes, something happens."""

    def judge(message: Message) -> Verdict:
        if message.number == number:
            deed()
        return Verdict.PASS

    return judge


@pytest.mark.parametrize("victim", ["backend", "postmaster"])
def test_a_database_that_is_killed(own: Cluster, opened: Open, victim: str) -> None:
    """At any message of a move: it is answered and made, or its mail comes again."""

    def kill() -> None:
        assert own.process is not None
        killed.append(number)
        if victim == "postmaster":
            own.process.kill()
        else:
            for pid in own.backends("games"):
                os.kill(pid, signal.SIGKILL)

    killed: list[int] = []
    todo = all_moves()
    with open_proxy(own.folder) as proxy:
        machine = opened(address("games", proxy.folder), wait=1)
        made = [next(todo), next(todo)]
        machine.play(made[:1])
        proxy.recount()
        machine.play(made[1:])
        for number in some(range(1, len(proxy.seen) + 1), 3):
            made.append(next(todo))
            proxy.recount(once(number, kill))
            code = machine.receive(made[-1].mail)
            proxy.recount()
            if victim == "postmaster" and killed[-1:] == [number]:
                own.restart()
            # some moves take a few messages less
            wait_until(lambda: own.starts() == 1 + len(killed), "recovery", own.log)
            if code != 250:
                machine.play(made[-1:])
        assert_played(machine, made)
