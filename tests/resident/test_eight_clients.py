"""Eight clients and several workers, on many boards and on one, while workers die."""

import os
import random
import signal
from pathlib import Path

from pbm_holomino.store.library import Library
from pbm_holomino.store.postgres.store import PostgresStore
from tests.house import House
from tests.processes import Resident, resident, run, wait_until
from tests.resident.clients import Playing, letters_of
from tests.resident.desk import in_outbox

_MOVES = 12
_COMMON = 1
_KILLS = 6


def workers_of(server: Resident) -> list[int]:
    pid = server.process.pid
    return [
        int(w) for w in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    ]


def play(house: House, server: Resident) -> list[Playing]:
    """Eight clients who have begun, each on a board of its own and on the first one."""
    house.challenges(8)
    clients = [
        Playing(house, server.path, own, _COMMON, _MOVES) for own in range(2, 10)
    ]
    for client in clients:
        client.start()
    return clients


def end_leases(house: House) -> None:
    """Let the marks go that dead workers have leased from a database."""
    if isinstance(house.store, PostgresStore):
        house.store.ask(b"UPDATE pbm.marks SET until = clock_timestamp()")


def check(house: House, clients: list[Playing]) -> None:
    """Check that every move answered is there once, and all its letters were sent."""
    assert [client.answered for client in clients] == [2 * _MOVES] * 8
    shelf = Library(house.store)
    sent = set(in_outbox(house))
    for board, client in enumerate(clients, start=2):
        log = shelf.match("holo", board).record.log
        assert [line.action for line in log if line.no] == client.made
    for board in range(1, 10):
        match = shelf.match("holo", board)
        moves = [line.source for line in match.record.log if line.no]
        assert len(set(moves)) == len(moves)
        assert letters_of(match) <= sent
    # they often move at once there, and then one of them comes too late
    assert _MOVES <= shelf.match("holo", _COMMON).ply <= 8 * _MOVES
    assert house.store.marks.unsent("holo") == {}
    checked = run(house.folder, "pbm", "check")
    assert (checked.status, checked.out) == (0, "11 files read: all is well.\n")


def test_eight_clients_on_two_workers(house: House) -> None:
    with resident(house, "--workers", "2") as server:
        clients = play(house, server)
        for client in clients:
            client.join()
        assert server.stop() == (0, "")
    assert {client.again for client in clients} == {0}
    check(house, clients)


def test_eight_clients_while_workers_are_killed(house: House) -> None:
    """A mail without an answer comes again, so nothing is lost or done twice."""
    chance = random.Random(3)
    with resident(house, "--workers", "2") as server:
        clients = play(house, server)
        killed = set[int]()
        for number in range(1, _KILLS + 1):
            made = 2 * 8 * _MOVES * number // (2 * _KILLS)
            wait_until(lambda made=made: sum(c.answered for c in clients) >= made)  # type: ignore[misc]
            # one that was killed is still there until its parent has noticed
            wait_until(lambda: {*workers_of(server)} - killed)
            worker = chance.choice(sorted({*workers_of(server)} - killed))
            killed.add(worker)
            os.kill(worker, signal.SIGKILL)
        for client in clients:
            client.join()
        status, told = server.stop()
    assert status == 0
    assert told.count("has ended with status -9\n") == _KILLS
    assert sum(client.again for client in clients) > 0
    # a worker that is killed after its answer leaves a mark to whoever comes next
    end_leases(house)
    assert run(house.folder, "pbm", "flush").status == 0
    check(house, clients)
