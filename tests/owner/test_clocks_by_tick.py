"""Clocks on a server: what ticks, vacations and outages do to them, and what players
read of them."""

import pytest

from pbm_holomino.store.contract import OUTAGE
from tests.club import Club, day, history, log_of, result_of
from tests.prose import plain

HOURS = [f"{hour:02}:00:00" for hour in range(0, 24, 6)]


def started(club: Club, word: str = "10d+1d/20d", game: str = "holo") -> Club:
    """A board with clocks and without reminders, on a server on which ticks run."""
    club.server.time = day(0)
    club.open(game, 2, f"-clock={word} -nag=0").accept()
    club.tick(day(0))
    club.tick(day(1, "08:00:01"))  # the first tick was that of a new server
    return club


def ticks(club: Club, first: int, last: int) -> list[str]:
    """What ticks every six hours do from one day to the end of another."""
    days = range(first, last + 1)
    return [said for d in days for hour in HOURS for said in club.tick(day(d, hour))]


def move(club: Club) -> None:
    fields = club.json()
    club.move(fields["turn"][0], fields["legal"][0])


def clock(club: Club, who: str) -> tuple[float, str]:
    """The days that a player has, and until when."""
    its = club.json()["clocks"][who]
    return its["left"] / 86_400, its.get("until", "")


def test_only_a_tick_ends_the_game(club: Club) -> None:
    started(club, "2d")
    club.server.time = day(3)
    move(club)  # a day late, but no tick has come
    assert clock(club, "alice") == (0, "")
    assert clock(club, "bob") == (2, day(5))
    assert ticks(club, 1, 4) == club.tick(day(5, "00:00:00")) == []
    assert club.tick(day(5, "06:00:00")) == []
    assert club.tick(day(5, "07:59:59")) == []
    assert club.tick(day(5)) == ["holo 1: bob ran out of time."]
    assert result_of(club)["reason"] == "declined"
    assert log_of(club)[-1] == "- bob tick !forfeit"


def test_after_an_outage_no_clock_runs_out_for_a_day(club: Club) -> None:
    started(club, "2d")
    ticks(club, 1, 1)
    said = ["holo 1: the clock of alice does not run now."]
    assert club.tick(day(2, "12:00:00")) == said  # 18 hours after the last one
    assert clock(club, "alice") == (2, day(3, "12:00:00"))
    assert club.letters() == {}
    assert club.tick(day(2, "18:00:00")) == club.tick(day(3, "00:00:00")) == []
    assert club.tick(day(3, "06:00:00")) == club.tick(day(3, "11:59:59")) == []
    assert club.tick(day(3, "12:00:00")) == ["holo 1: alice ran out of time."]
    outage = f"outage {day(2)} {day(3, '12:00:00')}"
    assert log_of(club)[-2:] == [
        f"- alice tick !excused {outage}",
        "- alice tick !forfeit",
    ]
    told = plain(club.say("holo verify 1"))
    until = "2026-11-23, 12:00 UTC"
    assert f"alice had time until {until}, and ran out of time on {until}" in told
    assert "clock does not run out before 2026-11-23, 12:00 UTC." in plain(
        club.say("holo history 1")
    )


def test_six_hours_between_ticks_are_no_outage(club: Club) -> None:
    started(club, "2d")
    ticks(club, 1, 1)
    assert club.tick(day(2, "00:00:00")) == []
    assert club.tick(day(2, "06:00:00")) == []
    assert club.tick(day(2, "12:00:00")) == ["holo 1: alice ran out of time."]


def test_an_outage_does_not_concern_boards_without_clocks(club: Club) -> None:
    club.open("holo", 2, "-nag=0").accept()
    assert club.tick(day(30)) == ["holo 1: alice ran out of time."]


def test_a_machine_whose_clock_jumped_ahead_and_back_ends_games_in_time(
    club: Club,
) -> None:
    started(club, "2d")
    ticks(club, 1, 1)
    club.tick(day(900))
    (line,) = [line for line in log_of(club) if "!excused" in line]
    assert line.endswith(f"outage {day(2)} {day(901)}")
    fresh = club.server.challenge("-clock=3d -nag=0")
    club.server.time = day(2, "01:00:00")
    club.server.accept(fresh)
    assert club.server.store.remembered(OUTAGE) == day(901)
    assert ticks(club, 2, 4) == club.tick(day(5, "00:00:00")) == []
    assert club.tick(day(5, "01:00:00")) == ["holo 2: alice ran out of time."]


def test_a_vacation_moves_what_is_due(club: Club) -> None:
    """No tick looks at the board before it is over."""
    started(club, "5d")
    club.server.time = day(2)
    club.say("change vacation alice {alice} 10")
    data = club.server.data("holo", "1")
    assert data["due"] == day(15)
    assert data["log"][-1].endswith(f"!excused vacation {day(2)} {day(12)}")
    assert club.letters() == {}
    assert ticks(club, 2, 14) == []
    club.server.time = day(3)
    club.say("change vacation alice {alice} 0")
    assert club.server.data("holo", "1")["due"] == day(6)
    assert clock(club, "alice") == (5, day(6))


def test_a_vacation_of_no_time_stops_no_clock(club: Club) -> None:
    """All of it in one second, as one mail may."""
    started(club, "5d")
    club.server.time = day(2)
    club.say("change vacation alice {alice} 30")
    move(club)
    club.say("change vacation alice {alice} 0")
    club.server.time = day(3)
    move(club)
    assert clock(club, "alice") == (3, day(6))


def test_a_vacation_that_had_begun_before_the_board(club: Club) -> None:
    club.server.time = day(0)
    club.say("change vacation alice {alice} 10")
    started(club, "5d")
    assert club.server.data("holo", "1")["due"] == day(5)
    assert ticks(club, 1, 9) == ["holo 1: the clock of alice does not run now."]
    assert club.server.data("holo", "1")["due"] == day(15)
    club.server.time = day(11)
    move(club)
    assert clock(club, "alice") == (4, "")


def test_the_same_mail_again_writes_no_line_again(club: Club) -> None:
    started(club, "5d")
    for _ in range(2):
        club.server.by_mail("alice", "m1", "change vacation alice {alice} 10")
        assert len([line for line in log_of(club) if "!excused" in line]) == 1


def test_a_board_of_years_ago_keeps_its_player_waiting(club: Club) -> None:
    started(club, "365d+365d/365d")
    club.server.time = day(300)
    move(club)
    assert clock(club, "alice") == (365, "")
    assert clock(club, "bob") == (365, day(665))


# What players type


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("-clock=36500d", "from 1 hour (1h) to 365 days (365d)"),
        ("-clock=tomorrow", "such as -clock=10d+1d/20d"),
        ("-clock=10d/5d", "they would begin with more"),
        ("-clock=10d -forfeit=10", "exclude each other"),
        ("-clock", "needs a value"),
        ("-clock=", "such as -clock=10d+1d/20d"),
    ],
)
def test_a_challenge_that_is_refused(club: Club, options: str, said: str) -> None:
    told, rest = club.refused_line(f"holo challenge alice bob {options}")
    assert said in told + plain(rest)


def test_an_open_challenge_has_its_clock(club: Club) -> None:
    club.say("holo challenge alice anyone -clock=2d+1d/3d")
    assert "-clock=2d+1d/3d" in club.say("list open")
    club.game = "holo"
    club.say("holo accept 1 bob {bob}")
    assert history(club)["match"]["clock"] == "2d+1d/3d"
    assert clock(club, "alice")[0] == 2


def test_a_pause_is_proposed_and_accepted(club: Club) -> None:
    started(club, "2d+1d")
    club.server.time = day(1)
    club.say("holo move 1 bob {bob} propose pause 7")
    assert club.json()["offer"] == {
        "kind": "pause",
        "who": "bob",
        "accepted": [],
        "days": 7,
    }
    assert "pause of 7 days" in plain(club.letters()["alice"].text)
    club.say("holo accept 1 alice {alice}")
    accepted = "accepted the pause, which lasts until 2026-11-28, 08:00 UTC or the"
    assert all(accepted in plain(each.text) for each in club.letters().values())
    assert clock(club, "alice") == (2, day(9))
    assert ticks(club, 1, 8) == []
    move(club)
    assert clock(club, "bob")[0] == 2


@pytest.mark.parametrize(
    "words",
    [
        "propose pause 7",
        "Propose Pause 7 days",
        "pause:7",
    ],
)
def test_how_a_pause_is_written(club: Club, words: str) -> None:
    started(club)
    club.say(f"holo move 1 bob {{bob}} {words}")
    assert club.json()["offer"]["days"] == 7


@pytest.mark.parametrize("words", ["propose pause 7", "Propose pause 7 days."])
def test_a_reply_proposes_a_pause(club: Club, words: str) -> None:
    started(club)
    move(club)
    letter = club.letters()["bob"]
    club.server.reply(letter, words)
    assert club.json()["offer"]["days"] == 7
    told = [plain(each.text) for each in club.server.sent]
    assert sum("proposed a pause of 7 days" in each for each in told) == 2


@pytest.mark.parametrize(
    "words", ["propose pause", "propose pause 31", "propose pause x"]
)
def test_a_pause_that_is_refused(club: Club, words: str) -> None:
    started(club)
    assert "from 1 to 30" in club.refused("bob", words)


def test_times_are_those_of_the_reader_across_summer_time(club: Club) -> None:
    club.say("change zone bob {bob} Europe/Berlin")
    club.server.time = "2027-03-27T12:00:00Z"  # the night before summer time
    club.open("holo", 2, "-clock=1d -nag=0").accept()
    club.server.time = "2027-03-27T18:00:00Z"
    move(club)
    letter = plain(club.letters()["bob"].text)
    assert "has until 2027-03-28, 20:00" in letter  # a day is 24 hours
    assert clock(club, "bob") == (1, "2027-03-28T18:00:00Z")


def test_letters_tell_what_is_left(club: Club) -> None:
    started(club, "40h+1h")
    club.server.time = day(1)
    move(club)
    letter = plain(club.letters()["bob"].text)
    assert "alice has 17 hours left." in letter
    assert "bob began this turn with 1 day and 16 hours, and has until" in letter
