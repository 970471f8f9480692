"""A log may grow long, by words that change nothing: replay takes as many steps as
there are lines, and no line costs more the later it comes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from pbm_holomino.match import actions, replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act, Line, Record
from tests.boards import action
from tests.instructions import is_linear
from tests.store.shelves import moved, opened, time

# What two players can write again and again, and nothing changes.
ROUNDS = {
    "chats": [("alice", Act.CHAT), ("bob", Act.CHAT)],
    "queues": [("bob", Act.QUEUE), ("bob", Act.SUBMIT)],
    "draws": [("bob", Act.PROPOSE), ("alice", Act.REJECT)],
    "undos": [("alice", Act.UNDO), ("bob", Act.REJECT)],
}
A_MOVE_AND_BACK = [("alice", Act.UNDO), ("bob", Act.ACCEPT)]


def long_log(round_: list[tuple[str, Act]], lines: int) -> Record:
    """A record of alice and bob with a move and then so many lines."""
    record = moved(opened("holo", ("alice", "bob"))).record
    turns = len(record.log), lines // len(round_)
    more = [
        Line(None, time(5), who, "3f9c", action(what))
        for who, what in round_ * turns[1]
    ]
    return record._replace(log=(*record.log, *more))


def replaying(record: Record) -> Callable[[], Match]:
    return partial(replay.replay, record)


@pytest.mark.parametrize("kind", ROUNDS)
def test_replay_works_as_much_for_each_line(kind: str) -> None:
    assert is_linear(lambda lines: replaying(long_log(ROUNDS[kind], lines)), 200)


def test_moves_made_and_taken_back_cost_the_same_each_time() -> None:
    board = moved(opened("holo", ("alice", "bob")))
    (_, again) = board.record.log
    lines = [
        Line(None, time(5), who, "3f9c", action(what)) for who, what in A_MOVE_AND_BACK
    ]

    def record(rounds: int) -> Record:
        more = [*lines, again] * rounds
        return board.record._replace(log=(*board.record.log, *more))

    assert is_linear(lambda rounds: replaying(record(rounds)), 50)


def test_a_replay_never_copies_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Match] = []

    def watched(board: Match, line: Line, chance: Any) -> Any:
        seen.append(board)
        return actions.ACTS[Act.CHAT](board, line, chance)

    monkeypatch.setattr(replay, "ACTS", {**actions.ACTS, Act.CHAT: watched})
    whole = replay.replay(long_log(ROUNDS["chats"], 50))
    # the lines and steps are the same two lists all the time, and tuples in the end
    assert len(seen) == 50
    assert all(board.record.log is seen[0].record.log for board in seen)
    assert all(board.steps is seen[0].steps for board in seen)
    assert (type(whole.record.log), type(whole.steps)) == (tuple, tuple)


def test_a_replay_of_the_log_gives_the_same_board() -> None:
    board = moved(moved(opened("holo", ("alice", "bob"))))
    assert board.moves == (1, 2)
    second = board.record.log[2].who
    for who, what in ((second, Act.UNDO), (board.record.log[1].who, Act.ACCEPT)):
        board = replay.after(board, Line(None, time(5), who, "3f9c", action(what)))
    assert board.moves == (1,)
    board = moved(board)
    assert (board.moves, board.gone) == ((1, 5), {})
    three = opened("walomino", ("alice", "bob", "carol"))
    for who in ("bob", "alice"):
        three = replay.after(three, Line(None, time(5), who, "3f9c", Act.RESIGN))
    assert list(three.gone.items()) == [("bob", Act.RESIGN), ("alice", Act.RESIGN)]
    assert replay.replay(three.record) == three
