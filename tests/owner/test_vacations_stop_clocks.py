"""What a player's vacation does to the boards that wait for them, and to their letters:
no time runs out, and nothing nags; other clocks go on."""

import pytest

from pbm_holomino import owner
from pbm_holomino.letters.absences import away
from pbm_holomino.match import account
from pbm_holomino.store.people import People
from tests.club import Club, day, subjects, to_the_pairs
from tests.prose import plain


def leave(club: Club, who: str, number: int, days: int) -> str:
    """What a player is answered who goes on vacation on a day, for so many days."""
    club.server.time = day(number)
    return plain(club.say(f"change vacation {who} {{{who}}} {days}"))


def quiet(club: Club, number: int, time: str = "08:00:00") -> bool:
    """Whether a tick on that day does nothing, and writes nothing."""
    before = club.server.records()
    told = club.tick(day(number, time))
    return (told, club.server.sent, club.server.records()) == ([], [], before)


def test_a_player_on_vacation_does_not_run_out_of_time(club: Club) -> None:
    club.open("holo", 2, "-nag=0").accept()
    said = leave(club, "alice", 2, 10)
    assert "Your vacation lasts until 2026-12-02, 08:00 UTC, alice." in said
    assert "change vacation alice PASSWORD 0" in said
    assert quiet(club, 21)
    assert quiet(club, 31, "07:59:59")
    assert club.tick(day(31)) == ["holo 1: alice ran out of time."]


def test_a_vacation_changes_no_board(club: Club) -> None:
    club.open("holo").accept()
    before = club.server.document("holo", "1").read_bytes()
    leave(club, "alice", 2, 10)
    club.tick(day(21))
    assert club.server.document("holo", "1").read_bytes() == before
    club.move("alice", "142:4")
    leave(club, "bob", 25, 10)
    club.move("bob", "234:3")
    club.say("holo chat 1 alice xanadu -m=Hello")
    noun = club.server.store.noun
    assert owner.run(["check"]).text == f"5 {noun}s read: all is well.\n"


def test_a_vacation_in_the_past_counts_as_long_as_it_overlaps(club: Club) -> None:
    club.open("holo", 2, "-nag=0").accept()
    leave(club, "bob", 1, 10)
    club.server.time = day(6)
    club.move("alice", "142:4")  # bob is away for five more days
    assert quiet(club, 31, "07:59:59")
    assert club.tick(day(32)) == ["holo 1: bob ran out of time."]


def test_a_vacation_that_ends_early_adds_less(club: Club) -> None:
    club.open("holo", 2, "-nag=0").accept()
    leave(club, "alice", 2, 20)
    assert leave(club, "alice", 5, 0).startswith("Your vacation is over, alice")
    assert quiet(club, 23)
    assert club.tick(day(24)) == ["holo 1: alice ran out of time."]


def test_the_vacation_of_another_player_does_not_help(club: Club) -> None:
    club.open("holo", 2, "-nag=0").accept()
    leave(club, "bob", 2, 20)
    assert club.tick(day(21)) == ["holo 1: alice ran out of time."]


def test_players_who_move_at_the_same_time_have_clocks_of_their_own(
    club: Club,
) -> None:
    to_the_pairs(club, 3).accept()
    leave(club, "alice", 2, 10)
    assert club.tick(day(21)) == ["walomino 1: bob ran out of time."]


def test_a_challenge_does_not_lapse_before_the_player_is_back(club: Club) -> None:
    club.open("holo", 2, "-nag=0")
    leave(club, "bob", 20, 5)
    assert quiet(club, 21)
    assert quiet(club, 25, "07:59:59")
    assert club.tick(day(26)) == ["holo 1: the challenge has lapsed."]


def test_reminders_wait_and_say_the_later_time(club: Club) -> None:
    club.open("holo").accept()
    leave(club, "alice", 2, 10)
    assert quiet(club, 7)
    assert quiet(club, 16)
    assert club.tick(day(17)) == ["holo 1: alice is reminded."]
    letters = club.letters()
    assert subjects(letters) == {"alice": "holo 1: still your turn"}
    assert "Please move before 2026-12-21, 08:00 UTC," in plain(letters["alice"].text)


def test_a_reminder_of_several_boards_says_the_later_times(club: Club) -> None:
    club.open("holo", 2, "-nag=12").accept()
    club.server.challenge("-nag=12", "bob alice", "hextol")
    leave(club, "alice", 2, 3)
    assert quiet(club, 14)
    assert club.tick(day(15)) == ["alice is reminded of 2 boards."]
    said = plain(club.letters()["alice"].text)
    assert "- Holomino 1 against bob: your turn, until 2026-12-14, 08:00 UTC" in said
    assert "- Hextol 1 against bob, until 2026-12-14, 08:00 UTC" in said


def test_no_digest_comes_on_vacation(club: Club) -> None:
    club.open("holo").accept()
    club.say("change digest alice {alice} on")
    leave(club, "alice", 2, 10)
    assert quiet(club, 3)
    assert quiet(club, 12, "07:59:59")
    assert club.tick(day(12)) == ["alice gets a digest."]
    assert "until 2026-12-21, 08:00 UTC" in plain(club.letters()["alice"].text)


# What the others read


def said_to(club: Club, reader: str | None, number: int) -> str:
    match = People(club.server.library).at_present(club.board())
    return plain("".join(part.plain() for part in away(match, reader, day(number))))


def test_who_waits_is_told_until_when(club: Club) -> None:
    club.open("walomino", 3).accept()
    leave(club, "alice", 2, 10)
    assert said_to(club, "bob", 2) == "alice is on vacation until 2026-12-02."
    assert said_to(club, None, 11) == "alice is on vacation until 2026-12-02."
    assert said_to(club, "alice", 2) == ""
    assert said_to(club, "bob", 12) == ""
    leave(club, "bob", 3, 10)  # for whom nobody waits
    assert said_to(club, "carol", 3) == "alice is on vacation until 2026-12-02."


def test_a_letter_says_until_when_the_player_to_move_is_away(club: Club) -> None:
    club.open("holo").accept()
    leave(club, "bob", 0, 10)
    letters = club.send("alice", "move 1 alice PASSWORD 142:4")
    said = "bob is on vacation until 2026-11-30."
    assert said in plain(letters["alice"].text)
    assert said not in plain(letters["bob"].text)
    club.server.time = day(12)
    club.move("bob", "234:3")
    assert said not in plain(club.move("alice", "123:1"))


def test_a_challenger_is_told_too(club: Club) -> None:
    club.open("walomino", 3)
    leave(club, "bob", 2, 10)
    leave(club, "carol", 2, 4)
    assert said_to(club, "alice", 2) == (
        "bob is on vacation until 2026-12-02. carol is on vacation until 2026-11-26."
    )


def test_nothing_is_said_of_a_game_that_is_over(club: Club) -> None:
    club.open("holo").accept()
    leave(club, "alice", 2, 10)
    club.resign("alice")
    assert said_to(club, "bob", 2) == ""


# The command


@pytest.mark.parametrize(
    ("days", "said"),
    [
        ("31", "You can have 30 days of vacation in any 365, and 30 of them are left."),
        ("0", "You are not on vacation."),
        ("-3", '"-3"'),
        ("soon", "That is not a number of days, such as 14."),  # it may be a password
        ("1.5", '"1.5" is not a number of days, such as 14.'),
    ],
)
def test_refused(club: Club, days: str, said: str) -> None:
    assert said in club.refused_line(f"change vacation alice xanadu {days}")[0]


def test_thirty_days_are_all_there_are(club: Club) -> None:
    leave(club, "alice", 0, 30)
    assert club.server.data("players", "alice")["vacations"] == [f"{day(0)} {day(30)}"]
    club.server.time = day(40)
    refused, _ = club.refused_line("change vacation alice xanadu 1")
    assert refused == (
        "You can have 30 days of vacation in any 365, and none of them are left."
    )
    leave(club, "alice", 365, 30)


def test_vacations_are_not_lost_from_a_long_log(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account, "LOG_LENGTH", 20)
    club.open("holo", 2, "-nag=0").accept()
    leave(club, "alice", 2, 10)
    for _ in range(12):
        club.say("change digest alice {alice} on")
        club.say("change digest alice {alice} off")
    assert "!vacation" not in str(club.server.data("players", "alice")["log"])
    assert quiet(club, 31, "07:59:59")
    assert club.tick(day(31)) == ["holo 1: alice ran out of time."]


def test_a_mail_that_comes_again_adds_no_day(club: Club) -> None:
    words = ("alice", "0123456789abcdef", "change vacation alice {alice} 10")
    first = club.server.by_mail(*words)
    club.server.time = day(5)
    again = club.server.by_mail(*words)
    assert again == first
    assert club.server.data("players", "alice")["vacations"] == [f"{day(0)} {day(10)}"]
