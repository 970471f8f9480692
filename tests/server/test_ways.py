"""How one mail's way is counted (tests/bench/way.py)."""

import json
from pathlib import Path

import pytest

from tests.bench.goals import WAY as SCRIPT
from tests.bench.goals import Checkout, Games
from tests.bench.way import Way, floors, way
from tests.paths import ROOT

FLOORS = {"low": 1, "middle": 2, "top": 3, "rules": 1}


def test_only_what_is_new_counts() -> None:
    """What was called before, and what rules do among themselves, is no stop."""
    names = (
        "top/a.run low.look middle/b.find middle/c.read rules/x.y low.look top/a.end"
    )
    steps = [name.split(".") for name in names.split()]
    called = [(f"{file}.py", function) for file, function in steps]
    # top/a, low, middle/b, middle/c, top/a: up from low to middle, and to top
    assert way(called, FLOORS) == Way(files=4, stops=5, climbs=2)


def test_a_room_stands_above_what_it_imports(tmp_path: Path) -> None:
    package = tmp_path / "pbm_holomino"
    (package / "middle").mkdir(parents=True)
    (package / "low.py").write_text("import os\n")
    (package / "middle" / "b.py").write_text("from pbm_holomino import low\n")
    (package / "top.py").write_text("import pbm_holomino.middle.b\n")
    assert floors(package) == {"low": 1, "middle": 2, "top": 3}
    (package / "low.py").write_text("from pbm_holomino.top import it\n")
    with pytest.raises(ValueError, match="a circle"):
        floors(package)


def test_a_mail_goes_through_this_checkout(tmp_path: Path) -> None:
    games = Games(Checkout("now", ROOT), str(tmp_path), 1)
    words = (str(SCRIPT), games.mail())
    found = Way(*json.loads(games.checkout.asked(*words, store=games.folder)))
    games.check()
    assert 20 < found.files <= found.stops
    assert found.climbs < found.stops
