"""A damaged board that the index knows: lists go on and name it."""

from pathlib import Path

import pytest

from pbm_holomino import owner
from tests.house import House, open_house, own
from tests.prose import plain


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """Board 1 is damaged, board 2 is not; the owner's commands run here too."""
    house = open_house(tmp_path)
    assert house.type("holo challenge alice bob").status == 0
    house.document("holo", "1").write_text("junk")
    house.library.lists.scan()  # as a tick does, to notice changes by hand
    own(house, monkeypatch)
    return house


@pytest.mark.parametrize(
    "line", ["holo games", "list", "holo standings", "all show bob"]
)
def test_a_list_names_the_file_each_time_and_quotes_nothing(
    house: House, line: str
) -> None:
    for _ in range(2):  # from the file, and from the index
        answer = house.type(line)
        assert answer.status == 0
        damaged = f"The {house.called('holo', '1')} of this server is damaged."
        assert damaged in plain(answer.text)
        assert "What is wrong" not in answer.text


def test_a_tick_goes_on_with_the_others(house: House) -> None:
    for _ in range(2):
        assert house.called("holo", "1") in plain(owner.run(["tick"]).text)
    house.type("holo accept 2 bob {bob}")
    house.time = "2026-12-20T08:00:00Z"
    assert "holo 2: alice ran out of time." in owner.run(["tick"]).text


def test_a_number_with_leading_zeros_is_not_a_board(house: House) -> None:
    house.document("holo", "007").write_text("junk")
    said = plain(owner.run(["check"]).text)
    assert f"The {house.called('holo', '007')} is not named after a board" in said
    assert "There is no board" not in said
