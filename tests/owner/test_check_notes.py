"""`pbm check` compares what the store knows of the size of notes with the notes; and
none are lost where accounts and stores change."""

import shutil
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino import owner
from pbm_holomino.match.notebook import NOTES
from pbm_holomino.store import shelves
from pbm_holomino.store.contract import SHELVES
from pbm_holomino.store.library import Library
from tests import storage
from tests.house import House, open_house, own
from tests.processes import PATIENCE
from tests.prose import plain
from tests.storage import InFiles

TEXT = "The corner is weak."
SIZE = len(TEXT)


def with_notes(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """Alice and bob have a note each on board 1."""
    own(house, monkeypatch)
    house.challenge()
    house.play(moves=1)
    for who in ("alice", "bob"):
        line = f"holo note 1 {who} {{{who}}}"
        assert house.type(line, f"-m={TEXT}").status == 0
    house.taken()
    return house


@pytest.fixture
def house(server: House, monkeypatch: pytest.MonkeyPatch) -> House:
    return with_notes(server, monkeypatch)


def check(words: str = "") -> tuple[int, str]:
    answer = owner.run(["check", *words.split()])
    return answer.status, plain(answer.text)


def spoil(house: House, there: dict[str, int]) -> None:
    """Alice's shelf says this."""
    house.store.save(
        SHELVES, "alice", {name: str(size) for name, size in there.items()}
    )


def noted(house: House, who: str, board: str = "1") -> str:
    return plain(house.type(f"holo notes {board} {who} {{{who}}}").text)


def test_sizes_that_are_right_are_no_fault(house: House) -> None:
    assert shelves.sizes(house.store, "alice") == {"alice-holo-1": SIZE}
    status, said = check()
    assert status == 0, said
    assert "all is well" in said


@pytest.mark.parametrize(
    "there",
    [
        {},
        {"alice-holo-1": 7},
        {"alice-holo-9": SIZE},
        {"alice-holo-1": SIZE, "bob-holo-1": SIZE},
        {"alice-holo-1": SIZE, "../holo": SIZE},
    ],
)
def test_sizes_that_are_not_are_named_and_mended(
    house: House, there: dict[str, int]
) -> None:
    spoil(house, there)
    status, said = check()
    assert status == 1
    assert "What the store knows of the notes of alice is not what they are" in said
    assert "bob" not in said
    status, said = check("--repair")
    assert status == 0, said
    assert shelves.sizes(house.store, "alice") == {"alice-holo-1": SIZE}
    assert "all is well" in check()[1]


def test_a_damaged_one_is_mended(house: House) -> None:
    house.store.save(SHELVES, "alice", {"alice-holo-1": "many"})
    assert check()[0] == 1
    assert check("--repair")[0] == 0
    assert TEXT in noted(house, "alice")
    assert shelves.sizes(house.store, "alice") == {"alice-holo-1": SIZE}


def test_a_notebook_that_cannot_be_read_keeps_its_size(house: House) -> None:
    house.damage(NOTES, "alice-holo-1")
    spoil(house, {"alice-holo-1": 7, "alice-holo-2": 5})
    assert "notes of alice is not what they are: mended" in check("--repair")[1]
    assert shelves.sizes(house.store, "alice") == {"alice-holo-1": 7}
    assert "What the store knows" not in check()[1]


# While players write


@pytest.mark.parametrize("words", ["", "--repair"])
@pytest.mark.parametrize("board", ["1", "2"])
def test_a_note_between_two_looks_is_no_fault(
    house: House, monkeypatch: pytest.MonkeyPatch, words: str, board: str
) -> None:
    """The note comes when all notes have been read and no shelf has."""
    house.challenge()
    measure = shelves._measured

    def measured(library: Library) -> object:
        found = measure(library)
        written = house.type(f"holo note {board} alice {{alice}}", "-m=Meanwhile.")
        assert written.status == 0
        return found

    monkeypatch.setattr(shelves, "_measured", measured)
    status, said = check(words)
    assert status == 0, said
    assert "all is well" in said
    assert shelves.sizes(house.store, "alice")[f"alice-holo-{board}"] == 10


@pytest.mark.parametrize("words", ["", "--repair"])
@pytest.mark.parametrize("board", ["1", "2"])
def test_a_note_that_is_half_written_is_no_fault(
    house: House, monkeypatch: pytest.MonkeyPatch, words: str, board: str
) -> None:
    """Its size is on the shelf, and the note is saved when check has begun to wait."""
    house.challenge()
    claim, lock = shelves.claim, house.store.lock
    claimed, go_on = threading.Event(), threading.Event()
    other = House(house.folder)

    def claiming(*given: Any) -> None:
        claim(*given)
        claimed.set()
        assert go_on.wait(PATIENCE)

    def locking(folder: str, name: str) -> AbstractContextManager[None]:
        if folder == NOTES:
            go_on.set()
        return lock(folder, name)

    monkeypatch.setattr(shelves, "claim", claiming)
    line = f"holo note {board} alice {{alice}}"
    writing = threading.Thread(target=other.type, args=(line, "-m=Meanwhile."))
    writing.start()
    try:
        assert claimed.wait(PATIENCE)
        monkeypatch.setattr(house.store, "lock", locking)
        status, said = check(words)
    finally:
        go_on.set()
        writing.join()
    assert status == 0, said
    assert "all is well" in said
    assert "Meanwhile." in noted(house, "alice", board)


# Accounts and stores that change


@pytest.mark.parametrize("by_owner", [False, True])
def test_a_deleted_account_leaves_no_fault_and_the_notes_of_others(
    house: House, by_owner: bool
) -> None:
    """Whoever is banned is deleted too, once they have left their boards."""
    if by_owner:
        assert owner.run(["account", "alice", "ban"]).status == 0
    else:
        house.type("holo resign 1 bob {bob}")
        assert house.type("delete alice {alice}").status == 0
    status, said = check()
    assert status == 0, said
    assert [*shelves.notebooks(house.library, "alice")] == []
    assert TEXT in noted(house, "bob")


def test_a_copy_that_is_restored_lacks_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "over", InFiles())
    house = with_notes(open_house(tmp_path / "games"), monkeypatch)
    shutil.copytree(house.folder, tmp_path / "copy")
    told = plain(owner.run(["restore-test", str(tmp_path / "copy")]).text)
    assert "all is well" in told
    assert "It lacks nothing that this server has." in told
    house.type("holo note 1 alice {alice}", "-m=Another")
    told = plain(owner.run(["restore-test", str(tmp_path / "copy")]).text)
    assert "It lacks 1 line of notes alice-holo-1." in told
