"""Disks that are cut off while they are written, or that are full."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from tests.faults.disks import has_loop_devices, image, memory, new_image, run, snapshot
from tests.faults.journal import Disk, lay_out
from tests.faults.scene import (
    ERRANDS,
    assert_answered,
    assert_flushed,
    assert_sound,
    assert_whole,
    copy_of,
    lay,
    letters_in,
    lines_made,
    type_owner,
)
from tests.faults.syscalls import TRACE, TRACED, lasting, traced
from tests.house import mail_of
from tests.processes import deliver
from tests.processes import run as type_at
from tests.sizes import some

# A real ext4 where the machine has loop devices, and the model of a journal.
KINDS = [
    pytest.param(True, marks=pytest.mark.needs("root", "e2fsprogs", "strace")),
    pytest.param(False, marks=TRACE),
]
MOST_STATES = 2000  # that a power cut may leave after a mail

# Mails, one after the other, each with the letters that it brings.
MAILS = [
    (mail_of("holo move 1 alice xanadu 142:4"), ("holo.1.1.alice", "holo.1.1.bob")),
    (
        mail_of("holo move 1 bob better4 234:3", "bob@example.org"),
        ("holo.1.2.alice", "holo.1.2.bob"),
    ),
    (mail_of("signup carol better5", "carol@example.net"), ("players.carol.1",)),
    (mail_of("holo resign 1 alice xanadu"), ("holo.1.3.alice", "holo.1.3.bob")),
]


def cuts_of_an_image(tmp_path: Path) -> Iterator[Path]:
    """After each mail: the store as a power cut leaves it then, on a real ext4."""
    disk, place = new_image(tmp_path / "image"), tmp_path / "mounted"
    with image(disk, place):
        copy_of(tmp_path / "was", place / "games")
        run("sync", "-f", str(place))
        for number, (raw, _) in enumerate(MAILS):
            assert deliver(place / "games", raw).status == 0
            cut = snapshot(disk, tmp_path / f"cut{number}")
            with image(cut, tmp_path / f"after{number}") as after:
                yield after / "games"


def cuts_of_the_model(tmp_path: Path) -> Iterator[Path]:
    """The same by the model of a journal, where no image can be mounted."""
    folder = copy_of(tmp_path / "was", tmp_path / "run" / "games")
    disk = Disk(folder.parent)
    for number, (raw, _) in enumerate(MAILS):
        done, calls = traced(folder, raw, tmp_path / "log")
        assert done.status == 0
        for call in lasting(calls, folder.parent):
            disk.follow(call)
        trees = list(islice(disk.left(), MOST_STATES + 1))
        assert len(trees) <= MOST_STATES, "too much is left unsynced"
        for state, tree in enumerate(some(trees, 6)):
            left = tmp_path / f"after{number}.{state}"
            yield lay_out(tree, left) / "games"


@pytest.mark.parametrize("real", KINDS)
def test_an_answered_mail_survives_a_power_cut(tmp_path: Path, real: bool) -> None:
    """No process has been told to write anything but what it wrote itself, and the
    power fails as soon as a mail is dealt with: each that has been is in the store,
    and each of its letters in the outbox."""
    lay(tmp_path / "was")
    real = real and has_loop_devices(tmp_path)
    cuts = cuts_of_an_image if real else cuts_of_the_model
    seen = set[int]()
    for folder in cuts(tmp_path):
        number = int(folder.parent.name.removeprefix("after").partition(".")[0])
        assert type_owner(folder, "flush").status == 0
        assert type_owner(folder, "check").status == 0
        there = letters_in(folder)
        for _, names in MAILS[: number + 1]:
            assert set(names) <= there.keys()
        seen.add(number)
    assert seen == set(range(len(MAILS)))


@pytest.mark.parametrize("real", KINDS)
def test_a_disk_that_only_says_that_it_has_synced_is_seen_to_lie(
    tmp_path: Path, real: bool
) -> None:
    """The test before this one can fail: here the same program believes that it has
    synced, and nothing has been."""
    was, errand = lay(tmp_path / "was"), ERRANDS["move"]
    lie = ("-e", f"trace={TRACED}", "-e", "inject=fsync:retval=0")
    if real and has_loop_devices(tmp_path):
        disk, place = new_image(tmp_path / "image"), tmp_path / "mounted"
        with image(disk, place):
            folder = copy_of(was, place / "games")
            run("sync", "-f", str(place))
            done, _ = traced(folder, errand.mail, tmp_path / "log", *lie)
            assert done.status == 0
            cut = snapshot(disk, tmp_path / "cut")
            with image(cut, tmp_path / "after") as after:
                assert lines_made(after / "games", errand) == 0
        return
    folder = copy_of(was, tmp_path / "run" / "games")
    model = Disk(folder.parent)
    done, calls = traced(folder, errand.mail, tmp_path / "log", *lie)
    assert done.status == 0
    for call in lasting(calls, folder.parent):
        if not call.injected:
            model.follow(call)
    trees = some(list(model.left()), 20)
    left = [lay_out(tree, tmp_path / str(n)) for n, tree in enumerate(trees)]
    torn = [path for path in left if not sound(path / "games")]
    assert torn  # a board of which only NULs are there
    assert any(lines_made(p / "games", errand) == 0 for p in left if p not in torn)


def sound(folder: Path) -> bool:
    return type_owner(folder, "check").status == 0


@pytest.mark.needs("root")
@pytest.mark.parametrize("room", some(range(0, 40, 4), 3))
def test_a_disk_that_fills_up(tmp_path: Path, room: int) -> None:
    """A file system in memory (the tests must be root to mount it) has so many
    kilobytes left when the mail comes, and none in the end: then the owner makes
    room, and all goes on."""
    was, errand = lay(tmp_path / "was"), ERRANDS["move"]
    for path in was.glob("index.sqlite*"):
        path.unlink()  # it would be given up first, to make room
    whole = copy_of(was, tmp_path / "whole")
    assert deliver(whole, errand.mail).status == 0
    with memory(tmp_path / "full", 400) as place:
        folder = copy_of(was, place / "games")
        fill(place / "filler", room * 1024)
        done = deliver(folder, errand.mail)
        assert done.status in (0, 75)
        assert (room, done.status) not in ((0, 0), (36, 75))
        assert (done.status == 75) == ("No space left on device" in done.printed)
        assert_whole(folder, was)
        assert not list((folder / "outbox").glob(".*"))
        if done.status == 0:
            assert_answered(folder, errand, letters_in(whole))
        (place / "filler").unlink()
        assert_sound(folder, was, errand, done, letters_in(whole))
        assert_flushed(folder, errand, letters_in(whole))


@pytest.mark.needs("root")
def test_the_owner_hears_of_a_disk_that_is_full(tmp_path: Path) -> None:
    """From cron, which writes to them what comes on standard error, and by asking."""
    was = lay(tmp_path / "was")
    with memory(tmp_path / "full", 400) as place:
        folder = copy_of(was, place / "games")
        fill(place / "filler", 0)
        done = type_at(folder, "pbm", "tick")
        assert (done.status, done.out) == (75, "")
        assert "No space left on device" in done.err
        asked = type_at(folder, "pbm", "status")
        assert (asked.status, asked.out) == (2, "")  # moves stand still
        assert f"The disk of {folder} is full" in " ".join(asked.err.split())
        (place / "filler").unlink()
        done = type_at(folder, "pbm", "tick")
        assert (done.status, done.err) == (0, "")


def fill(path: Path, room: int) -> None:
    """Write until only so many bytes are left."""
    with path.open("wb", buffering=0) as file:
        while True:
            try:
                file.write(bytes(4096))
            except OSError:
                break
        file.truncate(max(0, file.tell() - room))
