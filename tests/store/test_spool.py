"""Letters and copies in folders where others collect them."""

import os
from pathlib import Path

import pytest

from pbm_holomino.store.files import spool
from pbm_holomino.store.files.store import FileStore
from tests.store.disk_calls import Watch

DAY = 86_400
NOW = 1_000_000_000  # in 2001: what is kept next is younger, by any clock


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(str(tmp_path / "games"))


def test_a_file_is_there_whole_or_not_at_all(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch(monkeypatch)
    seen = set[bytes]()

    def look(moment: int) -> None:
        folder = Path(store.path("outbox"))
        seen.update(path.read_bytes() for path in folder.glob("*.eml"))

    watch.at = look
    store.kept.put("outbox", "a.eml", b"text" * 100)
    monkeypatch.undo()
    assert seen == {b"text" * 100}
    store.kept.put("outbox", "a.eml", b"again")
    assert os.listdir(store.path("outbox")) == ["a.eml"]
    assert Path(store.path("outbox", "a.eml")).read_bytes() == b"again"


def keep(store: FileStore, name: str, size: int, time: int) -> None:
    """Keep a copy of so many bytes, written at this time."""
    store.kept.keep("copies", f"{name}.eml", b"x" * size)
    os.utime(store.path("copies", f"{name}.eml"), (time, time))


def kept(store: FileStore) -> str:
    """The names of the copies, the oldest first."""
    return "".join(name[0] for name in store.kept.mails("copies"))


def test_the_oldest_copies_go_when_there_are_too_many(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MOST_KEPT", 3)
    found = []
    for time, name in enumerate("dbeac", NOW):
        keep(store, name, 10, time)
        found.append(kept(store))
    assert found == ["d", "db", "dbe", "bea", "eac"]


def test_the_oldest_copies_go_when_they_are_too_large(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MOST_KEPT_BYTES", 100)
    found = []
    for time, (name, size) in enumerate(
        [("d", 50), ("b", 30), ("e", 20), ("a", 1), ("c", 79), ("f", 101), ("g", 100)],
        NOW,
    ):
        keep(store, name, size, time)
        found.append(kept(store))
    # 50 + 30 + 20 is not too much; 1 more is; of a copy too large for all, itself stays
    assert found == ["d", "db", "dbe", "bea", "eac", "f", "g"]


def test_a_folder_is_full_when_another_copy_would_push_one_out(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MOST_KEPT", 2)
    found = [store.kept.is_full("copies")]
    for time, name in enumerate("ab", NOW):
        keep(store, name, 10, time)
        found.append(store.kept.is_full("copies"))
    assert found == [False, False, True]


def test_half_written_files_are_swept_away_after_a_day(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "time", lambda: float(NOW))
    store.kept.put("outbox", "whole.eml", b"text")
    times = {".old.7": NOW - DAY, ".young.7": NOW - DAY + 1, "whole.eml": NOW - 9 * DAY}
    for name, time in times.items():
        path = Path(store.path("outbox", name))
        path.touch()
        os.utime(path, (time, time))
    store.kept.sweep("outbox")
    assert sorted(os.listdir(store.path("outbox"))) == [".young.7", "whole.eml"]


def test_times_are_those_of_one_kind_and_ascend(store: FileStore) -> None:
    store.kept.put("outbox", "other.txt", b"text")
    for name, time in {"b.eml": NOW, "a.eml": NOW + 2, "c.eml": NOW + 1}.items():
        store.kept.put("outbox", name, b"text")
        os.utime(store.path("outbox", name), (time, time))
    times = {"b.eml": NOW, "c.eml": NOW + 1, "a.eml": NOW + 2}
    assert list(store.kept.times("outbox").items()) == list(times.items())
    assert store.kept.times("nowhere") == {}
