"""The matches that come with a checkout are there to be looked at, and count for
nothing."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.errors import NotFound
from pbm_holomino.resident.cache import remembering
from pbm_holomino.store.library import Library
from tests import example
from tests.house import House
from tests.paths import ROOT

EXAMPLES = ROOT / "games" / "examples"
CHANGES = [
    "move 1 alice {alice} 123:1",
    "resign 1 alice {alice}",
    "decline 1 alice {alice}",
    "chat 1 alice {alice} -m=Hello",
    "queue 1 alice {alice} 123:1",
    "submit 1 alice {alice} 123:1",
    "confirm 1 alice {alice}",
    "rematch 1 alice {alice}",
]


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """The store of a fresh checkout, where alice and bob have signed up."""
    shutil.copytree(EXAMPLES, tmp_path / "games" / "examples")
    monkeypatch.setenv("PBM_GAMES", str(tmp_path / "games"))
    return House(tmp_path / "games").sign_up("alice", "bob")


def test_nothing_else_comes_with_a_checkout() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "games"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode:  # an archive without its history
        return
    wanted = [f"games/examples/{game}/1.yaml" for game in rules.names()]
    assert [path for path in listed.stdout.split() if (ROOT / path).exists()] == wanted


@pytest.mark.parametrize("game", rules.names())
def test_an_example_is_shown(fresh: House, game: str) -> None:
    for library in (fresh.library, remembering(fresh.store)):
        assert library.shown(game, 1).result is not None
    for line in ("show 1", "show 1#3", "history 1", "verify 1", "show 1 -format=html"):
        assert fresh.type(f"{game} {line}").status == 0, line
    shown = json.loads(fresh.type(f"{game} show 1 -format=json").text)
    assert (shown["board"], shown["players"]) == (1, ["ada", "emil"])
    assert "over" in fresh.type(f"{game} preview 1 pass").text
    assert "There is no board" in fresh.type(f"{game} show 2").text


@pytest.mark.parametrize("game", rules.names())
def test_an_example_is_what_its_log_comes_to(game: str) -> None:
    text = example.text_of(example.replayed(game))
    assert text == example.file_of(game).read_bytes()


@pytest.mark.parametrize("game", rules.names())
def test_a_new_example_is_played_to_its_end_and_always_the_same(game: str) -> None:
    match = example.played(game)
    assert match.result is not None
    assert match.result.reason == "score"
    assert example.text_of(example.played(game)) == example.text_of(match)


def test_a_shipped_match_is_in_no_list_and_counts_for_nobody(fresh: House) -> None:
    for line in ("games all", "standings", "ratings", "history", "games ada all"):
        answer = fresh.type(f"holo {line}")
        assert "ada" not in answer.text.split()
        assert "holo 1 " not in answer.text
    assert fresh.library.lists.boards("holo") == []


@pytest.mark.parametrize("line", CHANGES)
def test_an_example_is_not_changed(fresh: House, line: str) -> None:
    before = fresh.files()
    for _ in range(2):
        answer = fresh.type(f"holo {line}")
        assert answer.status == 1
        assert " ".join(answer.text.split()).startswith(
            "holo 1 is an example that you can only look at. To start a game of your "
            "own, send: holo challenge userid1 userid2"
        )
    with pytest.raises(NotFound, match="holo 1 is an example"):
        owner.run(["void", "holo", "1"])
    assert owner.run(["check", "--repair"]).status == 0
    after = fresh.files()
    assert after == before


def test_a_board_of_the_store_hides_an_example(fresh: House) -> None:
    assert fresh.type("holo challenge alice bob").status == 0
    assert fresh.library.lists.boards("holo") == [1]
    assert "alice against bob" in fresh.type("holo show 1").text
    assert "ada" in fresh.type("hextol show 1").text
    assert fresh.type("holo chat 1 alice {alice} -m=Hello").status == 0
    assert owner.run(["check"]).status == 0


def test_a_board_that_is_lost_is_missed_and_no_example_takes_its_place(
    fresh: House,
) -> None:
    assert fresh.type("holo challenge alice bob").status == 0
    assert fresh.type("holo chat 1 alice {alice} -m=Hello").status == 0
    fresh.document("holo", "1").unlink()
    answer = owner.run(["check"])
    assert answer.status == 1
    assert "The file holo/1.yaml is missing." in answer.text
    assert "There is no board holo 1." in fresh.type("holo show 1").text
    assert fresh.type("holo challenge alice bob").status == 0
    assert fresh.library.lists.boards("holo") == [2]


def test_a_damaged_example_is_named(fresh: House) -> None:
    fresh.path("examples", "holo", "1.yaml").write_text("[")
    answer = fresh.type("holo show 1")
    assert answer.status == 1
    assert "examples/holo/1.yaml" in answer.text


def test_a_store_without_examples(house: House) -> None:
    assert "There is no board hextol 1." in house.type("hextol show 1").text
    assert not house.path("holo", "1.opened").exists()
    assert isinstance(house.library, Library)
