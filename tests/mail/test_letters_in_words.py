"""Letters in words are enough to play by, to the end and well."""

import re
from pathlib import Path

import pytest

from pbm_holomino.resident import advising, thinking
from pbm_holomino.rules import names
from tests.house import make_cheap
from tests.mail.listener import Listener
from tests.sizes import sized


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Robots think in this process, and passwords are hashed cheaply."""
    make_cheap(monkeypatch)
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
