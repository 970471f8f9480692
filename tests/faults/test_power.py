"""A power cut at every moment of a command, in every way that a journal allows."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.faults.journal import Disk, Tree, lay_out
from tests.faults.scene import (
    ERRANDS,
    Errand,
    assert_flushed,
    assert_goes_on,
    assert_whole,
    copy_of,
    lay,
    letters_in,
    lines_made,
    receive,
    said,
)
from tests.faults.syscalls import TRACE, TRACED, Call, traced, within
from tests.house import mail_of
from tests.processes import INBOX
from tests.sizes import some


def states(disk: Disk, calls: list[Call]) -> Iterator[tuple[str, Tree, bool]]:
    """Each state that a power cut may leave, once: after which call, and whether that
    was the last."""
    seen = set[frozenset[tuple[str, bytes | None]]]()
    for call in calls:
        disk.follow(call)
        is_last = call is calls[-1]
        for tree in disk.left():
            key = frozenset((*tree.items(), ("", bytes(is_last))))
            if key not in seen:
                seen.add(key)
                yield str(call), tree, is_last


def recorded(
    was: Path, place: Path, raw: bytes, program: Sequence[str] = INBOX
) -> tuple[Disk, list[Call], Path]:
    """A mail (or another program's run) that is dealt with in a copy of a store: the
    disk before, what was asked of the system, and the store after."""
    folder = copy_of(was, place) if was.exists() else place
    disk = Disk(folder.parent)
    log = folder.parent.parent / f"{folder.parent.name}.log"
    done, calls = traced(folder, raw, log, program=program)
    assert done.status == 0
    return disk, within(calls, folder.parent), folder


@TRACE
@pytest.mark.parametrize("what", ERRANDS)
def test_a_power_cut_at_any_moment(tmp_path: Path, what: str) -> None:
    errand, was = ERRANDS[what], lay(tmp_path / "was")
    disk, calls, folder = recorded(was, tmp_path / "run" / "games", errand.mail)
    right = letters_in(folder)
    found = list(states(disk, calls))
    before = [state for state in found if not state[2]]
    after = [state for state in found if state[2]]
    assert len(before) > 20
    assert len(after) > 1
    for number, (call, tree, is_last) in enumerate(some(before, 10) + some(after, 3)):
        left = lay_out(tree, tmp_path / str(number)) / "games"
        with said(f"after {call}, of {sorted(tree)}"):
            assert_whole(left, was)
            assert_survived(left, errand, right, is_last)
        shutil.rmtree(left.parent)


def assert_survived(
    left: Path, errand: Errand, right: dict[str, bytes], is_last: bool
) -> None:
    """Who was told that the mail is dealt with does not send it again."""
    if is_last:
        assert_flushed(left, errand, right)
    if errand is ERRANDS["challenge"]:
        right = {}  # the board may be opened anew, and is another then
    assert_goes_on(left, errand, right)


@TRACE
def test_a_move_is_two_fsyncs_and_its_letters_are_two_each(tmp_path: Path) -> None:
    was = lay(tmp_path / "was")
    receive(was, ERRANDS["move"].mail)  # so that the outbox is there
    again = mail_of("holo chat 1 alice xanadu", body="Hello!")
    _, calls, _ = recorded(was, tmp_path / "run" / "games", again)
    synced = [Path(c.paths[0]).name for c in calls if c.name == "fsync"]
    assert synced[:2] == ["1.new", "holo"]
    assert len(synced[2:]) == 4
    assert synced[3::2] == ["outbox", "outbox"]


KEPT = {
    "an answer": (mail_of("help", "eve@example.net"), "games/outbox/answer.*.eml"),
    "quarantine": (b"no mail\n\n", "games/quarantine/*.eml"),
    "a new store": (mail_of("signup eve better5", "e@x.org"), "games/players/eve.yaml"),
}


@TRACE
@pytest.mark.parametrize("what", KEPT)
def test_a_mail_that_was_answered_survives_a_power_cut(
    tmp_path: Path, what: str
) -> None:
    raw, pattern = KEPT[what]
    (tmp_path / "run").mkdir()
    disk, calls, folder = recorded(tmp_path / "none", tmp_path / "run/games", raw)
    (right,) = (path.read_bytes() for path in folder.parent.glob(pattern))
    last = [tree for _, tree, is_last in states(disk, calls) if is_last]
    assert last
    for number, tree in enumerate(last):
        left = lay_out(tree, tmp_path / str(number))
        assert [path.read_bytes() for path in left.glob(pattern)] == [right]


@TRACE
def test_files_that_a_killed_process_left_unsynced_are_synced(
    tmp_path: Path,
) -> None:
    """One dies after the rename, and before the folder is synced; to the mail that
    comes again the move looks done. Who then hears that it is has not been told so
    too early."""
    errand, was = ERRANDS["move"], lay(tmp_path / "was")
    folder = copy_of(was, tmp_path / "run" / "games")
    disk = Disk(folder.parent)
    kill = ("-e", f"trace={TRACED}", "-e", "inject=fsync:signal=KILL:when=2")
    calls: list[Call] = []
    for options, status in ((kill, -9), ((), 0)):
        done, more = traced(folder, errand.mail, tmp_path / "log", *options)
        assert done.status == status
        calls += within(more, folder.parent)
    assert lines_made(folder, errand) == 1
    last = [tree for _, tree, is_last in states(disk, calls) if is_last]
    assert last
    for number, tree in enumerate(some(last, 8)):
        left = lay_out(tree, tmp_path / str(number)) / "games"
        assert_flushed(left, errand, letters_in(folder))


FLUSH = (
    "import sys; from pbm_holomino.cli import main; sys.exit(main(['pbm', 'flush']))"
)


@TRACE
def test_a_power_cut_while_marked_letters_leave(tmp_path: Path) -> None:
    errand, was = ERRANDS["move"], lay(tmp_path / "was")
    receive(was, errand.mail)
    right = letters_in(was)
    shutil.rmtree(was / "outbox")
    (was / "holo" / "1.1.unsent").touch()
    program = [sys.executable, "-c", FLUSH]
    disk, calls, _ = recorded(was, tmp_path / "run" / "games", b"", program)
    found = list(states(disk, calls))
    assert len(found) > 10
    for number, (call, tree, _) in enumerate(some(found, 8)):
        left = lay_out(tree, tmp_path / str(number)) / "games"
        with said(f"after {call}, of {sorted(tree)}"):
            assert_flushed(left, errand, right)
            assert right.items() <= letters_in(left).items()
        shutil.rmtree(left.parent)


# The model itself


def call(name: str, arguments: str, *paths: str, data: bytes = b"") -> Call:
    return Call(name, 1, arguments, paths, data, 3, False)


def test_the_model_loses_what_is_not_synced(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    root, name = str(tmp_path), f"{tmp_path}/b"
    made = call("openat", "AT_FDCWD, ..., O_WRONLY|O_CREAT", name)
    write = call("write", "3<b>, ...", name, data=b"text")._replace(answer=4)
    rename = call("rename", "...", name, f"{tmp_path}/a")
    sync, sync_all = call("fsync", "3<b>", name), call("fsync", "4<.>", root)
    half = [b"", b"te", b"text", bytes(4)]
    for steps, last in {
        (made,): [{"a": b"old"}, {"a": b"old", "b": b""}],
        (made, write, sync): [{"a": b"old"}, {"a": b"old", "b": b"text"}],
        (made, write, sync_all): [{"a": b"old", "b": text} for text in half],
        (made, write, rename, sync_all): [{"a": text} for text in half],
        (made, write, sync, rename, sync_all): [{"a": b"text"}],
    }.items():
        disk = Disk(tmp_path)
        for step in steps:
            disk.follow(step)
        left = [sorted(tree.items()) for tree in disk.left()]
        assert sorted(left) == sorted(sorted(tree.items()) for tree in last)
