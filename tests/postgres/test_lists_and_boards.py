"""`pbm check` over a database finds where lists would say something else than the
boards, and which boards have gone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import House, open_house
from tests.owner.test_check_and_flush import run, said
from tests.postgres.cluster import POSTGRESQL, Cluster
from tests.postgres.databases import InDatabases, databases

pytestmark = POSTGRESQL


@pytest.fixture(scope="module")
def over(cluster: Cluster) -> Iterator[InDatabases]:
    with databases(cluster) as found:
        yield found


@pytest.fixture
def house(
    over: InDatabases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    """Board 1 is played, 2 is over, and 3 is an open challenge."""
    with over.clearing():
        house = open_house(tmp_path / "games")
        house.type("holo challenge alice bob")
        house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}")
        house.type("holo resign 2 bob {bob}")
        house.type("holo challenge alice anyone")
        house.type("holo ratings")
        house.taken()
        monkeypatch.setenv("PBM_GAMES", str(house.folder))
        yield house


def test_a_store_where_all_is_well(house: House) -> None:
    before = house.files()
    for line in ("check", "check --repair"):
        answer = run(line)
        assert answer.status == 0, answer.text
        assert answer.text == "6 documents read: all is well.\n"
    assert house.files() == before


def test_a_board_that_is_gone_is_missed(house: House) -> None:
    house.document("holo", "2").unlink()
    for line in ("check", "check --repair"):
        assert "The document holo/2 is missing." in run(line).text


SPOILT = {
    "a summary": "UPDATE pbm.boards SET told = replace(told, 'alice', 'carol')",
    "a state": "UPDATE pbm.boards SET state = 0 WHERE name = '1'",
    "an open challenge": "UPDATE pbm.boards SET state = 3 WHERE name = '3'",
    "no row of a board": "DELETE FROM pbm.boards WHERE name = '2'",
    "a board that says it is damaged": (
        "UPDATE pbm.boards SET state = NULL, told = E'Damaged.\\nIt is.' "
        "WHERE name = '2'"
    ),
    "no seats": "DELETE FROM pbm.seats WHERE name = '1'",
    "a tally": "UPDATE pbm.tallies SET games = games + 1",
    "no tallies": "DELETE FROM pbm.tallies",
    "a total": "UPDATE pbm.totals SET total = total + 1",
    "no totals": "DELETE FROM pbm.totals",
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_lists_are_held_against_the_boards(
    house: House, over: InDatabases, spoilt: str
) -> None:
    questions = ("holo games all", "holo standings", "holo ratings", "list open")
    before = [house.type(line).text for line in questions]
    over.run(house.folder, SPOILT[spoilt])
    answer = run("check")
    if spoilt != "no row of a board":  # which is noticed, as what is changed by hand
        assert answer.status == 1
        assert "What lists know of holo is not what its boards say" in said(answer)
        assert '"pbm check --repair" mends it' in said(answer)
    assert run("check --repair").status == 0
    assert run("check").status == 0
    assert [house.type(line).text for line in questions] == before


def test_flush_counts_documents(house: House, over: InDatabases) -> None:
    over.run(house.folder, "INSERT INTO pbm.marks VALUES ('holo', '1', 1)")
    assert run("flush").text == "Documents with unsent letters: 1; none is left.\n"
