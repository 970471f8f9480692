"""Letters in words are enough to play by, to the end and well."""

import re
from pathlib import Path

import pytest

from pbm_holomino.resident import advising, thinking
from pbm_holomino.rules import names
from tests.mail.listener import WHO, Listener, spoken
from tests.sizes import sized


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Robots think in this process, and passwords are hashed cheaply."""
    monkeypatch.setattr(thinking, "thought", lambda think, *_: think())
    monkeypatch.setattr(advising, "lower_priority", lambda: None)


@pytest.mark.parametrize("game", names())
def test_a_player_who_only_listens_plays_to_the_end_and_wins_some(
    game: str, tmp_path: Path
) -> None:
    won = 0
    for seed in range(2, 2 + sized(2, 10)):
        player = Listener(tmp_path / str(seed), game, seed)
        player.begin()
        won += "alice won" in player.play()
        for letter in player.heard:
            if letter.form == "words":
                check_is_speech(letter.text)
    assert won


def check_is_speech(text: str) -> None:
    """Nothing in it is drawn, or in columns."""
    for line in text.splitlines():
        assert not re.search(r"[/\\|]|__|\S {2,}\S", line), line
        assert len(line) <= 72


@pytest.fixture
def player(tmp_path: Path) -> Listener:
    """Somebody whose letters are in words, on whose board it is their turn."""
    found = Listener(tmp_path / "games", "holo", 2)
    found.begin()
    return found


def test_the_rules_come_in_words_in_reply_to_such_a_letter(player: Listener) -> None:
    told = player.reply("help")
    assert "of every other corner" in told
    assert "0: upper left 2, right 3, lower left 1." in told
    assert not re.search(r"__|[/\\] |\\", player.heard[-1].text)


def test_the_rules_come_in_words_to_whoever_asks_for_that(player: Listener) -> None:
    player.write("help holo -format=words")
    assert "0: upper left 2, right 3, lower left 1." in player.last
    assert not re.search(r"__|[/\\] |\\", player.heard[-1].text)


def test_a_table_is_told_row_by_row(player: Listener) -> None:
    told = player.reply("list holo")
    assert re.search(rf"{WHO}: (\w+ )+\d", told)
    check_is_speech(player.heard[-1].text)


def test_the_seal_is_read_last(player: Listener) -> None:
    *_, last = player.heard[-1].text.strip().split("\n\n")
    assert re.fullmatch(r"This board\nSeal: \w+", last)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("look 3", "Position 3 is empty."),
        ("Look at 3.", "Position 3 is empty."),
        ("look 99999", '"99999" is not a position'),
        ("fits 999", 'Nobody holds "999" now.'),
        ("fits", "nothing has been done"),
        ("look", "nothing has been done"),
    ],
)
def test_each_answer_can_be_answered_with_a_move(
    player: Listener, line: str, said: str
) -> None:
    letter = player.heard[-1]
    move = re.search(r"such as (\S+)\.", spoken(letter))
    assert move
    assert said in player.reply(line)
    assert f"You played {move[1]}." in player.reply(move[1])


def test_a_question_about_another_board_is_answered_without_a_token(
    player: Listener,
) -> None:
    """And to the sender alone: the letter proves nothing about that board."""
    player.house.sign_up("bob", "carol")
    player.house.challenge(names="bob carol")
    answer = player.reply("holo look 2 1")
    assert answer.startswith("Holomino, board 2, at the start: bob against carol")
    assert not player.heard[-1].token
