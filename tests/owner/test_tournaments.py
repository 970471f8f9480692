"""Tournaments on a server: the owner opens them, players enter, and the clock does the
rest, whenever it runs and wherever it was stopped."""

import json
import sys
from functools import partial
from typing import Any

import pytest

from pbm_holomino import owner
from pbm_holomino.commands.subjects import is_our_subject
from pbm_holomino.errors import BadCommand, NotAllowed, NotFound
from pbm_holomino.extras import line_for
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.match import letter_ids, tournament
from pbm_holomino.store.contract import DOCUMENT, TOURNAMENTS, Title
from tests.club import Club, day
from tests.house import FRIENDS, PASSWORDS, dies, home, mail_of, own
from tests.mail.reports import Lost, postfix
from tests.prose import plain
from tests.storage import KEY

START = day(14)


@pytest.fixture
def club(club: Club) -> Club:
    club.game = "holo"
    return club


def opened(club: Club, words: str, *players: str) -> None:
    """A tournament that these players have entered."""
    owner.run(["tournament", "open", *words.split()])
    for who in players:
        club.say(f"tournament join 1 {who} {{{who}}}")


def fields(club: Club) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(club.say("tournament 1 -format=json"))
    return found


def pairs(club: Club, number: int) -> list[list[str]]:
    """The players of each game of a round, as a program gets them."""
    games = fields(club)["games"]
    return [game["players"] for game in games if game["round"] == number]


def running(club: Club) -> list[tuple[int, list[str]]]:
    """The boards that have not ended, with their players."""
    found = [(g["board"], g["players"], g["points"]) for g in fields(club)["games"]]
    return [(board, players) for board, players, points in found if points is None]


def points(club: Club) -> dict[str, float]:
    return {row["player"]: row["points"] for row in fields(club)["players"]}


def win(club: Club, who: str) -> None:
    """Let a player win the game that they are playing."""
    for board, players in running(club):
        if who in players:
            (other,) = {*players} - {who}
            club.say(f"holo resign {board} {other} {{{other}}}")


# From the beginning to the end


def test_a_swiss_tournament_of_three(club: Club) -> None:
    opened(club, "holo swiss forfeit=10", "alice", "bob", "carol")
    assert club.tick(day(14, "07:59:59")) == []
    assert club.tick(START) == ["Tournament 1: round 1 has begun."]
    letters = club.letters()
    # of equal ratings those who entered first are the stronger: alice meets bob
    assert pairs(club, 1) == [["alice", "bob"]]
    assert {who: letter.subject for who, letter in letters.items()} == {
        "alice": "holo 1: round 1 of tournament 1, your turn",
        "bob": "holo 1: round 1 of tournament 1, alice to move",
        "carol": "tournament 1: no game in round 1",
    }
    said = plain(letters["bob"].text)
    assert said.startswith("It is alice's turn. Holomino, board 1, at the start")
    assert "Round 1 of tournament 1: a new game of Holomino for you and" in said
    assert "accept" not in said
    said = plain(letters["carol"].text)
    assert said.startswith(
        "You have no game in round 1 of tournament 1. It counts as a"
    )
    assert club.json()["match"]["forfeit"] == 10
    assert club.json()["tournament"] == {"number": 1, "round": 1}
    assert club.tick(START) == []
    win(club, "bob")
    assert club.tick(START) == ["Tournament 1: round 2 has begun."]
    # bob and carol have a point each; alice has none, and gets the bye
    assert [{*pair} for pair in pairs(club, 2)] == [{"bob", "carol"}]
    assert points(club) == {"bob": 1, "carol": 1, "alice": 1}
    club.letters()
    win(club, "carol")
    assert club.tick(START) == ["Tournament 1 is over."]
    letters = club.letters()
    assert {letter.subject for letter in letters.values()} == {
        "tournament 1: the final table"
    }
    assert {*letters} == {"alice", "bob", "carol"}
    assert "It is over: carol has won." in plain(letters["alice"].text)
    assert club.tick(day(40)) == []
    table = [(row["place"], row["player"]) for row in fields(club)["players"]]
    # alice and bob have a point each: hers came from a bye, which counts as an opponent
    # with one point, and she has met bob (1); he has met alice (1) and carol (2)
    assert table == [(1, "carol"), (2, "bob"), (3, "alice")]


def test_a_round_robin_in_rounds(club: Club) -> None:
    opened(club, "holo robin", *FRIENDS)
    assert club.tick(START) == ["Tournament 1: round 1 has begun."]
    met = set()
    for number in (1, 2, 3):
        now = [frozenset(pair) for pair in pairs(club, number)]
        assert len(now) == 2
        met |= {*now}
        for board, (_, second) in running(club):
            club.say(f"holo resign {board} {second} {{{second}}}")
        club.tick(START)
    assert len(met) == 6
    assert fields(club)["status"] == "over"
    assert sum(points(club).values()) == 6


def test_a_round_robin_all_at_once(club: Club) -> None:
    opened(club, "holo robin --at-once --days 3", "alice", "bob", "carol")
    assert club.tick(day(3)) == ["Tournament 1: all rounds have begun."]
    assert [len(pairs(club, number)) for number in (1, 2, 3)] == [1, 1, 1]
    assert [board for board, _ in running(club)] == [1, 2, 3]
    # the bye of an odd number is no point, and brings no letter of a round
    assert points(club) == {"alice": 0, "bob": 0, "carol": 0}
    for who in ("alice", "bob"):
        win(club, who)
        club.tick(day(3))
    assert fields(club)["status"] == "over"
    assert points(club) == {"alice": 2, "bob": 1, "carol": 0}
    assert "All 3 rounds" not in club.say("tournament 1")


def test_the_table_knows_a_result_at_once(club: Club) -> None:
    opened(club, "holo swiss", "alice", "bob")
    club.tick(START)
    win(club, "bob")
    said = club.say("tournament 1")
    assert "Round 1 of 1." in said
    assert [line.split()[:3] for line in said.splitlines() if "bob" in line][:1] == [
        ["1", "bob", "1.0"]
    ]
    assert "  alice - bob  holo 1  0-1\n" in said


# Too few


def test_nobody_comes(club: Club) -> None:
    opened(club, "holo swiss")
    assert club.tick(START) == ["Tournament 1 was cancelled."]
    assert club.letters() == {}
    assert club.say("tournament").startswith(
        "  tournament 1    Holomino, Swiss; 0 players; cancelled\n"
    )


def test_one_player_comes(club: Club) -> None:
    opened(club, "holo robin", "alice", "bob")
    club.say("tournament leave 1 alice {alice}")
    assert club.tick(START) == ["Tournament 1 was cancelled."]
    letters = club.letters()
    assert {*letters} == {"bob"}
    assert letters["bob"].subject == "tournament 1: cancelled"
    assert "will not take place, as nobody else has entered" in plain(
        letters["bob"].text
    )


def test_two_players_have_one_game(club: Club) -> None:
    opened(club, "holo swiss --rounds 9", "alice", "bob")
    club.tick(START)
    assert fields(club)["rounds"] == 1
    win(club, "alice")
    assert club.tick(START) == ["Tournament 1 is over."]


# Entering and leaving


def test_it_is_entered_by_mail(club: Club) -> None:
    opened(club, "holo swiss")
    raw = mail_of(f"tournament join 1 bob {PASSWORDS['bob']}", home("bob"))
    (letter,) = club.server.mail(raw)
    assert letter.to == (home("bob"),)
    said = plain(letter.text)
    assert said.startswith("You have entered tournament 1: Holomino, Swiss.")
    assert PASSWORDS["bob"] not in letter.text
    before = club.server.records()
    (again,) = club.server.mail(raw)
    assert again.text == letter.text
    assert club.server.records() == before
    club.say("change password bob {bob} another-1")
    (again,) = club.server.mail(raw)
    assert again.text == letter.text


def test_a_list_says_which_can_be_entered(club: Club) -> None:
    assert club.say("tournament") == "There has been no tournament here yet.\n"
    opened(club, "holo swiss", "alice")
    owner.run(["tournament", "open", "hextol", "robin"])
    said = club.say("tournament")
    assert "Holomino, Swiss; 1 player; open until 2026-12-04\n" in said
    assert "Hextol, round robin; 0 players; open until 2026-12-04\n" in said
    assert said.endswith("  tournament join 2 userid PASSWORD\n")
    lobby = club.say("list open")
    assert lobby.startswith("There are no open challenges.")
    assert "\nTournaments that anybody may enter:\n\n  tournament 1" in lobby
    assert "tournament 1" not in club.say("list open hextol")
    first, second = map(json.loads, club.say("tournament -format=json").splitlines())
    assert (first["game"], second["game"]) == ("holo", "hextol")


def refused(club: Club, line: str) -> str:
    return club.refused_line(line)[0]


def test_who_may_not_enter(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(club, "holo swiss", "alice")
    assert "already entered" in refused(club, "tournament join 1 alice {alice}")
    assert "not the password" in refused(club, "tournament join 1 bob wrong-1")
    assert "no tournament 7" in refused(club, "tournament join 7 bob {bob}")
    assert "not entered" in refused(club, "tournament leave 1 bob {bob}")
    assert "not a tournament's number" in refused(club, "tournament join x bob {bob}")
    club.say("signoff carol {carol}")
    assert "signed off" in refused(club, "tournament join 1 carol {carol}")
    monkeypatch.setitem(tournament.MOST_PLAYERS, "swiss", 1)
    assert "no more" in refused(club, "tournament join 1 bob {bob}")
    monkeypatch.undo()


def test_nobody_enters_after_it_has_begun(club: Club) -> None:
    opened(club, "holo swiss", "alice", "bob")
    club.tick(START)
    assert "has begun" in refused(club, "tournament join 1 carol {carol}")


def test_who_leaves_has_no_more_games(club: Club) -> None:
    opened(club, "holo robin", *FRIENDS)
    club.tick(START)
    said = club.say("tournament leave 1 dave {dave}")
    assert "Those that have begun go on" in plain(said)
    assert "already left" in refused(club, "tournament leave 1 dave {dave}")
    assert "(left)" in club.say("tournament 1")
    for _ in range(3):
        for board, (_, second) in running(club):
            club.say(f"holo resign {board} {second} {{{second}}}")
        club.tick(START)
    found = fields(club)
    assert found["status"] == "over"
    theirs = [g["round"] for g in found["games"] if "dave" in g["players"]]
    assert theirs == [1]
    # those who would have met dave have a point each
    assert [bye["points"] for bye in found["byes"]] == [1, 1]
    assert "is over" in refused(club, "tournament leave 1 alice {alice}")


@pytest.mark.parametrize("command", ["signoff", "delete"])
def test_who_signs_off_leaves(club: Club, command: str) -> None:
    opened(club, "holo swiss", "alice", "bob", "carol")
    club.say(f"{command} bob {{bob}}")
    club.tick(START)
    assert pairs(club, 1) == [["alice", "carol"]]


# The boards


def test_a_game_of_a_tournament_is_no_challenge(club: Club) -> None:
    for _ in range(3):
        club.say("holo challenge alice bob")
    opened(club, "holo swiss", "alice", "bob")
    club.tick(START)
    assert [board for board, _ in running(club)] == [4]
    assert "cannot be declined" in refused(club, "holo decline 4 bob {bob}")
    assert "Nothing is on offer" in refused(club, "holo accept 4 bob {bob}")
    club.say("decline all bob {bob}")
    assert club.json("show 4")["status"] == "active"


def test_a_player_who_never_moves_loses(club: Club) -> None:
    opened(club, "holo swiss", "alice", "bob")
    club.tick(START)
    assert "holo 1: alice is reminded." in club.tick(day(14 + 7))
    assert club.tick(day(14 + 21)) == [
        "holo 1: alice ran out of time.",
        "Tournament 1 is over.",
    ]
    result = club.json()["result"]
    assert (result["winners"], result["reason"]) == (["bob"], "forfeit")
    assert points(club) == {"bob": 1, "alice": 0}


def test_a_game_that_is_cancelled_or_gone_counts_as_a_tie(club: Club) -> None:
    opened(club, "holo swiss --rounds 1", *FRIENDS)
    club.tick(START)
    owner.run(["void", "holo", "1"])
    club.server.document("holo", "2").unlink()
    assert club.tick(START) == ["Tournament 1 is over."]
    assert {*points(club).values()} == {0.5}


def test_a_damaged_board_stops_only_its_tournament(club: Club) -> None:
    opened(club, "holo swiss", "alice", "bob")
    club.tick(START)
    club.server.damage("holo", "1")
    owner.run(["tournament", "open", "holo", "swiss", "--days", "1"])
    told = club.tick(day(15))
    assert any(club.server.called("holo", "1") in sentence for sentence in told)
    assert "Tournament 2 was cancelled." in told


def test_its_boards_are_replayed_by_strangers(club: Club) -> None:
    opened(club, "holo swiss", "alice", "bob")
    club.tick(START)
    said = club.say("holo history 1 -format=yaml")
    assert "tournament: '1.1'\n" in said or "tournament: 1.1\n" in said
    assert "!pair" in said


# The owner


def test_the_owner_cancels_it(club: Club) -> None:
    opened(club, "holo swiss", "alice", "bob")
    club.tick(START)
    club.letters()
    assert owner.run(["tournament", "cancel", "1"]).text == (
        "Tournament 1 was cancelled.\n"
    )
    letters = club.letters()
    assert {*letters} == {"alice", "bob"}
    assert "has cancelled tournament 1" in plain(letters["bob"].text)
    assert club.json()["status"] == "active"
    win(club, "alice")
    assert club.tick(START) == []
    with pytest.raises(NotAllowed, match="was cancelled"):
        owner.run(["tournament", "cancel", "1"])
    with pytest.raises(NotFound):
        owner.run(["tournament", "cancel", "2"])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("chess swiss", "chess"),
        ("holo knockout", "knockout"),
        ("holo robin --rounds 3", "please leave out --rounds"),
        ("holo swiss --at-once", "please leave out --at-once"),
        ("holo swiss --days 0", "not a number"),
        ("holo swiss pool_size=99", "outside its limits"),
        ("holo swiss poolsize=3", "Did you mean -pool_size"),
        ("holo swiss forfeit=9 forfeit=8", "given twice"),
        ("holo swiss 5", "forfeit=10"),
    ],
)
def test_what_the_owner_may_not_ask_for(club: Club, words: str, why: str) -> None:
    with pytest.raises(BadCommand, match=why):
        owner.run(["tournament", "open", *words.split()])
    assert club.say("tournament") == "There has been no tournament here yet.\n"


def test_without_the_library_a_swiss_tournament_waits(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence says what to install, when it is opened and at every tick."""
    wanted = "Swiss tournaments need networkx"
    line = line_for("tournament")
    opened(club, "holo swiss", "alice", "bob")
    with monkeypatch.context() as bare:
        bare.setitem(sys.modules, "networkx", None)
        with pytest.raises(NotAllowed, match=wanted):
            owner.run(["tournament", "open", "holo", "swiss"])
        owner.run(["tournament", "open", "holo", "robin"])
        problem, other = club.tick(START)
        assert problem == f"{wanted}. Please install it. {line}"
        assert other.startswith("Tournament 2 was cancelled")
    assert "Tournament 1: round 1 has begun." in club.tick(START)


def test_players_cannot_open_or_cancel_one(club: Club) -> None:
    opened(club, "holo swiss", "alice")
    for words in ("open holo swiss", "cancel 1"):
        (letter,) = club.server.mail(mail_of(f"tournament {words}", home("alice")))
        assert "not a tournament's number" in plain(letter.text)
    assert fields(club)["status"] == "open"


def test_their_subjects_are_no_commands() -> None:
    assert is_our_subject("Re: tournament 1: the final table")
    assert not is_our_subject("tournament 1")
    assert not is_our_subject("Fwd: tournament join 1 alice secret")


# Nothing is lost


def test_letters_that_could_not_leave_leave_later(club: Club) -> None:
    opened(club, "holo swiss", "alice", "bob", "carol")
    club.server.cannot_send()
    club.tick(START)
    club.server.trouble = None
    assert owner.run(["flush"]).status == 0
    assert {*club.letters()} == {"alice", "bob", "carol"}
    assert owner.run(["flush"]).text == "No letters are waiting.\n"


def test_a_tick_that_dies_at_any_moment_is_made_up_for(
    club: Club,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever has been done, the next tick and flush lead to the same: one game, one
    bye, and each letter at least once."""
    opened(club, "holo swiss --days 1", "alice", "bob", "carol")
    there, here, moment, has_died = Club.__new__(Club), club.server, 0, True
    there.game = "holo"
    while has_died:
        moment += 1
        there.server = here.copy(tmp_path_factory.mktemp("copy") / "games")
        own(there.server, monkeypatch)
        has_died = dies(there.server, moment, partial(there.tick, day(1)))
        sent = list(there.server.sent)
        there.tick(day(1))
        sent += there.server.sent
        there.server.sent.clear()
        owner.run(["flush"])
        keys = {letter.key for letter in (*sent, *there.server.sent)}
        assert keys == {"holo.1.0.alice", "holo.1.0.bob", "tournaments.1.5.carol"}
        assert there.server.library.lists.boards("holo") == [1]
        assert running(there) == [(1, ["alice", "bob"])]
    assert moment > 20


def test_it_is_checked_and_copied_with_the_store(club: Club) -> None:
    opened(club, "holo swiss", "alice")
    assert owner.run(["check"]).status == 0
    assert Title(DOCUMENT, TOURNAMENTS, "1") in club.server.store.titles()
    club.server.damage(TOURNAMENTS, "1")
    checked = owner.run(["check"])
    assert checked.status == 1
    assert club.server.called(TOURNAMENTS, "1") in plain(checked.text)
    assert club.server.called(TOURNAMENTS, "1") in club.say("tournament")
    assert club.server.called(TOURNAMENTS, "1") in plain(club.tick(START)[0])


def test_games_of_a_tournament_are_no_challenges(club: Club) -> None:
    """They neither wait for room among those, nor take it."""
    for _ in range(3):
        club.say("holo challenge alice bob")
    challenge = "holo challenge alice bob"
    assert "3 challenges between" in plain(club.refused_line(challenge)[0])
    opened(club, "holo robin", "alice", "bob")
    assert "Tournament 1: round 1 has begun." in club.tick(START)
    assert [players for _, players in running(club)] == [["alice", "bob"]]
    for board in (1, 2, 3):
        club.say(f"holo accept {board} bob {{bob}}")
    for _ in range(3):
        club.say(challenge)
    assert "3 challenges between" in plain(club.refused_line(challenge)[0])


def test_a_digest_has_what_happened_in_ones_tournaments(club: Club) -> None:
    """What is new since the last one, and nothing of tournaments of others."""
    everybody = ("alice", "bob", "carol", "dave")
    opened(club, "holo swiss", *everybody)
    club.tick(START)
    club.say("signup erin secret erin@example.org")
    club.say("change digest erin secret on")
    for who in everybody:
        club.say(f"change digest {who} {{{who}}} on")
    club.say("holo challenge erin alice")
    win(club, "alice")  # against carol, as bob plays against dave
    club.tick(day(15))
    digests = club.letters()
    assert "tournament" not in digests.pop("erin").text
    assert news(digests.popitem()[1]) == [
        "tournament 1: round 1 has begun",
        f"tournament 1, round 1: {won_by(club, 'alice')}",
    ]
    win(club, "bob")
    club.server.taken()
    club.tick(day(16))
    seen = [found for letter in club.server.taken() if (found := news(letter))]
    assert len(seen) >= 2  # it is somebody's turn on each of the two boards
    for found in seen:
        assert found[-2:] == [
            f"tournament 1, round 1: {won_by(club, 'bob')}",
            "tournament 1: round 2 has begun",
        ]


def won_by(club: Club, who: str) -> str:
    """The result of a player's game in the first round, who has won it."""
    (players,) = (pair for pair in pairs(club, 1) if who in pair)
    return " ".join((players[0], "1-0" if players[0] == who else "0-1", players[1]))


def news(letter: Letter) -> list[str]:
    """The lines of a digest about tournaments."""
    _, _, said = letter.text.partition("In tournaments that you play in:")
    lines = [line.strip() for line in said.splitlines()]
    return [line for line in lines if line.startswith("tournament ")]


def test_robots_enter_no_tournament(club: Club) -> None:
    opened(club, "holo swiss", "alice")
    for word in ("secret", "xanadu"):
        said = refused(club, f"tournament join 1 robot1 {word}")
        assert "robot1 is a robot, and only people play in tournaments" in said
    assert [row["player"] for row in fields(club)["players"]] == ["alice"]


# Letters that come back


def test_a_letter_about_a_tournament_that_comes_back_counts(club: Club) -> None:
    """Three days of them are needed, as of any other letters."""
    house, address = club.server, home("carol")

    def days() -> list[str]:
        carol = house.library.player("carol")
        assert carol is not None
        return [day[8:] for each in carol.bounces for day in each.days]

    opened(club, "holo swiss", "alice", "bob", "carol")
    club.tick(START)
    bye = club.letters()["carol"]
    assert bye.subject == "tournament 1: no game in round 1"
    lost = Lost(address, message(bye, house.config))
    assert house.mail(postfix(lost)) == []
    assert days() == [START[8:10]]
    assert letter_ids.parse_mark(letter_ids.mark(KEY, bye.name)) is not None

    owner.run(["tournament", "cancel", "1"])
    last = club.letters()["carol"]
    forged = last._replace(id=last.id[:-1] + ("a" if last.id[-1] != "a" else "b"))
    later = f"{START[:8]}{int(START[8:10]) + 1:02}{START[10:]}"
    for letter in (bye, forged):
        house.time = later
        house.mail(postfix(Lost(address, message(letter, house.config))))
    assert days() == [START[8:10]]


def test_nobody_need_reply_to_a_letter_about_a_tournament(club: Club) -> None:
    opened(club, "holo swiss", "alice", "bob", "carol")
    club.tick(START)
    bye = club.letters()["carol"]
    (answer,) = club.server.reply(bye, "Thank you.")
    assert "I cannot read a command in this reply" in plain(answer.text)


def test_somebody_else_writes_at_the_same_time(club: Club) -> None:
    opened(club, "holo swiss", "alice", "bob")
    with club.server.busy(TOURNAMENTS, "1"):
        (told,) = club.tick(START)
        assert "busy" in told
    assert club.tick(START) == ["Tournament 1: round 1 has begun."]
