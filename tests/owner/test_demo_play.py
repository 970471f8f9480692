"""`pbm demo --play`: a visitor plays against a robot in the terminal, at once."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.errors import BadCommand
from pbm_holomino.letters import help as pages
from pbm_holomino.owner import play
from pbm_holomino.robots.contract import Budget
from pbm_holomino.rules.options import configure
from tests.processes import run


def typed(words: Iterable[str]) -> Callable[[str], str]:
    """A visitor who types these words, and then has enough."""
    left = iter(words)

    def ask(question: str) -> str:
        word = next(left, None)
        if word is None:
            raise EOFError
        return word

    return ask


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "_BUDGET", Budget(steps=1))


@pytest.mark.parametrize("game", rules.names())
def test_every_game_is_played_until_it_is_over(
    game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A visitor who always types the move that is proposed comes to the end."""
    shorter = {"holo": {"num_digits": "4"}, "walomino": {}}
    options = shorter.get(game, {"max_pips": "4", "pool_size": "3"})
    monkeypatch.setattr(play, "configure", lambda of, _: configure(of, options))
    shown = list[str]()

    def ask(question: str) -> str:
        assert question == 'Your move, "help" or "quit": '
        shown.append(capsys.readouterr().out)
        (move,) = re.findall(
            r"To play, type a\s+move,\s+such\s+as\s+(\S+)\.", shown[-1]
        )
        return str(move)

    end = play.play(game, ask).text
    last = " ".join(capsys.readouterr().out.split())
    assert "The game is over: " in last
    assert "Seal" not in last
    assert f"a game of {rules.load(game).TITLE}" in " ".join(end.split())
    assert len(shown) >= 3
    assert all("robot1" in text and "you" in text for text in shown)


def test_a_word_that_is_no_move_is_asked_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["", "999:1", "robot1", "help", " QUIT "]
    assert "That was a game of Holomino." in play.play("holo", typed(words)).text
    told = capsys.readouterr().out
    assert '"999:1" is refused.' in " ".join(told.split())
    assert '"robot1" is not a move.' in " ".join(told.split())
    assert pages.page("holo") in told
    assert told.count("Holomino, board 1, at the start") == 1  # not after each of them


def test_the_end_of_what_is_typed_ends_the_game(tmp_path: Path) -> None:
    done = run(tmp_path, "pbm", "demo", "--play", "hextol")
    assert (done.status, done.err) == (0, "")
    assert done.out.lstrip().startswith("Hextol, board 1, ")
    assert list(tmp_path.iterdir()) == []  # nothing is kept


def test_a_game_is_named_with_play() -> None:
    with pytest.raises(BadCommand, match="pbm demo --play holo"):
        owner.run(["demo", "holo"])
    with pytest.raises(BadCommand, match="chess"):
        owner.run(["demo", "--play", "chess"])
