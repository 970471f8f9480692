"""What `pbm tick` does with boards: reminders and forfeits, at any moment, twice, late,
and beside what is damaged or busy."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino import owner
from pbm_holomino.errors import DONE, REFUSED, TRY_LATER, BadCommand, StoreTrouble
from pbm_holomino.match import replay
from pbm_holomino.store.contract import TICKED_AT
from tests import storage
from tests.boards import Case, act, asked, opened, played, written_to
from tests.club import (
    Club,
    day,
    log_of,
    result_of,
    subjects,
    to_the_chain,
    to_the_pairs,
)
from tests.prose import plain
from tests.sizes import sized

# Reminders


def test_a_reminder_goes_to_the_player_to_move(club: Club) -> None:
    club.open("holo").accept()
    assert club.tick(day(7, "07:59:59")) == []
    before = club.json()
    assert club.tick(day(7)) == ["holo 1: alice is reminded."]
    letters = club.letters()
    assert subjects(letters) == {"alice": "holo 1: still your turn"}
    letter = letters["alice"]
    assert not letter.replied
    assert letter.references[0] == club.server.letter_id(0, "alice")
    said = plain(letter.text)
    assert said.startswith("It is your turn, alice. Holomino, board 1")
    assert (
        "It has been your turn since 2026-11-20. Please move before 2026-12-11, "
        "08:00 UTC, when your time runs out." in said
    )
    move = club.board().view("alice").proposal.moves[0]
    how = "Reply to this letter with a move in its first line, such as"
    assert f"{how} {move}." in said
    assert club.json() == before
    assert log_of(club) == ["0 - - !challenge", "- bob - !accept"]


def test_a_tick_again_does_nothing_more(club: Club) -> None:
    club.open("holo").accept()
    club.tick(day(7))
    for time in (day(7), day(7, "09:00:00"), day(13), day(2)):
        before = club.server.records()
        assert club.tick(time) == []
        assert club.server.records() == before
        assert not club.letters()
    assert club.tick(day(14)) == ["holo 1: alice is reminded."]
    assert club.tick(day(21)) == ["holo 1: alice ran out of time."]


def test_a_month_late_there_is_one_reminder(club: Club) -> None:
    club.open("holo", 2, "-nag=7 -forfeit=0").accept()
    assert club.tick("2026-12-31T00:00:00Z") == ["holo 1: alice is reminded."]
    (letter,) = club.letters().values()
    said = plain(letter.text)
    assert "It has been your turn since 2026-11-20." in said
    assert "time runs out" not in said
    assert club.tick("2027-01-06T23:59:59Z") == []
    assert club.tick("2027-01-07T00:00:00Z") == ["holo 1: alice is reminded."]


def test_a_player_who_has_queued_is_not_reminded(club: Club) -> None:
    club.open("holo").accept()
    club.queue("bob", "234:3")
    club.move("alice", "142:4")
    assert club.tick(day(8)) == ["holo 1: alice is reminded."]
    assert "reminded" not in club.say("holo show 1")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("-nag=366", "-nag=366 is outside its limits: 1 to 365 (or 0 for never)."),
        ("-forfeit=2", "-forfeit=2 is outside its limits: 3 to 365 (or 0 for never)."),
        ("-forfeit=366", "outside its limits: 3 to 365"),
        ("-forfeit=-3", "takes a number"),
        ("-nag=never", "-nag takes a number"),
    ],
)
def test_limits(club: Club, options: str, said: str) -> None:
    assert said in club.refused_line(f"holo challenge alice bob {options}")[0]
    club.game = "holo"
    fitting = ("-nag=0", "-nag=1", "-nag=365", "-forfeit=3", "-forfeit=365")
    for number, fits in enumerate(fitting, 1):
        club.say(f"holo challenge alice bob {fits} {'-forfeit=0' * ('nag' in fits)}")
        club.accept(number)


def test_a_player_who_is_challenged_reads_the_times(club: Club) -> None:
    club.open("holo", 2, "-forfeit=3 -nag=0 -pool_size=4")
    assert "Options: -pool_size=4 -nag=0 -forfeit=3\n" in club.say("holo show 1")
    club.say("holo challenge bob alice")
    assert "Options" not in club.say("holo show 2")


def test_a_rematch_keeps_the_times(club: Club) -> None:
    club.open("holo", 2, "-nag=2 -forfeit=3")
    club.accept()
    club.resign("alice")
    club.say("holo rematch 1 alice xanadu")
    club.accept(2)
    assert club.tick(day(2)) == ["holo 2: bob is reminded."]
    assert club.tick(day(3)) == ["holo 2: bob ran out of time."]


# Time that has run out


def test_before_ones_own_first_move_it_is_declined(club: Club) -> None:
    club.open("holo").accept()
    club.move("alice", "142:4")
    club.queue("alice", "123:1")
    assert club.tick(day(22)) == ["holo 1: bob ran out of time."]
    letters = club.letters()
    verdict = "cancelled, as bob ran out of time"
    assert subjects(letters) == dict.fromkeys(("alice", "bob"), f"holo 1: {verdict}")
    for letter in letters.values():
        said = plain(letter.text)
        assert (
            f"The game is over: {verdict}. It does not count in standings and ratings."
            in said
        )
        assert said.count("out of time") == 1
    assert "123:1" not in letters["alice"].text.partition("Seal")[0]
    assert (result_of(club)["winners"], club.json()["status"]) == ([], "void")


def test_afterwards_the_other_has_won(club: Club) -> None:
    club.open("holo")
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    assert club.tick(day(21)) == ["holo 1: alice ran out of time."]
    letters = club.letters()
    verdict = "bob won, as alice ran out of time"
    assert subjects(letters) == dict.fromkeys(("alice", "bob"), f"holo 1: {verdict}")
    assert (result_of(club)["winners"], result_of(club)["reason"]) == (
        ["bob"],
        "forfeit",
    )
    assert verdict in plain(club.say("holo games alice all"))
    assert verdict in plain(club.say("holo history"))
    assert f"holo 1 is over: {verdict}" in club.refused("alice", "123:1")
    club.say("holo verify 1")
    assert club.tick(day(30)) == []


def test_only_the_verdict_says_why_a_game_was_cancelled(club: Club) -> None:
    club.game = "walomino"
    club.server.challenge("", "alice bob carol", "walomino")
    for who in ("bob", "carol"):
        club.say(f"walomino accept 1 {who} {{{who}}}")
    assert club.tick(day(21)) == ["walomino 1: alice ran out of time."]
    for letter in club.letters().values():
        said = plain(letter.text)
        assert "The game is over: cancelled, as alice ran out of time." in said
        assert "(out of time)" not in said


def test_among_three_they_drop_out_and_rank_last(club: Club) -> None:
    to_the_chain(club, 3)
    who = club.json()["turn"][0]
    late = [f"walomino 1: {who} ran out of time."]
    assert club.tick(day(21)) == late
    letters = club.letters()
    assert set(letters) == {"alice", "bob", "carol"}
    fields = club.json()
    assert fields["status"] == "active"
    assert who not in fields["turn"]
    assert f"{who} (out of time)" in club.say("walomino show 1")
    said = club.refused(who, "pass")
    assert "You are no longer in this game (out of time)." in said
    left = [name for name in ("alice", "bob", "carol") if name != who]
    for name in left:
        assert f"{who} ran out of time." in plain(letters[name].text)
    while (fields := club.json())["turn"]:
        assert who not in fields["turn"]
        club.move(fields["turn"][0], fields["legal"][0])
    assert who not in result_of(club)["winners"]


def test_no_undo_crosses_a_forfeit(club: Club) -> None:
    to_the_chain(club, 3)
    first = club.json()["turn"][0]
    club.move(first, club.json()["legal"][0])
    second = club.json()["turn"][0]
    assert second != first
    assert len(club.tick(day(21))) == 1
    assert "ran out of time" in club.refused(first, "undo")


def test_the_last_of_several_wins(club: Club) -> None:
    to_the_chain(club, 3)
    fields = club.json()
    first = fields["turn"][0]
    club.resign(first)
    second = club.json()["turn"][0]
    club.tick(day(21))
    (last,) = {"alice", "bob", "carol"} - {first, second}
    result = result_of(club)
    assert (result["winners"], result["reason"]) == ([last], "forfeit")
    verdict = f"{last} won, as {first} resigned and {second} ran out of time"
    assert f"The game is over: {verdict}." in plain(club.say("walomino show 1"))
    assert {*subjects(club.letters()).values()} == {f"walomino 1: {verdict}"}


def test_a_forfeit_brings_the_turn_of_a_queue(club: Club) -> None:
    club.open("walomino", 3)
    for who in ("alice", "bob", "carol"):
        club.move(who, "take:R")
    club.queue("bob", "take:B", "take:Y")
    assert club.tick(day(21)) == ["walomino 1: alice ran out of time."]
    assert club.json()["turn"] == ["carol"]
    letters = club.letters()
    assert set(letters) == {"alice", "bob", "carol"}
    for reader in ("alice", "carol"):
        assert "bob took B." in plain(letters[reader].text)
    assert subjects(letters) == {
        "alice": "walomino 1: you ran out of time, carol to move",
        "bob": "walomino 1: alice ran out of time, carol to move",
        "carol": "walomino 1: alice ran out of time, your turn",
    }
    assert "Your queue: take:Y" in letters["bob"].text
    assert not any(letter.replied for letter in letters.values())


def test_everybody_who_is_to_move_runs_out_of_time(club: Club) -> None:
    to_the_pairs(club, 3).accept()
    assert club.tick(day(7)) == [
        f"walomino 1: {who} is reminded." for who in ("alice", "bob", "carol")
    ]
    assert set(club.letters()) == {"alice", "bob", "carol"}
    club.move("bob", "pairs:any")
    assert club.tick(day(14)) == [
        f"walomino 1: {who} is reminded." for who in ("alice", "carol")
    ]
    assert club.tick(day(21)) == ["walomino 1: alice ran out of time."]
    assert club.json()["result"]["reason"] == "declined"


def test_several_who_run_out_of_time_at_once_are_told_in_one_letter(club: Club) -> None:
    club.open("walomino", 4)
    for who in ("alice", "bob", "carol", "dave"):
        club.move(who, "take:any")
    club.move("alice", "pairs:any")
    club.server.sent.clear()
    told = [f"walomino 1: {who} ran out of time." for who in ("bob", "carol", "dave")]
    assert club.tick(day(21)) == told
    letters = club.letters()  # and no player gets two
    assert len(letters) == 4
    verdict = "alice won, as bob, carol and dave ran out of time"
    assert {*subjects(letters).values()} == {f"walomino 1: {verdict}"}
    for letter in letters.values():
        assert f"The game is over: {verdict}." in plain(letter.text)
    assert club.server.store.marks.unsent("walomino") == {}
    assert owner.run(["check"]).status == 0


def test_some_of_several_run_out_of_time_at_once(club: Club) -> None:
    club.open("walomino", 4)
    for who in ("alice", "bob", "carol", "dave"):
        club.move(who, "take:any")
    for who in ("alice", "dave"):
        club.move(who, "pairs:any")
    club.server.cannot_send()
    club.tick(day(21))
    club.server.trouble = None
    assert owner.run(["flush"]).status == 0
    letters = club.letters()
    assert len(letters) == 4
    said = plain(letters["alice"].text)
    assert "bob ran out of time. carol ran out of time." in said
    assert club.json()["gone"] == ["bob", "carol"]
    assert owner.run(["flush"]).text == "No letters are waiting.\n"


# Any game


@settings(max_examples=sized(15, 40))
@given(st.integers(2, 4), st.integers(0, 10**6))
def test_a_board_without_its_players_ends(seats: int, seed: int) -> None:
    """Nobody moves any more: all drop out, one after the other, and what is played
    until then and told of it holds together."""
    dice, case = random.Random(seed), Case("walomino", seats, {"draft": "random"})
    board = played(opened(case, seed % 250), seed, dice.randrange(30))
    for _ in range(seats):
        if not board.turn:
            break
        who = dice.choice(board.turn)
        board = act(board, who, "!forfeit")
        assert who in board.gone
        assert who not in board.turn
        assert replay.replay(board.record) == board
        for reader in board.record.players:
            (letter,) = written_to(board, reader, len(board.steps) - 1)
            said = plain(letter.text)
            assert "ran out of time." in said
            if board.result is None:
                assert f"{'You' if reader == who else who} ran out of time." in said
            assert asked(board, reader)
    assert board.result is not None


# Damaged, busy, and letters that cannot leave


def test_damaged_or_busy_boards_stop_nothing_else(club: Club) -> None:
    for number in range(1, 5):
        club.open("holo").accept(number)
    club.server.document("holo", "2").write_text("game: holo\nlog: [\n")
    data = club.server.data("holo", "3")
    club.server.put("holo", "3", {**data, "due": ["2026"]})
    club.server.store.patience = 0.05
    with club.server.busy("holo", "1"):
        told = club.tick(day(7))
    assert len(told) == 3
    for board, text in zip("23", told[:2], strict=True):
        assert club.server.called("holo", board) in text
    assert told[2] == "alice is reminded of 2 boards."  # which takes no board's lock
    with club.server.busy("holo", "1"):
        told = club.tick(day(21))
    assert "holo 1 is busy" in told[2]
    assert told[3] == "holo 4: alice ran out of time."
    assert "holo 1: alice ran out of time." in club.tick(day(21))


def test_a_damaged_account_delays_nobody(club: Club) -> None:
    club.open("holo", 2, "-forfeit=7").accept()
    club.say("holo challenge bob alice")
    club.accept(2)
    club.say("change digest bob better4 on")
    club.say("change digest alice xanadu on")
    club.server.document("players", "alice").write_text("userid: alice\n")
    told = club.tick(day(7))
    assert told[0] == "holo 1: alice ran out of time."
    assert club.server.called("players", "alice") in told[1]
    assert told[2:] == ["bob gets a digest."]


def test_reminders_that_could_not_leave_are_flushed(club: Club) -> None:
    club.open("holo").accept()
    club.server.cannot_send()
    assert club.tick(day(7)) == ["holo 1: alice is reminded."]
    assert not club.letters()
    club.server.trouble = None
    assert club.tick(day(8)) == []
    owner.run(["flush"])
    assert subjects(club.letters()) == {"alice": "holo 1: still your turn"}
    assert owner.run(["flush"]).text == "No letters are waiting.\n"


def test_the_owner_types_it(club: Club) -> None:
    club.open("holo").accept()
    assert owner.run(["tick"]).text == "Nothing is due.\n"
    club.server.time = day(7)
    assert owner.run(["tick"]).text == "holo 1: alice is reminded.\n"
    with pytest.raises(BadCommand, match="Please write: pbm tick"):
        owner.run(["tick", "now"])


def test_it_says_what_it_could_not_do(club: Club) -> None:
    """Cron tells the owner only what comes on standard error."""
    club.open("holo").accept()
    club.say("holo challenge bob alice")
    club.accept(2)
    club.server.store.patience = 0.05
    club.server.time = day(21)
    with club.server.busy("holo", "1"):
        answer = owner.run(["tick"])
    assert answer.status == TRY_LATER
    assert "holo 1 is busy" in answer.text
    assert "holo 2: bob ran out of time." in answer.text
    assert club.server.store.remembered(TICKED_AT) == ""
    assert owner.run(["tick"]).status == DONE
    assert club.server.store.remembered(TICKED_AT) == day(21)


def test_a_damaged_board_is_said_and_keeps_no_tick_from_its_end(club: Club) -> None:
    club.open("holo").accept()
    club.server.document("holo", "1").write_text("game: holo\nlog: [\n")
    answer = owner.run(["tick"])
    assert answer.status == REFUSED
    assert club.server.called("holo", "1") in plain(answer.text)
    assert club.server.store.remembered(TICKED_AT) == club.server.time


@pytest.mark.parametrize("call", ["remember", "names"])
def test_a_store_that_can_do_nothing(
    club: Club, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Even if nothing is due: then nobody knows that it would work."""

    def full(*given: object) -> None:
        raise StoreTrouble("There is no room.")

    monkeypatch.setattr(club.server.store, call, full)
    answer = owner.run(["tick"])
    assert (answer.status, answer.text) == (TRY_LATER, "There is no room.\n")


def test_a_store_that_is_closed(club: Club) -> None:
    closed = storage.over.open(club.server.folder)
    closed.close_to_writers("it is being copied")
    with pytest.raises(StoreTrouble, match="closed to writers"):
        owner.run(["tick"])


def test_acts_of_the_clock_cannot_be_typed(club: Club) -> None:
    club.open("holo")
    for word in ("!forfeit", "!nag", "forfeit", "tick"):
        club.refused("alice", word)
    assert len(log_of(club)) == 1
