"""What the store keeps of ratings: it is never believed, and always mended."""

import re
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store import ratings
from pbm_holomino.store.ratings import NOTHING, Fold, fold
from pbm_holomino.store.summary import endings_of
from tests.cli.test_imports import loaded
from tests.house import House, open_house
from tests.prose import plain

DIGITS = 5e-6  # six decimals are kept


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """Alice has beaten bob."""
    house = open_house(tmp_path / "games")
    monkeypatch.setenv("PBM_GAMES", str(house.folder))
    house.type("holo resign 1 bob {bob}")
    return house


def lost(house: House, who: str, day: int) -> None:
    """One more board, which that player loses on that day."""
    house.time = f"2026-11-{day}T08:00:00Z"
    house.type("holo challenge alice bob")
    board = max(house.library.lists.boards("holo"))
    assert house.type(f"holo accept {board} bob {{bob}}").status == 0
    assert house.type(f"holo resign {board} {who} {{{who}}}").status == 0


def anew(house: House) -> Fold:
    """What all results come to, folded from nothing."""
    return fold(endings_of(house.library.lists.boards_of((), "all", ["holo"]).boards))


def kept(house: House) -> Fold | None:
    return ratings.read(house.store, "holo")


def said(answer: Answer) -> str:
    return " ".join(answer.text.split())


def test_nothing_is_kept_before_anybody_asks(house: House) -> None:
    assert kept(house) is None
    house.type("holo standings")
    assert kept(house) is None
    assert house.store.names("ratings") == []


@pytest.mark.parametrize("line", ["holo ratings", "list holo"])
def test_the_value_that_was_asked_for_is_kept(house: House, line: str) -> None:
    house.type(line)
    assert kept(house) == anew(house)
    data = house.data("ratings", "holo")
    assert data["results"] == "1"
    mu, sigma, games = data["ratings"]["alice"].split()
    assert float(mu) == pytest.approx(27.635389, abs=DIGITS)
    assert float(sigma) == pytest.approx(8.065901, abs=DIGITS)
    assert games == "1"
    lost(house, "alice", 21)
    house.type(line)
    assert kept(house) == anew(house)
    assert house.data("ratings", "holo")["results"] == "2"


def test_nothing_new_writes_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save(*given: object) -> None:
        raise AssertionError(given)

    house.type("holo ratings")
    monkeypatch.setattr(house.store, "save", save)
    house.type("holo ratings")
    house.type("hextol ratings")
    assert not house.document("ratings", "hextol").exists()


def test_openskill_is_there_only_for_a_new_result(house: House) -> None:
    lines = ["holo show 1", "holo games", "holo standings", "holo history", "pbm list"]
    for line in lines:
        assert "openskill" not in loaded(house, "shell", *line.split())
    assert "openskill" in loaded(house, "shell", "holo", "ratings")
    for line in ("holo ratings", "pbm list holo", "hextol ratings"):
        modules = loaded(house, "shell", *line.split())
        assert not modules & {"openskill", "filelock"}
        assert "pbm_holomino.store.ratings" in modules


def test_a_result_that_turns_up_late_is_noticed(house: House) -> None:
    lost(house, "alice", 21)
    third = house.document("holo", "3")
    lost(house, "bob", 19)
    away = third.read_bytes()
    third.unlink()
    house.type("holo ratings")
    before = kept(house)
    third.write_bytes(away)
    house.library.lists.scan()  # as every tick does
    assert "holo/3" not in house.type("holo ratings").text
    assert kept(house) == anew(house) != before


def test_a_result_that_is_struck_off_no_longer_counts(house: House) -> None:
    lost(house, "alice", 21)
    house.type("holo ratings")
    house.document("holo", "2").unlink()
    house.library.lists.scan()  # as every tick does
    house.type("holo ratings")
    found = kept(house)
    assert found == anew(house)
    assert found is not None
    assert found.results == 1


SPOILT = {
    "no YAML": lambda text: "[",
    "nothing": lambda text: "",
    "a list": lambda text: "- a\n",
    "no ratings": lambda text: text.partition("ratings:")[0] + "ratings: none\n",
    "a list of ratings": lambda text: text.replace("  alice: ", "  alice:\n  - "),
    "a number": lambda text: text.replace("27.6", "97.6"),
    "no number": lambda text: text.replace("27.635389", "nan"),
    "an endless number": lambda text: text.replace("27.635389", "1e999"),
    "another count": lambda text: text.replace("results: 1", "results: 0"),
    "a wild count": lambda text: text.replace("results: 1", "results: -9"),
    "no count": lambda text: text.replace("results: 1", "results: one"),
    "another digest": lambda text: text.replace("digest: ", "digest: 0"),
    "another player": lambda text: text.replace("bob:", "eve:"),
    "more games": lambda text: re.sub(r" 1$", " 7", text, flags=re.MULTILINE),
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_file_that_was_changed_by_hand_is_not_believed(house: House, how) -> None:
    asked = house.type("holo ratings").text
    path = house.document("ratings", "holo")
    whole = path.read_text()
    path.write_text(SPOILT[how](whole))
    assert path.read_text() != whole
    answer = house.type("holo ratings")
    assert (answer.status, answer.text) == (0, asked)
    assert path.read_text() == whole


def test_a_store_that_cannot_be_written_still_answers(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save(*given: object) -> None:
        raise StoreTrouble("There is no room left.")

    monkeypatch.setattr(house.store, "save", save)
    answer = house.type("holo ratings")
    assert answer.status == 0
    assert "alice" in answer.text
    assert kept(house) is None


def test_a_file_that_is_busy_still_answers(house: House) -> None:
    with house.busy("ratings", "holo"):
        answer = house.type("holo ratings")
    assert answer.status == 0
    assert "alice" in answer.text
    assert kept(house) is None


# The owner's check


def check(*words: str) -> Answer:
    return owner.run(["check", *words])


def test_a_missing_file_is_no_fault(house: House) -> None:
    assert check().status == 0
    assert house.store.names("ratings") == []


def test_ratings_that_are_sound(house: House) -> None:
    house.type("holo ratings")
    assert check().status == 0
    lost(house, "alice", 21)  # they are behind, and will follow when they are asked for
    assert check().status == 0
    assert kept(house) != anew(house)


@pytest.mark.parametrize("how", SPOILT)
def test_ratings_that_are_not_sound(house: House, how) -> None:
    house.type("holo ratings")
    path = house.document("ratings", "holo")
    whole = path.read_text()
    path.write_text(SPOILT[how](whole))
    spoilt = path.read_text()
    answer = check()
    assert answer.status == 1
    assert said(answer).count(house.called("ratings", "holo")) == 1
    assert '"pbm check --repair"' in said(answer)
    assert path.read_text() == spoilt
    answer = check("--repair")
    assert answer.status == 0
    assert house.called("ratings", "holo") in plain(answer.text)
    assert path.read_text() == whole
    assert check().status == 0


def test_ratings_of_a_board_that_is_gone(house: House) -> None:
    house.type("holo ratings")
    house.document("holo", "1").unlink()
    house.path("holo", "1.lock").unlink()
    assert check().status == 1
    assert check("--repair").status == 0
    assert check().status == 0
    assert kept(house) == NOTHING


def test_ratings_of_no_game(house: House) -> None:
    house.type("holo ratings")
    house.put("ratings", "chess", house.data("ratings", "holo"))
    for words in ([], ["--repair"]):
        answer = check(*words)
        assert answer.status == 1
        assert house.called("ratings", "chess") in plain(answer.text)
