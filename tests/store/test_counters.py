"""Names are counted by the hour."""

import os
from pathlib import Path

import pytest

from pbm_holomino.store.files.counters import SIZE, Counters
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


def test_counts_of_an_older_program_go_on(store: FileStore, counters: Counters) -> None:
    """Its files have no room for what is given back, and get it when they need it."""
    for _ in range(3):
        counters.count(*HOUR, "somebody")
    path = Path(store.path(*HOUR))
    assert path.stat().st_size == SIZE
    counters.give_back(*HOUR, ["somebody"])
    assert path.stat().st_size > SIZE
    assert counters.count_of(*HOUR, "somebody") == 2
    assert counters.count(*HOUR, "somebody") == 2
    assert counters.count(*HOUR, "another") == 0


def test_what_is_given_back_takes_nothing_from_others(counters: Counters) -> None:
    names = [f"somebody {number}" for number in range(1_000)]
    for name in names:
        assert counters.claim(*HOUR, {name: (2, 9)})
    counters.give_back(*HOUR, names[:500])
    assert all(counters.count_of(*HOUR, name) >= 2 for name in names[500:])
    assert all(counters.count_of(*HOUR, name) >= 1 for name in names[:500])
