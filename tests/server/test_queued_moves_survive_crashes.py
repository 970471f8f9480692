"""Whatever dies and whatever cannot leave while moves are sent ahead, and while the
clock is asked: all is done once, and all hear of it."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

from pbm_holomino.owner import tick
from pbm_holomino.owner.flush import _flush_one
from tests import storage
from tests.boards import move
from tests.house import House, dies, home, open_house


class Chain(NamedTuple):
    """Three moves from the start, of alice, bob and alice, which are legal in turn."""

    one: str
    two: str
    three: str


def chain_of(house: House) -> Chain:
    board, moves = house.match(), []
    for who in ("alice", "bob", "alice"):
        moves.append(board.view(None).legal[0])
        board = move(board, who, moves[-1])
    return Chain(*moves)


def planned(folder: Path) -> tuple[House, str]:
    """A board on which bob has queued his answer, and how alice queues her moves."""
    house = open_house(folder)
    one, two, three = chain_of(house)
    assert house.type(f"holo queue 1 bob {{bob}} {two} 123:1#900").status == 0
    return house, f"holo queue 1 alice {{alice}} {one} {three} 132:1#901"


def flush(house: House) -> None:
    """Send all that is marked."""
    for folder in ("holo", "players"):
        for name, lines in house.store.marks.unsent(folder).items():
            assert not _flush_one(house.server, folder, name, lines)


def letters_of(house: House) -> dict[str, tuple[str, str]]:
    """The letters that have left, by key; one that left twice was the same."""
    found: dict[str, tuple[str, str]] = {}
    for letter in house.sent:
        told = letter.subject, letter.text
        assert found.setdefault(letter.key, told) == told
    return found


def by_mail(line: str, house: House) -> None:
    """Alice sends this line."""
    house.by_mail("alice", "mail1", line)


def kills(
    house: House, folder: Path, act: Callable[[House], object]
) -> Iterator[House]:
    """Copies of a server that died at an act, each one moment later than the one
    before; the last one did not die."""
    for last in count(1):
        with storage.over.clearing():
            copy = house.copy(folder / str(last))
            killed = dies(copy, last, partial(act, copy))
            yield copy
        if not killed:
            assert last >= 15
            return


def test_after_a_kill_at_any_moment_the_queue_comes_again(tmp_path: Path) -> None:
    before, line = planned(tmp_path / "before")

    queue = partial(by_mail, line)
    smooth = before.copy(tmp_path / "smooth")
    queue(smooth)
    whole, log = letters_of(smooth), smooth.match().record
    assert (smooth.match().ply, set(whole)) == (3, {"holo.1.2.alice", "holo.1.2.bob"})
    for house in kills(before, tmp_path, queue):
        assert house.match().ply in (0, 3)  # all of it or nothing
        queue(house)
        assert house.match().record == log
        assert letters_of(house) == whole
        assert house.store.marks.unsent("holo") == {}


def test_after_a_kill_at_any_moment_flush_sends_what_was_done(tmp_path: Path) -> None:
    before, line = planned(tmp_path / "before")
    for house in kills(before, tmp_path, partial(by_mail, line)):
        flush(house)
        done = {"holo.1.2.alice", "holo.1.2.bob"} if house.match().ply else set()
        assert set(letters_of(house)) == done


def test_the_mark_of_a_line_that_queued_moves_follow_is_found(tmp_path: Path) -> None:
    house, line = planned(tmp_path)
    house.cannot_send()
    house.by_mail("alice", "mail1", line)
    assert house.store.marks.unsent("holo") == {"1": [2]}
    assert len(house.match().record.log) > 4
    house.trouble = None
    assert house.type(f"holo move 1 bob {{bob}} {house.legal()[0]}").status == 0
    told = [(*letter.to, letter.key) for letter in house.sent]
    assert told[:2] == [
        (home("alice"), "holo.1.2.alice"),
        (home("bob"), "holo.1.2.bob"),
    ]
    assert house.store.marks.unsent("holo") == {}


def test_after_a_kill_at_any_moment_the_tick_comes_again(tmp_path: Path) -> None:
    for house in kills(waiting(tmp_path / "before"), tmp_path, tick_all):
        tick_all(house)
        flush(house)
        check_all_done(house)


def waiting(folder: Path) -> House:
    """A server on which the clock has a challenge to cancel, and reminders to send."""
    house = open_house(folder)
    house.type("holo challenge bob alice -nag=0 -forfeit=3")
    house.type("holo accept 1 bob {bob}")
    house.type("holo accept 2 alice {alice}")
    house.type("holo challenge alice bob -nag=0")
    house.type("change digest bob {bob} on")
    house.taken()
    house.time = "2026-11-27T08:00:00Z"
    return house


def tick_all(house: House) -> None:
    list(tick.do_what_is_due(house.server))


def check_all_done(house: House) -> None:
    """The clock has done once what was due."""
    log = [str(line.action) for line in house.match().record.log]
    assert log == ["!challenge", "!accept"]
    log = [str(line.action) for line in house.match(2).record.log]
    assert log == ["!challenge", "!accept", "!forfeit"]
    assert {key: subject for key, (subject, _) in letters_of(house).items()} == {
        "holo.2.2.alice": "holo 2: cancelled, as bob ran out of time",
        "holo.2.2.bob": "holo 2: cancelled, as bob ran out of time",
        "players.alice.2": "alice: still your turn",
        "players.bob.3": "bob: challenges wait for your answer",
    }
    for folder in ("holo", "players"):
        assert house.store.marks.unsent(folder) == {}
