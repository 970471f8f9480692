"""Two pairs of each row, with so small a budget that the result says nothing."""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.robots.contract import Budget, Choose
from tests import boards
from tests.bench import losses, robots
from tests.rules.holo_table import HOLO

LITTLE = Budget(steps=4)


@pytest.mark.parametrize("row", robots.ROWS, ids=lambda row: row.name)
def test_a_row_goes_on_from_its_file(row: robots.Row, tmp_path: Path) -> None:
    file = tmp_path / "results"
    # Short games, where some think for longer than any budget.
    row = row._replace(options={**row.options, **boards.short(row.game)})
    first, one = robots.results(row, 1, LITTLE, file)
    assert (first, len(one)) == ([], 1)
    again, both = (list(found) for found in robots.results(row, 2, LITTLE, file))
    assert again == one
    assert len(file.read_text().splitlines()) == 2
    assert list(robots.results(row, 2, LITTLE, file)) == [both]
    assert all(0 <= result <= 1 for result in both)


def test_other_code_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, row = tmp_path / "results", robots.ROWS[-1]
    file.write_text(f"{robots.fingerprint(row.game):08x} {row.name} inf 4 0 1\n")
    assert next(robots.results(row, 1, LITTLE, file)) == [1.0]
    monkeypatch.setattr(robots, "fingerprint", lambda game: 0)
    assert next(robots.results(row, 1, LITTLE, file)) == []


def test_the_interval_is_two_errors_wide_on_either_side() -> None:
    """Of the results 0, 0.5, 1 and 0.5 the deviation is the root of 1/6, so that the
    error of the mean of the four is half of it: 0.204."""
    text = robots.summary(robots.ROWS[0], [0, 0.5, 1, 0.5])
    assert "50.0 +- 40.0 % of   4 pairs" in text
    assert text.endswith("60 % NOT reached")


@pytest.mark.parametrize("standing", losses.STANDINGS, ids=lambda one: one.name)
def test_positions_of_a_standing_are_recorded_the_same_each_time(
    standing: losses.Standing,
) -> None:
    def recorded() -> list[Any]:
        return [*islice(losses.recorded(standing, {}), 3)]

    for state in recorded():
        (seat,) = HOLO.to_move(state)
        lead = state.scores[seat] - state.scores[1 - seat]
        assert standing.least <= lead <= standing.most
        assert HOLO.view(state, seat).sack
    assert recorded() == recorded()


def test_the_best_move_loses_nothing_and_another_what_it_is_worth_less() -> None:
    state = next(losses.recorded(losses.STANDINGS[0], {}))

    def lost(choose: Choose) -> float:
        return losses.loss(state, choose, LITTLE)

    def always(word: str) -> Choose:
        return lambda view, budget, rng: word

    each = [lost(always(word)) for word in HOLO.view(state, None).legal]
    assert min(each) == 0
    assert max(each) > 0
    shown = list[str]()
    assert losses.main(["--positions", "2", "--steps", "8"], shown.append) == 0
    assert len(shown) == 2 * len(losses.STANDINGS)
    assert "of   2 positions, 3 " in shown[0]
