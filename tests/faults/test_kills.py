"""A fault at every call that a command makes to the system on its store."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from pbm_holomino.store import yaml as strict
from tests.faults.scene import (
    ALICE,
    ERRANDS,
    Errand,
    assert_silent,
    assert_sound,
    assert_whole,
    copy_of,
    errand_of,
    lay,
    letters_in,
    said,
    type_owner,
)
from tests.faults.syscalls import TRACE, Call, broken, traced, within
from tests.house import House
from tests.processes import Done, deliver
from tests.sizes import some

# A fault, and the calls that it may befall.
FAULTS = {
    "signal=KILL": ("openat", "write", "fsync", "rename", "unlink"),
    "error=EIO": ("openat", "read", "write", "fsync", "rename", "unlink", "close"),
    "error=ENOSPC": ("openat", "write", "fsync", "rename", "mkdir"),
    "error=EMFILE": ("openat",),
}
ROWS = [("move", fault) for fault in FAULTS]
ROWS += [
    (what, fault)
    for what in ("challenge", "signup")
    for fault in ("signal=KILL", "error=EIO")
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store that each run begins with."""
    return lay(tmp_path_factory.mktemp("was") / "games")


def places(calls: list[Call], fault: str, all_of_them: bool) -> list[Call]:
    """The calls to break; among those that only read a few are enough, where the
    others have been shown to be like them."""
    kinds = {"renameat": "rename", "renameat2": "rename", "unlinkat": "unlink"}
    found = [c for c in calls if kinds.get(c.name, c.name) in FAULTS[fault]]
    if all_of_them:
        return found
    return [c for c in found if c.name not in ("openat", "read", "close") or c.creates]


@TRACE
@pytest.mark.parametrize(("what", "fault"), some(ROWS, 5))
def test_a_fault_anywhere(store: Path, tmp_path: Path, what: str, fault: str) -> None:
    errand = ERRANDS[what]
    whole = copy_of(store, tmp_path / "games")
    done, calls = traced(whole, errand.mail, tmp_path / "log")
    assert done == (0, "", "")
    # a new board is another each time
    right = letters_in(whole) if what != "challenge" else {}
    wanted = places(within(calls, whole), fault, what == "move")
    assert len(wanted) > 5
    for found in broken_at(some(wanted, 4), fault, store, tmp_path, errand):
        with said(found.call):
            assert_hit(found, fault)
            assert_sound(found.folder, store, errand, found.done, right)


TAKING = errand_of(
    "hextol accept 1 alice xanadu", ALICE, "hextol.1.1.alice", "hextol.1.1.bob"
)


@TRACE
@pytest.mark.parametrize("fault", ["signal=KILL", "error=EIO"])
def test_an_open_challenge_is_taken_up_or_stays_open(
    store: Path, tmp_path: Path, fault: str
) -> None:
    """Either it is there, or the board with its letters; never neither, nor both."""
    was = copy_of(store, tmp_path / "was")
    assert House(was).type("hextol challenge bob anyone").status == 0
    for mark in was.rglob("*.unsent"):
        mark.unlink()
    whole = copy_of(was, tmp_path / "games")
    done, calls = traced(whole, TAKING.mail, tmp_path / "log")
    assert done == (0, "", "")
    wanted = some(places(within(calls, whole), fault, all_of_them=False), 4)
    left = set()
    for found in broken_at(wanted, fault, was, tmp_path, TAKING):
        with said(found.call):
            assert_hit(found, fault)
            data = strict.load((found.folder / "hextol" / "1.yaml").read_bytes())
            is_open, is_board = "kind" in data, "seed" in data
            assert is_open != is_board
            left.add(is_open)
            assert_sound(found.folder, was, TAKING, found.done, {})
    assert left == {True, False}


def broken_at(
    wanted: list[Call], fault: str, store: Path, place: Path, errand: Errand
) -> Iterator["BrokenCall"]:
    """What each process has left that met with this fault at one of these calls."""

    def run(call: Call) -> BrokenCall:
        return break_at(call, fault, store, place / f"{call.name}{call.nth}", errand)

    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(run, wanted)


class BrokenCall(NamedTuple):
    """What a process has left that met with a fault at a call."""

    call: Call
    folder: Path
    done: Done
    calls: list[Call]


def break_at(
    call: Call, fault: str, store: Path, place: Path, errand: Errand
) -> BrokenCall:
    """Carry the errand out in a store of its own, with a fault at this call."""
    place.mkdir()
    folder = copy_of(store, place / "games")
    done, calls = broken(folder, errand.mail, place / "log", call, fault)
    return BrokenCall(call, folder, done, calls)


def assert_hit(found: BrokenCall, fault: str) -> None:
    """The fault has befallen the call that was meant."""
    if fault.startswith("signal"):
        assert found.done.status == -9
    hit = found.calls[-1] if fault.startswith("signal") else None
    for call in found.calls:
        hit = call if call.injected else hit
    assert hit is not None
    assert hit.nth == found.call.nth
    assert any(path.startswith(str(found.folder)) for path in hit.paths)


def test_nothing_broken(store: Path, tmp_path: Path) -> None:
    for what, errand in ERRANDS.items():
        folder = copy_of(store, tmp_path / what)
        done = deliver(folder, errand.mail)
        assert done.status == 0
        assert_sound(folder, store, errand, done, letters_in(folder))


# The same in the shell


SHELL = "import sys; from pbm_holomino.cli import main; sys.exit(main())"
MOVE = [sys.executable, "-c", SHELL, *["holo", "move", "1", "alice", "xanadu", "142:4"]]


@TRACE
@pytest.mark.parametrize("fault", ["signal=KILL", "error=EIO"])
def test_a_fault_anywhere_in_the_shell(store: Path, tmp_path: Path, fault: str) -> None:
    """There nobody sends the command again but the player, who sees the board: the
    move is made or it is not, and once it is, its letter leaves."""
    whole, log = copy_of(store, tmp_path / "games"), tmp_path / "log"
    done, calls = traced(whole, b"", log, program=MOVE)
    assert done.status == 0
    right = letters_in(whole)
    assert set(right) == {"holo.1.1.bob"}
    for call in some(places(within(calls, whole), fault, all_of_them=False), 3):
        folder = copy_of(store, tmp_path / f"{call.name}{call.nth}")
        with said(call):
            done, _ = broken(folder, b"", log, call, fault, program=MOVE)
            assert done.status in (0, 75, -9)
            assert_whole(folder, store)
            assert_silent(folder, done, store)
            made = strict.load((folder / "holo" / "1.yaml").read_bytes())["ply"]
            assert (made, done.status) != ("0", 0)
            if made == "0":
                assert deliver(folder, b"", program=MOVE).status == 0
            assert type_owner(folder, "flush").status == 0
            assert letters_in(folder) == right
