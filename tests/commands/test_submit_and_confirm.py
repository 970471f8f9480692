"""Moves that are shown first and played when they are confirmed; and that the same
mail again, of what is sent ahead, is answered as it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.match import queue
from tests.boards import CASES, Case
from tests.club import Club, subjects, take_back
from tests.match.models import Planned
from tests.prose import plain
from tests.sizes import sized


@pytest.fixture
def club(club: Club) -> Club:
    """Holomino; nothing is played yet, and it is alice's turn."""
    return club.open("holo")


@settings(max_examples=sized(20, 60))
@given(st.sampled_from(CASES), st.integers(0, 10**6), st.integers(1, 40))
def test_a_draft_is_of_this_turn_alone(case: Case, seed: int, steps: int) -> None:
    """In turns that are one player's: what others send meanwhile plays no part."""
    model = Planned(case, seed)
    for _ in range(steps):
        if len(model.plain.turn) != 1:
            break
        what = model.dice.random()
        if what < 0.4:
            model.submit()
        elif what < 0.6:
            model.confirm()
        elif what < 0.75:
            model.move()
        else:
            model.act(["!undo", "!accept", "!accept", "!chat"])
        model.check()
        drafts = [
            queue.draft(model.board, who).partition("#")[0] for who in model.plain.turn
        ]
        assert drafts == [model.drafts.get(who, "") for who in model.plain.turn]


# Confirming


def test_a_submitted_move_is_confirmed_and_reported(club: Club) -> None:
    letters = club.send("alice", "submit 1 alice PASSWORD 142:4", "Shown to none.")
    assert subjects(letters) == {"alice": "holo 1: to be confirmed"}
    said = plain(letters["alice"].text)
    assert "how holo 1 would look after 142:4. Nothing has been played yet." in said
    how = "To play it, reply to this letter with this in its first line: confirm "
    assert how in said
    assert "  holo confirm 1 alice PASSWORD\n" in club.seen("alice")
    assert "drew" not in said.split("would look")[1]
    assert club.json()["ply"] == 0
    letters = club.send("alice", "confirm 1 alice PASSWORD", "Now then.", "2")
    assert subjects(letters)["bob"] == "holo 1: your turn"
    assert "\nalice writes:\n  Now then.\n" in letters["bob"].text
    assert "Shown to none" not in letters["bob"].text
    assert club.json()["last"] == "alice 142:4"
    assert (
        "You have no move to confirm"
        in club.refused_line("holo confirm 1 bob better4")[0]
    )


def test_the_last_one_submitted_counts(club: Club) -> None:
    club.say("holo submit 1 alice xanadu 132:1")
    club.say("holo submit 1 alice xanadu 142:4")
    assert "submitted 142:4#1" in plain(club.seen("alice"))
    club.say("holo confirm 1 alice xanadu")
    assert club.json()["last"] == "alice 142:4"


def test_nothing_is_submitted_out_of_turn(club: Club) -> None:
    said, _ = club.refused_line("holo submit 1 bob better4 234:3")
    assert "not your turn" in said
    said, _ = club.refused_line("holo submit 1 alice xanadu 142:0")
    assert "Position 0 is taken" in said
    said, _ = club.refused_line("holo submit 1 alice xanadu 142:4#2")
    assert "counts only as move 2" in said


def test_a_draft_is_void_after_an_undo(club: Club) -> None:
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    club.say("holo submit 1 alice xanadu 123:1")
    take_back(club, "alice", "bob")
    assert "submitted" not in club.seen("alice")
    assert (
        "You have no move to confirm"
        in club.refused_line("holo confirm 1 alice xanadu")[0]
    )


# The same mail again


@pytest.mark.parametrize(
    "words",
    ["queue 1 bob PASSWORD 234:3 243:71", "queue 1 bob PASSWORD 254:4"],
)
def test_the_same_queue_again_is_answered_as_it_was(club: Club, words: str) -> None:
    first = club.send("bob", words)
    before = club.server.records()
    assert club.send("bob", words) == first
    assert club.server.records() == before
    move = club.send("alice", "move 1 alice PASSWORD 142:4")
    before = club.server.records()
    assert club.send("bob", words) == first
    assert club.send("alice", "move 1 alice PASSWORD 142:4") == {"alice": move["alice"]}
    assert club.server.records() == before


def test_the_same_mails_again_when_all_is_over(club: Club) -> None:
    club.queue("bob", "234:3")
    sent = [("alice", "submit 1 alice PASSWORD 142:4", "1")]
    sent += [("alice", "confirm 1 alice PASSWORD", "2")]
    sent += [("alice", "queue 1 alice PASSWORD 123:1 132:71", "3")]
    told = [club.send(who, words, "", no)[who] for who, words, no in sent]
    assert club.json()["ply"] == 3
    club.resign("bob")
    before = club.server.records()
    again = [club.send(who, words, "", no) for who, words, no in sent]
    assert again == [{"alice": letter} for letter in told]
    assert club.server.records() == before
