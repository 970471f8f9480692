"""Whatever dies and whatever cannot leave while moves are sent ahead, and while the
clock is asked: all is done once, and all hear of it."""

from pathlib import Path
from typing import NamedTuple

import pytest

from pbm_holomino.errors import CannotSend
from pbm_holomino.owner import tick
from pbm_holomino.owner.flush import _flush_one
from tests.boards import move
from tests.house import Crash, House, deadly, home, open_house


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


def planned(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[House, str]:
    """A board on which bob has queued his answer, and how alice queues her moves."""
    house = open_house(folder, monkeypatch)
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


def kills(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[int, House, str]]:
    """Servers that died while alice queued, each one moment later than the one
    before; the last one did not."""
    found: list[tuple[int, House, str]] = []
    killed = True
    while killed:
        last = len(found) + 1
        house, line = planned(folder / str(last), monkeypatch)
        post = house.server.delivery.post
        with monkeypatch.context() as patch:
            deadly(patch, house.server, last)
            killed = False
            try:
                house.by_mail("alice", "mail1", line)
            except Crash:
                killed = True
        house.server.delivery.post = post
        found.append((last, house, line))
    return found


def test_after_a_kill_at_any_moment_the_queue_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, line = planned(tmp_path, monkeypatch)
    house.by_mail("alice", "mail1", line)
    whole, log = letters_of(house), house.match().record
    assert (house.match().ply, set(whole)) == (3, {"holo.1.2.alice", "holo.1.2.bob"})
    dead = kills(tmp_path, monkeypatch)
    for _, house, line in dead:
        assert house.match().ply in (0, 3)  # all of it or nothing
        house.by_mail("alice", "mail1", line)
        assert house.match().record == log
        assert letters_of(house) == whole
        assert house.store.marks.unsent("holo") == {}
    assert len(dead) >= 15


def test_after_a_kill_at_any_moment_flush_sends_what_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _, house, _ in kills(tmp_path, monkeypatch):
        flush(house)
        done = {"holo.1.2.alice", "holo.1.2.bob"} if house.match().ply else set()
        assert set(letters_of(house)) == done


def test_the_mark_of_a_line_that_queued_moves_follow_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, line = planned(tmp_path, monkeypatch)
    house.cannot_send()
    with pytest.raises(CannotSend):
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


def test_after_a_kill_at_any_moment_the_tick_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last, killed = 0, True
    while killed:
        last += 1
        house = open_house(tmp_path / str(last), monkeypatch)
        house.type("holo challenge bob alice -nag=0 -forfeit=3")
        house.type("holo accept 1 bob {bob}")
        house.type("holo accept 2 alice {alice}")
        house.type("holo challenge alice bob -nag=0")
        house.type("change digest bob {bob} on")
        house.taken()
        house.time = "2026-11-27T08:00:00Z"
        post = house.server.delivery.post
        with monkeypatch.context() as patch:
            deadly(patch, house.server, last)
            killed = False
            try:
                list(tick.do_what_is_due(house.server))
            except Crash:
                killed = True
        house.server.delivery.post = post
        list(tick.do_what_is_due(house.server))
        flush(house)
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
    assert last >= 25
