"""Rules have versions: boards are played by those that they were begun with."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.errors import UnknownVersion
from pbm_holomino.match import record, replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.rules import games
from pbm_holomino.store import yaml as strict
from tests.house import House, open_house
from tests.paths import ROOT
from tests.rules import newer

STORES = (ROOT / "games" / "examples", ROOT / "tests" / "stores" / "1.0")


# Archived matches


def archived(game: str) -> list[Path]:
    """The files of boards that were played with released versions."""
    return sorted(path for store in STORES for path in (store / game).glob("*.yaml"))


def read(path: Path) -> tuple[Any, Match]:
    data = strict.load(path.read_bytes())
    return data, replay.replay(record.from_data(data))


@pytest.mark.parametrize("game", rules.names())
def test_archived_matches_come_out_as_they_did(game: str) -> None:
    """A change of the rules that changes any of these must be a new version."""
    for path in archived(game):
        data, match = read(path)
        assert match.rules is rules.load(game, int(data["version"]))
        assert to_data(match) == data


@pytest.mark.parametrize("game", rules.names())
def test_a_whole_match_of_every_version_is_archived(game: str) -> None:
    matches = [read(path)[1] for path in archived(game)]
    whole = [m for m in matches if m.result and m.result.reason == "score"]
    assert {match.record.version for match in whole} == {*rules.versions(game)}


# A game with new rules


@pytest.fixture
def coins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Coins is one of the games, with two versions."""
    forget()
    monkeypatch.setattr(games, "__path__", [*games.__path__, *newer.__path__])
    yield
    forget()


def forget() -> None:
    for known in (rules.names, rules.load, rules.versions, rules.modules_of):
        known.cache_clear()


@pytest.fixture
def house(tmp_path: Path, coins: None) -> House:
    return House(tmp_path / "games").sign_up("alice", "bob")


def play(house: House, board: int, coins: str) -> Match:
    """The board after these coins have been taken, in turn."""
    for who, number in zip(("alice", "bob") * 2, coins, strict=False):
        answer = house.type(f"coins move {board} {who} {{{who}}} {number}")
        assert answer.status == 0, answer.text
    return house.library.match("coins", board)


def begin(house: House) -> None:
    assert house.type("coins challenge alice bob").status == 0


def as_first_made(house: House, board: int) -> None:
    """Make a board that nobody has moved on one of version 1."""
    house.put("coins", str(board), {**house.data("coins", str(board)), "version": "1"})


def test_the_newest_rules_are_those_that_no_version_is_named_of(coins: None) -> None:
    assert rules.versions("coins") == (1, 2)
    assert rules.load("coins") is rules.load("coins", 2)
    assert [rules.load("coins", version).VERSION for version in (1, 2)] == [1, 2]
    assert "coins" in rules.names()
    assert "coins_1" not in rules.names()


@pytest.mark.parametrize("version", [0, 3])
def test_other_versions_cannot_be_loaded(coins: None, version: int) -> None:
    with pytest.raises(LookupError):
        rules.load("coins", version)


def test_a_new_board_has_the_newest_rules(house: House) -> None:
    begin(house)
    assert house.data("coins", "1")["version"] == "2"
    assert play(house, 1, "3121").scores == {"alice": 50, "bob": 20}


def test_a_board_of_the_first_rules_goes_on_with_them(house: House) -> None:
    begin(house)
    as_first_made(house, 1)
    assert play(house, 1, "31").scores == {"alice": 3, "bob": 1}
    match = play(house, 1, "21")
    assert match.scores == {"alice": 5, "bob": 2}
    assert match.result == (("alice",), "score")
    assert house.data("coins", "1")["version"] == "1"


def test_a_rematch_is_played_with_the_newest_rules(house: House) -> None:
    begin(house)
    as_first_made(house, 1)
    play(house, 1, "3121")
    assert house.type("coins rematch 1 alice {alice}").status == 0
    assert house.library.match("coins", 2).rules.VERSION == 2


# Boards of a newer program


@pytest.fixture
def future(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """Two boards of alice and bob; the first one has rules that are not known here."""
    house = open_house(tmp_path / "games")
    house.type("holo challenge alice bob")
    house.put("holo", "1", {**house.data("holo", "1"), "version": "7"})
    monkeypatch.setenv("PBM_GAMES", str(house.folder))
    return house


SAYS = "holo 1 was made with version 7 of the rules of Holomino, which this program"


@pytest.mark.parametrize(
    "line",
    [
        "holo show 1",
        "holo move 1 alice {alice} 123:4",
        "holo resign 1 bob {bob}",
        "holo chat 1 bob {bob} -m=Hello",
        "holo verify 1",
    ],
)
def test_a_board_of_unknown_rules_is_named_so(future: House, line: str) -> None:
    before = future.files()
    answer = future.type(line)
    assert answer.status == 1
    text = " ".join(answer.text.split())
    assert text.startswith(SAYS)
    assert "damaged" not in text
    assert future.files() == before


def test_it_stops_no_other_board(future: House) -> None:
    assert future.type(f"holo move 2 alice {{alice}} {future.legal(2)[0]}").status == 0
    shown = " ".join(future.type("holo show alice").text.split())
    assert SAYS in shown
    assert "Holomino, board 2, after move 1" in shown


def test_lists_have_it(future: House) -> None:
    assert "holo 1 " in future.type("holo games").text


def test_the_owner_is_told_and_it_is_left_alone(future: House) -> None:
    board = future.document("holo", "1").read_bytes()
    for line in ("check", "check --repair"):
        answer = owner.run(line.split())
        text = " ".join(answer.text.split())
        assert answer.status == 1
        assert SAYS in text
        assert "What is wrong" not in text
        assert "faults 1, left 1" in text
    future.time = "2026-12-25T04:12:33Z"
    owner.run(["tick"])
    assert future.document("holo", "1").read_bytes() == board


def test_a_file_in_an_unknown_format_is_named_so(future: House) -> None:
    data = {**future.data("holo", "2"), "format": "9"}
    with pytest.raises(UnknownVersion, match=r"^holo 2 was made with format 9 of"):
        record.from_data(data)
