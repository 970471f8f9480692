"""`pbm copy` takes along what players keep for themselves: answers ahead, notes and how
large they are, muted boards, where they are told of turns; and their clocks."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbm_holomino.match.notices import Notices
from pbm_holomino.match.times import later
from pbm_holomino.store import notices, shelves
from pbm_holomino.store.contract import Store
from tests import storage
from tests.club import Club
from tests.house import FRIENDS, NOW, House, Seeds, home
from tests.owner.test_copy import opened, tree, typed, url
from tests.postgres.cluster import POSTGRESQL
from tests.storage import InFiles

__all__ = ["url"]

pytestmark = POSTGRESQL

CLOCK = "-clock=10d+1d/20d -nag=0"
TOPIC = "https://ntfy.example.net/a-topic-of-bobs"
SEEN = [  # what of it is read, and by whom
    "holo showas bob {bob} 1 -format=json",
    "holo notes 1 alice {alice} -format=json",
    "holo notes 2 bob {bob} -format=json",
    "holo history 2",
    "holo history 1 alice {alice} -format=yaml",
]


class At(InFiles):
    """Servers are over the store in this place."""

    def __init__(self, place: str) -> None:
        self.place = place

    def open(self, folder: Path) -> Store:
        folder.mkdir(exist_ok=True)
        return opened(self.place)


class Scene(NamedTuple):
    """A server, what alice may play on it, and how bob answers that."""

    house: House
    theirs: str
    mine: str


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """On board 1 clocks run, and stood still while alice was away; bob answers what she
    may play. Board 2 is over, and bob has published his notes."""
    monkeypatch.setattr(storage, "over", InFiles())
    club = Club(tmp_path / "games")
    club.server.server.seed = Seeds()
    club.open("holo", 2, CLOCK).accept()
    club.open("holo").accept(2)
    club.say("change notices bob {bob} " + TOPIC + " ntfy")
    for _ in range(2):  # one of each
        played = club.json()
        club.move(played["turn"][0], played["legal"][0])
    club.say("change vacation alice {alice} 3")
    club.server.time = later(NOW, 2)
    club.say("change vacation alice {alice} 0")
    theirs, mine = exchange(club.server, tmp_path / "ahead")
    club.say(f"holo queue 1 bob {{bob}} if {theirs} {mine}")
    club.say(f"holo analyse 1 alice {{alice}} {theirs} -keep")
    noted(club.server, f"holo note 1 alice {{alice}} {theirs}", "To the corner.")
    club.say("holo resign 2 alice {alice}")
    noted(club.server, "holo note 2 bob {bob}", "It was short.")
    club.say("holo publish 2 bob {bob}")
    noted(club.server, "holo note 2 bob {bob}", "Too short.")
    club.say("mute alice {alice} holo 1")
    return Scene(club.server, theirs, mine)


def noted(house: House, line: str, text: str) -> None:
    answer = house.type(line, f"-m={text}")
    assert answer.status == 0, answer.text


def exchange(house: House, folder: Path) -> tuple[str, str]:
    """What alice can play, and how bob can answer it."""
    future = house.copy(folder)
    theirs = future.legal()[0]
    assert future.type(f"holo move 1 alice {{alice}} {theirs}").status == 0
    return theirs, future.legal()[0]


def person(house: House, who: str) -> Any:
    player = house.library.player(who)
    assert player is not None
    return player


@contextmanager
def server_at(place: str, tmp_path: Path, like: House) -> Iterator[House]:
    """A server over the store in a place, at the same time as another one."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(storage, "over", At(place))
        house = House(tmp_path / "machine")
    house.time = like.time
    try:
        yield house
    finally:
        house.store.close()


def seen(house: House) -> dict[str, Any]:
    """All of it, as players and the program see it."""
    people = [person(house, name) for name in FRIENDS]
    return {
        **{line: house.type(line) for line in SEEN},
        "clocks": house.json()["clocks"],
        "muted": [player.muted for player in people],
        "notices": [player.notices for player in people],
        "shelves": [shelves.sizes(house.store, name) for name in FRIENDS],
        "waiting": [one._replace(put=0) for one in notices.waiting(house.store)],
    }


def test_it_is_the_same_there_and_back(scene: Scene, url: str, tmp_path: Path) -> None:
    house, back = scene.house, str(tmp_path / "back")
    before, told = tree(house.folder), seen(house)
    assert told["notices"] == [None, Notices(TOPIC, "ntfy"), None, None]
    assert told["muted"] == [("holo.1",), (), (), ()]
    assert told["shelves"][:2] == [
        {"alice-holo-1": len("To the corner.")},
        {"bob-holo-2": len("Too short."), "holo-2-bob": len("It was short.")},
    ]
    assert [(one.userid, one.board) for one in told["waiting"]] == [("bob", 1)]
    # ten days, and a day for the move
    assert told["clocks"]["alice"]["left"] == 11 * 86_400
    typed("copy", str(house.folder), url)
    typed("copy", url, back)
    assert tree(Path(back)) == before
    for place in (url, back):
        with server_at(place, tmp_path, house) as other:
            assert seen(other) == told


@pytest.mark.parametrize("is_back", [False, True])
def test_it_goes_on_there(
    scene: Scene, url: str, tmp_path: Path, is_back: bool
) -> None:
    """The answer is played at once, notes are counted on, and alice hears only of her
    turn."""
    place = url
    typed("copy", str(scene.house.folder), url)
    if is_back:
        place = str(tmp_path / "back")
        typed("copy", url, place)
    with server_at(place, tmp_path, scene.house) as house:
        assert house.type(f"holo move 1 alice {{alice}} {scene.theirs}").status == 0
        assert house.json()["last"] == f"bob {scene.mine}"
        assert house.json()["turn"] == ["alice"]
        house.taken()
        assert house.type("holo chat 1 bob {bob} -m=Hello").status == 0
        assert home("alice") not in [to for one in house.taken() for to in one.to]
        noted(house, "holo note 1 alice {alice}", "Now.")
        size = len("To the corner.") + len("Now.")
        assert shelves.sizes(house.store, "alice") == {"alice-holo-1": size}
