"""A command whose store may do better on a second try is run once more: it is done
once, whether or not the first try got through."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.errors import Again
from tests.house import House, home

TYPED = "-0123456789abcdef"
MAILED = "00112233445566778899aabbccddeeff"
LINES = {
    "holo move 1 alice {alice} {move}": "holo/1",
    "holo chat 1 alice {alice}": "holo/1",
    "holo challenge alice bob": "holo/2",
    "hextol challenge alice anyone": "hextol/1",
    "signup erin tomato5 erin@example.org": "players/erin",
    "change password alice {alice} wombat7": "players/alice",
    "message alice {alice} bob": "players/alice",
    "signoff alice {alice}": "players/alice",
}


@pytest.fixture
def house(tmp_path: Path) -> House:
    house = House(tmp_path).sign_up()
    house.challenge()
    house.taken()
    return house


def fails(
    house: House, monkeypatch: pytest.MonkeyPatch, times: int, late: bool
) -> None:
    """The next saves do not get through; or do when the last lock goes, and nobody
    learns of it (`late`)."""
    save, lock = house.store.save, house.store.lock
    left, depth, saved = times, 0, False

    def saving(*given: Any, **named: Any) -> Any:
        nonlocal left, saved
        if left and not late:
            left -= 1
            raise Again("The connection is lost.")
        saved = True
        return save(*given, **named)

    @contextmanager
    def locking(folder: str, name: str) -> Iterator[None]:
        nonlocal left, depth, saved
        depth += 1
        try:
            with lock(folder, name):
                yield
        finally:
            depth -= 1
        if left and saved and not depth:
            left, saved = left - 1, False
            raise Again("The connection is lost.")

    monkeypatch.setattr(house.store, "save", saving)
    monkeypatch.setattr(house.store, "lock", locking)


def given(house: House, line: str, source: str) -> Any:
    move = house.match().view(None).proposal.moves[0]
    words = line.replace("{move}", move).replace("{alice}", "xanadu").split()
    sender = "" if source == TYPED else home("alice")
    if words[0] == "signup" and sender:
        sender = words.pop()
    return house._run(words, "Hello!", mail=source, sender=sender)


def lines_of(house: House, name: str, source: str) -> int:
    """How many lines of a log the command with this source has brought."""
    text = house.document(*name.split("/")).read_text()
    return text.count(f" {source} ")


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("source", [TYPED, MAILED])
@pytest.mark.parametrize("line", LINES)
def test_a_command_is_done_once(
    house: House, monkeypatch: pytest.MonkeyPatch, line: str, source: str, late: bool
) -> None:
    fails(house, monkeypatch, 1, late)
    answer = given(house, line, source)
    assert answer.status == 0, answer.text
    assert lines_of(house, LINES[line], source) == 1
    keys = [letter.key for letter in house.sent]
    assert len(keys) == len(set(keys))
    assert not house.store.marks.unsent(LINES[line].partition("/")[0])


def test_one_that_fails_twice_must_come_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    move = "holo move 1 alice {alice} {move}"
    fails(house, monkeypatch, 2, late=False)
    with pytest.raises(Again):
        given(house, move, MAILED)
    assert given(house, move, MAILED).status == 0
    assert lines_of(house, "holo/1", MAILED) == 1


def test_one_without_a_source_is_not_tried_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could not tell its own work from somebody else's."""
    fails(house, monkeypatch, 1, late=True)
    with pytest.raises(Again):
        given(house, "holo move 1 alice {alice} {move}", "-")
    assert house.match().ply == 1
