"""What the owner's page says about numbers of machines follows from its figures."""

import pytest

from pbm_holomino.owner import capacity
from pbm_holomino.owner.capacity import FILES, POSTGRESQL, Cost, peak


@pytest.mark.parametrize(
    ("boards", "moves"), [(864_000, 3.0), (86_400_000, 300.0), (28_800, 0.1)]
)
def test_the_busiest_time_has_three_times_the_mean(boards: int, moves: float) -> None:
    """A day has 86,400 seconds, and a move is made on one of ten boards."""
    assert peak(boards) == pytest.approx(moves)


def test_machines_add_up_until_the_database_is_busy_all_the_time() -> None:
    cost = Cost(worker=10.0, database=4.0, board=5.0)  # on two cores
    assert [cost.carried(machines) for machines in (1, 2, 3, 9)] == [200, 400, 500, 500]


def test_what_is_said_to_give_out_first_does() -> None:
    assert peak(1_000_000) < FILES.carried(1) / 2
    assert peak(1_000_000) < POSTGRESQL.carried(1) / 2
    assert FILES.carried(1) < peak(100_000_000) < POSTGRESQL.most


def test_the_page_fits_a_screen() -> None:
    lines = capacity.page().splitlines()
    assert max(map(len, lines)) <= 72
    assert [line for line in lines if line != line.rstrip()] == []
    assert "100,000,000   10,000,000    347.22" in capacity.page()
