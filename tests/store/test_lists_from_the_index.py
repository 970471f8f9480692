"""The index: what a list opens, what it notices, and that it never stops a game."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm_holomino import owner
from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.owner.tick import do_what_is_due
from pbm_holomino.store import summary, yaml
from pbm_holomino.store.files import changes, index, marks
from pbm_holomino.store.files.store import FileStore
from tests.cli.test_imports import RUN, loaded
from tests.house import House, fill_in
from tests.paths import ROOT
from tests.store.shelves import asked_house, boards, games, numbered, opened, same


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    return asked_house(tmp_path, monkeypatch)


# What is opened


@pytest.fixture
def opened_files(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are read from now on."""
    files: list[str] = []
    find = FileStore.find

    def noted(store: FileStore, folder: str, name: str, known: Any = None) -> Any:
        files.append(f"{folder}/{name}")
        return find(store, folder, name, known)

    monkeypatch.setattr(FileStore, "find", noted)
    return files


def full_house(house: House) -> House:
    """Fifty boards more of bob and carol, and two of alice's turn."""
    for number in range(3, 53):
        house.library.save(numbered(opened("holo", ("bob", "carol")), number))
    for number in (53, 54):
        house.library.save(numbered(opened("holo", ("alice", "bob")), number))
    games(house, "")  # what is saved is read once by the next who asks
    return house


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("all show alice next", ["holo/1", "holo/53", "holo/54"]),
        ("holo show alice next", ["holo/1", "holo/53", "holo/54"]),
        ("holo show alice active", ["holo/1", "holo/2", "holo/53", "holo/54"]),
        ("holo games alice next", []),
        ("holo games", []),
        ("holo history", []),
        ("holo standings", []),
        ("holo ratings", []),
        ("list", []),
    ],
)
def test_a_list_opens_only_the_boards_it_prints(
    house: House, opened_files: list[str], line: str, files: list[str]
) -> None:
    full_house(house)
    opened_files.clear()
    assert house.type(line).status == 0
    assert [file for file in opened_files if file.startswith("holo/")] == files


def test_a_saved_file_is_read_once(house: House, opened_files: list[str]) -> None:
    full_house(house)
    house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}")
    opened_files.clear()
    for _ in range(2):
        assert "holo 2" in games(house, "bob next")
    assert opened_files.count("holo/1") == 1


def test_opening_a_board_reads_no_other(
    house: House, opened_files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    full_house(house)
    house.type("signup dave Falcon11")
    listed: list[str] = []
    listdir = os.listdir

    def noted(path: str) -> list[str]:
        listed.append(path)
        return listdir(path)

    monkeypatch.setattr(os, "listdir", noted)
    monkeypatch.setattr(marks, "_LARGE", -1)  # as if there were thousands of boards
    opened_files.clear()
    house.type("holo challenge alice dave")
    assert house.match(55).ply == 0
    assert not any(path.endswith("holo") for path in listed)
    assert not {"holo/1", "holo/54"} & set(opened_files)


def test_a_result_is_folded_without_the_others(
    house: House, opened_files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for board in (1, 2):
        house.type(f"holo resign {board} bob {{bob}}")
        house.type("holo ratings")
    told: list[str] = []
    parse = summary.parse_summary

    def noted(text: str) -> summary.Summary:
        told.append(text)
        return parse(text)

    monkeypatch.setattr("pbm_holomino.store.columns.parse_summary", noted)
    house.time = "2026-11-21T08:00:00Z"
    house.type("holo challenge alice bob")
    house.type("holo resign 3 bob {bob}")
    assert "alice" in house.type("holo ratings").text
    assert [text.split("\n")[1] for text in told] == ["3"]
    assert house.data("ratings", "holo")["results"] == "3"


@pytest.mark.parametrize(
    "line",
    ["show 1", "history 1", "preview 1 {move}", "help", "move 1 alice {alice} {move}"],
)
def test_only_lists_import_sqlite(house: House, line: str) -> None:
    before = house.path(changes.INDEX).read_bytes()
    words = fill_in(line.replace("{move}", house.legal()[0]))
    modules = loaded(house, "shell", "holo", *words.split())
    assert not modules & {
        "sqlite3",
        "pbm_holomino.store.files.index",
        "pbm_holomino.store.files.rows",
    }
    assert house.path(changes.INDEX).read_bytes() == before


@pytest.mark.needs("strace")
def test_a_move_is_two_fsyncs(house: House) -> None:
    house.path("outbox").mkdir()
    trace = str(house.path("trace"))
    calls = "trace=fsync,fdatasync,sync_file_range,msync,sync,syncfs"
    move = f"move 1 alice xanadu {house.legal()[0]}".split()
    done = subprocess.run(
        ["strace", "-f", "-qq", "-y", "-o", trace, "-e", calls, sys.executable, "-c"]
        + [RUN["shell"], "holo", *move],
        cwd=ROOT,
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    assert house.match().ply == 1
    synced = [line.split()[1] for line in Path(trace).read_text().splitlines()]
    board, folder, *letter = [re.sub(r".*<(.*)>\)", r"\1", call) for call in synced]
    assert [board, folder] == [
        str(house.path("holo", "1.new")),
        str(house.path("holo")),
    ]
    assert len(letter) == 2  # it lasts before its mark goes
    assert all(path.startswith(str(house.path("outbox"))) for path in letter)


# What is noticed


def test_a_change_by_hand_is_noticed_when_the_board_is_shown(house: House) -> None:
    assert "holo 1" in games(house, "alice next")
    board = numbered(boards()[1], 1)  # bob is to move
    house.document("holo", "1").write_bytes(yaml.dump(to_data(board)))
    assert "holo 1" not in games(house, "alice next")
    assert "holo 1" in games(house, "bob next")
    house.document("holo", "1").unlink()
    assert "holo 1" not in games(house, "bob")


def test_every_tick_notices_all_changes(house: House) -> None:
    board = numbered(opened("holo", ("alice", "bob")), 7)
    house.document("holo", "7").write_bytes(yaml.dump(to_data(board)))
    list(do_what_is_due(house.server))
    assert "holo 7" in games(house, "alice next")
    assert same(house)


@pytest.mark.parametrize("words", [["check"], ["check", "--repair"]])
def test_every_check_notices_all_changes(house: House, words: list[str]) -> None:
    board = numbered(opened("holo", ("alice", "bob")), 7)
    house.document("holo", "7").write_bytes(yaml.dump(to_data(board)))
    assert owner.run(words).status == 0
    assert "holo 7" in games(house, "alice next")


def save_unnoticed(house: House) -> None:
    """A board, whose note is lost."""
    house.library.save(numbered(opened("holo", ("alice", "bob")), 3))
    shutil.rmtree(house.path("changed"))


def test_after_the_power_was_cut_all_files_are_looked_at(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_unnoticed(house)
    monkeypatch.setattr(index, "boot", lambda: "another")
    assert "holo 3" in games(house, "alice next")
    assert same(house)


def test_a_copied_index_is_not_trusted(house: House) -> None:
    save_unnoticed(house)
    path = house.path(changes.INDEX)
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").rename(path)
    assert "holo 3" in games(house, "alice next")


def test_a_save_without_a_notice_is_known_all_the_same(house: House) -> None:
    shutil.rmtree(house.path("changed"))
    house.path("changed").write_text("in the way\n")
    house.type("holo challenge alice bob")
    assert "holo 3" in games(house, "alice next")
    assert same(house)


def test_a_number_is_never_given_twice(house: House) -> None:
    house.document("holo", "2").unlink()
    house.path("holo", "2.lock").unlink(missing_ok=True)
    for words in ([], ["check"], ["check", "--repair"]):
        if words:
            owner.run(words)
        assert house.library.store.next_number("holo") == 3
    assert house.library.store.next_number("walomino") == 1
    house.library.save(numbered(opened("holo", ("alice", "bob")), 3))
    assert house.library.store.next_number("holo") == 4


# The owner's bar, and the text of a row


def test_a_repair_shows_a_progress_bar(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert owner.run(["check", "--repair"]).status == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert owner.run(["check", "--repair"]).status == 0
    shown = capsys.readouterr().err
    assert "Indexing" in shown
    assert "100%" in shown


@given(st.sampled_from(boards()), st.integers(1, 10**8))
def test_a_summary_is_read_as_it_was_written(board: Any, number: int) -> None:
    told = summary.from_data(to_data(numbered(board, number)))
    assert summary.parse_summary(summary.format_summary(told)) == told


@given(st.text())
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        summary.parse_summary(text)
