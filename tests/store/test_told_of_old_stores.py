"""What a program told of the store that it left (tests/stores) is told today: answers,
records, lists, and the letters that leave as time goes by (see leaving.py)."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.house import House
from tests.paths import ROOT
from tests.prose import assert_still_told, without_zone
from tests.store import leaving

STORES = ROOT / "tests" / "stores"
STORE = STORES / "before-ledgers"

SHOWN = re.compile(r"\w+ show \w+( next)?")  # which asks for boards as text


def told_of(store: Path) -> list[tuple[str, str]]:
    """What was asked of a store, and the answers, as its own program gave them."""
    lines = Path(f"{store}.told").read_text(encoding="ascii").splitlines()
    return [(asked, told) for asked, told in map(json.loads, lines)]


def envelopes(told: str) -> str:
    """Letters that leave by who gets them, their ids and Subjects: what they say has
    another form today, and so has the token of one that shows several boards. The game
    of an example is the first that there is."""
    told = re.sub(r"(?<=To open one, send:\n  )\w+", "GAME", told)
    told = re.sub(r"(@.*): [0-9a-f]{16}$", r"\1", told, flags=re.MULTILINE)
    return re.sub(r"( players\.\w+\.\d+)[.\w]+(?=: \w+: it is your turn)", r"\1", told)


@pytest.mark.long
def test_the_same_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(STORE, tmp_path / "games")
    scene = leaving.Scene(tmp_path / "games", monkeypatch)
    for (asked, told), (again, today) in zip(
        told_of(STORE), leaving.ask(scene), strict=True
    ):
        assert again == asked
        if SHOWN.fullmatch(asked):
            assert_still_told(told, today)
        else:
            today, told = map(without_zone, (today, told))
            assert envelopes(today) == envelopes(told), asked


def test_programs_still_find_what_1_0_told_them(tmp_path: Path) -> None:
    """Its records, with what was said on top of them since; and every field of its
    boards, beside which there are more."""
    shutil.copytree(STORES / "1.0", tmp_path / "games")
    house = House(tmp_path / "games")
    for line, told in told_of(STORES / "1.0"):
        today = house.type(line).text
        if line.endswith("-format=yaml"):
            assert today.partition("said:\n")[0] == told.partition("said:\n")[0], line
        else:
            fields = json.loads(told)
            assert json.loads(today) | fields == json.loads(today), line


def test_there_is_something_of_every_kind() -> None:
    files = {path.relative_to(STORE) for path in STORE.glob("*/*")}
    folders = {path.parts[0] for path in files}
    assert folders >= {"holo", "players", "tournaments", "ratings", "waiting"}
    assert folders >= {"hint.asked", "review.asked", "quarantine", "forgotten"}
    marks = sorted(path.name for path in files if path.suffix == ".unsent")
    assert marks == ["1.10.unsent", "carol.5.unsent"]
    told = str(told_of(STORE))
    for words in ("agreed", "declined", "resigned", "score", "voided", "lapsed"):
        assert words in told, words
