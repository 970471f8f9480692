"""Stores of released versions open, keep their numbers, and go on (tests/stores)."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.commands.request import Answer
from pbm_holomino.store import ratings
from pbm_holomino.store.contract import OLD_BOARDS
from pbm_holomino.store.files.index import Index
from pbm_holomino.store.search import Unusable
from tests.house import House
from tests.paths import ROOT

STORE = ROOT / "tests" / "stores" / "1.0"
GAMES = tuple(game for game in rules.names() if (STORE / game).is_dir())
EXAMPLES = ROOT / "games" / "examples"
# What `git pull` makes of the store of a checkout, and a copy that it never reaches.
PULLED, COPIED = "pulled", "copied"

# A command that each board is waiting for, and what it makes of the board: the number
# of moves, whose turn it is, and who has won.
NEXT = {
    "holo resign 2 bob bob-pw": (5, (), ("alice",)),
    "holo move 2 alice alice-pw accept": (5, (), ("alice", "bob")),
    "holo move 6 alice alice-pw 124:3#3": (3, ("bob",), None),
    "hextol confirm 2 bob bob-pw": (7, ("carol",), None),
    "walomino move 2 bob bob-pw pairs:any": (10, ("carol",), None),
    "walomino move 5 carol carol-pw take:Y": (3, ("carol",), None),
    "walomino resign 3 carol carol-pw": (17, (), ("dave",)),
}


@pytest.fixture(params=[PULLED, COPIED])
def old(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> House:
    """A server of today on the store."""
    root = tmp_path / "games"
    shutil.copytree(STORE, root)
    if request.param == PULLED:
        for game in GAMES:
            (root / game / "1.yaml").unlink()
        shutil.copytree(EXAMPLES, root / "examples")
    monkeypatch.setenv("PBM_GAMES", str(root))
    house = House(root)
    house.time = "2026-11-23T08:00:00Z"
    return house


def check(*words: str) -> Answer:
    return owner.run(["check", *words])


def test_nothing_is_missed(old: House) -> None:
    """And what need not be mended is said once, until there is more of it."""
    before = old.files()
    for is_first in (True, False):
        answer = check()
        assert answer.status == 0, answer.text
        assert "all is well" in answer.text
        # the boards that 1.0 shipped are examples since
        left = sum(len(list(old.path(game).glob("*.yaml"))) for game in GAMES)
        assert left in (14, 11)
        said = " ".join(answer.text.split())
        told = f"{left} boards are in the format of version 1.0, which"
        assert (told in said) is is_first
        assert ("nothing needs to be migrated" in said) is is_first
        for game in GAMES:
            assert f"The ratings of {game} count the example" in answer.text
    old.store.remember(OLD_BOARDS, f"{left - 1}")
    assert "format of version 1.0" in check().text
    memory = f"memory/{OLD_BOARDS}"
    assert old.files() == {**before, memory: f"{left}".encode()}


def test_an_index_of_another_version_is_made_anew(old: House) -> None:
    assert "index" not in check().text
    with closing(sqlite3.connect(old.path("index.sqlite"))) as db:
        db.execute("PRAGMA user_version = 2")
    assert "The index of all boards was made by another version" in check().text
    assert "index" not in check().text


@pytest.mark.parametrize("line", NEXT)
def test_boards_go_on(old: House, line: str) -> None:
    answer = old.type(line)
    assert answer.status == 0, answer.text
    game, _, board, *_ = line.split()
    found = old.library.match(game, int(board))
    winners = None if found.result is None else found.result.winners
    assert (found.ply, found.turn, winners) == NEXT[line]
    assert check().status == 0


def test_new_boards_have_new_numbers(old: House) -> None:
    """1 was in use in each game."""
    for game, number in {"holo": 7, "hextol": 4, "walomino": 6}.items():
        assert old.type(f"{game} challenge alice bob").status == 0
        assert old.library.lists.boards(game)[-1] == number


def test_a_number_that_only_the_index_knows_is_not_given_again(old: House) -> None:
    """Board 9 has had no lock, and its file is gone: as 1.0 left its index."""
    path = old.document("holo", "9")
    text = old.document("holo", "5").read_text()
    path.write_text(text.replace("board: 5\n", "board: 9\n"))
    old.library.lists.scan()
    path.unlink()
    with closing(sqlite3.connect(old.path("index.sqlite"))) as db:
        db.execute("PRAGMA user_version = 2")
    old.library.lists.scan()  # as every tick does
    assert old.type("holo challenge alice bob").status == 0
    assert old.library.lists.boards("holo")[-1] == 10


def test_matches_shipped_with_1_0_are_counted_nowhere(old: House) -> None:
    played = {  # alice won 5 of holo, and 3 was a draw; and so on (tests/stores/README)
        "holo": "alice 1 1 0 0 1|bob 1 0 0 1 0.5|carol 2 0 1 1 0.5",
        "hextol": "alice 1 0 0 1 0.5|dave 1 0 0 1 0.5",
        "walomino": "dave 1 1 0 0 1|alice 1 0 1 0 0",
    }
    for game, rows in played.items():
        _, told = old.type(f"{game} standings").text.split("points\n")
        assert [" ".join(line.split()) for line in told.splitlines()] == rows.split("|")
        for line in ("ratings", "history", "games -all", "games all", "show alice all"):
            answer = old.type(f"{game} {line}".replace(" -all", ""))
            assert "ada" not in answer.text.split(), line
    assert old.type("holo games ada all").status == 1  # nobody of that name


@pytest.mark.parametrize("first", ["the ratings", "the check"])
def test_ratings_that_had_counted_it_are_recomputed(old: House, first: str) -> None:
    for game in GAMES:
        kept = ratings.read(old.store, game)
        assert kept is not None
        assert "ada" in kept.ratings
    if first == "the check":
        answer = check("--repair")
        assert (answer.status, answer.text.count("mended")) == (0, len(GAMES))
    else:
        for game in GAMES:
            assert old.type(f"{game} ratings").status == 0
    for game in GAMES:
        anew = ratings.fold(old.library.lists.history(game).latest)
        assert ratings.read(old.store, game) == anew
        assert "ada" not in anew.ratings
    assert check().status == 0


def test_the_index_and_the_files_agree(old: House) -> None:
    indexed = [old.library.lists.boards_of([], "all").boards, lists_of(old)]
    old.library.lists.index = cast(Index, BrokenStore())
    assert [old.library.lists.boards_of([], "all").boards, lists_of(old)] == indexed


class BrokenStore:
    """An index that cannot be used."""

    def __getattr__(self, name: str) -> object:
        raise Unusable


def lists_of(house: House) -> list[object]:
    lists = house.library.lists
    return [(lists.tallies(game), lists.history(game)) for game in GAMES]


def test_nobody_can_make_one_count(old: House) -> None:
    """Somebody signs up as ada, and chats on the board that 1.0 shipped."""
    if not old.document("holo", "1").exists():
        return  # git does not remove what was changed
    assert old.type("signup ada {alice}").status == 0
    assert old.type("holo chat 1 ada {alice} -m=Hello").status == 0
    assert "holo 1 " not in old.type("holo games ada all").text
    assert "emil" not in old.type("holo standings").text
    assert check().status == 0


def boards(store: Path) -> Iterator[tuple[str, int]]:
    for game in GAMES:
        for path in (store / game).glob("*.yaml"):
            yield game, int(path.stem)


def test_every_board_is_shown(old: House) -> None:
    found = list(boards(STORE))
    assert len(found) == 14
    for game, board in found:
        shown = old.type(f"{game} show {board}")
        assert shown.status == 0
        assert f", board {board}, " in shown.text
