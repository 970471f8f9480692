"""Notes of what has been saved: none is lost, whoever looks and whenever."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pbm_holomino.store import changes
from pbm_holomino.store.changes import Changes

Boards = set[tuple[str, int]]


@pytest.fixture
def once(tmp_path: Path) -> Changes:
    """Somebody who saves a board and goes."""
    return Changes(str(tmp_path))


@pytest.fixture
def stays(tmp_path: Path) -> Iterator[Changes]:
    """Somebody who stays, and writes three boards on a note."""
    noting = Changes(str(tmp_path), 3)
    yield noting
    noting.close()


def note(noting: Changes, *numbers: int) -> None:
    for number in numbers:
        with noting.noted("holo", number):
            pass


def holo(*numbers: int) -> Boards:
    return {("holo", number) for number in numbers}


def files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / changes.FOLDER).iterdir())


def look(tmp_path: Path) -> Boards:
    """What somebody learns who looks, and who then removes what is done with."""
    found = Changes(str(tmp_path)).pending()
    changes.remove(found)
    return {board for note in found for board in note.boards}


def test_nobody_has_saved_anything(once: Changes, tmp_path: Path) -> None:
    assert once.boards() == look(tmp_path) == set()


def test_what_was_saved_is_told_once(once: Changes, tmp_path: Path) -> None:
    note(once, 12, 7, 12)
    with once.noted("walomino", 3):
        pass
    assert once.boards() == look(tmp_path) == {*holo(7, 12), ("walomino", 3)}
    assert files(tmp_path) == []
    note(once, 1)
    assert look(tmp_path) == holo(1)


def test_who_stays_makes_few_notes(stays: Changes, tmp_path: Path) -> None:
    note(stays, 1, 2, 3, 2, 4, 6, 7)
    told = [file.read_text() for file in files(tmp_path)]
    assert told == ["holo 1\nholo 2\nholo 3\n", "holo 2\nholo 4\nholo 6\n", "holo 7\n"]
    assert look(tmp_path) == holo(1, 2, 3, 4, 6, 7)
    assert [file.read_text() for file in files(tmp_path)] == ["holo 7\n"]


def test_a_note_that_is_gone_on_with_stays(stays: Changes, tmp_path: Path) -> None:
    note(stays, 1)
    assert look(tmp_path) == holo(1)
    note(stays, 2)
    assert look(tmp_path) == holo(1, 2)
    stays.close()
    assert look(tmp_path) == holo(1, 2)
    assert files(tmp_path) == []
    note(stays, 5)
    assert look(tmp_path) == holo(5)


@pytest.mark.parametrize("who", ["once", "stays"])
def test_a_board_that_is_being_saved_is_told_until_it_is(
    request: pytest.FixtureRequest, tmp_path: Path, who: str
) -> None:
    noting: Changes = request.getfixturevalue(who)
    with noting.noted("holo", 2):
        assert look(tmp_path) == look(tmp_path) == holo(2)
    noting.close()
    assert look(tmp_path) == holo(2)
    assert look(tmp_path) == set()


def test_several_who_save_at_once_have_a_note_each(
    stays: Changes, tmp_path: Path
) -> None:
    with stays.noted("holo", 1):
        note(stays, 2, 3)
        assert len(files(tmp_path)) == 2
        assert look(tmp_path) == holo(1, 2, 3)
    note(stays, 4, 5)
    assert look(tmp_path) == holo(1, 2, 3, 4, 5)


def test_who_fails_to_save_has_noted_it(stays: Changes, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), stays.noted("holo", 1):
        raise KeyboardInterrupt
    note(stays, 2)
    assert look(tmp_path) == holo(1, 2)


def test_all_notes_may_be_removed_under_who_stays(
    stays: Changes, tmp_path: Path
) -> None:
    note(stays, 1)
    (file,) = files(tmp_path)
    file.unlink()
    file.parent.rmdir()
    note(stays, 2)
    assert look(tmp_path) == holo(2)


@pytest.mark.parametrize("rest", [b"hol", b"holo 2", b"holo 02\n", bytes(7), b"\xff"])
def test_what_is_no_whole_line_tells_nothing(
    once: Changes, tmp_path: Path, rest: bytes
) -> None:
    """Who could not write all of it has saved nothing."""
    note(once, 1)
    (file,) = files(tmp_path)
    file.write_bytes(file.read_bytes() + rest)
    assert look(tmp_path) == holo(1)


def test_other_files_are_left_alone(once: Changes, tmp_path: Path) -> None:
    note(once, 1)
    (tmp_path / changes.FOLDER / "README").write_text("holo 2\n")
    assert look(tmp_path) == holo(1)
    assert [file.name for file in files(tmp_path)] == ["README"]


@pytest.mark.parametrize("room", [0, 3])
def test_a_disk_that_is_full_leaves_no_index(
    stays: Changes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    note(stays, 1)
    there, write = tmp_path / changes.INDEX, os.write
    there.touch()
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda fd, line: write(fd, line[:room]))
        for fault in (None, KeyboardInterrupt()):
            with suppress(KeyboardInterrupt), stays.noted("holo", 2):
                assert not there.exists()
                there.touch()  # by somebody who has read the board too early
                if fault is not None:
                    raise fault
            assert not there.exists()
    note(stays, 3)
    assert look(tmp_path) == holo(1, 3)
