"""Whatever is wrong with the index, it stops no game."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbm_holomino.store.files import changes, index
from pbm_holomino.store.files.index import Index
from pbm_holomino.store.files.rows import VERSION
from pbm_holomino.store.library import Library
from pbm_holomino.store.search import Unusable, Wanted
from tests.house import House
from tests.paths import ROOT
from tests.sizes import some
from tests.store.shelves import asked_house, from_files, games, lists, same


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    return asked_house(tmp_path, monkeypatch)


def is_used(house: House) -> bool:
    """Whether lists come from the index."""
    try:
        house.library.lists.index.select(Wanted(["holo"]))
    except Unusable:
        return False
    return True


def scribble(path: Path) -> None:
    path.write_bytes(bytes(range(1, 256)) * 40)


def run_sql(sql: str) -> Callable[[Path], None]:
    def run(path: Path) -> None:
        db = sqlite3.connect(path)
        db.execute(sql)
        db.commit()
        db.close()

    return run


SPOILT: dict[str, Callable[[Path], None]] = {
    "gone": Path.unlink,
    "empty": lambda path: os.truncate(path, 0),
    "cut off": lambda path: os.truncate(path, 5000),
    "garbage": scribble,
    "of an older version": run_sql("PRAGMA user_version = 0"),
    "of a newer version": run_sql(f"PRAGMA user_version = {VERSION + 1}"),
    "without a table": run_sql("DROP TABLE boards"),
    "without seats": run_sql("DROP TABLE seats"),
    "without an origin": run_sql("DELETE FROM origin"),
    "with nonsense": run_sql("UPDATE boards SET told = 'nonsense'"),
    "with other stamps": run_sql("UPDATE boards SET stamp = ''"),
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_spoilt_index_is_rebuilt(house: House, how: str) -> None:
    SPOILT[how](house.path(changes.INDEX))
    goes_on(house)
    assert is_used(house)
    assert house.path(changes.INDEX).stat().st_mode & 0o777 == 0o600


def goes_on(house: House) -> None:
    """Lists are right, and boards are opened and moved on."""
    assert same(house)
    house.by_mail("alice", "aaaa000000000001", "holo challenge alice bob")
    house.by_mail("alice", "aaaa000000000001", "holo challenge alice bob")
    assert house.library.lists.boards("holo") == [1, 2, 3]
    move = f"holo move 1 alice {{alice}} {house.legal()[0]}"
    assert house.type(move).status == 0
    assert "holo 1" in games(house, "bob next")
    assert same(house)


def test_a_locked_index_delays_nothing(house: House) -> None:
    db = sqlite3.connect(house.path(changes.INDEX), isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    goes_on(house)
    assert not is_used(house)
    db.close()
    assert is_used(house)
    assert same(house)


def test_a_folder_in_place_of_the_index(house: House) -> None:
    house.path(changes.INDEX).unlink()
    house.path(changes.INDEX).mkdir()
    goes_on(house)
    assert not is_used(house)


CODES = ["BUSY", "LOCKED", "READONLY", "IOERR", "FULL", "CANTOPEN", "NOMEM", "PROTOCOL"]


@pytest.mark.parametrize("code", some(CODES, 4))
def test_whatever_sqlite_raises(
    house: House, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    before = house.path(changes.INDEX).read_bytes()

    def fail(self: Index, *args: object) -> None:
        error = sqlite3.OperationalError(code)
        error.sqlite_errorcode = getattr(sqlite3, f"SQLITE_{code}")
        raise error

    for name in ("_open", "_writing", "_current"):
        with monkeypatch.context() as patch:
            patch.setattr(Index, name, fail)
            assert same(house)
    assert house.path(changes.INDEX).read_bytes() == before
    monkeypatch.setattr(Index, "_open", fail)
    goes_on(house)


def test_a_python_without_sqlite(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    goes_on(house)


# Several at once


SAVING = """
import sys
from tests.store.shelves import boards, numbered
from pbm_holomino.store.library import Library
from pbm_holomino.store.files.store import FileStore
library = Library(FileStore(sys.argv[1]))
for round in range(6):
    for number in range(int(sys.argv[2]), 40, 2):
        which = (number + round * 7) % len(boards())
        library.save(numbered(boards()[which], number))
"""


def test_processes_save_and_ask_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "PATIENCE", 2.0)
    house.path("walomino").mkdir(exist_ok=True)
    processes = [
        subprocess.Popen([sys.executable, "-c", SAVING, house.folder, first], cwd=ROOT)
        for first in ("3", "4")
    ]
    while any(process.poll() is None for process in processes):
        Library(house.store).lists.boards_of((), "next")
    assert [process.returncode for process in processes] == [0, 0]
    assert lists(house.library) == lists(from_files(house.store))
    assert list(house.path("changed").iterdir()) == []
