"""A hint in the shell: the command's own process waits for the robot."""

import pytest

from pbm_holomino import robots
from pbm_holomino.cli import main
from pbm_holomino.languages import sentence
from pbm_holomino.resident import advising
from pbm_holomino.robots import Analysis
from pbm_holomino.robots.contract import Forecast
from tests.house import House, fill_in


@pytest.fixture
def running(server: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """It is alice's turn on a board that does not count, and a robot would play the
    first move."""
    monkeypatch.setenv("PBM_GAMES", str(server.folder))
    server.challenge("-rated=no")
    monkeypatch.setattr(
        robots,
        "analyse",
        lambda name, view, budget, rng, played="": Analysis(
            min(view.legal), sentence("It is the first."), 0.0, Forecast(0.0, 0.5)
        ),
    )
    server.taken()
    return server


def test_it_is_printed_at_once(
    running: House, capsys: pytest.CaptureFixture[str]
) -> None:
    line = fill_in("holo hint 1 alice {alice}")
    assert main(line.split()) == 0
    told = capsys.readouterr().out
    best = min(running.legal())
    head = f"A robot would play this on holo 1:\n  {best}\nIt is the first.\n\n"
    assert told == head + running.type("holo showas alice {alice} 1").text
    assert running.store.kept.mails("lessons") == []


def test_it_counts_like_any_other(
    running: House,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("pbm_holomino.commands.hints_and_reviews.MOST", {"hint": 2})
    line = fill_in("holo hint 1 alice {alice}").split()
    assert [main(line), main(line), main(line)] == [0, 0, 1]
    assert "You have asked for 2 hints today" in capsys.readouterr().err


def test_a_robot_that_fails_is_no_hint(
    running: House,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(advising, "advice_on", lambda *_: None)
    assert main(fill_in("holo hint 1 alice {alice}").split()) == 1
    told = capsys.readouterr().err
    assert told.startswith("No robot has found a move: the owner has been told.\n")
    assert "Holomino, board 1" in told
