"""Notices of what has been saved: none is lost, whoever looks and whenever."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pbm_holomino.store.files import changes
from pbm_holomino.store.files.changes import Changes

Boards = set[tuple[str, int]]


@pytest.fixture
def once(tmp_path: Path) -> Changes:
    """A process that saves a board and ends."""
    return Changes(str(tmp_path))


@pytest.fixture
def stays(tmp_path: Path) -> Iterator[Changes]:
    """A long-running process, and names up to three boards on a notice."""
    saver = Changes(str(tmp_path), 3)
    yield saver
    saver.close()


def save(saver: Changes, *numbers: int) -> None:
    for number in numbers:
        with saver.saving("holo", number):
            pass


def holo(*numbers: int) -> Boards:
    return {("holo", number) for number in numbers}


def files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / changes.FOLDER).iterdir())


def look(tmp_path: Path) -> Boards:
    """The boards that a reader finds in the notices; it removes what is done with."""
    found = Changes(str(tmp_path)).notices()
    changes.remove(found)
    return {board for notice in found for board in notice.boards}


def test_nobody_has_saved_anything(once: Changes, tmp_path: Path) -> None:
    assert once.boards() == look(tmp_path) == set()


def test_a_saved_board_is_found_once(once: Changes, tmp_path: Path) -> None:
    save(once, 12, 7, 12)
    with once.saving("walomino", 3):
        pass
    assert once.boards() == look(tmp_path) == {*holo(7, 12), ("walomino", 3)}
    assert files(tmp_path) == []
    save(once, 1)
    assert look(tmp_path) == holo(1)


def test_a_process_that_stays_writes_few_notices(
    stays: Changes, tmp_path: Path
) -> None:
    save(stays, 1, 2, 3, 2, 4, 6, 7)
    told = [file.read_text() for file in files(tmp_path)]
    assert told == ["holo 1\nholo 2\nholo 3\n", "holo 2\nholo 4\nholo 6\n", "holo 7\n"]
    assert look(tmp_path) == holo(1, 2, 3, 4, 6, 7)
    assert [file.read_text() for file in files(tmp_path)] == ["holo 7\n"]


def test_a_notice_in_use_stays(stays: Changes, tmp_path: Path) -> None:
    save(stays, 1)
    assert look(tmp_path) == holo(1)
    save(stays, 2)
    assert look(tmp_path) == holo(1, 2)
    stays.close()
    assert look(tmp_path) == holo(1, 2)
    assert files(tmp_path) == []
    save(stays, 5)
    assert look(tmp_path) == holo(5)


@pytest.mark.parametrize("who", ["once", "stays"])
def test_a_board_is_found_for_as_long_as_it_is_being_saved(
    request: pytest.FixtureRequest, tmp_path: Path, who: str
) -> None:
    saver: Changes = request.getfixturevalue(who)
    with saver.saving("holo", 2):
        assert look(tmp_path) == look(tmp_path) == holo(2)
    saver.close()
    assert look(tmp_path) == holo(2)
    assert look(tmp_path) == set()


def test_threads_that_save_at_once_have_a_notice_each(
    stays: Changes, tmp_path: Path
) -> None:
    with stays.saving("holo", 1):
        save(stays, 2, 3)
        assert len(files(tmp_path)) == 2
        assert look(tmp_path) == holo(1, 2, 3)
    save(stays, 4, 5)
    assert look(tmp_path) == holo(1, 2, 3, 4, 5)


def test_a_save_that_fails_has_given_notice(stays: Changes, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), stays.saving("holo", 1):
        raise KeyboardInterrupt
    save(stays, 2)
    assert look(tmp_path) == holo(1, 2)


def test_all_notices_may_be_removed_from_under_a_process(
    stays: Changes, tmp_path: Path
) -> None:
    save(stays, 1)
    (file,) = files(tmp_path)
    file.unlink()
    file.parent.rmdir()
    save(stays, 2)
    assert look(tmp_path) == holo(2)


@pytest.mark.parametrize("rest", [b"hol", b"holo 2", b"holo 02\n", bytes(7), b"\xff"])
def test_half_a_line_names_no_board(once: Changes, tmp_path: Path, rest: bytes) -> None:
    """A process that could not write all of it has saved nothing."""
    save(once, 1)
    (file,) = files(tmp_path)
    file.write_bytes(file.read_bytes() + rest)
    assert look(tmp_path) == holo(1)


def test_other_files_are_left_alone(once: Changes, tmp_path: Path) -> None:
    save(once, 1)
    (tmp_path / changes.FOLDER / "README").write_text("holo 2\n")
    assert look(tmp_path) == holo(1)
    assert [file.name for file in files(tmp_path)] == ["README"]


@pytest.mark.parametrize("room", [0, 3])
def test_a_disk_that_is_full_leaves_no_index(
    stays: Changes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    save(stays, 1)
    there, write = tmp_path / changes.INDEX, os.write
    there.touch()
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda fd, line: write(fd, line[:room]))
        for fault in (None, KeyboardInterrupt()):
            with suppress(KeyboardInterrupt), stays.saving("holo", 2):
                assert not there.exists()
                there.touch()  # by a process that has read the board too early
                if fault is not None:
                    raise fault
            assert not there.exists()
    save(stays, 3)
    assert look(tmp_path) == holo(1, 3)
