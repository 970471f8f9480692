"""Which letters about a board reach a player who has chosen `turns` or `digest`."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.letters.kinds.boards import is_wanted
from pbm_holomino.match.account import ALL, DAILY, LETTERS, TURNS
from pbm_holomino.match.board import Match
from tests.boards import Case, account, opened, plain_cases, played
from tests.club import Club, day, subjects, to_the_pairs
from tests.house import PASSWORDS, home, mail_of
from tests.prose import plain
from tests.sizes import sized


@pytest.fixture
def club(club: Club) -> Club:
    """Alice gets all letters, bob and carol those that ask something of them, and dave
    one a day."""
    club.say("change letters bob {bob} turns")
    club.say("change letters carol {carol} turns")
    club.say("change letters dave {dave} digest")
    return club


def four(club: Club) -> Club:
    """The club with a game of four, in which alice takes first."""
    return club.open("walomino", 4).accept()


# From mail to mail


def test_a_move_is_told_to_the_next_player_and_to_those_who_want_all(
    club: Club,
) -> None:
    four(club)
    assert {*club.send("alice", "move 1 alice PASSWORD take:any")} == {"alice", "bob"}
    club.say("change letters alice {alice} turns")
    club.server.sent.clear()
    assert {*club.send("bob", "move 1 bob PASSWORD take:any")} == {"bob", "carol"}
    letters = club.send("carol", "move 1 carol PASSWORD take:any")
    assert {*letters} == {"carol"}  # dave, whose turn it is, gets a list
    assert club.server.store.marks.unsent("walomino") == {}
    assert club.tick(day(1)) == ["dave gets a digest."]
    assert "walomino 1" in club.letters()["dave"].text


def test_words_reach_everybody(club: Club) -> None:
    four(club)
    letters = club.send("alice", "move 1 alice PASSWORD take:any", "Hello, you all!")
    assert {*letters} == {"alice", "bob", "carol", "dave"}
    letters = club.send("bob", "chat 1 bob PASSWORD", "Hello, alice!", "2")
    assert {*letters} == {"alice", "bob", "carol", "dave"}


def test_words_of_a_blocked_player_bring_no_letter(club: Club) -> None:
    four(club)
    club.say("block carol {carol} alice")
    club.server.sent.clear()
    letters = club.send("alice", "move 1 alice PASSWORD take:any", "Hello, you all!")
    assert {*letters} == {"alice", "bob", "dave"}


def test_an_offer_asks_all_who_must_answer(club: Club) -> None:
    four(club)
    letters = club.send("alice", "move 1 alice PASSWORD propose")
    assert {*letters} == {"alice", "bob", "carol"}
    letters = club.send("bob", "move 1 bob PASSWORD accept")
    # carol is still to answer; alice gets all
    assert {*letters} == {"alice", "bob", "carol"}
    letters = club.send("carol", "move 1 carol PASSWORD reject")
    assert {*letters} == {"alice", "carol"}


def test_the_end_of_a_game_is_told_to_everybody(club: Club) -> None:
    four(club)
    for who in ("bob", "carol"):
        assert "dave" not in club.send(who, f"move 1 {who} PASSWORD resign")
    letters = club.send("alice", "move 1 alice PASSWORD resign")
    assert {*letters} == {"alice", "bob", "carol", "dave"}
    assert "dave won" in letters["bob"].subject


def test_a_challenge_asks_something(club: Club) -> None:
    club.game = "walomino"
    letters = club.send("alice", "challenge alice bob carol dave")
    assert {*letters} == {"alice", "bob", "carol"}
    assert club.tick(day(1)) == ["dave gets a digest."]
    assert '"walomino 1 accept"' in club.letters()["dave"].text


def test_an_answer_to_the_challenge_asks_nothing_of_the_others(club: Club) -> None:
    club.open("walomino", 4)
    assert {*club.send("bob", "accept 1 bob PASSWORD")} == {"alice", "bob"}
    letters = club.send("alice", "move 1 alice PASSWORD take:any")
    # it is bob's turn, and carol can no longer reply to the letter that she has
    assert {*letters} == {"alice", "bob", "carol"}


def test_one_is_always_answered(club: Club) -> None:
    four(club)
    for who in ("alice", "bob", "carol", "dave"):
        assert who in club.send(who, f"move 1 {who} PASSWORD take:any")
        assert who in club.send(who, f"chat 1 {who} PASSWORD", "Hello!", "2")


def test_the_pairs_of_others_ask_nothing_new(club: Club) -> None:
    to_the_pairs(club, 4).accept()
    assert {*club.send("alice", "move 1 alice PASSWORD pairs:any")} == {"alice"}
    assert {*club.send("bob", "move 1 bob PASSWORD pairs:any")} == {"alice", "bob"}
    assert "carol" not in club.send("dave", "move 1 dave PASSWORD pairs:any")
    letters = club.send("carol", "move 1 carol PASSWORD pairs:any")
    (first,) = club.json()["turn"]
    assert {*letters} >= {"alice", "carol"} | ({first} - {"dave"})


def test_messages_come_as_ever(club: Club) -> None:
    club.server.mail(
        f"From: {home('alice')}\nSubject: message alice {PASSWORDS['alice']} bob dave\n"
        "Message-ID: <m@example.org>\n\nHello!\n".encode()
    )
    letters = {reader: letter for letter in club.server.sent for reader in letter.to}
    assert {home("bob"), home("dave")} <= {*letters}


# The choice


def test_what_a_player_is_told_who_chooses(club: Club) -> None:
    assert "every letter" in club.say("change letters alice {alice} ALL")
    said = plain(club.say("change letters alice {alice} turns"))
    assert "only if it asks something of you" in said
    said = plain(club.say("change letters alice {alice} digest"))
    assert "Once a day, alice, you will get a list" in said
    said = club.say("change digest alice {alice} off")
    assert plain(said).startswith("The daily list goes on, alice, as you have chosen ")
    assert "change letters alice PASSWORD all" in said
    said = club.say("change letters alice {alice} all")
    assert "You will get every letter about your boards, alice." in plain(said)
    said = club.say("change digest alice {alice} off")
    assert plain(said) == "You will get no more digests, alice."


def test_a_player_with_daily_letters_gets_no_reminder(club: Club) -> None:
    club.open("holo").accept()
    club.say("change letters alice {alice} digest")
    club.tick(day(7))
    (letter,) = club.letters().values()
    assert letter.subject == "alice: it is your turn"
    *_, stop = letter.text.splitlines()
    club.server.mail(mail_of(stop.strip()))
    account = club.server.library.account("alice")
    assert account is not None
    assert account.letters == "turns"
    club.tick(day(14))
    assert subjects(club.letters()) == {"alice": "holo 1: still your turn"}


@pytest.mark.parametrize(
    ("word", "quoted"), [("on", '"on"'), ("1", '"1"'), ("some", "That")]
)
def test_another_word_is_no_choice(club: Club, word: str, quoted: str) -> None:
    """A word that may be a password is not quoted."""
    said, _ = club.refused_line(f"change letters alice xanadu {word}")
    assert said.startswith(
        f"{quoted} is not a setting: please write all, turns, digest, moves=best or "
        "moves=all."
    )


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("format alice {alice} TEXT", "format", "text"),
        ("format alice {alice} small", "format", "small"),
        ("format alice {alice} picture", "format", "picture"),
        ("format alice {alice} words", "format", "words"),
        ("threads alice {alice} on", "threads", "on"),
    ],
)
def test_what_letters_look_like(club: Club, line: str, key: str, value: str) -> None:
    usual = club.server.data("players", "alice")
    assert key not in usual
    club.say(f"change {line}")
    assert club.server.data("players", "alice")[key] == value
    club.say(f"change {key} alice {{alice}} {'off' if key == 'threads' else 'html'}")
    assert key not in club.server.data("players", "alice")


# Whole games


def wanted(board: Match, letters: str) -> set[tuple[int, str]]:
    """The lines of a log, with the players who want a letter about them."""
    players = [account(who)._replace(letters=letters) for who in board.record.players]
    return {
        (index, player.userid)
        for index in range(len(board.steps))
        for player in players
        if is_wanted(board, index, player)
    }


@given(st.sampled_from(plain_cases()), st.integers(0, 999))
@settings(max_examples=sized(15, 40))
def test_nobody_misses_their_turn_or_the_end(case: Case, seed: int) -> None:
    board = played(opened(case), seed, random.Random(seed).randrange(60))
    every, turns, daily = (wanted(board, letters) for letters in LETTERS)
    assert (ALL, TURNS, DAILY) == LETTERS
    lines, players = range(len(board.steps)), board.record.players
    assert every == {(index, who) for index in lines for who in players}
    assert every >= turns >= daily
    for index in lines:
        then = board.at(index)
        assert {(index, who) for who in then.turn if then.turn_began(who) == index} <= (
            turns
        )
    own = {(index, line.who) for index, line in enumerate(board.record.log)}
    ends = {(lines[-1], who) for who in players if board.result is not None}
    assert daily == own | ends
