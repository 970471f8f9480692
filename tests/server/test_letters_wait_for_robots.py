"""A letter about a player's move waits a moment for a robot's: then one letter tells
both."""

import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest

from pbm_holomino.letters.letter import Due, Letter
from pbm_holomino.match.record import ROBOT, Line
from pbm_holomino.match.replay import after
from pbm_holomino.server import waking
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.home import Home
from tests.house import House, home, mail_of
from tests.processes import PATIENCE


def robot_moves(house: House, who: str = "robot1", game: str = "holo") -> None:
    """What another process does: the robot moves, and its letters are only marked."""
    match = house.library.match(game, 1)
    seat = match.record.players.index(who)
    word = match.rules.format_move(match.rules.legal(match.state, seat)[0])
    line = Line(None, house.time, who, ROBOT, word)
    with house.store.lock(game, "1"):
        changed = after(match, line)
        house.library.save(changed, unsent=len(match.record.log))


@pytest.fixture
def server(server: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A server where it is alice's turn on a board with robot1, which moves as soon as
    anybody wakes it."""
    monkeypatch.setattr(waking, "PATIENCE", 0.1)
    server.challenge(names="alice robot1")
    wakes(server, lambda: robot_moves(server))
    server.taken()
    return server


def wakes(house: House, act: Callable[[], object]) -> None:
    def wake() -> bool:
        act()
        return True

    house.server.robots = house.server.robots._replace(wake=wake)


def mailed(house: House, mail: str = "m1", who: str = "alice") -> list[Letter]:
    """The letters that leave because alice has mailed a move."""
    house.taken()
    move = house.legal()[0]
    house.by_mail(who, mail, f"holo move 1 {who} {{{who}}} {move}")
    return house.taken()


def marked(house: House) -> dict[str, list[int]]:
    return dict(house.store.marks.unsent("holo"))


def test_one_letter_answers_both(server: House) -> None:
    (letter,) = mailed(server)
    assert letter.subject == "holo 1: your turn"
    assert letter.id == server.letter_id(2, "alice")
    told = " ".join(letter.text.split())
    assert told.index("You played ") < told.index("robot1 played ")
    assert letter.replied
    assert marked(server) == {}


def test_it_answers_the_mail(server: House) -> None:
    mail = (
        f"From: {home('alice')}\nTo: pbm@localhost\nMessage-ID: <m@x>\n"
        f"Subject: holo move 1 alice xanadu {server.legal()[0].replace(':', ' ')}\n\n"
    )
    (letter,) = server.mail(mail.encode())
    assert (letter.subject, letter.answers) == ("holo 1: your turn", "<m@x>")
    assert letter.text.startswith("Read as ")


def test_a_server_that_stays_goes_on_meanwhile(server: House) -> None:
    """The mail has been dealt with; its letter is marked, and leaves in a moment."""
    waiting = list[Due]()
    server.server.later = waiting.extend
    wakes(server, lambda: None)
    mail = f"holo move 1 alice xanadu {server.legal()[0]}"
    assert server.mail(mail_of(mail, Message_ID="<m@x>")) == []
    assert marked(server) == {"1": [1]}
    robot_moves(server)
    server.server.delivery.deliver(waiting)
    (letter,) = server.taken()
    assert (letter.subject, letter.answers) == ("holo 1: your turn", "<m@x>")
    assert marked(server) == {}


def test_it_waits_until_the_robots_process_leaves_it_to_us(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That holds the mark of its move for a moment."""
    monkeypatch.setattr(waking, "PATIENCE", PATIENCE)
    waiting = list[Due]()
    server.server.later = waiting.extend
    wakes(server, lambda: None)
    mail = f"holo move 1 alice xanadu {server.legal()[0]}"
    assert server.mail(mail_of(mail, Message_ID="<m@x>")) == []
    other = House(server.folder)
    robot_moves(other)
    with ExitStack() as held:
        mark = held.enter_context(other.store.marks.sending("holo", "1", 2))
        assert mark is not None
        mark.kept = True
        monkeypatch.setattr(waking, "sleep", lambda seconds: held.close())
        server.server.delivery.deliver(waiting)
    (letter,) = server.taken()
    assert (letter.subject, letter.answers) == ("holo 1: your turn", "<m@x>")
    assert marked(server) == {}


def test_the_answer_to_the_same_mail_is_about_the_move(server: House) -> None:
    mailed(server)
    (again,) = mailed(server)
    assert again.id == server.letter_id(1, "alice")


def test_the_letter_leaves_alone_if_the_robot_is_slow(server: House) -> None:
    wakes(server, lambda: None)
    begun = monotonic()
    (letter,) = mailed(server)
    assert letter.subject == "holo 1: robot1 to move"
    assert monotonic() - begun >= waking.PATIENCE
    robot_moves(server)
    server.deliver(server.match())
    (later,) = server.taken()
    assert later.subject == "holo 1: your turn"
    assert "You played " in later.text  # both tell it, as a letter is always the same


def test_nothing_waits_if_nobody_will_play(server: House) -> None:
    server.server.robots = server.server.robots._replace(wake=lambda: False)
    begun = monotonic()
    assert [letter.subject for letter in mailed(server)] == ["holo 1: robot1 to move"]
    assert monotonic() - begun < 60  # and not for ever


def test_nobody_is_woken_for_people(server: House) -> None:
    woken = list[bool]()
    wakes(server, lambda: woken.append(True))
    server.challenge(names="alice bob")
    server.type(f"holo move 2 alice {{alice}} {server.legal(2)[0]}")
    server.type("holo chat 1 alice {alice} -m=Hello")
    assert woken == []
    server.challenge(names="robot1 alice")
    assert woken == [True]


def test_what_is_typed_is_answered_at_once(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waking, "awaited", None)  # nobody may call it
    wakes(server, lambda: None)
    told = server.type(f"holo move 1 alice {{alice}} {server.legal()[0]}").text
    assert "It is robot1's turn." in told


def test_the_first_letter_is_never_left_out(server: House) -> None:
    wakes(server, lambda: None)
    server.challenge(names="robot1 alice")
    match = server.match(2)
    line = Line(None, server.time, "robot1", ROBOT, match.view(None).legal[0])
    with server.store.lock("holo", "2"):
        server.library.save(after(match, line), unsent=1)
    server.mark("holo", "2", 0)
    server.taken()
    server.deliver(server.match(2), 0, 1)
    first, second = server.taken()
    assert "A new game of Holomino for you and robot1." in " ".join(first.text.split())
    assert second.subject == "holo 2: your turn"


def test_all_robots_are_waited_for_and_all_people_told(
    server: House, tmp_path: Path
) -> None:
    """Of three lines in a row each player has one letter, the last."""
    server.sign_up("carol")
    server.challenge("", "alice robot1 robot2 carol", "walomino")
    server.accept(1, "walomino")

    def both() -> None:
        robot_moves(server, "robot1", "walomino")
        robot_moves(server, "robot2", "walomino")

    wakes(server, both)
    server.taken()
    server.by_mail("alice", "m1", "walomino move 1 alice {alice} take:any")
    letters = server.taken()
    assert [letter.to[0] for letter in letters] == [home("alice"), home("carol")]
    assert [letter.subject for letter in letters] == [
        "walomino 1: carol to move",
        "walomino 1: your turn",
    ]
    assert server.store.marks.unsent("walomino") == {}


@pytest.mark.parametrize("which", ["turns", "digest"])
def test_the_answer_comes_whatever_letters_a_player_wants(
    server: House, which: str
) -> None:
    server.type(f"change letters alice {{alice}} {which}")
    assert [letter.subject for letter in mailed(server)] == ["holo 1: your turn"]
    assert marked(server) == {}


def test_a_letter_that_cannot_leave_waits_with_its_mark(server: House) -> None:
    """The letter about the robot's move is the one that is needed, and the mark of that
    brings it."""
    server.shut.add(home("alice"))
    move = server.legal()[0]
    server.by_mail("alice", "m1", f"holo move 1 alice {{alice}} {move}")
    assert marked(server) == {"1": [2]}
    server.shut.clear()
    server.deliver(server.match())
    assert [each.subject for each in server.taken()] == ["holo 1: your turn"]


def test_a_board_that_is_damaged_meanwhile_is_no_trouble(server: House) -> None:
    wakes(server, lambda: server.damage("holo", "1"))
    assert [letter.subject for letter in mailed(server)] == ["holo 1: robot1 to move"]


def test_a_player_without_an_address_waits_for_nothing(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = server.data(PLAYERS, "alice")
    server.put(PLAYERS, "alice", {**data, "addresses": []})
    monkeypatch.setattr(waking, "awaited", None)
    move = server.legal()[0]
    told = server.by_mail("alice", "m1", f"holo move 1 alice {{alice}} {move}")
    assert "You played" in told.text


# Waking


def test_a_process_at_work_needs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = list[bool]()

    def start(home: Home) -> bool:
        started.append(True)
        return True

    monkeypatch.setattr(waking, "_started", start)
    place = Home(str(tmp_path))
    with waking.holding(place) as is_ours:
        assert is_ours
        assert waking.wake(place)
        with waking.holding(place) as is_ours_too:
            assert not is_ours_too
    assert started == []
    assert waking.wake(place)
    assert started == [True]


def test_where_no_process_can_be_started_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> int:
        raise OSError(11, "no more processes")

    monkeypatch.setattr(os, "posix_spawn", fails)
    assert not waking.wake(Home(str(tmp_path)))
    assert not waking.wake(Home(str(tmp_path / "nowhere")))
