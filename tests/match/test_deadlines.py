"""What is due by the clock: since when each player is waited for, when they are to be
reminded, and when their time is over."""

import random
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.errors import PbmError
from pbm_holomino.match import deadlines, replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act, Line
from pbm_holomino.match.times import later
from tests.boards import CASES, TIME, Case, action, opened, plain_cases, written
from tests.sizes import sized

BEGUN = datetime(2026, 11, 20, 4, 12, 33)  # TIME
HOLO = Case("holo", 2, {})


def _next_due(board: Match) -> str:
    """When the clock next has something to do on a board."""
    return deadlines.next_due(board.record, deadlines.waits(board))


def at(days: float) -> str:
    """So long after the game began."""
    return (BEGUN + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def acted(
    board: Match, days: float, who: str, what: Act | str, mail: str = "-"
) -> Match:
    return replay.after(board, Line(None, at(days), who, mail, action(what)))


def moved(board: Match, days: float, who: str = "") -> Match:
    who = who or board.turn[0]
    line = Line(None, at(days), who, "-", written(board, who)[0])
    return replay.after(board, line)


def reminded(board: Match, days: float, who: str) -> Match:
    return acted(board, days, who, Act.NAG, "tick")


@pytest.fixture
def board() -> Match:
    """It is the turn of the first of two."""
    return opened(HOLO)


def reminders(board: Match, days: float, told: str = "") -> list[str]:
    """Who is to be reminded by then, if they were written what waits at that time."""
    waits = deadlines.waits(board).items()
    times = {who: wait.remind(board.record.nag, told) for who, wait in waits}
    return [who for who, time in times.items() if "" < time <= at(days)]


def test_the_times_of_a_new_board(board: Match) -> None:
    alice, bob = board.record.players
    assert at(0) == TIME
    assert deadlines.waiting_since(board, alice) == at(0)
    assert deadlines.forfeit_time(board, alice) == at(21)
    assert _next_due(board) == at(7)
    second = 1 / 86400
    assert reminders(board, 7 - second) == []
    assert reminders(board, 7) == reminders(board, 30) == [alice]
    assert deadlines.due(board, at(21 - second)) == []
    assert deadlines.due(board, at(21)) == [(alice, Act.FORFEIT)]


def test_reminders_come_after_each_period(board: Match) -> None:
    alice, _ = board.record.players
    board = reminded(board, 7.5, alice)  # the tick came half a day late
    assert _next_due(board) == at(14.5)
    assert reminders(board, 14) == []
    assert reminders(board, 14.5) == [alice]
    board = reminded(board, 20, alice)
    assert _next_due(board) == at(21)
    assert deadlines.due(board, at(21)) == [(alice, Act.FORFEIT)]


def test_a_reminder_does_not_put_off_the_end(board: Match) -> None:
    alice, _ = board.record.players
    for day in (7, 14, 20):
        board = reminded(board, day, alice)
        assert deadlines.forfeit_time(board, alice) == at(21)


def test_each_turn_has_a_time_of_its_own(board: Match) -> None:
    alice, bob = board.record.players
    board = moved(reminded(board, 8, alice), 9)
    assert deadlines.waiting_since(board, bob) == at(9)
    assert reminders(board, 15.9) == []
    assert reminders(board, 16) == [bob]
    board = moved(board, 10)
    assert deadlines.forfeit_time(board, alice) == at(31)
    assert _next_due(board) == at(17)  # the reminder of before counts no more


@pytest.mark.parametrize("what", ["!chat", "!propose", "!queue", "!submit"])
def test_words_and_plans_restart_no_clock(board: Match, what: Act | str) -> None:
    alice, bob = board.record.players
    for who in (alice, bob, alice):
        offered = board.offer is not None
        board = acted(board, 5, who, "!reject" if offered and who == bob else what)
    assert deadlines.waiting_since(board, alice) == at(0)
    assert _next_due(board) == at(7)


def test_taking_back_moves_starts_the_turn_again(board: Match) -> None:
    alice, bob = board.record.players
    board = moved(moved(board, 1), 2)
    board = acted(board, 20, alice, "!undo")
    assert deadlines.waiting_since(board, alice) == at(2)
    board = acted(board, 22, bob, "!accept")
    assert deadlines.waiting_since(board, alice) == at(22)
    assert (reminders(board, 28.9), deadlines.due(board, at(42.9))) == ([], [])


def test_zero_means_never(board: Match) -> None:
    board = board._replace(record=board.record._replace(nag=0))
    assert _next_due(board) == at(21)
    assert reminders(board, 20) == []
    board = board._replace(record=board.record._replace(nag=0, forfeit=0))
    assert _next_due(board) == ""
    assert (reminders(board, 5000), deadlines.due(board, at(5000))) == ([], [])
    board = board._replace(record=board.record._replace(nag=365, forfeit=0))
    assert reminders(board, 365) == [board.record.players[0]]


def test_nothing_is_due_when_it_is_over(board: Match) -> None:
    board = acted(board, 1, board.record.players[0], "!resign")
    assert (_next_due(board), deadlines.due(board, at(999))) == ("", [])


def test_a_clock_that_was_set_back_does_no_harm(board: Match) -> None:
    alice, bob = board.record.players
    board = moved(board, 10)
    assert reminders(board, -300) == reminders(board, 0) == []
    back = moved(board, -5)  # the clock is set back, and alice is waited for
    assert deadlines.waiting_since(back, alice) == at(-5)
    assert reminders(back, 1) == []
    assert reminders(back, 2) == [alice]
    ahead = reminded(board, 20, bob)
    assert reminders(ahead, 18) == []


def test_while_pairing_each_has_a_clock_of_their_own() -> None:
    board = opened(Case("walomino", 3, {"draft": "random"}))
    alice, bob, carol = board.record.players
    board = reminded(board, 7, bob)
    assert reminders(board, 8) == [alice, carol]
    board = moved(board, 8, alice)
    assert reminders(board, 15) == [bob, carol]
    board = acted(board, 20, bob, "!resign")
    assert deadlines.waiting_since(board, carol) == at(0)
    assert deadlines.due(board, at(21)) == [(carol, Act.FORFEIT)]


# Any game: since when each is waited for, told without looking at the log


@settings(max_examples=sized(20, 80))
@given(st.sampled_from(CASES), st.integers(0, 10**6), st.integers(1, 40))
def test_waiting_since(case: Case, seed: int, steps: int) -> None:
    dice, board, day = random.Random(seed), opened(case, seed % 250), 0.0
    since = dict.fromkeys(board.turn, at(0))
    for _ in range(steps):
        day += dice.randrange(1, 9)
        if not board.turn:
            break
        before = board
        who = dice.choice(board.turn)
        if dice.random() < 0.5:
            board = moved(board, day, who)
            since.pop(who)
        else:
            who = dice.choice(board.record.players)
            acts: list[Act | str] = [
                "!undo",
                "!accept",
                "!accept",
                "!reject",
                "!chat",
                Act.NAG,
                "!queue",
            ]
            if case.seats > 2 and dice.random() < 0.1:
                acts = ["!resign"]
            try:
                board = acted(board, day, who, dice.choice(acts))
            except PbmError:
                continue
            if board.ply < before.ply:
                since = {}
        since = {p: since.get(p, at(day)) for p in board.turn}
        for player in board.turn:
            assert deadlines.waiting_since(board, player) == since[player]
            assert deadlines.forfeit_time(board, player) == later(since[player], 21)


@pytest.mark.parametrize("case", plain_cases(), ids=str)
def test_only_players_to_move_lose_by_the_clock(case: Case) -> None:
    board, day = opened(case), 0.0
    dice = random.Random(case.seats)
    for _ in range(40):
        if not board.turn:
            break
        day += 20.9
        assert deadlines.due(board, at(day)) == []
        late = {
            who for who, act in deadlines.due(board, at(day + 22)) if act == Act.FORFEIT
        }
        assert late == set(board.turn)
        board = moved(board, day, dice.choice(board.turn))
        if len(board.turn) > 1:
            break  # who pairs last has waited longest
