"""Open challenges: a challenge to anyone waits in a list until all seats are taken."""

import json
from functools import partial

import pytest
import yaml

from pbm_holomino import owner
from pbm_holomino.commands import open_challenges
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.match.record import Act
from pbm_holomino.store import yaml as strict
from tests.club import Club, day, log_of, subjects
from tests.house import PASSWORDS, SEED, Seeds, home, mail_of
from tests.match.verifier import verify
from tests.processes import at_once
from tests.prose import plain


@pytest.fixture
def club(club: Club) -> Club:
    club.game = "holo"
    return club


def mail(
    club: Club, who: str, line: str, no: str = "1", body: str = ""
) -> list[Letter]:
    """The letters that leave because of a player's mail."""
    subject = line.replace("PASSWORD", PASSWORDS[who])
    club.server.sent.clear()
    raw = mail_of(subject, home(who), body, Message_ID=f"<{who}.{no}@example.org>")
    return club.server.mail(raw)


def answer(club: Club, who: str, line: str, no: str = "1") -> str:
    """The text of the only letter that leaves because of a player's mail."""
    (letter,) = mail(club, who, line, no)
    assert letter.to == (home(who),)
    return plain(letter.text)


def refused(club: Club, line: str) -> str:
    return club.refused_line(line)[0]


def data(club: Club, game: str = "holo", board: int = 1) -> dict[str, object]:
    found: dict[str, object] = club.server.data(game, str(board))
    return found


# Opening


def test_nothing_is_drawn_before_somebody_takes_it_up(club: Club) -> None:
    said = club.say("holo challenge alice anyone -pool_size=4")
    assert 'listed by "list open" as holo 1: alice against anyone' in plain(said)
    assert "with -pool_size=4" in plain(said)
    assert "2026-12-11, 08:00 UTC" in plain(said)
    assert "  holo decline 1 alice PASSWORD\n" in said
    assert not {"seed", "seal", "picture"} & data(club).keys()
    assert club.server.sent == []  # it was typed


def test_the_opener_is_answered_by_mail_and_again(club: Club) -> None:
    line = "holo challenge alice anyone"
    first = mail(club, "alice", line)
    assert [letter.subject for letter in first] == ["holo 1: an open challenge"]
    assert [letter.page for letter in first] == [""]  # nobody plays there yet
    before = club.server.records()
    assert mail(club, "alice", line) == first
    assert club.server.records() == before
    mail(club, "bob", "holo accept 1 bob PASSWORD")
    (letter,) = mail(club, "alice", line)  # it has become a board since
    assert letter.to == (home("alice"),)
    assert "Holomino, board 1, at the start" in letter.text
    assert not club.server.document("holo", "2").exists()


def test_the_opener_withdraws_it_by_a_reply(club: Club) -> None:
    """Or by the link in the letter, which has a token; nobody else can."""
    line = "holo challenge alice anyone"
    for number, word in enumerate(("decline", "Withdraw"), 1):
        (letter,) = mail(club, "alice", line, f"{number}")
        assert "PASSWORD" not in str(message(letter, club.server.config))
        said = answer(club, "bob", f"holo decline {number} alice ~{letter.token}")
        assert "That reply or link is not valid" in said
        (told,) = club.server.reply(letter, word)
        assert told.subject == f"holo {number}: the open challenge was withdrawn"
    (letter,) = mail(club, "alice", line, "3")
    said = answer(club, "alice", f"holo decline 3 alice ~{letter.token}", "4")
    assert "You have withdrawn the open challenge holo 3." in said


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("holo challenge anyone anyone", "names the player who opens it"),
        ("walomino challenge alice bob anyone", "names the player who opens it"),
        ("holo challenge alice anyone anyone", "a game for 2 players, not for 3"),
        ("holo challenge nobody anyone", "no player of that name"),
        ("holo challenge alice anyone -pool_size=99", "pool_size"),
    ],
)
def test_a_wrong_open_challenge_is_refused(club: Club, line: str, why: str) -> None:
    assert why in club.refused_line(line)[0]


def test_by_mail_only_the_opener_opens(club: Club) -> None:
    assert "must come from the address" in answer(
        club, "bob", "holo challenge alice anyone"
    )
    club.say("signoff alice xanadu")
    assert "signed off" in refused(club, "holo challenge alice anyone")


def test_three_in_a_game_and_so_many_in_all(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert open_challenges.MOST_IN_ALL == 10
    monkeypatch.setattr(open_challenges, "MOST_IN_ALL", 7)
    for game in ("holo", "hextol"):
        for _ in range(3):
            club.say(f"{game} challenge alice anyone")
        said = refused(club, f"{game} challenge alice anyone")
        assert "3 open challenges by alice wait to be taken up" in said
        assert f"{game} 1, {game} 2 and {game} 3" in said
    club.say("walomino challenge alice anyone")
    assert "7 open challenges by alice" in refused(
        club, "walomino challenge alice anyone"
    )
    club.say("holo challenge bob anyone")
    club.say("holo accept 2 bob better4")
    club.say("holo challenge alice anyone")


def test_numbers_go_on(club: Club) -> None:
    club.say("holo challenge alice anyone")
    assert "board 2" in club.say("holo challenge bob carol")
    assert "holo 3" in club.say("holo challenge alice anyone")


# What it is while it is open


@pytest.mark.parametrize(
    "line",
    [
        "show 1",
        "show 1#0",
        "show 1 -format=json",
        "history 1",
        "verify 1",
        "preview 1 142:4",
        "previewas 1 bob better4 142:4",
        "showas bob better4 1",
        "move 1 bob better4 142:4",
        "queue 1 bob better4 142:4",
        "submit 1 bob better4 142:4",
        "confirm 1 bob better4",
        "resign 1 bob better4",
        "chat 1 bob better4 -m=Hello",
        "rematch 1 bob better4",
        "move 1 bob better4 propose",
    ],
)
def test_it_is_no_board(club: Club, line: str) -> None:
    club.say("holo challenge alice anyone -pool_size=4")
    said, rest = club.refused_line(f"holo {line}")
    assert "holo 1 is an open challenge by alice (-pool_size=4): alice against" in said
    assert "holo accept 1 " in rest


def test_lists_of_boards_do_not_name_it(club: Club) -> None:
    club.say("holo challenge alice anyone")
    for line in ("games", "games alice all", "show alice", "history"):
        assert "holo 1" not in club.say(f"holo {line}")
    assert "holo 1" not in club.say("all show alice")
    assert club.say("holo show alice all -format=json") == ""
    assert "holo 1" not in club.say("holo history -format=json")


def test_the_list_of_open_challenges(club: Club) -> None:
    assert "There are no open challenges" in club.say("list open")
    assert "walomino challenge userid anyone" in club.say("list open walomino")
    club.say("holo challenge anyone alice -pool_size=4")
    club.say("walomino challenge bob anyone anyone")
    club.say("walomino accept 1 carol quokka9")
    told = club.say("list open")
    until = "until 2026-12-11"
    assert f"  holo 1        anyone against alice, {until}  -pool_size=4\n" in told
    assert f"  walomino 1    bob, carol and anyone, {until}\n" in told
    assert "  holo accept 1 userid PASSWORD\n" in told
    one = club.say("list walomino open")
    assert "holo" not in one
    assert "walomino accept 1 userid PASSWORD" in one
    stranger = mail_of("list open", "eve@example.net", "", Message_ID="<e@example.net>")
    (letter,) = club.server.mail(stranger)
    assert letter.text == told
    assert "alice " in club.say("list")  # the players, as ever


def test_the_store_is_sound_while_it_is_open_and_after(club: Club) -> None:
    def checked() -> str:
        done = owner.run(["check"])
        assert done.status == 0, done.text
        return done.text

    club.say("holo challenge alice anyone")
    club.say("holo challenge bob anyone")
    checked()
    club.say("holo decline 2 bob better4")
    checked()
    club.say("holo accept 1 carol quokka9")
    checked()
    assert owner.run(["flush"]).status == 0


def test_a_derived_part_is_mended(club: Club) -> None:
    club.say("holo challenge alice anyone")
    good = data(club)
    club.server.put("holo", "1", {**good, "status": "closed", "seated": ["bob"]})
    assert owner.run(["check"]).status == 1
    assert owner.run(["check", "--repair"]).status == 0
    assert data(club) == good
    assert "holo 1" in club.say("list open")


@pytest.mark.parametrize(
    "change",
    [
        {"players": ["alice", "bob"]},
        {"players": ["anyone", "anyone"]},
        {"players": ["alice", "anyone", "anyone"]},
        {"challenger": "bob"},
        {"log": []},
        {"log": ["0 2026-11-20T08:00:00Z alice - !rematch"]},
        {"options": {}},
        {"notes": []},
    ],
)
def test_a_damaged_file_is_named(club: Club, change: dict[str, object]) -> None:
    club.say("holo challenge alice anyone")
    club.server.put("holo", "1", {**data(club), **change})
    before = club.server.records()
    for line in ("show 1", "accept 1 bob better4", "decline 1 alice xanadu"):
        done = club.server.type(f"holo {line}")
        assert done.status == 1
        damaged = f"The {club.server.called('holo', '1')} of this server is damaged."
        assert damaged in plain(done.text)
    assert club.server.records() == before


# Taking it up


def test_it_becomes_a_board_when_it_is_taken_up(club: Club) -> None:
    mail(club, "alice", "holo challenge alice anyone -pool_size=4", body="Who dares?")
    club.server.time = day(5)
    letters = mail(club, "bob", "holo accept 1 bob PASSWORD", body="I do")
    told = {letter.to[0].partition("@")[0]: letter for letter in letters}
    assert subjects(told) == {
        "alice": "holo 1: bob has taken up your challenge, your turn",
        "bob": "holo 1: a new game, alice to move",
    }
    assert "bob writes: I do" in plain(told["alice"].text)
    assert "alice writes: Who dares?" in plain(told["bob"].text)
    assert "bob took up the open challenge. You drew " in plain(told["alice"].text)
    assert "A new game of Holomino for you and alice." in plain(told["bob"].text)
    assert "lapses" not in told["bob"].text
    acts = [(line.split()[1], line.split()[3]) for line in log_of(club)]
    assert acts == [("alice", "!challenge"), ("bob", "!join")]
    found = club.server.match()
    assert found.record.seed == SEED
    assert found.record.unanswered == ()
    assert found.record.players == ("alice", "bob")
    assert found.record.options["pool_size"] == 4


def test_its_draws_are_those_of_an_ordinary_board(club: Club) -> None:
    """The same seed and the same players: the same board."""
    club.say("holo challenge alice anyone -random")
    club.say("holo accept 1 bob better4")
    club.say("holo challenge alice bob -random")
    one, two = club.server.match(1), club.server.match(2)
    assert one.record.players == two.record.players
    assert one.view(None) == two.view(None)


def test_clocks_begin_when_it_is_taken_up(club: Club) -> None:
    club.say("holo challenge alice anyone -nag=2 -forfeit=5")
    club.server.time = day(10)
    club.say("holo accept 1 bob better4")
    club.server.sent.clear()
    assert club.tick(day(11)) == []
    assert club.tick(day(12)) == ["holo 1: alice is reminded."]
    assert "It has been your turn since 2026-11-30" in plain(club.server.sent[0].text)
    assert club.tick(day(14, "07:59:59")) == []
    assert "holo 1: alice ran out of time." in club.tick(day(15))


def test_a_taken_board_is_proved_and_told(club: Club) -> None:
    club.say("walomino challenge alice anyone anyone")
    club.say("walomino accept 1 carol quokka9")
    club.say("walomino accept 1 bob better4")
    club.game = "walomino"
    club.play(seed=3)
    told = plain(club.say("walomino history 1"))
    assert "alice opened a challenge to anybody." in told
    assert "carol took up the open challenge." in told
    assert "The game begins. bob took up the open challenge." in told
    record = club.say("walomino history 1 -format=yaml")
    log = yaml.load(record, yaml.BaseLoader)["log"]
    acts = [(line.split(" ")[2], line.split(" ")[4]) for line in log[:3]]
    assert acts == [("-", "!challenge"), ("carol", "!join"), ("bob", "!join")]
    proof = verify(record)
    fields = json.loads(club.say("walomino show 1 -format=json"))
    assert proof.scores == fields["scores"]
    assert proof.winners == fields["result"]["winners"]
    assert fields["seal"] in club.say("walomino verify 1")


@pytest.mark.parametrize("form", ["accept 1 bob better4", "move 1 bob better4 accept"])
def test_the_same_mail_takes_it_up_once(club: Club, form: str) -> None:
    club.say("holo challenge alice anyone")
    first = mail(club, "bob", f"holo {form}")
    assert len(first) == 2
    before = club.server.records()
    again = mail(club, "bob", f"holo {form}")
    assert again == [letter for letter in first if letter.to == (home("bob"),)]
    assert club.server.records() == before


def test_one_of_two_gets_it(club: Club) -> None:
    club.say("holo challenge alice anyone")
    lines = {who: f"holo accept 1 {who} {PASSWORDS[who]}" for who in ("bob", "carol")}
    done = {}

    def take(who: str) -> None:
        done[who] = club.server.type(lines[who])

    at_once(*(partial(take, who) for who in lines))
    (winner,) = (who for who in done if done[who].status == 0)
    (loser,) = (who for who in done if done[who].status == 1)
    said = plain(done[loser].text)
    assert said.startswith(f"holo 1 is not open any more, as {winner} took it up.")
    assert club.server.match().record.players == ("alice", winner)
    again = club.server.type(f"holo move 1 {loser} {PASSWORDS[loser]} accept")
    assert "not open any more" in again.text


def test_it_is_not_taken_up_by_its_opener(club: Club) -> None:
    club.say("holo challenge alice anyone")
    said = club.refused_line("holo accept 1 alice xanadu")
    assert "your own open challenge" in said[0]
    assert said[1] == "  holo decline 1 alice PASSWORD\n"
    assert "not the password" in refused(club, "holo accept 1 bob wrong99")


def test_those_who_block_each_other_do_not_meet(club: Club) -> None:
    club.say("holo challenge alice anyone")
    club.say("block alice xanadu bob")
    club.say("block carol quokka9 alice")
    said = refused(club, "holo accept 1 bob better4")
    assert said == "alice accepts no challenges from bob."
    said, line = club.refused_line("holo accept 1 carol quokka9")
    assert said.startswith("You have blocked alice.")
    assert line == "  unblock carol PASSWORD alice\n"
    club.say("holo accept 1 dave zebra88")


def test_those_who_share_a_board_have_not_blocked_each_other(club: Club) -> None:
    club.say("walomino challenge alice anyone anyone")
    club.say("walomino accept 1 bob better4")
    club.say("block bob better4 carol")
    said = refused(club, "walomino accept 1 carol quokka9")
    assert said == "bob accepts no challenges from carol."


def test_nobody_plays_who_has_signed_off(club: Club) -> None:
    club.say("holo challenge alice anyone")
    club.say("signoff bob better4")
    assert '"bob" has signed off' in refused(club, "holo accept 1 bob better4")
    club.say("signoff alice xanadu")
    assert '"alice" has signed off' in refused(club, "holo accept 1 carol quokka9")


def test_three_and_four_players(club: Club) -> None:
    club.say("walomino challenge anyone alice anyone anyone")
    said = plain(club.say("walomino accept 1 dave zebra88"))
    assert "You have a seat in walomino 1, alice's open challenge" in said
    assert "dave, alice, anyone and anyone. It begins when 2 more players have" in said
    assert "when 2 more players have taken" in refused(
        club, "walomino accept 1 dave zebra88"
    )
    letters = mail(club, "bob", "walomino accept 1 bob PASSWORD")
    assert [letter.to for letter in letters] == [(home("bob"),)]
    assert "when 1 more player has taken a seat" in plain(letters[0].text)
    letters = mail(club, "carol", "walomino accept 1 carol PASSWORD")
    assert len(letters) == 4
    record = club.server.library.match("walomino", 1).record
    assert record.players == ("dave", "alice", "bob", "carol")
    assert record.unanswered == ()
    again = mail(club, "bob", "walomino accept 1 bob PASSWORD")
    assert [letter.to for letter in again] == [(home("bob"),)]
    assert "Walomino, board 1, at the start" in again[0].text


def test_seats_by_lot(club: Club) -> None:
    seats = set()
    club.server.server.seed = Seeds()
    for number in range(1, 9):
        club.say("holo challenge alice anyone -random")
        club.say(f"holo accept {number} bob better4")
        seats.add(club.server.match(number).record.players)
    assert seats == {("alice", "bob"), ("bob", "alice")}


def test_an_old_account_named_anyone_is_reached_elsewhere(club: Club) -> None:
    club.server.sign_up("someone")
    account = {**club.server.data("players", "someone"), "userid": "anyone"}
    club.server.put("players", "anyone", account)
    club.server.document("players", "someone").unlink()
    club.say("message alice xanadu anyone -m=Hello")
    assert "alice against anyone" in plain(club.say("holo challenge alice anyone"))
    assert "open challenge" in club.refused_line("holo show 1")[0]
    club.say("holo accept 1 anyone secret")
    assert club.server.match().record.players == ("alice", "anyone")


# Its end


def test_its_opener_withdraws_it(club: Club) -> None:
    mail(club, "alice", "holo challenge alice anyone")
    assert "only alice can withdraw" in refused(club, "holo decline 1 bob better4")
    (letter,) = mail(club, "alice", "holo decline 1 alice PASSWORD", "2")
    assert letter.subject == "holo 1: the open challenge was withdrawn"
    assert letter.text == "You have withdrawn the open challenge holo 1.\n"
    assert mail(club, "alice", "holo decline 1 alice PASSWORD", "2") == [letter]
    gone = "holo 1 was an open challenge by alice, and never became a board"
    for line in ("show 1", "accept 1 bob better4", "decline 1 alice xanadu"):
        said, rest = club.refused_line(f"holo {line}")
        assert said == f"{gone}: it was withdrawn."
        assert rest == ""
    assert "no open challenges" in club.say("list open")
    assert "holo 1" not in club.say("holo history")
    mail(club, "alice", "holo challenge alice anyone")  # the first mail again
    assert not club.server.document("holo", "2").exists()
    assert "no open challenges" in club.say("list open")


def test_those_who_have_a_seat_hear_of_its_end(club: Club) -> None:
    club.say("walomino challenge alice anyone anyone")
    club.say("walomino accept 1 bob better4")
    assert "Once it has begun you can resign" in refused(
        club, "walomino decline 1 bob better4"
    )
    letters = mail(club, "alice", "walomino decline 1 alice PASSWORD")
    told = {letter.to: plain(letter.text) for letter in letters}
    assert told == {
        (home("alice"),): "You have withdrawn the open challenge walomino 1.",
        (home("bob"),): "alice has withdrawn the open challenge walomino 1.",
    }


def test_it_lapses_after_21_days(club: Club) -> None:
    club.say("holo challenge alice anyone -pool_size=4")
    assert club.tick(day(1)) == ["holo 1: alice is offered the robot."]
    assert club.tick(day(21, "07:59:59")) == []
    assert club.tick(day(21)) == ["holo 1: the challenge has lapsed."]
    (letter,) = club.server.sent
    assert letter.to == (home("alice"),)
    assert letter.subject == "holo 1: the open challenge has lapsed"
    assert not letter.replied
    assert plain(letter.text).startswith("Nobody took up your open challenge holo 1 by")
    assert "\n  holo challenge alice anyone -pool_size=4\n" in letter.text
    assert club.tick(day(22)) == []
    assert log_of(club)[-1] == f"- - tick {Act.LAPSE}"
    assert "it was not taken up in time" in refused(club, "holo accept 1 bob better4")


def test_the_letter_of_its_end_is_not_lost(club: Club) -> None:
    club.say("holo challenge alice anyone")
    club.tick(day(1))
    club.server.cannot_send()
    club.tick(day(21))
    assert club.server.sent == []
    club.server.trouble = None
    assert owner.run(["flush"]).status == 0
    assert [letter.subject for letter in club.server.sent] == [
        "holo 1: the open challenge has lapsed"
    ]
    assert owner.run(["flush"]).text == "No letters are waiting.\n"


def test_the_owner_cancels_it(club: Club) -> None:
    club.say("holo challenge alice anyone")
    assert owner.run(["void", "holo", "1"]).status == 0
    (letter,) = club.server.sent
    assert letter.to == (home("alice"),)
    assert letter.subject == "holo 1: the open challenge was cancelled"
    assert "the owner of this server cancelled it" in refused(club, "holo show 1")


def test_an_account_with_a_seat_is_not_deleted(club: Club) -> None:
    club.say("walomino challenge alice anyone anyone")
    club.say("walomino accept 1 bob better4")
    for who in ("alice", "bob"):
        said = refused(club, f"delete {who} {PASSWORDS[who]}")
        assert said.startswith("You have a seat in walomino 1")
    club.say("walomino decline 1 alice xanadu")
    for who in ("alice", "bob"):
        club.say(f"delete {who} {PASSWORDS[who]}")


# Digests


def test_a_digest_names_what_its_reader_may_take_up(club: Club) -> None:
    club.say("change digest bob better4 on")
    club.say("change digest alice xanadu on")
    club.open("holo").accept()  # a board for alice to move
    club.say("holo challenge bob alice")
    for who in ("alice", "carol", "dave"):
        club.say(f"hextol challenge {who} anyone")
    club.say("block carol quokka9 alice")
    club.server.sent.clear()
    club.tick(day(1))
    told = {letter.to[0]: letter.text for letter in club.server.sent}
    hers = told[home("alice")]
    assert "hextol 1 " not in hers  # her own
    assert "hextol 2 " not in hers  # carol has blocked her
    assert "  hextol 3      dave against anyone, until 2026-12-11\n" in hers
    assert "  hextol accept 3 alice PASSWORD\n" in hers
    assert home("bob") in told
    assert all(f"  hextol {number} " in told[home("bob")] for number in (1, 2, 3))


def test_a_digest_names_ten_at_most(club: Club) -> None:
    club.say("change digest bob better4 on")
    club.open("holo")
    for game in ("holo", "hextol", "walomino"):
        for who in ("alice", "carol"):
            for _ in range(2):
                club.say(f"{game} challenge {who} anyone")
    club.server.sent.clear()
    club.tick(day(1))
    (letter,) = (one for one in club.server.sent if one.to == (home("bob"),))
    assert letter.text.count(" against anyone, until") == 10


def test_no_digest_comes_for_open_challenges_alone(club: Club) -> None:
    club.say("change digest bob better4 on")
    club.say("holo challenge alice anyone")
    assert club.tick(day(1)) == ["holo 1: alice is offered the robot."]
    assert {*club.letters()} == {"alice"}


# Where nobody comes


def test_a_player_whom_nobody_joins_is_offered_the_robot(club: Club) -> None:
    club.say("walomino challenge alice anyone anyone")
    assert club.tick(day(1, "07:59:59")) == []
    club.server.time = day(0, "20:00:00")
    club.say("walomino accept 1 bob {bob}")
    assert club.tick(day(1, "19:59:59")) == []  # somebody has come within a day
    assert club.tick(day(1, "20:00:00")) == ["walomino 1: alice is offered the robot."]
    letters = club.letters()
    assert {*letters} == {"alice"}
    assert letters["alice"].subject == "alice: your open challenge"
    assert not letters["alice"].replied
    assert plain(letters["alice"].text).startswith(
        "Your open challenge walomino 1 still waits for players, alice. It stays open"
    )
    offered = letters["alice"].text.splitlines()[-1]
    assert offered == "  walomino challenge alice robot"
    assert club.tick(day(9)) == []  # once is enough
    club.say(offered.strip())


def test_nobody_on_vacation_is_offered_the_robot(club: Club) -> None:
    club.say("holo challenge alice anyone")
    club.say("change vacation alice {alice} 3")
    assert club.tick(day(2)) == []
    assert club.tick(day(4)) == ["holo 1: alice is offered the robot."]


def test_a_reminder_does_not_name_them(club: Club) -> None:
    club.open("holo").accept()
    club.say("hextol challenge carol anyone")
    club.server.sent.clear()
    club.tick(day(8))
    assert all("anyone" not in letter.text for letter in club.server.sent)
    assert club.server.sent


def test_the_public_record_has_no_more_than_the_log(club: Club) -> None:
    mail(club, "alice", "holo challenge alice anyone", body="Hello")
    mail(club, "bob", "holo accept 1 bob PASSWORD", body="Good day")
    text = club.say("holo history 1 -format=yaml").encode()
    record = strict.load(text)
    assert [line.split()[-1] for line in record["log"]] == ["!challenge", "!join"]
    assert record["said"] == {"0": "Hello", "1": "Good day"}
    assert "seed" not in record
