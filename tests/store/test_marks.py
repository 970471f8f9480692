"""Marks of letters that have not been sent: who sends, and when a mark goes."""

import fcntl
import os
from pathlib import Path

import pytest

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.files.marks import Marks
from pbm_holomino.store.files.store import FileStore
from tests.house import Crash

OLD = {"text": "old", "log": ["1"]}


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    """A store that holds one file."""
    made = FileStore(str(tmp_path / "games"), patience=0.05)
    with made.lock("holo", "1"):
        made.save("holo", "1", OLD)
    return made


@pytest.fixture
def marks(store: FileStore) -> Marks:
    return store.marks


def test_marks_are_listed_by_file_and_line(store: FileStore, marks: Marks) -> None:
    for line in (10, 9):
        store.save("holo", "1", OLD, unsent=line)
    store.save("holo", "2", OLD, unsent=0)
    assert marks.unsent("holo") == {"1": [9, 10], "2": [0]}
    assert not marks.is_unsent("holo", "1", 1)
    assert sorted(store.names("holo")) == ["1", "2"]


def test_the_mark_goes_when_all_is_sent(store: FileStore, marks: Marks) -> None:
    store.save("holo", "1", OLD, unsent=1)
    with marks.sending("holo", "1", 1) as ours:
        assert ours
        assert marks.is_unsent("holo", "1", 1)
    assert not marks.is_unsent("holo", "1", 1)
    with marks.sending("holo", "1", 1) as ours:
        assert not ours


@pytest.mark.parametrize("failure", [StoreTrouble, Crash])
def test_the_mark_stays_when_sending_fails(
    store: FileStore, marks: Marks, failure: type[BaseException]
) -> None:
    store.save("holo", "1", OLD, unsent=1)
    with pytest.raises(failure), marks.sending("holo", "1", 1):
        raise failure
    assert marks.is_unsent("holo", "1", 1)
    with marks.sending("holo", "1", 1) as ours:
        assert ours


def test_letters_that_another_process_is_sending_are_left_to_it(
    store: FileStore, marks: Marks
) -> None:
    store.save("holo", "1", OLD, unsent=1)
    with marks.sending("holo", "1", 1) as theirs, marks.sending("holo", "1", 1) as ours:
        assert theirs is not None
        assert ours is None
        assert marks.is_unsent("holo", "1", 1)


def test_letters_are_left_to_whoever_has_marked_them(
    store: FileStore, marks: Marks
) -> None:
    """However old the mark is, until that store is closed or cannot save."""
    others = FileStore(store.root).marks
    store.save("holo", "1", OLD, unsent=1)
    os.utime(store.path("holo", "1.1.unsent"), (0, 0))
    with others.sending("holo", "1", 1) as theirs:
        assert theirs is None
    store.close()
    with others.sending("holo", "1", 1) as theirs:
        assert theirs is not None


def test_a_save_that_fails_leaves_its_mark_to_others(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(StoreTrouble):
        store.save("holo", "1", OLD, unsent=1)
    others = FileStore(store.root).marks
    with others.sending("holo", "1", 1) as theirs:
        assert theirs is not None


def test_a_mark_that_was_removed_meanwhile_is_not_ours(
    store: FileStore, marks: Marks, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save("holo", "1", OLD, unsent=1)
    flock = fcntl.flock

    def sent_by_another(fd: int, how: int) -> None:
        os.unlink(store.path("holo", "1.1.unsent"))
        flock(fd, how)

    monkeypatch.setattr(fcntl, "flock", sent_by_another)
    with marks.sending("holo", "1", 1) as ours:
        assert not ours
