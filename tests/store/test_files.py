"""The store's files: whole, locked, and what happens when the disk fails."""

import errno
import fcntl
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from pbm_holomino.errors import TRY_LATER, Busy, CorruptFile, StoreTrouble
from pbm_holomino.store import yaml
from pbm_holomino.store.documents import read
from pbm_holomino.store.files.store import FileStore
from tests.house import Crash
from tests.store.disk_calls import Watch

OLD = {"text": "old", "log": ["1"]}
NEW = {"text": "new " * 20, "log": ["1", "2"]}


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    """A store that holds one file."""
    made = FileStore(str(tmp_path / "games"), patience=0.05)
    with made.lock("holo", "1"):
        made.save("holo", "1", OLD)
    return made


# Saving


def test_saved_data_are_read_back(store: FileStore) -> None:
    assert read(store, "holo", "1") == OLD
    store.save("holo", "1", NEW)
    assert read(store, "holo", "1") == NEW
    assert Path(store.path("holo", "1.yaml")).read_bytes() == yaml.dump(NEW)


@pytest.mark.parametrize("unsent", [None, 7])
def test_a_save_is_two_fsyncs_round_a_rename(
    store: FileStore, monkeypatch: pytest.MonkeyPatch, unsent: int | None
) -> None:
    with store.lock("players", "alice"):
        watch = Watch(monkeypatch)
        store.save("players", "alice", NEW, unsent)
    durable = [call for call in watch.calls if call.split()[0] in ("fsync", "rename")]
    assert durable == ["fsync file", "rename", "fsync folder"]
    assert "write" not in watch.calls[watch.calls.index("fsync file") :]


def test_a_system_that_writes_less_is_asked_again(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, text: write(fd, bytes(text[:7])))
    store.save("holo", "1", NEW)
    assert read(store, "holo", "1") == NEW


def die(last: int, moment: int) -> None:
    if moment == last:
        raise Crash


def crashing_saves(store: FileStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Saves NEW over OLD, each time dying one moment later, until it gets through."""
    write = os.write

    def write_less(fd: int, text: bytes) -> int:
        return write(fd, bytes(text[:31]))

    for last in range(1, 1000):
        store.save("holo", "1", OLD)
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", write_less)
            Watch(patch).at = partial(die, last)
            try:
                store.save("holo", "1", NEW, unsent=2)
            except Crash:
                yield last
            else:
                return
        Path(store.path("holo", "1.2.unsent")).unlink(missing_ok=True)


def test_after_a_crash_the_file_is_old_or_new(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    for _ in crashing_saves(store, monkeypatch):
        found = read(store, "holo", "1")
        assert found in (OLD, NEW)
        # the move and its letters, or neither
        assert found == OLD or store.marks.is_unsent("holo", "1", 2)
        seen.append(found == NEW)
    # many moments before the rename, and some after it
    assert seen == sorted(seen)
    assert seen.count(False) > 15
    assert seen.count(True) > 3


def test_after_a_crash_a_retry_works(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in crashing_saves(store, monkeypatch):
        monkeypatch.undo()  # the next process finds a whole system
        with store.lock("holo", "1"):
            store.save("holo", "1", NEW, unsent=2)
        assert read(store, "holo", "1") == NEW
        assert store.marks.is_unsent("holo", "1", 2)
        assert store.names("holo") == ["1"]


def test_a_reader_during_a_save_sees_a_whole_file(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch(monkeypatch)
    seen = []

    def look(moment: int) -> None:
        with open(store.path("holo", "1.yaml"), "rb") as file:
            seen.append(yaml.load(file.read()))

    watch.at = look
    store.save("holo", "1", NEW)
    assert all(found in (OLD, NEW) for found in seen)
    assert (seen[0], seen[-1]) == (OLD, NEW)


def test_a_file_too_large_to_read_again_is_not_written(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml, "MOST_BYTES", 100)
    with pytest.raises(StoreTrouble, match=r"holo/1.yaml is full"):
        store.save("holo", "1", {"a": "x" * 200})
    assert read(store, "holo", "1") == OLD


# Who may read


def test_everything_belongs_to_one_account(tmp_path: Path) -> None:
    root = tmp_path / "games"
    before = os.umask(0)
    try:
        store = FileStore(str(root))
        with store.lock("holo", "1"):
            store.save("holo", "1", OLD, unsent=0)
        store.kept.put("outbox", "a.eml", b"text")
        store.counters.count("strangers", "2026112004", "somebody")
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in root.rglob("*")}
    folders = {path for path in modes if path.is_dir()}
    assert {path.name for path in folders} == {"changed", "holo", "outbox", "strangers"}
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
    assert {modes[path] for path in folders} == {0o700}
    assert {modes[path] for path in modes.keys() - folders} == {0o600}


def test_a_store_that_was_open_to_all_is_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with FileStore(str(tmp_path)).lock("players", "alice"):
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


def test_a_new_store_is_closed_from_its_first_moment_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise, whoever comes second at that moment would take it for a folder for
    other things."""
    monkeypatch.setattr(os, "chmod", lambda path, mode: None)
    root = tmp_path / "new" / "games"
    with FileStore(str(root)).lock("players", "alice"):
        pass
    assert stat.S_IMODE(root.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("mode", "file"), [(0o755, "thesis.txt"), (0o1777, "thesis.txt"), (0o1777, "")]
)
def test_a_folder_for_other_things_is_not_closed(
    tmp_path: Path, mode: int, file: str
) -> None:
    """Such as /tmp, of which nothing would work for others any more."""
    if file:
        (tmp_path / file).touch()
    tmp_path.chmod(mode)
    before = [*tmp_path.iterdir()]
    locked = FileStore(str(tmp_path)).lock("players", "alice")
    with pytest.raises(StoreTrouble, match=rf"please set PBM_GAMES to .*{tmp_path}/g"):
        locked.__enter__()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == mode
    assert [*tmp_path.iterdir()] == before


@pytest.mark.parametrize(
    ("mode", "name", "text"),
    [
        (0o700, "thesis.txt", ""),
        (0o755, "config.yaml", "send: smtp"),
        (0o755, "lost+found", ""),
        (0o755, ".gitkeep", ""),
    ],
)
def test_a_store_may_be_in_a_folder_that_is_closed_or_empty_or_has_settings(
    tmp_path: Path, mode: int, name: str, text: str
) -> None:
    """A disk of its own is as good as empty."""
    (tmp_path / name).write_text(text)
    tmp_path.chmod(mode)
    with FileStore(str(tmp_path)).lock("players", "alice"):
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


# Locks


def test_waiting_for_a_lock_ends(store: FileStore) -> None:
    with store.lock("holo", "1"):
        with pytest.raises(Busy, match="holo 1 is busy") as busy:
            store.lock("holo", "1").__enter__()
        with store.lock("holo", "2"), store.lock("players", "1"):
            pass  # nobody else waits for it
    assert busy.value.status == TRY_LATER == 75
    lock = os.stat(store.path("holo", "1.lock"))
    with store.lock("holo", "1"):
        pass
    # it is never deleted, which would split those who wait
    assert os.stat(store.path("holo", "1.lock")).st_ino == lock.st_ino


def test_a_program_that_locks_by_flock_is_kept_out_and_keeps_out(
    store: FileStore,
) -> None:
    """As those of 1.0 do, which may run on the same store."""
    with store.lock("holo", "1"):
        pass
    with open(store.path("holo", "1.lock"), "r+b") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with pytest.raises(Busy):
            store.lock("holo", "1").__enter__()
        fcntl.flock(other, fcntl.LOCK_UN)
        with store.lock("holo", "1"), pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_lock_is_released_when_its_holder_fails(store: FileStore) -> None:
    for failure in (RuntimeError, Crash):
        with pytest.raises(failure), store.lock("holo", "1"):
            raise failure
    with store.lock("holo", "1"):
        pass


HOLDER = """
import sys
from pbm_holomino.store.files.store import FileStore
with FileStore(sys.argv[1]).lock("holo", "1"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_killed_process_holds_no_lock(store: FileStore) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, store.root],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Busy):
            store.lock("holo", "1").__enter__()
        holder.kill()
    with store.lock("holo", "1"):
        pass


# What is not there, and what cannot be


def test_unknown_files(store: FileStore) -> None:
    assert read(store, "holo", "2") is None
    assert read(store, "nowhere", "1") is None
    assert store.names("nowhere") == []
    assert store.marks.unsent("nowhere") == {}
    assert store.exists("holo", "1")
    assert not store.exists("holo", "2")


@pytest.mark.parametrize("text", [b"a: b\na: c\n", b"\xff\xfe\x00", b"[" * 100_000])
def test_a_damaged_file_is_named_and_left_as_it_is(
    store: FileStore, text: bytes
) -> None:
    path = Path(store.path("holo", "1.yaml"))
    path.write_bytes(text)
    with pytest.raises(CorruptFile, match=r"holo/1\.yaml"):
        read(store, "holo", "1")
    assert path.read_bytes() == text


def test_a_huge_file_is_not_read_to_its_end(store: FileStore) -> None:
    path = Path(store.path("holo", "1.yaml"))
    with path.open("wb") as file:
        file.truncate(1 << 40)  # it has no such memory, and needs none
    with pytest.raises(CorruptFile) as damage:
        read(store, "holo", "1")
    assert "larger than" in damage.value.reason


USES: dict[str, Callable[[FileStore], object]] = {
    "lock": lambda store: store.lock("holo", "2").__enter__(),
    "save": lambda store: store.save("holo", "2", NEW, unsent=1),
    "read": lambda store: read(store, "holo", "2"),
    "names": lambda store: store.names("holo"),
    "unsent": lambda store: store.marks.unsent("holo"),
    "sending": lambda store: store.marks.sending("holo", "2", 1).__enter__(),
    "put": lambda store: store.kept.put("holo", "a.eml", b"text"),
    "count": lambda store: store.counters.count("holo", "2026112004", "somebody"),
}


@pytest.mark.parametrize("use", USES)
def test_a_file_where_a_folder_should_be(tmp_path: Path, use: str) -> None:
    (tmp_path / "holo").write_text("This is no folder.")
    with pytest.raises(StoreTrouble) as trouble:
        USES[use](FileStore(str(tmp_path), patience=0.05))
    assert trouble.value.status == TRY_LATER == 75


@pytest.mark.parametrize("name", ["open", "write", "fsync", "rename"])
def test_a_disk_that_is_full(
    store: FileStore, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def full(*args: object, **named: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, name, full)
        with pytest.raises(StoreTrouble, match="No space left on device"):
            store.save("holo", "1", NEW)
    assert read(store, "holo", "1") == OLD
