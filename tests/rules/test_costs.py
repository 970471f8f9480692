"""What the costs of the rules are measured on is there, in each game."""

from collections.abc import Callable

import pytest

from pbm_holomino import rules
from tests.bench import engine
from tests.bench.harness import Contender, Row


@pytest.mark.parametrize(
    "measured", [engine.replays, engine.legal_moves, engine.plies, engine.regions]
)
def test_everything_that_is_measured_can_be_done(
    measured: Callable[[str], list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[str]()

    def race(rounds: int, *racers: Contender) -> list[Row]:
        for racer in racers:
            racer.run()
            done.append(racer.what)
        return []

    monkeypatch.setattr(engine, "race", race)
    monkeypatch.setattr(engine, "_forget", lambda: None)  # what other tests remember
    measured("")
    named = " ".join(done)
    only = ["hextol"] if measured is engine.regions else rules.names()
    assert all(game in named for game in only), done
