"""Robots at work: they move and answer where it is their turn, once, whatever happens
meanwhile."""

import os
import resource
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbm_holomino import robots, rules
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import ROBOT
from pbm_holomino.owner.tick import do_what_is_due
from pbm_holomino.resident import playing, thinking
from pbm_holomino.resident.mind import Mind
from pbm_holomino.resident.playing import LEASE_SECONDS
from pbm_holomino.resident.thinking import CannotThink, Ended, thought
from pbm_holomino.resident.work import Work
from pbm_holomino.robots.contract import Budget, Forecast
from pbm_holomino.robots.games import holo as robot
from pbm_holomino.rules.contract import View
from pbm_holomino.server import waking
from pbm_holomino.store.contract import ROBOTS_FAILED
from pbm_holomino.store.summary import Summary
from tests.house import Crash, House, dies
from tests.prose import plain

SECONDS = 0.01
Think = Callable[[View, Budget, Random], str]


def at_once(think: Callable[[], str], *_: object) -> str:
    """What is thought, in this process."""
    return think()


@pytest.fixture
def server(server: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A server where robots think in the same process."""
    monkeypatch.setattr(thinking, "thought", at_once)
    server.taken()
    return server


def thinks(monkeypatch: pytest.MonkeyPatch, choose: Think) -> None:
    """Robots of every level choose in this way."""
    monkeypatch.setattr(robots, "load", lambda name, level: choose)


def first(view: View, budget: Budget, rng: Random) -> str:
    return view.legal[0]


def play(house: House, seconds: float = SECONDS) -> list[object]:
    """Do what robots have to do; the boards where something was done."""
    return list(Work(house.server, seconds).do_all())


def log(house: House, board: int = 1, game: str = "holo") -> list[str]:
    """Who did what on a board."""
    record = house.library.match(game, board).record
    return [f"{line.who} {line.action}" for line in record.log]


def move(house: House, *more: str) -> None:
    said = house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}", *more)
    assert said.status == 0, said.text


@pytest.fixture
def moved(server: House) -> House:
    """Alice has moved on a board, and it is the turn of robot1."""
    server.challenge(names="alice robot1")
    move(server)
    server.taken()
    return server


# Moves


@pytest.mark.parametrize("game", rules.names())
@pytest.mark.parametrize("level", robots.LEVELS)
def test_a_robot_of_every_level_plays_every_game(
    server: House, game: str, level: int
) -> None:
    """Also what comes before the first tile, and in answer to it."""
    options = {"holo": "-num_digits=4"}.get(game, "")
    server.challenge(f"{options} -random", f"alice robot{level}", game)
    match = server.library.match(game, 1)
    while match.result is None and match.ply < 14:
        play(server)
        match = server.library.match(game, 1)
        if match.turn:
            assert match.turn == ("alice",)
            seat = match.record.players.index("alice")
            word = match.rules.format_move(match.rules.legal(match.state, seat)[0])
            assert server.type(f"{game} move 1 alice {{alice}} {word}").status == 0
    made = [line for line in match.record.log if line.who == f"robot{level}"]
    assert len(made) >= 2
    assert {line.source for line in made} == {ROBOT}
    assert server.store.note(ROBOTS_FAILED) == ""


def test_a_robot_that_begins_moves_before_anybody_asks(server: House) -> None:
    server.challenge(names="robot1 alice")
    assert play(server) == [("holo", 1)]
    assert server.match().turn == ("alice",)
    assert play(server) == []


def test_several_robots_move_one_after_the_other(server: House) -> None:
    server.challenge(names="robot1 robot2 alice", game="walomino")
    while server.library.match("walomino", 1).turn != ("alice",):
        assert play(server)
    assert [line.split()[0] for line in log(server, 1, "walomino")][1:3] == [
        "robot1",
        "robot2",
    ]


def test_only_robots_are_played_for(server: House) -> None:
    server.challenge()
    server.challenge(names="alice robot1")
    assert play(server) == []


def test_the_board_that_has_waited_longest_comes_first(server: House) -> None:
    for minute in (2, 1, 3):
        server.time = f"2026-11-20T08:0{minute}:00Z"
        server.challenge(names="robot1 alice")
    assert play(server) == [("holo", 2), ("holo", 1), ("holo", 3)]


def test_a_robot_sees_only_what_its_seat_may_see(
    moved: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list[View]()

    def choose(view: View, budget: Budget, rng: Random) -> str:
        seen.append(view)
        return view.legal[0]

    thinks(monkeypatch, choose)
    match = moved.match()
    play(moved)
    assert seen == [match.rules.view(match.state, 1)]
    assert match.record.seed.hex() not in repr(seen)


def test_its_chance_depends_on_key_board_and_move(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = list[float]()

    def choose(view: View, budget: Budget, rng: Random) -> str:
        drawn.append(rng.random())
        return view.legal[0]

    thinks(monkeypatch, choose)
    for _ in range(2):
        server.challenge(names="robot1 alice")
    play(server)
    assert drawn[0] != drawn[1]
    monkeypatch.setattr(server.server.library, "key", bytes(32))
    server.challenge(names="robot1 alice")
    play(server)
    assert len({*drawn}) == 3


def test_without_a_budget_the_general_robot_moves(
    moved: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved.settings("robot_seconds: 0\n")
    budgets = list[float]()

    def choose(view: View, budget: Budget, rng: Random) -> str:
        budgets.append(budget.seconds)
        return view.legal[0]

    thinks(monkeypatch, choose)
    assert play(moved, 0.0) == [("holo", 1)]
    assert budgets == [0.0]
    assert moved.store.note(ROBOTS_FAILED) == ""


def test_level_3_writes_what_it_thinks(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.challenge(names="alice robot3")
    move(server)
    server.taken()
    thinks(monkeypatch, first)
    expected, views = Forecast(3.0, 0.9), list[View]()

    def forecast(name: str, view: View, budget: Budget, rng: Random) -> Forecast:
        views.append(view)
        return expected

    monkeypatch.setattr(robots, "forecast", forecast)
    play(server)
    (letter,) = server.taken()
    after = server.match()
    assert views == [after.rules.view(after.state, 1)]
    said = str(robots.remark("holo", views[0], expected))
    # a passage of its own, as people's words have, above the ways to answer
    assert f" robot3 writes: {said} How to answer " in plain(letter.text)
    assert said.endswith(".")
    server.challenge(names="robot2 alice")
    play(server)
    assert "robot2 writes" not in server.taken()[-1].text


def test_a_queued_move_follows_that_of_a_robot(moved: House) -> None:
    view = moved.match().rules.view(moved.match().state, 0)
    tile = view.pools[0][0]
    play_it = f"{tile}:{min(moved.match().view(None).drawing.labels)}"
    moved.type(f"holo queue 1 alice {{alice}} {play_it}")
    play(moved)
    assert log(moved)[-1].startswith("alice ")


# Offers


def offered(house: House, kind: str, options: str = "") -> None:
    """Alice has moved and offers something, and robot1 has not moved yet."""
    house.server.robots = house.server.robots._replace(are_rated=True)
    house.challenge(options, names="alice robot1")
    move(house)
    house.type(f"holo move 1 alice {{alice}} {kind}")


@pytest.mark.parametrize(("options", "word"), [("", "accept"), ("-rated", "reject")])
def test_a_robot_gives_moves_back_where_nothing_counts(
    server: House, options: str, word: str
) -> None:
    offered(server, "undo", options)
    assert play(server)
    assert log(server)[3] == f"robot1 !{word}"
    # a move that is not given back is answered
    turn = ["alice"] if word == "accept" else ["robot1"]
    assert [line.split()[0] for line in log(server)[4:]] == turn[1:] or turn == [
        "robot1"
    ]
    assert server.match().turn == ("alice",)
    assert server.match().ply == (0 if word == "accept" else 2)


@pytest.mark.parametrize(
    ("chance", "word"), [(0.4, "accept"), (0.5, "accept"), (0.6, "reject")]
)
def test_a_robot_accepts_a_draw_if_it_thinks_itself_no_better(
    server: House, chance: float, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = Forecast(0.0, chance)
    monkeypatch.setattr(robots, "forecast", lambda *_: expected)
    offered(server, "propose")
    play(server)
    assert log(server)[3] == f"robot1 !{word}"
    is_over = server.match().result is not None
    assert is_over is (word == "accept")


def test_all_robots_answer_an_offer(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(robots, "forecast", lambda *_: Forecast(0.0, 0.1))
    server.challenge(names="alice robot1 robot2", game="walomino")
    server.type("walomino move 1 alice {alice} propose")
    play(server)
    match = server.library.match("walomino", 1)
    assert match.result is not None
    assert match.result.reason == "agreed"


# What happens meanwhile


def while_it_thinks(
    house: House, monkeypatch: pytest.MonkeyPatch, *lines: str
) -> list[str]:
    """Alice types these lines while robot1 thinks for the first time; what is in the
    log from then on."""
    before = len(log(house))
    left = list(lines)

    def choose(view: View, budget: Budget, rng: Random) -> str:
        while left:
            said = house.type(left.pop(0))
            assert said.status == 0, said.text
        return view.legal[0]

    thinks(monkeypatch, choose)
    play(house)
    assert left == []
    return log(house)[before:]


def test_chat_does_not_disturb_a_robot(
    moved: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = moved.match().view(None).legal[0]
    chat = "holo chat 1 alice {alice} -m=Hello"
    found = while_it_thinks(moved, monkeypatch, chat)
    assert found == ["alice !chat", f"robot1 {word}"]


def test_a_player_resigns_while_it_thinks(
    moved: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = while_it_thinks(moved, monkeypatch, "holo resign 1 alice {alice}")
    assert found == ["alice !resign"]


def test_a_player_wants_a_move_back_while_it_thinks(
    moved: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = while_it_thinks(moved, monkeypatch, "holo move 1 alice {alice} undo")
    assert found == ["alice !undo", "robot1 !accept"]
    assert moved.match().turn == ("alice",)


def test_a_move_is_taken_back_and_another_made_while_it_thinks(
    moved: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process answers the undo meanwhile; what was thought of the old position
    is thrown away."""
    made = moved.match().record.log[1].action

    def other_process(*_: object) -> None:
        assert play(moved) == [("holo", 1)]

    def choose(view: View, budget: Budget, rng: Random) -> str:
        if len(log(moved)) == 2:
            moved.type("holo move 1 alice {alice} undo")
            other_process()
            other = next(m for m in moved.legal() if m != made)
            assert moved.type(f"holo move 1 alice {{alice}} {other}").status == 0
        return view.legal[-1]

    thinks(monkeypatch, choose)
    play(moved)
    acts = [line.split()[1] for line in log(moved)]
    assert acts[2:4] == ["!undo", "!accept"]
    assert (acts[4] != made, len(acts)) == (True, 6)
    assert (moved.match().ply, moved.match().turn) == (2, ("alice",))


def test_nobodys_lock_is_held_while_it_thinks(
    moved: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(view: View, budget: Budget, rng: Random) -> str:
        with moved.busy("holo", "1"):  # it would not be free
            return view.legal[0]

    thinks(monkeypatch, choose)
    assert play(moved) == [("holo", 1)]


# Robots that fail


def fails(view: View, budget: Budget, rng: Random) -> str:
    if budget.is_empty:
        return view.legal[0]
    raise ZeroDivisionError


def hangs(view: View, budget: Budget, rng: Random) -> str:
    while not budget.is_empty:
        pass
    return view.legal[0]


def sleeps(view: View, budget: Budget, rng: Random) -> str:
    while not budget.is_empty:
        signal.pause()
    return view.legal[0]


def dies_at_once(view: View, budget: Budget, rng: Random) -> str:
    if not budget.is_empty:
        os.kill(os.getpid(), signal.SIGKILL)
    return view.legal[0]


def cheats(view: View, budget: Budget, rng: Random) -> str:
    return view.legal[0] if budget.is_empty else "999:999"


@pytest.mark.parametrize(
    ("choose", "why"),
    [
        (fails, "it failed: ZeroDivisionError"),
        (hangs, "it took too long"),
        (sleeps, "it hung"),
        (dies_at_once, "it took too long"),
        (cheats, "its move was not possible"),
    ],
)
def test_the_general_robot_moves_for_one_that_does_not(
    moved: House, choose: Think, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner is told why. (A process that was ended by its limit, or by anybody
    else, has only fallen silent.)"""
    monkeypatch.setattr(thinking, "thought", thought)
    monkeypatch.setattr(thinking, "LEAST", 0.05)
    if choose is sleeps:  # 30 times that by the wall's clock, and nothing more
        monkeypatch.setattr(thinking, "PATIENCE", 0.0)
    thinks(monkeypatch, choose)
    assert play(moved) == [("holo", 1)]
    assert moved.match().ply == 2
    assert moved.store.note(ROBOTS_FAILED) == f"{moved.time} robot1 on holo 1: {why}"


@pytest.mark.parametrize("error", [CannotThink("it is tired"), KeyError("a bug")])
def test_a_board_where_no_robot_moves_keeps_no_other_waiting(
    server: House, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def choose(view: View, budget: Budget, rng: Random) -> str:
        if len(view.pools[0]) > 3:  # of four tiles, on the first board
            raise error
        return view.legal[0]

    thinks(monkeypatch, choose)
    server.challenge("-pool_size=4", names="robot1 alice")
    server.challenge("-pool_size=2", names="robot1 alice")
    assert play(server) == [("holo", 2)]
    assert server.match(1).ply == 0


def test_a_board_that_lists_know_wrongly_is_looked_at_twice(
    moved: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may just have played there."""
    ((_, board),) = waking.waiting(moved.server.library)
    play(moved)
    asked = list[bool]()

    def waiting(library: object) -> list[tuple[str, Summary]]:
        asked.append(True)
        return [("2026-11-20T08:00:00Z", board)]

    monkeypatch.setattr(playing, "waiting", waiting)
    assert play(moved) == []
    assert len(asked) == 3  # the last time it is left alone
    assert moved.match().ply == 2


def test_a_damaged_board_keeps_no_other_waiting(server: House) -> None:
    for _ in range(2):
        server.challenge(names="robot1 alice")
    server.damage("holo", "1")
    assert play(server) == [("holo", 2)]


# Several processes


def test_a_position_is_thought_about_once_at_a_time(
    moved: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process finds the position leased, and does nothing until the time of the
    lease has passed; if the first has died by then, it moves."""

    def dies_here(view: View, budget: Budget, rng: Random) -> str:
        assert play(moved) == []
        raise Crash

    thinks(monkeypatch, dies_here)
    with pytest.raises(Crash):
        play(moved)
    thinks(monkeypatch, first)
    other = Work(moved.server, SECONDS)
    assert list(other.do_all()) == []
    assert other.until_free is not None
    assert 0 < other.until_free <= LEASE_SECONDS
    moved.time = moved.time.replace(":00Z", f":{LEASE_SECONDS:02}Z")
    assert play(moved) == [("holo", 1)]
    assert log(moved)[2:] == [f"robot1 {moved.match().record.log[2].action}"]


@pytest.mark.parametrize("wait", [0.0, 9.9])
def test_whoever_sends_the_letter_about_a_move_sends_its_answer(
    moved: House, wait: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as alice's process may send hers, robot1's waits; but not for ever."""
    monkeypatch.setattr(playing, "PATIENCE", wait - 0.5)
    moved.mark("holo", "1", 1)
    acting = Work(moved.server, SECONDS).do_all()
    assert next(acting) == ("holo", 1)
    assert moved.taken() == []
    if wait:
        moved.deliver(moved.match())
    (letter,) = moved.taken() if wait else [None]
    assert list(acting) == []
    told = [letter] if letter else moved.taken()
    assert [each.subject for each in told if each] == ["holo 1: your turn"]
    assert moved.taken() == []


def test_another_board_does_not_wait_for_a_letter(
    moved: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Board 2 comes while the letter about the robot's move on board 1 waits for that
    about the move before, which nobody sends."""
    moved.mark("holo", "1", 1)
    challenges = ["robot1 alice"]

    def sleep(_: float) -> None:
        if challenges:
            moved.challenge(names=challenges.pop())

    monkeypatch.setattr(playing, "sleep", sleep)
    monkeypatch.setattr(playing, "PATIENCE", 60.0)
    played = Work(moved.server, SECONDS).do_all()
    assert next(played) == ("holo", 1)
    assert next(played) == ("holo", 2)
    assert moved.store.marks.is_unsent("holo", "1", 2)


def test_killed_at_any_moment_it_moves_once_and_tells_once(
    moved: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the thought and the commit nothing is done; between the commit and the
    letter the mark is there, by which whoever runs next sends it."""
    thinks(monkeypatch, first)
    last, is_dead = 0, True
    while is_dead:
        last += 1
        house = moved.copy(tmp_path / f"killed{last}")
        is_dead = dies(house, last, lambda house=house: play(house))  # type: ignore[misc]
        house.time = house.time.replace(":00Z", ":30Z")
        play(house)
        house.deliver(house.match())
        assert [line.split()[0] for line in log(house)] == ["-", "alice", "robot1"]
        ids = {letter.id for letter in house.taken()}
        assert ids == {house.letter_id(2, "alice")}
        assert house.store.marks.unsent("holo") == {}
    assert last > 4


# Thinking


def test_a_thought_ends_with_whoever_wants_it() -> None:
    ours, theirs = os.pipe()
    os.close(theirs)

    def sleep() -> str:
        signal.pause()
        return ""

    with pytest.raises(Ended):
        thought(sleep, 1.0, [ours])
    os.close(ours)


def test_a_thought_ends_at_ten_times_its_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of processor time, so that a machine with much to do does not cut it short."""

    def spin() -> str:
        while True:
            pass

    def used() -> float:
        found = resource.getrusage(resource.RUSAGE_CHILDREN)
        return found.ru_utime + found.ru_stime

    monkeypatch.setattr(thinking, "LEAST", 0.0)
    before = used()
    with pytest.raises(CannotThink, match="it took too long"):
        thought(spin, 0.03)
    assert 0.2 <= used() - before < 0.6  # the system counts roughly


def test_a_long_thought_comes_whole() -> None:
    assert thought(lambda: "x" * 300_000, 1.0) == "x" * 300_000


def test_a_robot_never_runs_out_of_time(moved: House) -> None:
    """Nobody plays for it, and the clock is asked a year later."""
    from pbm_holomino.match import deadlines

    match = moved.match()
    assert deadlines.waits(match)["robot1"].until == ""
    assert deadlines.due(match, "2027-11-20T08:00:00Z") == []
    assert moved.library.lists.due("2027-11-20T08:00:00Z").boards == []


def test_a_robot_that_nobody_played_for_moves_a_year_later(moved: House) -> None:
    """Then the clock of its opponent begins, who has 21 days."""
    moved.time = "2027-11-20T08:00:00Z"
    assert [*do_what_is_due(moved.server)] == []
    assert play(moved) == [("holo", 1)]
    assert moved.match().turn == ("alice",)
    assert [*do_what_is_due(moved.server)] == []
    moved.time = "2027-12-11T08:00:00Z"
    assert [*do_what_is_due(moved.server)] == ["holo 1: alice ran out of time."]
    assert moved.match().result == (("robot1",), "forfeit")


def test_what_waits_for_robots_is_known_from_lists(server: House) -> None:
    def waiting() -> Sequence[tuple[str, int]]:
        return [(s, b.board) for s, b in waking.waiting(server.library)]

    server.challenge(names="alice robot1")
    server.challenge(names="robot1 alice")
    assert waiting() == [(server.time, 2)]
    server.time = "2026-11-20T09:00:00Z"
    server.type("holo move 1 alice {alice} propose")
    assert waiting() == [("2026-11-20T08:00:00Z", 2), (server.time, 1)]
    server.library.lists.scan(anew=True)
    assert len(waiting()) == 2
    play(server)
    assert waiting() == []


def test_a_board_of_older_rules_is_played_by_the_general_robot(
    moved: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a newer version know nothing of it."""
    newer: Any = rules.load("holo")
    match: Match = moved.match()
    monkeypatch.setattr(newer, "VERSION", 2)
    monkeypatch.setattr(robot, "LEVELS", (cheats,) * 3)
    changed = Mind(match, "robot1", bytes(32))
    assert changed.move(Budget(1.0)) in match.view(None).legal
