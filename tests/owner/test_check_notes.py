"""`pbm check` compares what the store knows of the size of notes with the notes; and
none are lost where accounts and stores change."""

import shutil
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.store import shelves
from pbm_holomino.store.contract import SHELVES
from tests import storage
from tests.house import House, open_house, own
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


def noted(house: House, who: str) -> str:
    return plain(house.type(f"holo notes 1 {who} {{{who}}}").text)


def test_sizes_that_are_right_are_no_fault(house: House) -> None:
    assert shelves.sizes(house.store, "alice") == {"alice-holo-1": SIZE}
    status, said = check()
    assert status == 0, said
    assert "all is well" in said


@pytest.mark.parametrize("there", [{}, {"alice-holo-1": 7}, {"alice-holo-9": SIZE}])
def test_sizes_that_are_not_are_named_and_mended(
    house: House, there: dict[str, int]
) -> None:
    shelves.mend(house.store, "alice", there)
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
