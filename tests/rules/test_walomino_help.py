"""Walomino's help: every example is a move, every figure is there."""

import re
from pathlib import Path

import pytest

from pbm_holomino.errors import DONE
from pbm_holomino.rules import load
from pbm_holomino.rules.games import walomino
from pbm_holomino.rules.options import configure
from tests.house import PASSWORDS, House
from tests.rules.walomino_table import WalominoTable, laid

WALOMINO = walomino.GAME

HELP = (
    Path(walomino.__file__)
    .parents[3]
    .joinpath("letters", "help", "walomino.txt")
    .read_text("ascii")
)
COMMANDS = re.findall(r"^  walomino (.*)$", HELP, re.MULTILINE)
MOVES = [words[4] for words in map(str.split, COMMANDS) if words[:2] == ["move", "12"]]


def test_lines_are_short_and_plain() -> None:
    assert all(len(line) <= 72 for line in HELP.splitlines())
    assert all(line == line.rstrip() for line in HELP.splitlines())


def test_every_figure_is_shown_once() -> None:
    shown = re.findall(r"^\{figure (.*)\}$", HELP, re.MULTILINE)
    assert sorted(shown) == sorted(WALOMINO.FIGURES)
    assert HELP.count("{options}\n") == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_player_takes_by_wishes(seats: int) -> None:
    walongs = (len(walomino.DIE) - 1) * 10 - 2
    row = f"    {seats} players: {walongs // seats} walongs or "
    assert f"{row}{walongs // seats // 2:2} pairs each\n" in HELP
    assert len(WalominoTable(seats, draft="random").state.pools[0]) == walongs // seats


@pytest.mark.parametrize("text", MOVES)
def test_every_example_is_a_move_as_it_is_written(text: str) -> None:
    move = WALOMINO.parse_move(WalominoTable().state, 0, text)
    again = WALOMINO.format_move(move)
    assert WALOMINO.parse_move(WalominoTable().state, 0, again) == move


def test_examples_of_challenges() -> None:
    challenges = [c.split()[1:] for c in COMMANDS if c.startswith("challenge ")]
    assert challenges
    for words in challenges:
        options = [word[1:].split("=") for word in words if word.startswith("-")]
        players = [word for word in words if not word.startswith("-")]
        assert 2 <= len(players) <= 4
        assert configure(load("walomino"), dict(options))


def test_takes_of_the_help_can_be_taken() -> None:
    for text in MOVES:
        if text.startswith("take:"):
            WalominoTable().play(text)


def test_pairs_of_the_help_add_up() -> None:
    table = WalominoTable(4).play(*4 * ["take:any"])
    pools = table.state.pools
    table.state = table.state._replace(pools=(tuple("RRRGGGYYPPBB"), *pools[1:]))
    assert "pairs:RG,RR,BY,GG,PP,YB" in MOVES
    table.play("pairs:RG,RR,BY,GG,PP,YB")


def test_the_example_of_the_help_is_played_by_its_players() -> None:
    _, _, text = HELP.partition("\nAn example\n")
    example = re.findall(r"^  walomino move 12 (\w+) \w+ (\S+)$", text, re.MULTILINE)
    story = example[:4]
    table = laid("RG", "GB,GG,GB", "RG,RR,RY")
    for player, text in story:
        assert table.turn() == (["alice", "bob"].index(player),)
        table.play(text)
    assert table.view().scores == (0, 2)


def test_the_first_game_is_played_from_the_first_take_to_the_end(
    server: House,
) -> None:
    _, _, text = HELP.partition("\nYour first game\n")
    story, _, _ = text.partition("\nTaking\n")
    before, _, after = story.partition("{figure closed}")
    run(server, before)
    board = server.library.match("walomino", 1)
    assert board.view(None).drawing.faces == WALOMINO.FIGURES["closed"].faces
    assert board.turn == ("alice",)  # she played last, and Bob has been skipped
    run(server, after)
    board = server.library.match("walomino", 1)
    assert board.result is not None
    assert board.result.winners == ("alice",)
    assert board.state.scores == (6, 11)
    assert "Alice has six pairs\nleft and Bob has eleven" in after


def run(server: House, story: str) -> None:
    """Type each command of the story."""
    lines = re.findall(r"^  (walomino .*)$", story, re.MULTILINE)
    assert lines
    for line in lines:
        answer = server.type(line.replace(" secret", f" {PASSWORDS['alice']}"))
        assert answer.status == DONE, answer.text


def test_moves_that_the_text_speaks_of() -> None:
    table = laid("RG", "RG,GG", "RR")
    assert {"RG:3,11", "GR:18,17", "GG:7,8"} <= table.legal()
