"""Lists change with nothing that one player sends ahead, and with nothing that comes of
it before it is played."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.match.record import Act
from pbm_holomino.store import summary
from pbm_holomino.store.files import index, rows
from pbm_holomino.store.postgres.schema import LISTS
from pbm_holomino.store.search import Unusable
from pbm_holomino.store.summary import Summary
from tests.house import House, open_house, own
from tests.prose import plain

PLANS = ["queue 1 bob {bob} 123:17#901", "queue 1 bob {bob} none"]
PLANS += ["submit 1 alice {alice} MOVE"]


@pytest.fixture(params=["index", "documents"])
def house(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> House:
    house = open_house(tmp_path)
    if request.param == "documents":

        def unusable(*_: object) -> None:
            raise Unusable

        for asked in ("select", "seen"):
            monkeypatch.setattr(type(house.library.lists.index), asked, unusable)
    return house


def known(house: House) -> tuple[dict[str, str], list[Summary]]:
    """When everybody was last seen, and all that lists know of boards."""
    lists = house.library.lists
    return lists.last_seen(["alice", "bob"]), lists.boards_of([], "all").boards


def changes(house: House, day: int, act: Callable[[], object]) -> bool:
    """Whether lists change with an act on that day."""
    before, house.time = known(house), f"2026-11-{day}T08:00:00Z"
    act()
    return known(house) != before


def test_only_what_is_played_changes_them(house: House) -> None:
    for day, plan in enumerate(PLANS, start=21):
        line = f"holo {plan}".replace("MOVE", house.legal()[0])
        assert not changes(house, day, partial(house.type, line))
    lines = [str(line.action) for line in house.match().record.log]
    assert lines == ["!challenge", "!queue", "!unqueue", "!submit"]
    confirm = "holo confirm 1 alice {alice}"
    assert changes(house, 25, partial(house.type, confirm))
    seen, (board,) = known(house)
    assert seen["alice"] == board.last_change == "2026-11-25T08:00:00Z"
    assert seen["bob"] == ""


def test_what_an_earlier_program_has_listed_is_listed_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One whose lists knew of plans."""
    with monkeypatch.context() as then:
        then.setattr(summary, "_ASIDE", {Act.CHAT})
        then.setattr(summary, "PRIVATE", ())
        for module in (rows, index):
            then.setattr(module, "VERSION", 5)
        house = open_house(tmp_path)
        house.store.remember(LISTS, "")
        played = house.time
        house.time = "2026-11-21T08:00:00Z"
        house.type("holo queue 1 bob {bob} 123:17#901")
        seen, (board,) = known(house)
        assert seen["bob"] == board.last_change == house.time
    later = House(tmp_path)
    own(later, monkeypatch)
    told = owner.run(["check"])
    assert "was made by another version, and has been made anew" in plain(told.text)
    assert told.status == 0
    seen, (board,) = known(later)
    assert (seen["bob"], board.last_change) == ("", played)
    assert "another version" not in plain(owner.run(["check"]).text)


def test_a_queue_that_ends_changes_nothing(house: House) -> None:
    house.type("holo queue 1 bob {bob} 123:17#901")
    house.time = "2026-11-21T08:00:00Z"
    house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}")
    log = house.match().record.log
    assert [str(line.action) for line in log][-1] == "!unqueue"
    seen, (board,) = known(house)
    assert (seen["bob"], board.last_change) == ("", "2026-11-21T08:00:00Z")
