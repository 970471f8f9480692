"""Clocks: a bank of time, what each move adds, and the most that a player can have."""

import random
from collections import defaultdict
from collections.abc import Iterable
from contextlib import nullcontext
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.errors import BadOption, NotAllowed
from pbm_holomino.match import clocks, deadlines, record, replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.clocks import OUTAGE, VACATION, excused
from pbm_holomino.match.record import Act, Line
from pbm_holomino.match.vacations import Vacation, Vacations, begun
from pbm_holomino.rules.options import Clock, read_clock
from tests.boards import LONGEST, Case, answer, opened, written
from tests.match.verified.base import Wrong
from tests.match.verifier import verify
from tests.sizes import sized

HOLO = Case("holo", 2, {})
# clocks are an hour ahead from the second day on, in zones that have summer time
START = datetime(2027, 3, 27, 12)


def _next_due(board: Match) -> str:
    """When the clock next has something to do on a board."""
    return deadlines.next_due(board.record, deadlines.waits(board))


def at(hours: float) -> str:
    return f"{START + timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}"


def begin(word: str, case: Case = HOLO, asked: bool = False) -> Match:
    """A board with a clock that begins at hour 0, accepted by all unless they are still
    `asked`."""
    plain = opened(case).record
    line = plain.log[0]._replace(time=at(0))
    made = plain._replace(
        clock=read_clock(word), forfeit=0, challenger=plain.players[0], log=()
    )
    match = replay.begin(made._replace(players=()), plain.players, line)
    for who in plain.players[1:] if not asked else ():
        match = done(match, 0, who, Act.ACCEPT)
    return match


def done(
    match: Match, hour: float, who: str, what: Act | str, about: str = ""
) -> Match:
    """The board after an act or a move, and what comes before it in the log."""
    for line in deadlines.unwritten(match, at(hour)):
        match = replay.after(match, line)
    return replay.after(match, Line(None, at(hour), who, "-", what, about))


def moved(match: Match, hour: float, who: str = "") -> Match:
    who = who or match.turn[0]
    return done(match, hour, who, written(match, who)[0])


def banks(match: Match) -> list[float]:
    """What the players have, in hours."""
    has = match.steps[-1].clocks
    assert has
    return [has.banks[who] / 3600 for who in match.record.people]


# The word


@pytest.mark.parametrize(
    ("word", "clock", "shown"),
    [
        ("10d+1d/20d", Clock(240, 24, 480), "10d+1d/20d"),
        ("30d", Clock(720, 0, 8760), "30d"),
        ("36H+6h", Clock(36, 6, 8760), "36h+6h"),
        ("48h/3d", Clock(48, 0, 72), "2d/3d"),
        ("10+1/20", Clock(240, 24, 480), "10d+1d/20d"),
        ("1h+1h/1h", Clock(1, 1, 1), "1h+1h/1h"),
        ("365d+365d/365d", Clock(8760, 8760, 8760), "365d+365d"),
    ],
)
def test_a_clock_is_read_and_written(word: str, clock: Clock, shown: str) -> None:
    assert read_clock(word) == clock
    assert str(clock) == shown
    assert read_clock(shown) == clock


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("366d", "from 1 hour (1h) to 365 days (365d)"),
        ("36500d", "from 1 hour"),  # a century
        ("999999999d", "from 1 hour"),
        ("0d", "from 1 hour"),
        ("1d+0h", "from 1 hour"),
        ("10d/5d", "begin with more"),
        ("9999999999d", "such as"),
        ("soon", "such as"),
        ("", "such as"),
        ("-1d", "such as"),
        ("1d+", "such as"),
        ("1d/2d+1d", "such as"),
        ("1.5d", "such as"),
        ("\u0661d", "such as"),
    ],
)
def test_a_word_that_is_no_clock(word: str, said: str) -> None:
    with pytest.raises(BadOption, match=".") as error:
        read_clock(word)
    assert said in str(error.value)


# One clock


def test_a_move_takes_its_time_and_adds_some() -> None:
    board = begin("10d+1d/20d")
    alice, bob = board.record.players
    assert deadlines.forfeit_time(board, alice) == at(240)
    assert deadlines.forfeit_time(board, bob) == ""
    board = moved(board, 50)
    assert banks(board) == [240 - 50 + 24, 240]
    assert deadlines.forfeit_time(board, bob) == at(50 + 240)
    board = moved(board, 60)
    assert deadlines.forfeit_time(board, alice) == at(60 + 214)


def test_nobody_has_more_than_the_most() -> None:
    board = begin("10d+1d/10d")
    board = moved(board, 6)
    assert banks(board) == [240, 240]  # 18 of 24 hours were lost


def test_a_late_move_that_was_saved_counts() -> None:
    board = moved(begin("1d+6h"), 100)
    assert banks(board) == [6, 24]
    assert deadlines.due(board, at(100 + 23)) == []


def test_no_clock_runs_before_all_have_accepted() -> None:
    board = begin("1d", asked=True)
    alice, bob = board.record.players
    assert deadlines.forfeit_time(board, alice) == ""
    board = moved(board, 100)  # and bob has not answered yet
    assert banks(board) == [24, 24]
    assert deadlines.forfeit_time(board, bob) == ""
    board = done(board, 200, bob, Act.ACCEPT)
    assert deadlines.forfeit_time(board, bob) == at(224)


def test_running_out_before_the_first_move_cancels_the_game() -> None:
    board = begin("1d")
    alice, bob = board.record.players
    assert deadlines.due(board, at(23.9)) == []
    assert deadlines.due(board, at(24)) == [(alice, Act.FORFEIT)]
    ended = done(board, 24, alice, Act.FORFEIT)
    assert ended.result is not None
    assert (ended.result.winners, ended.result.reason) == ((), "declined")
    board = done(moved(moved(board, 1), 2), 50, alice, Act.FORFEIT)
    assert board.result is not None
    assert (board.result.winners, board.result.reason) == ((bob,), "forfeit")


def test_robots_have_no_clocks() -> None:
    plain = begin("1d")
    alice, bob = plain.record.players
    robots = plain.record._replace(robots=(bob,), log=plain.record.log[:1])
    board = moved(replay.replay(robots), 5)
    assert board.turn == (bob,)
    assert _next_due(board._replace(record=board.record._replace(nag=0))) == ""
    board = moved(board, 3000)
    assert deadlines.forfeit_time(board, alice) == at(3000 + 19)


def test_while_pairing_each_clock_runs() -> None:
    board = begin("2d+1d", Case("walomino", 3, {"draft": "random"}))
    alice, bob, carol = board.record.players
    board = moved(board, 10, bob)
    assert banks(board) == [48, 48 - 10 + 24, 48]
    times = [deadlines.forfeit_time(board, who) for who in (alice, bob, carol)]
    assert times == [at(48), "", at(48)]
    assert deadlines.due(board, at(48)) == [(alice, Act.FORFEIT), (carol, Act.FORFEIT)]
    board = moved(board, 20, alice)
    assert deadlines.forfeit_time(board, carol) == at(48)


def test_an_undo_gives_no_time_back_and_takes_what_moves_added() -> None:
    board = begin("5d+1d/6d")
    alice, bob = board.record.players
    board = moved(moved(board, 30), 40)  # alice 120-30+24, bob 120-10+24
    assert banks(board) == [114, 134]
    board = done(done(board, 45, alice, Act.UNDO), 50, bob, Act.ACCEPT)
    assert board.turn == (alice,)
    assert banks(board) == [114 - 10 - 24, 134 - 24]
    assert deadlines.forfeit_time(board, alice) == at(50 + 80)


def test_an_undo_leaves_nobody_with_less_than_nothing() -> None:
    board = begin("1d+10d")
    alice, bob = board.record.players
    board = moved(moved(board, 20), 21)
    board = done(done(board, 120, alice, Act.UNDO), 120, bob, Act.ACCEPT)
    assert banks(board)[0] == 0  # 4 hours and ten days, of which 99 hours are gone


# What stops them


def test_a_vacation_stops_a_clock_and_the_log_says_so() -> None:
    board = begin("2d+1d")
    alice, _ = board.record.players
    away = begun((), at(10), 3)
    board = board._replace(away={alice: away})
    assert deadlines.forfeit_time(board, alice) == at(48 + 72)
    before = len(board.log)
    board = moved(board, 100)
    assert [line.argument for line in board.log[before:]] == [
        f"vacation {at(10)} {at(82)}",
        "",
    ]
    assert banks(board) == [48 - 28 + 24, 48]
    again = replay.replay(board.record)
    assert again.steps[-1].clocks == board.steps[-1].clocks


def test_a_vacation_that_ends_early_is_as_long_as_it_lasted() -> None:
    board = begin("2d")
    alice, _ = board.record.players
    away = begun((), at(10), 3)
    board = replay.after(board, excused(alice, VACATION, away[0], at(10)))
    assert deadlines.forfeit_time(board, alice) == at(48 + 72)
    board = board._replace(away={alice: begun(away, at(20), 0)})
    assert deadlines.forfeit_time(board, alice) == at(48 + 10)
    assert banks(moved(board, 30)) == [48 - 20, 48]


def test_a_vacation_that_ended_in_another_turn_does_not_count_any_more() -> None:
    board = begin("9d")
    alice, _ = board.record.players
    away = begun((), at(10), 20)
    board = replay.after(board, excused(alice, VACATION, away[0], at(10)))
    board = moved(board, 11)
    board = board._replace(away={alice: begun(away, at(12), 0)})
    board = moved(board, 20)
    assert deadlines.forfeit_time(board, alice) == at(20 + 216 - 10)


def test_a_pause_stops_all_clocks_until_a_move() -> None:
    board = begin("2d+1d")
    alice, bob = board.record.players
    board = done(board, 5, bob, Act.PAUSE, "7")
    assert board.offer
    assert (board.offer.kind, board.offer.days) == ("pause", 7)
    assert deadlines.forfeit_time(board, alice) == at(48)
    board = done(board, 10, alice, Act.ACCEPT)
    assert deadlines.forfeit_time(board, alice) == at(48 + 168)
    assert deadlines.waits(board)[alice].since == at(10 + 168)  # no reminder before
    board = moved(board, 30)
    assert banks(board) == [48 - 10 + 24, 48]
    assert deadlines.forfeit_time(board, bob) == at(30 + 48)


def test_a_pause_also_stops_the_time_of_boards_without_clocks() -> None:
    board = opened(HOLO)
    alice, bob = board.record.players
    began = board.log[0].time
    board = replay.after(board, Line(None, began, bob, "-", Act.PAUSE, "30"))
    board = replay.after(board, Line(None, began, alice, "-", Act.ACCEPT))
    end = datetime.fromisoformat(began) + timedelta(21 + 30)
    assert deadlines.forfeit_time(board, alice) == f"{end:%Y-%m-%dT%H:%M:%SZ}"


def test_a_move_ends_a_proposed_pause() -> None:
    board = begin("2d")
    alice, bob = board.record.players
    board = moved(done(board, 1, bob, Act.PAUSE, "7"), 2)
    assert board.offer is None
    with pytest.raises(NotAllowed, match="Nothing is on offer"):
        done(board, 3, alice, Act.ACCEPT)


@pytest.mark.parametrize("days", ["0", "31", "-1", "1.5", "x", "9" * 30, ""])
def test_days_that_no_pause_has(days: str) -> None:
    with pytest.raises(NotAllowed, match="from 1 to 30"):
        done(begin("2d"), 1, LONGEST[0], Act.PAUSE, days)


def test_an_empty_clock_waits_for_the_end_of_a_vacation_or_an_outage() -> None:
    board = moved(begin("1d"), 30)  # alice has nothing left
    alice, bob = board.record.players
    board = moved(board, 31)
    assert deadlines.due(board, at(31)) == [(alice, Act.FORFEIT)]
    spell = Vacation(at(31), at(60))
    for why in (VACATION, OUTAGE):
        later = replay.after(board, excused(alice, why, spell, at(31)))
        assert deadlines.due(later, at(59)) == []
        assert deadlines.due(later, at(60)) == [(alice, Act.FORFEIT)]


def test_a_clock_that_was_set_back_takes_no_time() -> None:
    assert banks(moved(begin("1d+1h"), -50)) == [25, 24]


# The record


def test_a_board_with_clocks_is_of_a_format_of_its_own() -> None:
    board = begin("10d+1d/20d")
    data = record.to_data(board.record)
    assert (data["format"], data["clock"]) == ("3", "10d+1d/20d")
    assert record.from_data(data) == board.record
    assert "-forfeit" not in board.record.chosen_options
    without = {key: value for key, value in data.items() if key != "clock"}
    for wrong in (data | {"format": "2"}, data | {"clock": "x"}, without):
        with pytest.raises((ValueError, BadOption)):
            record.from_data(wrong)
    assert "clock" not in record.to_data(opened(HOLO).record)


@pytest.mark.parametrize(
    "line",
    [
        f"- {at(1)} alice tick !excused",
        f"- {at(1)} alice tick !excused vacation",
        f"- {at(1)} alice tick !excused vacation {at(2)}",
        f"- {at(1)} alice tick !excused vacation {at(2)} {at(1)}",
        f"- {at(1)} alice tick !excused sleep {at(1)} {at(2)}",
        f"- {at(1)} alice tick !excused vacation soon later",
        f"- {at(1)} alice - !pause",
        f"- {at(1)} alice - !undo 3",
    ],
)
def test_lines_that_no_log_has(line: str) -> None:
    data = record.to_data(begin("1d").record)
    line = line.replace("alice", LONGEST[0])
    with pytest.raises((ValueError, LookupError, NotAllowed)):
        replay.replay(record.from_data(data | {"log": [*data["log"], line]}))


def test_only_boards_with_clocks_say_when_one_stands_still() -> None:
    spell = Vacation(at(1), at(2))
    with pytest.raises(NotAllowed, match="no clocks"):
        replay.after(opened(HOLO), excused(LONGEST[0], VACATION, spell, at(1)))


def test_a_log_whose_clock_ran_out_early_says_so() -> None:
    board = moved(moved(begin("1d"), 1), 2)
    alice, _ = board.record.players
    for hour, is_early in ((24, True), (25, False)):
        ended = done(board, hour, alice, Act.FORFEIT)
        ((line, end),) = clocks.flags(ended)
        assert (end, line.time < end) == (at(25), is_early)
        proof = answer(ended, "verify 1")
        assert ("too early." in proof, "not too early" in proof) == (True, not is_early)
        with pytest.raises(Wrong) if is_early else nullcontext():
            verify(answer(ended, "history 1 -format=yaml"))


# Hour by hour, as a person would count


class Counted:
    """The clocks of a board, counted hour by hour."""

    def __init__(self, players: Iterable[str], clock: Clock) -> None:
        self.clock = clock
        self.left = dict.fromkeys(players, clock.bank)
        self.added: list[tuple[str, int]] = []
        self.away = defaultdict[str, set[int]](set)  # hours
        self.grace = defaultdict[str, int](int)
        self.paused: set[int] = set()

    def is_still(self, who: str, hour: int) -> bool:
        return hour in self.away[who] | self.paused or hour < self.grace[who]

    def pass_hour(self, turn: Iterable[str], hour: int) -> None:
        for who in turn:
            if not self.is_still(who, hour):
                self.left[who] = max(0, self.left[who] - 1)

    def move(self, who: str, hour: int) -> None:
        more = min(self.clock.adds, self.clock.most - self.left[who])
        self.left[who] += more
        self.added.append((who, more))
        self.paused = {each for each in self.paused if each < hour}

    def undo(self, ply: int) -> None:
        while len(self.added) > ply:
            who, more = self.added.pop()
            self.left[who] = max(0, self.left[who] - more)

    def falls(self, who: str, hour: int) -> int:
        left = self.left[who]
        while left or self.is_still(who, hour):
            left -= not self.is_still(who, hour)
            hour += 1
        return hour


WORDS = ["1d", "6h+6h", "2d+12h/60h", "3d+1d/4d", "30h+2d/50h"]
GAMES = [HOLO, Case("walomino", 3, {"draft": "random"}), Case("hextol", 2, {})]


@settings(max_examples=sized(40, 300))
@given(st.sampled_from(WORDS), st.sampled_from(GAMES), st.integers(0, 10**9))
def test_clocks_are_those_of_somebody_who_counts(
    word: str, case: Case, seed: int
) -> None:
    dice, board = random.Random(seed), begin(word, case)
    players, clock = board.record.players, board.record.clock
    assert clock
    counted, away = Counted(players, clock), dict[str, Vacations]()
    for hour in range(dice.randrange(400)):
        for _ in range(dice.choice((0, 0, 0, 0, 1, 1, 2))):
            if board.result is not None:
                break
            board = act(board, counted, away, dice, hour)
        fallen = [who for who, _ in deadlines.due(board, at(hour))]
        naive = [who for who in board.turn if counted.falls(who, hour) == hour]
        assert fallen == naive
        for who in board.turn:
            end = at(counted.falls(who, hour))
            assert max(deadlines.forfeit_time(board, who), at(hour)) == end
        board = fell(board, fallen, counted, dice, hour)
        if board.result is not None:
            break
        counted.pass_hour(board.turn, hour)
    assert replay.replay(board.record).steps[-1].clocks == board.steps[-1].clocks
    if board.result is not None:
        verify(answer(board, "history 1 -format=yaml"))


def fell(
    board: Match, late: list[str], counted: Counted, dice: random.Random, hour: int
) -> Match:
    """The board after the first tick since clocks have run out, or moves just before
    it."""
    for line in deadlines.unwritten(board, at(hour)) if late else ():
        board = replay.after(board, line)
    what = dice.random()
    for who in late:
        if what < 0.5 and who in board.turn:
            board = moved(board, hour, who)
            counted.move(who, hour)
        elif what < 0.9 and who in board.turn:  # ticks did not come for a while
            counted.grace[who] = hour + 24
            spell = Vacation(deadlines.forfeit_time(board, who), at(hour + 24))
            board = replay.after(board, excused(who, OUTAGE, spell, at(hour)))
        elif who in board.turn:
            board = done(board, hour, who, Act.FORFEIT)
            assert all(end <= line.time for line, end in clocks.flags(board))
    return board


def act(
    board: Match,
    counted: Counted,
    away: dict[str, Vacations],
    dice: random.Random,
    hour: int,
) -> Match:
    """The board after something that players do, which is counted too."""
    what = dice.choice(("move", "move", "away", "back", "offer"))
    if what == "move":
        who = dice.choice(board.turn)
        board = moved(board, hour, who)
        counted.move(who, hour)
    elif what == "offer":
        board = agreed(board, counted, dice, hour)
    else:
        who = dice.choice(board.record.players)
        days = dice.randint(1, 6) if what == "away" else 0
        had = away.get(who, ())
        if days or (hour in counted.away[who] and had[-1].since < at(hour)):
            counted.away[who] -= set(range(hour, 2000))
            counted.away[who] |= set(range(hour, hour + 24 * days))
            away[who] = begun(had, at(hour), days)
    return board._replace(away=dict(away))


def agreed(board: Match, counted: Counted, dice: random.Random, hour: int) -> Match:
    """The board after an offer that all others have accepted."""
    who, days = dice.choice(board.turn), dice.randint(1, 4)
    kind, about = dice.choice(((Act.PAUSE, str(days)), (Act.UNDO, "")))
    try:
        board = done(board, hour, who, kind, about)
    except NotAllowed:  # there is nothing to take back
        return board
    for other in board.record.players:
        if other != who and other not in board.gone:
            board = done(board, hour, other, Act.ACCEPT)
    if kind is Act.PAUSE:
        counted.paused |= set(range(hour, hour + 24 * days))
    counted.undo(board.ply)
    return board
