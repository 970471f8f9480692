"""Whose turn it is when robots have much to do."""

from collections import deque

import pytest

from pbm_holomino.match.record import NOBODY
from pbm_holomino.resident.work import Kind, Task, next_turn
from pbm_holomino.store.robot_jobs import HINT, REVIEW, Job


def move(board: int, *people: str) -> Task:
    return Task(Kind.MOVE, people, ("holo", board))


def hint(who: str, board: int = 1) -> Task:
    return Task(Kind.HINT, (who,), Job(HINT, "holo", board, who))


def review(who: str, board: int = 1, is_begun: bool = False) -> Task:
    return Task(Kind.REVIEW, (who,), Job(REVIEW, "holo", board, who), is_begun)


def order(tasks: list[Task], *new: str) -> list[Task]:
    """All tasks, in the order in which they are done."""
    had, left, done = deque[str](), [*tasks], list[Task]()
    while left:
        task = next_turn(left, new, had)
        left.remove(task)
        had.append(task.asked_by(new))
        done.append(task)
    return done


def test_moves_come_before_hints_before_reviews() -> None:
    wanted = [review("alice"), hint("alice"), move(1, "bob"), hint("bob"), move(2)]
    kinds = [task.kind for task in order(wanted)]
    assert kinds == [Kind.MOVE, Kind.MOVE, Kind.HINT, Kind.HINT, Kind.REVIEW]


def test_an_hour_of_sign_ups_is_one_turn_before_a_player() -> None:
    """However much they ask for."""
    names = [f"sock{number}" for number in range(60)]
    hints = [hint(who, board) for board in range(50) for who in names]
    reviews = [review(who, board) for board in range(10) for who in names]
    moves = [move(number, who) for number, who in enumerate(names)]
    for mine in (move(99, "alice"), hint("alice"), review("alice")):
        tasks, had = [*reviews, *hints, *moves, mine], list[str]()
        turns = 0
        while (task := next_turn(tasks, names, had)) != mine:
            tasks.remove(task)
            had.append(task.asked_by(names))
            turns += 1
        assert turns <= 1


def test_reviews_of_a_player_and_of_a_new_account_go_on_side_by_side() -> None:
    """But of two players' reviews, or of two new accounts', one is done first."""
    begun, waits = review("sock1", 1, is_begun=True), review("sock2", 2)
    tasks = [begun, waits, review("alice", 3)]
    assert next_turn(tasks, ("sock1", "sock2"), ["sock1"]) == tasks[2]
    tasks[2] = review("alice", 3, is_begun=True)
    assert next_turn(tasks, ("sock1", "sock2"), ["sock1", "alice"]) == begun
    tasks.append(review("bob", 4))
    for had in (["sock1"], ["alice"], ["alice", "sock1"]):
        found = next_turn(tasks, ("sock1", "sock2"), had)
        assert found in (begun, tasks[2])


@pytest.mark.parametrize(
    ("people", "who"),
    [
        (("alice", "bob"), "alice"),
        (("sock", "bob"), "bob"),
        (("sock", "other"), "sock"),
        ((), NOBODY),
    ],
)
def test_a_move_takes_the_turn_of_a_player_who_is_not_new(
    people: tuple[str, ...], who: str
) -> None:
    """One of the people on the board, if possible one whose account is not new."""
    assert move(1, *people).asked_by(("sock", "other")) == who
