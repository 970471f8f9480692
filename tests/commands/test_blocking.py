"""What a player does against others who ask and write too much: `decline all`, `block`
and `unblock`; and how few letters the clock sends them."""

import os

import pytest

from pbm_holomino.letters.reminders import MOST_LINKED
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act, Line
from tests.boards import Case, opened
from tests.club import Club, day, log_of, mailed, result_of, subjects
from tests.commands.test_challenges import challenged, refused
from tests.house import PASSWORDS, mail_of
from tests.prose import plain


def account_log(club: Club, who: str) -> list[str]:
    log = club.server.data("players", who)["log"]
    return [line.split(" ", 4)[4] for line in log]


def mail(club: Club, who: str, line: str, no: str, body: str = "") -> list[str]:
    """Who is written because of a mail, and with which subject."""
    line = line.replace("PASSWORD", PASSWORDS[who])
    raw = mail_of(line, f"{who}@example.org", body, Message_ID=f"<{no}@example.org>")
    letters = club.server.mail(raw)
    return sorted(f"{letter.to[0]} {letter.subject}" for letter in letters)


# Declining all


def test_all_challenges_are_declined_with_one_letter(club: Club) -> None:
    club.open("holo")
    club.say("hextol challenge carol bob")
    club.say("holo challenge bob alice")  # his own
    club.say("walomino challenge alice bob carol")
    club.say("walomino accept 1 bob better4")  # which he has answered
    club.server.sent.clear()
    told = mail(club, "bob", "decline all bob PASSWORD", "1")
    off = "cancelled, as bob declined the challenge"
    assert told == [
        f"alice@example.org holo 1: {off}",
        "bob@example.org bob: challenges declined",
        f"carol@example.org hextol 1: {off}",
    ]
    (letter,) = [n for n in club.server.sent if n.to == ("bob@example.org",)]
    said = "You have declined 2 challenges: hextol 1 and holo 1."
    assert plain(letter.text) == said
    assert result_of(club)["reason"] == "declined"
    assert club.json("show 2")["status"] == "active"


def test_the_same_mail_again_declines_nothing_new(club: Club) -> None:
    club.open("holo")
    line = "decline all bob PASSWORD"
    first = mail(club, "bob", line, "1")
    said = club.server.sent[-1].text
    club.say("holo challenge carol bob")
    before = club.server.records()
    again = mail(club, "bob", line, "1")
    assert club.server.records() == before
    assert again == [text for text in first if text.startswith("bob@")]
    assert club.server.sent[-1].text == said
    assert club.json("show 2")["status"] == "active"


def test_the_work_of_a_killed_process_is_completed(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account says what is to be declined, before any board is."""
    club.open("holo")
    club.say("holo challenge carol bob")
    line, save = "decline all bob PASSWORD", club.server.library.save

    def dies(changed: Match, unsent: int | None = None) -> None:
        save(changed, unsent)
        raise KeyboardInterrupt

    monkeypatch.setattr(club.server.library, "save", dies)
    with pytest.raises(KeyboardInterrupt):
        mail(club, "bob", line, "1")
    monkeypatch.undo()
    club.say("holo challenge dave bob")
    mail(club, "bob", line, "1")
    found = [club.json(f"show {number}")["status"] for number in (1, 2, 3)]
    assert found == ["void", "void", "active"]


def test_a_board_that_cannot_be_read_keeps_no_other_from_being_declined(
    club: Club,
) -> None:
    club.say("hextol challenge carol bob")
    club.open("holo")
    club.server.replace("hextol", "1", "version: 1", "version: 99")
    mail(club, "bob", "decline all bob PASSWORD", "1")
    said = [n.text for n in club.server.sent if n.to == ("bob@example.org",)]
    assert [plain(text) for text in said] == ["You have declined 1 challenge: holo 1."]
    assert club.json("show 1")["status"] == "void"
    assert "version 99" in refused(club, "decline all bob better4")


def test_twenty_are_declined_at_once(club: Club) -> None:
    (club.server.folder / "holo").mkdir()
    for number in range(1, 24):
        club.server.library.save(numbered(number, accepted=False))
    said = club.say("decline all bob better4")
    assert "You have declined 20 challenges: holo 1, holo 2, " in said
    assert "3 more wait for your answer" in plain(said)
    said = club.say("decline all bob better4")
    assert "You have declined 3 challenges: holo 21, holo 22 and holo 23." in said
    assert refused(club, "decline all bob better4") == (
        "No challenge waits for your answer."
    )


def test_boards_of_before_are_declined_too(club: Club) -> None:
    (club.server.folder / "holo").mkdir()
    old = opened(Case("holo", 2, {})).record._replace(players=("alice", "bob"), log=())
    line = Line(0, day(0), "-", "-", Act.CHALLENGE)
    club.server.library.save(replay.begin(old, old.players, line))
    club.say("decline all bob better4")
    club.game = "holo"
    assert log_of(club)[-1] == "- bob - !decline"


# Blocking


def test_a_player_who_is_blocked_cannot_challenge_or_write(club: Club) -> None:
    club.open("holo")
    club.resign("bob")
    said = club.say("block bob better4 alice")
    assert "alice is blocked, bob" in said
    for line, what in (
        ("holo challenge alice bob", "challenges"),
        ("walomino challenge alice carol bob", "challenges"),
        ("holo rematch 1 alice xanadu", "challenges"),
        ("message alice xanadu carol bob -m=Hello", "messages"),
    ):
        assert refused(club, line).startswith(f"bob accepts no {what} from alice.")
    club.server.sent.clear()
    club.say("broadcast alice xanadu -m=Hello")
    to = {letter.to for letter in club.server.sent}
    assert to == {("carol@example.org",), ("dave@example.org",)}
    club.say("holo challenge bob alice")  # the other way is open
    club.say("unblock bob better4 alice")
    club.say("message alice xanadu bob -m=Hello")
    club.say("holo challenge alice bob")


def test_chats_do_not_reach_a_player_who_has_blocked_the_writer(club: Club) -> None:
    club.open("holo")
    club.say("block bob better4 alice")
    said = club.refused_line("holo chat 1 alice xanadu -m=Hello")[0]
    assert said == "bob accepts no words from alice."
    club.letters()
    letters = club.send("alice", "move 1 alice PASSWORD 142:4", "Take that!")
    assert "Take that" not in letters["bob"].text
    assert "alice played 142:4." in plain(letters["bob"].text)
    assert "Your text did not reach bob, who has blocked you." in letters["alice"].text
    # nor can bob say what alice could not answer
    for line in ("holo chat 1 bob better4", "message bob better4 alice"):
        said = club.refused_line(f"{line} -m=Hello")[0]
        assert said.startswith("You have blocked alice, who could not answer.")


def test_words_to_several_reach_the_others(club: Club) -> None:
    club.open("walomino", 3)
    club.say("block bob better4 alice")
    club.letters()
    letters = club.send("alice", "chat 1 alice PASSWORD", "Hello")
    assert letters.keys() == {"alice", "carol"}
    assert letters["alice"].text == "Sent to carol.\n"
    again = club.send("alice", "chat 1 alice PASSWORD", "Hello")
    assert again == {"alice": letters["alice"]}
    club.say("block carol quokka9 alice")
    said = refused(club, "walomino chat 1 alice xanadu -m=Hello")
    assert said == "bob and carol accept no words from alice."


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("block bob better4 bob", "You cannot block yourself."),
        ("block bob better4 nobody", "There is no player of that name here."),
        ("unblock bob better4 alice", "you have blocked nobody."),
        ("block bob wrong alice", "That is not the password of that player."),
    ],
)
def test_a_player_who_cannot_be_blocked(club: Club, line: str, said: str) -> None:
    assert said in refused(club, line)


def test_a_hundred_players_are_the_most(club: Club) -> None:
    data = club.server.data("players", "bob")
    assert "blocked" not in data  # as in a file of before
    names = [f"mallory{number}" for number in range(100)]
    club.server.put("players", "bob", {**data, "blocked": names})
    assert "You have blocked 100 players" in refused(club, "block bob better4 alice")


def test_the_new_words_are_no_userids_but_old_accounts_stay(club: Club) -> None:
    for word in ("block", "unblock", "accept", "decline"):
        assert "is a word of the commands" in refused(club, f"signup {word} secret")
    data = {**club.server.data("players", "bob"), "userid": "block"}
    club.server.put("players", "block", data)
    club.say("holo challenge block alice")
    club.say("holo showas block better4 1")
    club.say("block alice xanadu block")
    club.say("holo resign 1 block better4")
    club.say("signoff block better4")
    club.say("signup block better4")
    assert "is taken" in refused(club, "signup block secret")


# Reminders


def numbered(number: int, accepted: bool = True) -> Match:
    """A board of alice and bob, opened on the first day."""
    board = challenged(Case("holo", 2, {}), 1 + number % 250)
    names, old = ("alice", "bob"), board.record
    new = old._replace(board=number, challenger="alice", players=(), log=())
    opened = replay.begin(new, names, Line(0, day(0), "alice", "-", Act.CHALLENGE))
    line = Line(None, day(0), "bob", "-", Act.ACCEPT)
    return replay.after(opened, line) if accepted else opened


def open_boards(club: Club, count: int) -> None:
    """So many boards, where it is by turns bob's turn and alice's."""
    (club.server.folder / "holo").mkdir()
    for number in range(1, count + 1):
        board = numbered(number)
        if number % 2:
            who, move = board.turn[0], board.view(None).legal[0]
            board = replay.after(board, Line(None, day(0), who, "-", move))
        club.server.library.save(board)


def test_a_player_with_many_boards_gets_one_letter(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)  # no power fails here
    open_boards(club, 144)
    assert club.tick(day(6)) == []
    before = {
        path: text for path, text in club.server.records().items() if "holo" in path
    }
    assert club.tick(day(7)) == [
        "alice is reminded of 72 boards.",
        "bob is reminded of 72 boards.",
    ]
    letters = club.letters()
    assert subjects(letters) == {
        "alice": "alice: still your turn",
        "bob": "bob: still your turn",
    }
    assert letters["alice"].text.startswith(
        "It is your turn on these boards:\n\n"
        "- Holomino 2 against bob: your turn, until 2026-12-11, 08:00 UTC\n"
        "- Holomino 4 "
    )
    assert letters["bob"].text.count(": your turn,") == 72
    for time in (day(7), day(8), day(13, "23:59:59")):
        assert club.tick(time) == []
    after = {
        path: text for path, text in club.server.records().items() if "holo" in path
    }
    assert after == before
    assert len(club.tick(day(14))) == 2
    (line,) = (line for line in account_log(club, "bob") if "!rem" in line)
    assert line.count(" holo.") == MOST_LINKED


def test_at_most_one_letter_a_day(club: Club) -> None:
    club.open("holo", 2, "-nag=1").accept()
    club.server.time = day(0, "20:00:00")
    club.say("holo challenge alice carol -nag=1")
    club.say("holo accept 2 carol quokka9")
    assert club.tick(day(1)) == ["alice is reminded of 2 boards."]
    assert club.tick(day(1, "21:00:00")) == []  # holo 2 was named in that letter
    assert club.tick(day(2, "07:59:59")) == []
    assert club.tick(day(2)) == ["alice is reminded of 2 boards."]


def test_a_digest_takes_the_place_of_reminders(club: Club) -> None:
    club.open("holo", 2, "-nag=1").accept()
    assert club.tick(day(1)) == ["holo 1: alice is reminded."]
    club.say("change digest alice xanadu on")
    assert club.tick(day(1, "12:00:00")) == []  # the reminder was enough
    assert club.tick(day(2)) == ["alice gets a digest."]
    club.say("change digest alice xanadu off")
    assert club.tick(day(2, "12:00:00")) == []
    assert club.tick(day(3)) == ["holo 1: alice is reminded."]


def test_old_reminders_in_a_board_still_count(club: Club) -> None:
    """A board of version 1.0, which has reminded alice on its eighth day."""
    (club.server.folder / "holo").mkdir()
    old = opened(Case("holo", 2, {})).record._replace(players=("alice", "bob"), log=())
    line = Line(0, day(0), "-", "-", Act.CHALLENGE)
    board = replay.begin(old, old.players, line)
    board = replay.after(board, Line(None, day(8), "alice", "tick", Act.NAG))
    club.server.library.save(board)
    for time in (day(8), day(14)):
        assert club.tick(time) == []
    assert club.tick(day(15)) == ["holo 1: alice is reminded."]
    club.game = "holo"
    assert log_of(club) == ["0 - - !challenge", "- alice tick !nag"]
    assert "08:00 UTC, when your time runs out" in plain(club.letters()["alice"].text)
    assert club.tick(day(21)) == ["holo 1: alice ran out of time."]


def test_a_mail_from_a_blocked_player_is_answered(club: Club) -> None:
    club.open("holo")
    club.say("block bob better4 alice")
    club.letters()
    club.server.mail(mailed(club, "alice", "challenge alice bob"))
    (letter,) = club.server.sent
    assert letter.to == ("alice@example.org",)
    assert plain(letter.text) == "bob accepts no challenges from alice."
