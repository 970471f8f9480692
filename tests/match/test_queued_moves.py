"""Moves sent ahead: each is played when its turn comes, while exactly legal, and
nobody else ever learns of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.board import Match
from pbm_holomino.match.verdicts import ended, verdict
from tests.boards import (
    CASES,
    Case,
    act,
    asked,
    move,
    notations,
    opened,
    played,
    queue,
    written_to,
)
from tests.club import Club, log_of, subjects, to_the_pairs
from tests.house import FRIENDS, PASSWORDS
from tests.match.models import Planned
from tests.prose import plain
from tests.sizes import sized

ALL = [*CASES, Case("walomino", 2, {"draft": "die"}), Case("walomino", 4, {})]


@pytest.fixture
def club(club: Club) -> Club:
    """Holomino; nothing is played yet, and it is alice's turn."""
    return club.open("holo")


def news_in(letter: Letter) -> str:
    """What a letter says, but for how to move ahead."""
    said = plain(letter.text)
    return said.replace('To move ahead, reply with "queue" and your moves in the ', "")


# Queues: any board is as if each move had been sent when its turn came


@settings(max_examples=sized(6, 120))
@given(st.sampled_from(ALL), st.integers(0, 10**6), st.integers(1, 40))
def test_queues_play_as_their_players_would(case: Case, seed: int, steps: int) -> None:
    model = Planned(case, seed)
    offers = ["!propose", "!undo", "!accept", "!accept", "!reject", "!chat"]
    for _ in range(steps):
        if not model.plain.turn:
            break
        what = model.dice.random()
        if what < 0.45:
            model.queue()
        elif what < 0.7:
            model.move()
        elif what < 0.73 and case.seats > 2:
            model.act(["!resign"])
        else:
            model.act(offers)
        model.check()


# Secrecy


def sealed_words(board: Match, who: str) -> list[str]:
    """Moves that are nobody's now, told apart from all others by their numbers."""
    return [f"{word}#{board.ply + 500}" for word in notations(board, who)[:3]]


@settings(max_examples=sized(4, 60))
@given(st.sampled_from(ALL), st.integers(0, 10**6), st.integers(0, 12))
def test_nobody_else_ever_sees_a_queue(case: Case, seed: int, moves: int) -> None:
    """Neither that there is one, nor what is in it, nor once the game is over."""
    bare = board = played(opened(case, seed % 250), seed, moves)
    waiting = [who for who in board.record.players if who not in board.turn]
    for who in waiting:
        for _ in range(3):
            words = sealed_words(board, board.turn[0]) if board.turn else []
            board = queue(board, who, *words) if words else board
    since = len(bare.steps)
    for reader in (None, *board.record.players):
        if reader not in waiting:
            assert asked(board, reader) == asked(bare, reader)
            assert not reader or not written_to(board, reader, since)
    if not board.turn:
        return
    who = board.turn[0]
    over, plainly = act(board, who, "!resign"), act(bare, who, "!resign")
    for reader in (None, *board.record.players):
        if reader is None or over.result is not None:
            assert asked(over, reader) == asked(plainly, reader)
    for reader in board.record.players:
        if reader not in waiting:
            (letter,) = written_to(over, reader, len(board.steps))
            (like,) = written_to(plainly, reader, len(bare.steps))
            assert (letter.subject, letter.text) == (like.subject, like.text)


def test_lists_and_accounts_do_not_mention_it(club: Club) -> None:
    club.queue("bob", "243:71", "346:72")
    assert "Your queue: 243:71 346:72" in club.seen("bob")
    lines = ["holo show 1", "holo show bob", "holo games bob", "holo history 1"]
    lines += [f"holo history 1 -format={form}" for form in ("json", "yaml", "html")]
    lines += ["holo showas alice xanadu", "all show bob", "holo preview 1 142:4"]
    lines += ["holo previewas 1 alice xanadu 142:4", "holo show 1#0", "holo history"]
    lines += ["holo show 1 -format=json", "holo games alice next"]
    club.say("holo submit 1 alice xanadu 142:4")
    assert "142:4#1" in club.seen("alice")
    told = [club.say(line) for line in lines]
    assert not any(word in text for text in told for word in (":71", ":72", "queue"))
    public = [text for line, text in zip(lines, told, strict=True) if "as" not in line]
    assert not any("142:4#1" in text or "submit" in text for text in public)
    club.resign("alice")
    told = [club.say(line) for line in lines if "preview" not in line]
    told += [club.say("holo verify 1"), *(x.text for x in club.letters().values())]
    assert not any(word in text for text in told for word in (":71", ":72", "queue"))


# The sentences


def test_a_queue_is_answered_to_its_player_alone(club: Club) -> None:
    letters = club.send("bob", "queue 1 bob PASSWORD 243:71 346:72#4")
    assert subjects(letters) == {"bob": "holo 1: your queue"}
    said = plain(letters["bob"].text)
    assert said.startswith("Your queue on holo 1 is 243:71 and 346:72#4. ")
    assert "It is alice's turn." in said


def test_a_queued_move_is_reported_with_the_move_before_it(club: Club) -> None:
    club.queue("bob", "234:3")
    letters = club.send("alice", "move 1 alice PASSWORD 142:4", "Good luck!")
    assert subjects(letters) == {
        "alice": "holo 1: your turn",
        "bob": "holo 1: alice to move",
    }
    mine, theirs = plain(letters["alice"].text), plain(letters["bob"].text)
    assert "You played 142:4. bob drew 243. bob played 234:3 and scored 9." in mine
    assert "alice played 142:4. You drew 243. You played 234:3 and scored 9." in theirs
    assert "alice writes: Good luck! How to answer" in theirs
    assert "queue" not in mine.lower()
    assert log_of(club)[-1] == "2 bob queue 234:3"


def test_a_chain_of_queued_moves_is_reported_in_one_letter(club: Club) -> None:
    club.queue("bob", "234:3")
    letters = club.send("alice", "queue 1 alice PASSWORD 142:4 123:1 999:9")
    assert club.json()["ply"] == 3
    assert subjects(letters) == {
        "alice": "holo 1: bob to move",
        "bob": "holo 1: your turn",
    }
    deeds = ("played 142:4.", "drew 243.", "played 234:3 and scored 9.", "played 123:1")
    for reader, who in (("alice", "You bob bob You"), ("bob", "alice You You alice")):
        said = plain(letters[reader].text)
        at = [said.index(f"{w} {d}") for w, d in zip(who.split(), deeds, strict=True)]
        assert at == sorted(at)
    assert "Your queue on holo 1 is 999:9." in plain(letters["alice"].text)
    assert "999" not in letters["bob"].text


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("234:4", '"234:4" is refused. Position 4 is taken'),
        ("123:3", '"123:3" is refused. '),
        (
            "234:3#4",
            '"234:3#4" counts only as move 4, and the next move on holo 1 is 2',
        ),
    ],
)
def test_the_first_that_is_not_legal_ends_the_queue(
    club: Club, word: str, why: str
) -> None:
    club.queue("bob", word, "254:12")
    letters = club.send("alice", "move 1 alice PASSWORD 142:4")
    assert subjects(letters)["bob"] == "holo 1: your turn"
    assert f"Your queue has ended. {why}" in plain(letters["bob"].text)
    assert "queue" not in news_in(letters["alice"])
    assert word not in letters["alice"].text
    assert f"Your queue has ended. {why}" in plain(club.seen("bob"))
    assert "queue" not in club.seen("alice") + club.say("holo show 1")
    assert (club.json()["ply"], club.json()["turn"]) == (1, ["bob"])
    club.move("bob", "234:3")
    assert "queue" not in club.seen("bob")
    club.move("alice", "123:1")
    assert club.json()["ply"] == 3  # 254:12 has gone with the rest
    assert word not in club.say("holo history 1 -format=yaml")


def test_a_new_queue_replaces_the_rest(club: Club) -> None:
    club.queue("bob", "234:3", "243:71")
    club.move("alice", "142:4")
    club.queue("bob", "346:72")
    assert "Your queue: 346:72\n" in club.seen("bob")


def test_the_first_is_played_at_once_or_refused(club: Club) -> None:
    for word, why in (("142:4#2", "counts only as"), ("142:0", "Position 0 is taken")):
        line = f"holo queue 1 alice xanadu {word} 123:1"
        said, board = club.refused_line(line)
        assert why in said
        assert "\nHolomino, board 1, at the start" in board
    said = plain(club.queue("alice", "142:4#1", "123:1#3"))
    assert "You played 142:4." in said
    assert said.startswith("Your queue on holo 1 is 123:1#3. ")


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("undo", 'Only moves can be sent ahead, and "undo" is not a move.'),
        ("Resign", 'Only moves can be sent ahead, and "resign" is not a move.'),
        ("swap", "There is no swap in this game: the first move is harmless."),
        ("take:R", "is not a move"),
        ("!resign", "is not a move"),
        ("!nag", "is not a move"),
    ],
)
def test_only_moves_are_sent_ahead(club: Club, word: str, why: str) -> None:
    for who in ("alice", "bob"):
        password = PASSWORDS[who]
        assert why in club.refused_line(f"holo queue 1 {who} {password} {word}")[0]
        line = f"holo queue 1 {who} {password} 142:4 {word}"
        assert why in club.refused_line(line)[0]
    assert why in club.refused_line(f"holo submit 1 alice xanadu {word}")[0]


def test_strangers_and_those_after_the_end_send_nothing_ahead(club: Club) -> None:
    for command in ("queue 1 {} 123:1", "submit 1 {} 123:1", "confirm 1 {}"):
        line = f"holo {command.format('carol quokka9')}"
        assert "do not play on" in club.refused_line(line)[0]
    club.resign("bob")
    for command in ("queue 1 {} 123:1", "submit 1 {} 123:1", "confirm 1 {}"):
        line = f"holo {command.format('alice xanadu')}"
        assert "holo 1 is over" in club.refused_line(line)[0]


# Emptying a queue


@pytest.mark.parametrize("word", ["none", "None", "NONE"])
def test_a_queue_is_emptied(club: Club, word: str) -> None:
    club.queue("bob", "234:3", "254:12")
    letters = club.send("bob", f"queue 1 bob PASSWORD {word}")
    assert subjects(letters) == {"bob": "holo 1: your queue"}
    assert "Your queue on holo 1 is empty now." in plain(letters["bob"].text)
    assert "Your queue has ended" not in letters["bob"].text
    assert "queue" not in club.seen("bob")
    club.move("alice", "142:4")
    assert (club.json()["ply"], club.json()["turn"]) == (1, ["bob"])
    assert "queue" not in club.seen("bob")


def test_nobody_else_hears_that_a_queue_was_emptied(club: Club) -> None:
    club.queue("bob", "234:3")
    before = club.say("holo history 1"), club.say("holo history 1 -format=yaml")
    club.queue("bob", "none")
    assert club.letters() == {}
    after = club.say("holo history 1"), club.say("holo history 1 -format=yaml")
    assert after == before


def test_an_empty_queue_is_not_emptied(club: Club) -> None:
    line = "holo queue 1 bob better4 none"
    assert "Your queue on holo 1 is empty." in club.refused_line(line)[0]
    club.queue("bob", "234:3")
    club.queue("bob", "none")
    assert "Your queue on holo 1 is empty." in club.refused_line(line)[0]


def test_none_among_moves_is_no_move(club: Club) -> None:
    for words in ("none 142:4", "142:4 none"):
        club.refused_line(f"holo queue 1 alice xanadu {words}")
    assert club.json()["ply"] == 0


def test_the_same_mail_empties_a_queue_once(club: Club) -> None:
    club.queue("bob", "234:3")
    first = club.send("bob", "queue 1 bob PASSWORD none")
    club.queue("bob", "254:12")
    again = club.send("bob", "queue 1 bob PASSWORD none")
    assert again["bob"].subject == first["bob"].subject
    assert "Your queue: 254:12" in club.seen("bob")


# Moves that are taken back, resigning, offers


def test_moves_taken_back_end_all_queues(club: Club) -> None:
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    club.queue("bob", "243:71")
    club.move("bob", "undo")
    assert "Your queue: 243:71" in club.seen("bob")
    letters = club.send("alice", "move 1 alice PASSWORD accept")
    told = "Your queue has ended because a move was taken back."
    assert told in plain(letters["bob"].text)
    assert "queue" not in news_in(letters["alice"])
    assert "queue" not in club.seen("bob")
    club.move("bob", "254:12")
    club.move("alice", club.json()["legal"][0])
    assert (club.json()["ply"], club.json()["turn"]) == (3, ["bob"])


def test_a_queued_move_ends_an_offer(club: Club) -> None:
    club.queue("bob", "234:3")
    club.move("bob", "propose")
    assert "bob has offered a tie" in club.say("holo show 1")
    club.move("alice", "142:4")
    assert "Nothing is on offer" in club.refused("alice", "accept")
    assert club.json()["ply"] == 2


def test_a_player_who_has_resigned_has_no_queue(club: Club) -> None:
    club.open("walomino", 3)
    club.queue("bob", "take:RRR")
    club.resign("bob")
    assert "queue" not in club.seen("bob")
    letters = club.send("alice", "move 1 alice PASSWORD take:R")
    assert all("queue" not in news_in(letter) for letter in letters.values())


def test_a_resignation_brings_the_turn_of_a_queue(club: Club) -> None:
    club.open("walomino", 3)
    club.queue("bob", "take:B")
    letters = club.send("alice", "resign 1 alice PASSWORD", "So long.")
    assert club.json()["turn"] == ["carol"]
    for reader in ("alice", "carol"):
        assert "bob took B." in plain(letters[reader].text)
    assert subjects(letters)["carol"] == "walomino 1: alice resigned, your turn"


def test_a_game_ends_through_a_queued_move(club: Club) -> None:
    case = Case("holo", 2, {"pool_size": "1"})
    games = (played(opened(case, seed), seed) for seed in range(40))
    over = next(board for board in games if last_two(board) == 2)
    one, two = (over.record.log[index] for index in over.moves[-2:])
    before = over.at(over.moves[-2] - 1)
    planned = queue(before, two.who, two.action, "123:1#900")
    last = move(planned, one.who, one.action)
    assert last.result == over.result is not None
    for reader in over.record.players:
        (letter,) = written_to(last, reader, len(planned.steps))
        assert str(ended(over)) in plain(letter.text)
        assert letter.subject == f"holo 1: {verdict(over)!s}"
        assert "#900" not in letter.text
        assert "queue" not in asked(last, reader).lower()
        assert "#900" not in asked(last, reader)


def last_two(board: Match) -> int:
    """How many players have made the last two moves."""
    return len({board.record.log[index].who for index in board.moves[-2:]})


def test_ones_own_queue_may_end_the_game(club: Club) -> None:
    over = played(opened(Case("holo", 2, {"pool_size": "1"}), 1), 1)
    last = over.record.log[over.moves[-1]]
    before = over.at(over.moves[-1] - 1)
    ended = queue(before, last.who, last.action)
    for reader in over.record.players:
        (letter,) = written_to(ended, reader, len(before.steps))
        assert letter.subject == f"holo 1: {verdict(over)!s}"


# Walomino's phases


def test_takes_are_queued(club: Club) -> None:
    club.open("walomino", 4)
    for who in ("bob", "carol", "dave"):
        club.queue(who, "take:B", "take:RY")
    letters = club.send("alice", "queue 1 alice PASSWORD take:R take:P")
    assert set(letters) == set(FRIENDS)
    assert club.json()["turn"] == ["alice"]
    assert club.json()["ply"] == 8
    dave = club.json()["pools"]["dave"]
    assert dave == ["B", "R"]  # in the order of taking
    said = plain(letters["alice"].text)
    assert "You took R. bob took B. carol took B. dave took B. You took P." in said


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sealed_pairs_are_queued(club: Club, seats: int) -> None:
    """Who pairs at the same time plays at once; who has paired queues what is next."""
    to_the_pairs(club, seats)
    for who in FRIENDS[: seats - 1]:
        club.queue(who, "pairs:any", "RG:7,19#500")
        assert "Your queue: RG:7,19#500" in club.seen(who)
    last = FRIENDS[seats - 1]
    letters = club.send(last, f"move 1 {last} PASSWORD pairs:any")
    ended = [r for r, letter in letters.items() if "queue has ended" in letter.text]
    assert ended == [who for who in club.json()["turn"] if who != last]
    for reader, letter in letters.items():
        assert ("RG:7,19#500" in letter.text) == (reader != last)
