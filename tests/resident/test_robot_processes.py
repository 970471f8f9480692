"""The process that plays for robots, as it is run: started by a mail or kept by a
server, one at a time, and never lost."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbm_holomino import owner
from pbm_holomino.owner import status
from pbm_holomino.resident import robots as resident
from pbm_holomino.resident.work import Work
from pbm_holomino.server import waking
from pbm_holomino.server.open import server_of
from pbm_holomino.store import robot_jobs
from pbm_holomino.store.contract import ROBOTS_FAILED
from pbm_holomino.store.home import Home
from pbm_holomino.store.robot_jobs import HINT, REVIEW, Job
from tests.house import PASSWORDS, House, mail_of, own
from tests.paths import ROOT
from tests.processes import (
    PATIENCE,
    Resident,
    deliver,
    run,
    surroundings,
    wait_until,
)
from tests.processes import (
    resident as serving,
)

RESTARTED = "pbm play: it was ended by signal 9, and is started again"
QUICK = "robot_seconds: 0\n"


@pytest.fixture
def server(server: House) -> House:
    """A server where alice has a board with robot1, and it is her turn."""
    server.settings(QUICK)
    server.challenge(names="alice robot1")
    server.taken()
    return server


def shown(house: House) -> dict[str, Any]:
    return house.json(1)


def mailed(house: House) -> None:
    """Alice mails a move to the program that procmail runs."""
    line = f"holo move 1 alice {PASSWORDS['alice']} {house.legal()[0]}"
    done = deliver(house.folder, mail_of(line, Message_ID=f"<{shown(house)['ply']}@x>"))
    assert done == (0, "", "")


def test_a_mail_starts_a_process_that_plays_and_ends(server: House) -> None:
    mailed(server)
    wait_until(lambda: shown(server)["ply"] == 2)
    place = Home(str(server.folder))
    wait_until(lambda: not waking._is_held(place))
    wait_until(lambda: server.store.marks.unsent("holo") == {})
    assert shown(server)["turn"] == ["alice"]
    # nobody is told through a socket where nobody stays
    assert not waking._is_heard(place)


_SERVER = """\
import sys
from pbm_holomino.resident import playing
from pbm_holomino.resident.robots import staying
playing.LEASE_SECONDS = 1  # new settings may come while a robot thinks
from pbm_holomino.store.home import open_home
home = open_home()
assert home.config.robot_seconds == 0  # servers read their settings first
with staying(home) as reload:
    for line in sys.stdin:
        reload()
"""


@pytest.fixture
def process(server: House) -> Iterator["subprocess.Popen[bytes]"]:
    """A server that has a process play for robots, and reloads at each line."""
    place = Home(str(server.folder))
    store = {"PBM_GAMES": place.root, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", _SERVER],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings(**store),
    ) as process:
        wait_until(lambda: waking._is_heard(place))
        yield process
        told = process.communicate()[1].decode().splitlines()
        assert {*told} <= {RESTARTED}
    assert not waking._is_heard(place)
    assert not waking._is_held(place)


@pytest.fixture
def stays(server: House, process: "subprocess.Popen[bytes]") -> Home:
    """The machine where that process plays."""
    return Home(str(server.folder))


def test_settings_that_cannot_be_used_change_nothing(
    server: House, stays: Home, process: "subprocess.Popen[bytes]"
) -> None:
    server.path("config.yaml").write_text("robot_seconds: many\n")
    assert process.stdin is not None
    process.stdin.write(b"\n")
    process.stdin.flush()
    server.challenge(names="robot1 alice")
    assert waking.wake(stays)
    wait_until(lambda: server.json(2)["ply"] == 1)


def test_a_process_that_stays_is_told_by_mails(server: House, stays: Home) -> None:
    for ply in (2, 4):
        mailed(server)
        wait_until(lambda ply=ply: shown(server)["ply"] == ply)  # type: ignore[misc]
    wait_until(lambda: server.store.marks.unsent("holo") == {})


def players(house: House) -> set[int]:
    """The ids of the processes that play for robots: who does, holds the lock."""
    lock = os.stat(house.path(waking.LOCK)).st_ino
    locks = map(str.split, Path("/proc/locks").read_text().splitlines())
    return {int(words[4]) for words in locks if words[-3].endswith(f":{lock}")}


def player(house: House) -> int:
    """The id of the only one."""
    (found,) = players(house)
    return found


def parent(process: int) -> int:
    """The id of the process that has begun another."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2]
    return int(fields.split()[1])


def successor(house: House, killed: int) -> int:
    """The process that plays in the place of one that was killed."""
    place = Home(str(house.folder))
    wait_until(lambda: players(house) - {killed})
    wait_until(lambda: waking._is_heard(place))
    return player(house)


def test_one_that_was_killed_is_started_again(server: House, stays: Home) -> None:
    """Again and again, without anybody's mail; it finds whatever was left."""
    first = player(server)
    server.challenge(names="robot1 alice")  # of which nobody tells it
    os.kill(first, signal.SIGKILL)
    second = successor(server, first)
    wait_until(lambda: server.json(2)["ply"] == 1)
    os.kill(second, signal.SIGKILL)
    third = successor(server, second)
    assert len({first, second, third}) == 3
    mailed(server)
    wait_until(lambda: shown(server)["ply"] == 2)


def test_whichever_of_the_two_is_killed_first(server: House, stays: Home) -> None:
    """The one that plays and the one that would start it again."""
    first = player(server)
    os.kill(parent(first), signal.SIGKILL)
    # the first now does the other's work, and has a child that plays
    second = successor(server, first)
    assert parent(second) == first
    os.kill(second, signal.SIGKILL)
    third = successor(server, second)
    assert parent(third) == first
    mailed(server)
    wait_until(lambda: shown(server)["ply"] == 2)


def children(process: int) -> list[int]:
    """The ids of the processes that a process has begun."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text()
    return list(map(int, listed.split()))


def locks_held(process: int) -> set[str]:
    """The names of the lock files that a process has open."""
    names = set()
    for fd in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):
            names.add(os.path.basename(os.readlink(fd)))
    return {name for name in names if name.endswith(".lock")}


def test_no_child_of_a_server_has_its_locks(server: House) -> None:
    """A lock lasts as long as anybody has its file open: a server that is killed must
    not leave it to a process that hangs in a database."""
    with serving(server, "--workers", "2") as running:
        wait_until(lambda: waking._is_held(Home(str(server.folder))))
        plays = player(server)
        assert locks_held(running.process.pid) == {"lmtp.lock"}
        assert locks_held(plays) == {"robots.lock"}
        assert locks_held(parent(plays)) == set()
        wait_until(lambda: len(children(running.process.pid)) == 2)
        workers = children(running.process.pid)
        # one that has just been forked closes them first of all
        wait_until(lambda: not any(map(locks_held, workers)))
        assert running.stop() == (0, "")


def test_a_killed_server_makes_room_while_its_robots_hang(server: House) -> None:
    """They cannot do anything here, as if a database did not answer."""
    with serving(server) as running:
        wait_until(lambda: waking._is_held(Home(str(server.folder))))
        plays = player(server)
        with paused(plays), paused(parent(plays)):
            running.process.kill()
            running.process.wait()
            with serving(server) as other:
                assert other.stop() == (0, "")


# The letter about a player's move, where a server stays


def answers(house: House) -> list[str]:
    """The letters in the outbox, when all have left, the oldest first and without their
    HTML. They are taken away."""
    wait_until(lambda: house.store.marks.unsent("holo") == {})
    files = sorted(house.path("outbox").iterdir(), key=lambda p: p.stat().st_mtime_ns)
    letters = [path.read_text() for path in files]
    for path in files:
        path.unlink()
    return [letter.partition("Content-Type: text/html")[0] for letter in letters]


class Sent(NamedTuple):
    """A mail that has brought a move of alice's: its Message-ID, and the move."""

    name: str
    move: str

    @classmethod
    def to(cls, running: Resident, house: House) -> "Sent":
        found = cls(f"<{shown(house)['ply']}@x>", house.legal()[0])
        line = f"holo move 1 alice {PASSWORDS['alice']} {found.move}"
        raw = mail_of(line, Message_ID=found.name)
        assert running.send(raw)[0] == 250
        return found

    def told(self, letter: str) -> str:
        """What a letter says after this move."""
        words = " ".join(letter.split())
        return words.partition(f"You played {self.move}")[2]


@contextmanager
def paused(process: int) -> Iterator[None]:
    """A process cannot do anything in this block."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def test_one_letter_answers_both_moves_if_the_robot_is_quick(server: House) -> None:
    """A robot may be slow here, as the machine may have a lot to do: then there are two
    letters, and the next move may be in time. One that cannot move is too slow."""
    house = server
    house.settings("robot_seconds: 0.05\n")
    with serving(house) as running:
        for _ in range(9):
            sent = Sent.to(running, house)
            wait_until(lambda: shown(house)["turn"] == ["alice"])
            letters = answers(house)
            assert "Subject: holo 1: your turn\n" in letters[-1]
            if len(letters) == 1:
                break
        (letter,) = letters
        assert f"In-Reply-To: {sent.name}\n" in letter
        assert "robot1 played " in sent.told(letter)

        with paused(player(house)):
            sent = Sent.to(running, house)
            (letter,) = answers(house)
        assert "Subject: holo 1: robot1 to move\n" in letter
        assert f"In-Reply-To: {sent.name}\n" in letter
        assert "robot1 played " not in sent.told(letter)
        wait_until(lambda: shown(house)["turn"] == ["alice"])
        (letter,) = answers(house)
        assert "Subject: holo 1: your turn\n" in letter
        assert "robot1 played " in sent.told(letter)
        assert running.stop() == (0, "")


def test_the_owner_can_have_them_played(server: House) -> None:
    server.challenge(names="robot1 alice")
    told = run(server.folder, "pbm", "play")
    assert told == (0, "Robots have acted once.\n", "")
    told = run(server.folder, "pbm", "play")
    assert told == (0, "No board waits for a robot.\n", "")


_HANGS = """\
import sys
from pbm_holomino import cli, robots
from pbm_holomino.resident import thinking
def hang(view, budget, rng):
    while not budget.is_empty:
        pass
    return view.legal[0]
robots.load = lambda game, level: hang
thinking.LEAST = 0.1
sys.exit(cli.main(["pbm", "play"]))
"""


def test_a_process_that_hangs_is_ended_and_the_owner_hears_of_it(server: House) -> None:
    server.settings("robot_seconds: 0.01\n")
    server.challenge(names="robot1 alice")
    store = {"PBM_GAMES": str(server.folder), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", _HANGS],
        capture_output=True,
        env=surroundings(**store),
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"Robots have acted once.\n")
    assert server.json(2)["ply"] == 1
    _, _, why = server.store.note(ROBOTS_FAILED).partition(" ")
    assert why == "robot1 on holo 2: it took too long"  # as pbm status says


# The owner's commands, in this process


@pytest.fixture
def owned(server: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> House:
    server.config = Home(str(server.folder)).config
    own(server, monkeypatch)
    monkeypatch.setattr("pbm_holomino.owner.playing.lower_priority", lambda: None)
    return server


def test_tick_does_what_was_left(owned: House) -> None:
    assert owner.run(["tick"]).text == "Nothing is due.\n"
    owned.challenge(names="robot1 alice")
    assert owner.run(["tick"]).text == "Robots have acted once.\n"
    assert owned.match(2).ply == 1
    assert owner.run(["tick"]).text == "Nothing is due.\n"


def test_tick_leaves_them_to_a_process_at_work(owned: House) -> None:
    owned.challenge(names="robot1 alice")
    with waking.holding(Home(str(owned.folder))):
        assert owner.run(["tick"]).text == "Nothing is due.\n"
    assert owned.match(2).ply == 0


def test_somebody_who_left_it_to_us_is_not_forgotten(
    owned: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board comes in the very moment in which a process has found nothing left, and
    still holds its lock."""
    place, left = Home(str(owned.folder)), [True]

    class Late(Work):
        @property
        def until_free(self) -> float | None:
            if left.pop() if left else False:
                owned.challenge(names="robot1 alice")
                assert waking.wake(place)  # which starts nobody
            return super().until_free

    monkeypatch.setattr(resident, "Work", Late)
    monkeypatch.setattr(waking, "_started", None)
    assert resident.play(owned.server, place) == 1
    assert owned.match(2).ply == 1


def told(place: status.Inspection) -> status.Part:
    return status.PARTS["robots"](place)


def test_status_says_what_waits_for_robots_and_which_failed(owned: House) -> None:
    def place(now: str) -> status.Inspection:
        return status.Inspection(owned.library, Home(str(owned.folder)), now)

    nothing = {"waiting": 0, "hints": 0, "reviews": 0}
    assert told(place(owned.time)) == status.Part(nothing)
    owned.challenge(names="robot1 alice")
    begun, since = owned.time, "2026-11-20, 08:00 UTC"
    found = told(place(begun))
    assert found.fields == {**nothing, "waiting": 1, "since": begun}
    assert found.sentence == f"1 board waits for a robot, since {since}."
    assert not found.is_problem
    assert told(place("2026-11-20T08:31:00Z")).is_problem
    owned.store.put_note(ROBOTS_FAILED, f"{begun} robot1 on holo 2: it hung")
    found = told(place(begun))
    assert found.is_problem
    assert found.fields["failed"] == {"time": begun, "why": "robot1 on holo 2: it hung"}
    assert "another moved in its place: robot1 on holo 2: it hung. " in found.sentence
    json.dumps(found.fields)
    robot_jobs.ask(owned.store, Job(HINT, "holo", 1, "alice", 0), "m1")
    robot_jobs.ask(owned.store, Job(HINT, "holo", 1, "bob", 0), "m2")
    robot_jobs.ask(owned.store, Job(REVIEW, "holo", 1, "bob"), "m3")
    found = told(place(begun))
    assert [found.fields[name] for name in nothing] == [1, 2, 1]
    assert found.sentence.startswith("1 board, 2 hints and 1 review wait for a robot, ")
    for job in robot_jobs.waiting(owned.store):
        robot_jobs.forget(owned.store, job)
    # nobody need look at it a week later
    server_of(Home(str(owned.folder)))
    assert owner.run(["play"]).text == "Robots have acted once.\n"
    assert not told(place("2026-11-27T08:00:01Z")).is_problem
