"""Names are counted by the hour."""

import os
from pathlib import Path

import pytest

from pbm_holomino.store.files.counters import Counters
from pbm_holomino.store.files.store import FileStore

HOUR = ("strangers", "2026112004")


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(str(tmp_path / "games"))


@pytest.fixture
def counters(store: FileStore) -> Counters:
    return store.counters


def test_the_count_starts_again_each_hour(store: FileStore, counters: Counters) -> None:
    counts = [counters.count(*HOUR, "somebody") for _ in range(3)]
    assert counts == [0, 1, 2]
    assert counters.count(*HOUR, "another") == 0
    assert counters.count("strangers", "2026112005", "somebody") == 0
    assert counters.count_of("strangers", "2026112005", "somebody") == 1
    assert os.listdir(store.path("strangers")) == ["2026112005"]


def test_asking_does_not_count(store: FileStore, counters: Counters) -> None:
    assert counters.count_of(*HOUR, "somebody") == 0
    assert not Path(store.path("strangers")).exists()
    counters.count(*HOUR, "somebody")
    assert [counters.count_of(*HOUR, "somebody") for _ in range(3)] == [1, 1, 1]
    assert counters.count_of("strangers", "2026112005", "somebody") == 0


def test_either_all_names_are_counted_or_no_name_is(
    store: FileStore, counters: Counters
) -> None:
    assert counters.claim(*HOUR, {"alice": (1, 2), "bob": (1, 1)})
    assert not counters.claim(*HOUR, {"alice": (1, 2), "bob": (1, 1)})
    assert [counters.count_of(*HOUR, name) for name in ("alice", "bob")] == [1, 1]
    assert counters.claim(*HOUR, {"alice": (1, 2)})
    assert not counters.claim(*HOUR, {"alice": (1, 2)})
    assert not counters.claim(*HOUR, {"carol": (1, 0)})
    assert not counters.claim(*HOUR, {"dave": (3, 2)})
    assert counters.claim(*HOUR, {"dave": (2, 2)})
    assert [counters.count_of(*HOUR, name) for name in ("alice", "carol")] == [2, 0]


def test_files_of_an_older_version_go(store: FileStore, counters: Counters) -> None:
    folder = Path(store.path("strangers"))
    folder.mkdir(parents=True)
    (folder / "2026112004.0123456789abcdef").write_bytes(b"...")
    assert counters.count(*HOUR, "somebody") == 0
    assert os.listdir(folder) == ["2026112004"]


def test_an_incomplete_file_is_begun_again(
    store: FileStore, counters: Counters
) -> None:
    """As a process leaves it that is killed."""
    folder = Path(store.path("strangers"))
    folder.mkdir(parents=True)
    (folder / "2026112004").write_bytes(b"half")
    assert counters.count_of(*HOUR, "somebody") == 0
    assert counters.count(*HOUR, "somebody") == 0
    assert counters.count(*HOUR, "somebody") == 1
