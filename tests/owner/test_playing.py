"""`pbm play` with a game and robots: the owner has robots play among themselves."""

import re

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import BadCommand, BadOption, NotAllowed
from pbm_holomino.owner import playing
from pbm_holomino.resident import thinking
from pbm_holomino.server import waking
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import Home
from tests.house import House, own


@pytest.fixture
def server(server: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A server whose robots think for no time, in this process."""
    server.config = Config(robot_seconds=0)
    own(server, monkeypatch)
    monkeypatch.setattr(thinking, "thought", lambda think, *_: think())
    monkeypatch.setattr(playing, "lower_priority", lambda: None)
    server.taken()
    return server


def typed(line: str) -> str:
    answer = owner.run(line.split())
    assert answer.status == 0
    return " ".join(answer.text.split())


def test_robots_play_a_game_to_its_end(server: House) -> None:
    told = typed("play holo robot1 robot3 pool_size=3")
    assert told.startswith("holo 1 is open: robot1 and robot3 play each other. ")
    match = server.match()
    assert match.status == "over"
    assert match.record.options["pool_size"] == 3
    moves = [line for line in match.record.log if line.no]
    assert {line.who for line in moves} == {"robot1", "robot3"}
    assert told.endswith(f"Robots have acted {len(moves)} times.")
    assert server.taken() == []  # nobody is to be told
    assert server.store.marks.unsent("holo") == {}


def test_it_counts_for_nobody(server: House) -> None:
    typed("play holo robot1 robot3 pool_size=3")
    assert not server.match().record.rated
    assert "robot" not in server.type("holo standings").text
    assert owner.run(["check"]).status == 0


def test_everybody_can_look_at_it(server: House) -> None:
    typed("play holo robot1 robot3 pool_size=3")
    fields = server.json()
    assert fields["robots"] == ["robot1", "robot3"]
    assert "robot3" in server.type("holo history 1").text
    assert server.type("holo verify 1").status == 0


def test_more_than_two_robots_play_where_the_game_has_seats(server: House) -> None:
    with waking.holding(Home(str(server.folder))):
        typed("play walomino robot1 robot2 robot3")
    assert server.library.match("walomino", 1).record.people == ()


def test_the_process_that_plays_already_is_told(server: House) -> None:
    told = list[bool]()

    def wake() -> bool:
        told.append(True)
        return True

    server.server.robots = server.server.robots._replace(wake=wake)
    with waking.holding(Home(str(server.folder))):
        said = typed("play holo robot1 robot2")
    assert said == "holo 1 is open: robot1 and robot2 play each other."
    assert told == [True]
    assert typed("play").startswith("Robots have acted ")
    assert server.match().status == "over"
    assert told == [True]  # what a mail starts never starts another


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        ("robot1 alice", BadCommand, '"alice" is not a robot: please name robot1, '),
        ("robot1 robot1", NotAllowed, "named a player twice"),
        ("robot1", NotAllowed, "a game for 2 players, not for 1"),
        ("", NotAllowed, "a game for 2 players, not for 0"),
        ("robot1 robot2 nag=x", BadOption, "nag"),
        ("robot1 robot2 nag=3 nag=4", BadCommand, '"nag" is given twice'),
        ("robot1 robot2 rated=yes", NotAllowed, "games against robots do not count"),
    ],
)
def test_what_is_wrong_opens_nothing(
    server: House, words: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=re.escape(said)):
        owner.run(["play", "holo", *words.split()])
    assert server.library.lists.boards("holo") == []


def test_a_game_that_is_not_here(server: House) -> None:
    with pytest.raises(BadCommand, match='"chess" is not a game here'):
        owner.run(["play", "chess", "robot1", "robot2"])
