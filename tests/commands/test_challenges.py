"""Challenges: who may accept, decline or withdraw one, when it lapses, how many may
wait for an answer, and who may not challenge again so soon."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.errors import NotAllowed, PbmError
from pbm_holomino.match import deadlines, record, replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.match.record import Act, Line
from pbm_holomino.match.times import later
from pbm_holomino.rules import names
from pbm_holomino.rules.chance import Chance, shuffled
from pbm_holomino.store import yaml as strict
from tests.boards import CASES, MAIL, TIME, Case, action, opened, written
from tests.club import Club, day, log_of, result_of, subjects
from tests.house import FRIENDS, PASSWORDS
from tests.prose import plain
from tests.sizes import sized

OFF = "cancelled, as {} the challenge"


def asked(club: Club, who: str, line: str) -> str:
    """What a player is answered who asks in the shell; PASSWORD is theirs."""
    return club.say(line.replace("PASSWORD", PASSWORDS[who]))


def refused(club: Club, line: str) -> str:
    return club.refused_line(line)[0]


# Accepting


@pytest.mark.parametrize("form", ["accept 1 bob better4", "move 1 bob better4 accept"])
def test_a_challenge_is_accepted(club: Club, form: str) -> None:
    club.open("holo")
    assert "bob accepted the challenge" not in club.say("holo show 1")
    assert "You accepted the challenge." in club.say(f"holo {form}")
    letters = club.letters()
    assert subjects(letters) == {"alice": "holo 1: bob has accepted, your turn"}
    assert "bob accepted the challenge." in plain(letters["alice"].text)
    assert log_of(club) == ["0 - - !challenge", "- bob - !accept"]
    said = club.refused("bob", "accept")
    assert "Nothing is on offer on holo 1, and you have already accepted" in said


def test_nobody_accepts_their_own_challenge(club: Club) -> None:
    club.open("walomino", 3)
    assert "for bob and carol to accept" in club.refused("alice", "accept")
    club.move("bob", "accept")
    assert "for carol to accept" in club.refused("alice", "accept")
    club.move("carol", "accept")
    assert "your challenge has been accepted" in club.refused("alice", "accept")
    assert "You do not play on" in club.refused("dave", "accept")


def test_an_answer_to_an_offer_accepts_the_challenge_too(club: Club) -> None:
    club.open("walomino", 3)
    club.move("alice", "propose")
    assert "bob accepted the tie." in plain(club.move("bob", "accept")).replace(
        "You", "bob"
    )
    club.move("carol", "reject")  # which answers the offer alone
    assert club.board().record.unanswered == ("carol",)
    assert "no longer decline" in refused(club, "walomino decline 1 bob better4")


def test_a_player_with_an_offer_can_still_accept(club: Club) -> None:
    club.open("holo")
    club.move("bob", "propose")
    assert "You accepted the challenge." in club.move("bob", "accept")
    assert club.json()["status"] == "active"
    club.move("alice", "accept")  # the offer is still there
    assert result_of(club)["reason"] == "agreed"


def test_a_move_accepts_even_if_it_is_taken_back(club: Club) -> None:
    club.open("holo")
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    club.move("bob", "undo")
    club.move("alice", "accept")
    assert club.json()["turn"] == ["bob"]
    assert club.board().record.unanswered == ()
    assert "no longer decline" in refused(club, "holo decline 1 bob better4")


# Declining and withdrawing


def test_a_challenge_is_declined(club: Club) -> None:
    club.open("holo")
    off = OFF.format("bob declined")
    said = plain(asked(club, "bob", "holo decline 1 bob PASSWORD"))
    assert (
        f"The game is over: {off}. It does not count in standings and ratings." in said
    )
    assert said.count("declined") == 1
    assert subjects(club.letters()) == {"alice": f"holo 1: {off}"}
    assert result_of(club) == {
        "winners": [],
        "reason": "declined",
        "scores": {"alice": 0, "bob": 0},
    }


def test_a_challenge_is_withdrawn(club: Club) -> None:
    club.open("holo", 2, "-random")
    assert "alice" in club.board().record.challenger
    asked(club, "alice", "holo decline 1 alice PASSWORD")
    letters = club.letters()
    assert subjects(letters) == {"bob": f"holo 1: {OFF.format('alice withdrew')}"}
    assert plain(letters["bob"].text).count("alice withdrew the challenge.") == 1
    assert result_of(club)["reason"] == "declined"


def test_a_game_that_has_begun_is_not_withdrawn(club: Club) -> None:
    club.open("holo")
    club.move("alice", "142:4")
    said = refused(club, "holo decline 1 alice xanadu")
    assert "You have made a move" in said
    club.open("walomino", 3)
    club.move("carol", "accept")
    said = refused(club, "walomino decline 1 alice xanadu")
    assert "carol answered your challenge" in said
    asked(club, "bob", "walomino decline 1 bob PASSWORD")  # who has not


@settings(max_examples=sized(20, 60))
@given(st.sampled_from(CASES), st.integers(0, 10**6), st.integers(0, 30))
def test_every_player_who_is_asked_can_answer(
    case: Case, seed: int, steps: int
) -> None:
    """Whatever the others do, a player who has neither moved nor accepted can accept,
    and can decline; nobody else can."""
    dice, board = random.Random(seed), challenged(case, seed % 250, dice_lot(seed))
    answered = {board.record.challenger}
    for _ in range(steps):
        if not board.turn:
            break
        who = dice.choice(board.record.players)
        acts = ["!propose", "!undo", "!accept", "!reject", "!chat", "!queue"]
        try:
            if who in board.turn and dice.random() < 0.5:
                what = dice.choice(written(board, who))
                board = replay.after(board, Line(None, TIME, who, MAIL, action(what)))
            else:
                what = dice.choice(acts)
                board = acted(board, who, what)
        except PbmError:
            continue
        if what == "!accept" or not what.startswith("!"):
            answered.add(who)
        if board.result is None:
            check_answers(board, answered)


def dice_lot(seed: int) -> bool:
    return seed % 3 == 0


def check_answers(board: Match, answered: set[str]) -> None:
    text = strict.dump(to_data(board))
    assert replay.replay(record.from_data(strict.load(text))) == board
    for who in board.record.players:
        if who not in answered:
            assert who not in acted(board, who, "!accept").record.unanswered
            after = acted(board, who, "!decline")
            assert after.result is not None
            assert (after.result.reason, after.result.winners) == ("declined", ())
        elif who != board.record.challenger:
            with pytest.raises(NotAllowed):
                acted(board, who, "!decline")
    assert set(deadlines.waits(board)) >= set(board.record.players) - answered


def challenged(case: Case, seed: int = 1, lot: bool = False) -> Match:
    """A new board, as it is opened from now on."""
    old = opened(case, seed, lot).record
    names = shuffled_back(old) if lot else old.players
    new = old._replace(challenger=names[0], log=(), players=())
    return replay.begin(new, names, old.log[0]._replace(who=names[0]))


def shuffled_back(old: record.Record) -> tuple[str, ...]:
    """The players of a board with seats by lot, in some order."""
    return shuffled(old.players, Chance(old.seed))[0]


def acted(board: Match, who: str, what: Act | str, time: str = TIME) -> Match:
    return replay.after(board, Line(None, time, who, MAIL, action(what)))


# The clock


def test_a_challenge_lapses(club: Club) -> None:
    club.open("walomino", 3, "-forfeit=0 -nag=0")
    club.move("bob", "accept")
    assert club.tick(day(21, "07:59:59")) == []
    assert club.tick(day(21)) == ["walomino 1: the challenge has lapsed."]
    letters = club.letters()
    off = OFF.format("carol did not answer") + " in time"
    assert subjects(letters) == dict.fromkeys(FRIENDS[:3], f"walomino 1: {off}")
    for letter in letters.values():
        said = plain(letter.text)
        assert (
            f"The game is over: {off}. It does not count in standings and ratings."
            in said
        )
        assert said.count("did not") == 1
    assert result_of(club)["reason"] == "declined"
    assert log_of(club)[-1] == f"- - tick {Act.LAPSE}"
    assert club.tick(day(40)) == []
    club.say("walomino verify 1")


def test_no_clock_runs_before_all_have_answered(club: Club) -> None:
    club.open("holo", 2, "-forfeit=3 -nag=0")
    assert club.tick(day(20)) == []  # though it is the turn of alice
    club.server.time = day(20)
    club.move("bob", "accept")
    assert club.tick(day(23, "07:59:59")) == []
    assert club.tick(day(23)) == ["holo 1: alice ran out of time."]
    assert result_of(club)["reason"] == "declined"  # she has never moved


def test_the_clock_of_a_turn_goes_on_from_the_last_answer(club: Club) -> None:
    club.open("walomino", 3, "-forfeit=3 -nag=0")
    for who in ("alice", "bob", "carol"):
        club.server.time = day({"carol": 9}.get(who, 2))
        club.move(who, "take:R")
    assert club.tick(day(11, "23:00:00")) == []
    assert club.tick(day(12)) == ["walomino 1: alice ran out of time."]


def test_those_asked_are_reminded_of_the_challenge(club: Club) -> None:
    club.open("holo")
    assert club.tick(day(7)) == [
        "holo 1: alice is reminded.",
        "holo 1: bob is reminded.",
    ]
    letters = club.letters()
    assert subjects(letters) == {
        "alice": "holo 1: still your turn",
        "bob": "holo 1: still to be accepted or declined",
    }
    said = plain(letters["bob"].text)
    assert said.startswith("It is alice's turn. Holomino, board 1, ")
    assert (
        "alice challenged you to a game of Holomino on 2026-11-20, and you have not "
        "answered yet. To accept, " in said
    )
    for line in ("accept", "decline", "decline all bob PASSWORD"):
        assert f"  {line}\n" in letters["bob"].text
    assert "lapses on 2026-12-11, 08:00 UTC" in said
    assert "runs out" not in plain(letters["alice"].text)


# Boards of version 1.0


def test_a_board_of_before_has_no_challenge() -> None:
    board = opened(CASES[0])
    alice, bob = board.record.players
    data = to_data(board)
    assert not {"format", "challenger", "waits"} & data.keys()
    assert board.record.unanswered == ()
    with pytest.raises(NotAllowed, match="^Nothing is on offer on holo 1.$"):
        acted(board, bob, "!accept")
    for who in (alice, bob):  # each before their own first move
        result = acted(board, who, "!decline").result
        assert result is not None
        assert result.reason == "declined"
    with pytest.raises(NotAllowed):
        acted(board, alice, Act.LAPSE)
    assert deadlines.forfeit_time(board, alice) == later(TIME, 21)
    assert deadlines.lapse_time(board) == ""


def test_the_record_says_which_format_it_has(club: Club) -> None:
    club.open("holo")
    public = strict.load(club.say("holo history 1 -format=yaml").encode())
    assert (public["format"], public["challenger"]) == ("2", "alice")


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ({"format": "4"}, "holo 1 was made with format 4"),
        ({"format": "3"}, "{called} of this server is damaged"),
        ({"challenger": "carol"}, "{called} of this server is damaged"),
        ({"challenger": None}, "{called} of this server is damaged"),
    ],
)
def test_a_format_that_is_not_known(
    club: Club, spoilt: dict[str, str], said: str
) -> None:
    club.open("holo")
    data = {**club.server.data("holo", "1"), **spoilt}
    data = {name: value for name, value in data.items() if value is not None}
    club.server.put("holo", "1", data)
    answer = club.server.type("holo show 1")
    assert answer.status == 1
    assert said.format(called=club.server.called("holo", "1")) in plain(answer.text)


# How many


def test_three_challenges_between_the_same_players(club: Club) -> None:
    club.say("holo challenge alice bob")
    club.say("hextol challenge bob alice")
    club.open("walomino")
    said = refused(club, "walomino challenge bob alice")
    assert "3 challenges between bob and alice wait for an answer" in said
    assert "hextol 1, holo 1 and walomino 1" in said
    club.say("walomino challenge alice bob carol")  # who are others
    asked(club, "bob", "walomino accept 1 bob PASSWORD")
    club.say("walomino challenge bob alice")


def test_a_rematch_counts_like_a_challenge(club: Club) -> None:
    club.open("holo")
    club.resign("bob")
    for _ in range(3):
        asked(club, "alice", "holo rematch 1 alice PASSWORD")
    assert "3 challenges between" in refused(club, "holo rematch 1 bob better4")
    assert "3 challenges between" in refused(club, "hextol challenge bob alice")
    club.say("holo decline 2 bob better4")
    said = refused(club, "holo rematch 1 alice xanadu")
    assert "The challenge on holo 2 was declined" in said
    assert "nor ask for a rematch, before 2026-11-27, 08:00 UTC" in said
    assert "bob may challenge alice at any time" in said
    asked(club, "bob", "holo rematch 1 bob PASSWORD")


def test_ten_challenges_wait_for_one_player(club: Club) -> None:
    others = [f"player{number}" for number in range(4)]
    for name in others:
        club.say(f"signup {name} secret")
    for number in range(10):
        club.say(f"holo challenge {others[number // 3]} bob")
    said = refused(club, "hextol challenge alice bob")
    assert "10 challenges already wait for an answer from bob" in said
    club.say("hextol challenge bob alice")  # bob may challenge others
    asked(club, "bob", "holo accept 1 bob PASSWORD")
    club.say("hextol challenge alice bob")


def test_boards_of_before_count_too(club: Club) -> None:
    (club.server.folder / "holo").mkdir()
    for number in (1, 2, 3):
        board = opened(CASES[0])
        old = board.record._replace(board=number, players=("alice", "bob"), log=())
        line = Line(0, TIME, "-", "-", Act.CHALLENGE)
        club.server.library.save(replay.begin(old, ("alice", "bob"), line))
    assert "3 challenges between" in refused(club, "holo challenge alice bob")
    club.game = "holo"
    club.say("holo decline 2 bob better4")
    assert "was declined" in refused(club, "holo challenge alice bob")
    club.say("holo challenge bob alice")


# How soon


@pytest.mark.parametrize(
    ("how", "days", "said"),
    [
        ("holo decline 1 bob better4", 7, "was declined"),
        ("holo decline 1 alice xanadu", 1, "came to nothing"),
        ("holo resign 1 alice xanadu", 1, "came to nothing"),
        ("", 1, "came to nothing"),
    ],
)
def test_a_challenger_has_to_wait(club: Club, how: str, days: int, said: str) -> None:
    club.open("holo")
    ended = 0 if how else 21
    club.tick(day(ended))
    if how:
        club.say(how)
    line = "holo challenge alice bob -random"
    until = f"before {day(ended + days)[:10]}, 08:00 UTC"
    again = f"may not challenge bob to Holomino again, nor ask for a rematch, {until}"
    for time in (day(ended), day(ended + days - 1, "23:00:00")):
        club.server.time = time
        answer = refused(club, line)
        assert f"The challenge on holo 1 {said}: alice {again}" in answer
    club.say("holo challenge bob alice")
    club.say("hextol challenge alice bob")
    club.server.time = day(ended + days)
    club.say(line)


def test_a_mail_that_opened_a_board_opens_it_once(club: Club) -> None:
    club.game = "holo"
    for _ in range(3):
        assert club.send("alice", "challenge alice bob")
    club.say("holo decline 1 bob better4")
    club.letters()
    again = club.send("alice", "challenge alice bob")  # it is answered as it was
    assert subjects(again)["alice"] == "holo 1: a new game, your turn"
    assert club.server.library.lists.boards("holo") == [1]


# A rematch with other options


REMATCHES = [
    ("holo", "-pool_size=4 -random", "", "-pool_size=4"),
    ("holo", "-pool_size=4", "-pool_size=2 -nag=3", "-pool_size=2 -nag=3"),
    ("holo", "-forfeit=9", "-clock=2d", "-clock=2d"),
    ("holo", "-clock=2d", "", "-clock=2d"),
    ("holo", "-clock=2d", "-nag=3", "-nag=3 -clock=2d"),
    ("holo", "-clock=2d+1d", "-clock=3d", "-clock=3d"),
    ("holo", "-clock=2d", "-forfeit=9", "-forfeit=9"),
    ("holo", "-rated=no", "", "-rated=no"),
    ("holo", "-rated=no", "-rated", ""),
    (
        "holo",
        "-pool_size=4",
        "-rules=brettspielnetz",
        "-limit_scores=yes -board_size=12",
    ),
    ("hextad", "-lenient -max_pips=4", "-strict", "-max_pips=4"),
    ("hextad", "-max_pips=4", "-lenient", "-lenient -max_pips=4"),
]


@pytest.mark.parametrize(
    ("game", "first", "then", "shown"),
    [case for case in REMATCHES if case[0] in names()],
)
def test_a_rematch_has_the_options_of_the_board_but_for_those_given(
    club: Club, game: str, first: str, then: str, shown: str
) -> None:
    club.open(game, options=first).accept()
    club.resign("alice")
    club.say(f"{game} rematch 1 alice {{alice}} {then}")
    again = club.server.library.match(game, 2).record
    assert sorted(again.chosen_options.split()) == sorted(shown.split())
    assert not again.random
    assert again.rated == ("no" not in shown)


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("-forfeit=9 -clock=2d", "exclude each other"),
        ("-pool_size=99", "outside its limits"),
        ("-colour=red", "There is no option"),
    ],
)
def test_a_rematch_that_is_refused(club: Club, then: str, said: str) -> None:
    club.open("holo").accept()
    club.resign("alice")
    told, _ = club.refused_line(f"holo rematch 1 alice {{alice}} {then}")
    assert said in told
