"""A board that is pasted is a position to think about: by mail and in the shell, in
every format, for whoever asks alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbm_holomino import rules
from pbm_holomino.draw.reading.sheets import MOST
from pbm_holomino.draw.text import draw
from pbm_holomino.rules.contract import Drawing
from tests.boards import WIDTH
from tests.club import Club, Fields, mailed
from tests.house import PASSWORDS, home
from tests.prose import plain

every_game = pytest.mark.parametrize("game", rules.names())
ONE = draw(Drawing("bitten", {0: "123"}))  # a tile alone, its cells not numbered


def opened(club: Club, game: str) -> str:
    """The picture of a board on which some moves have been made."""
    club.open(game, options="-draft=random" if game == "walomino" else "").play(3, 8)
    return draw(club.board().view(None).drawing)


def typed(club: Club, words: str, text: str, game: str = "") -> str:
    """What a player is shown, or told, who types this with a text."""
    line = f"{game or club.game} analyse alice {{alice}} {words}"
    return club.server.type(line, f"-m={text}").text


def fields(club: Club, words: str, text: str) -> Fields:
    found: Fields = json.loads(typed(club, f"{words} -format=json", text))
    return found


# What is shown


@every_game
def test_moves_of_both_sides_follow(club: Club, game: str) -> None:
    picture = opened(club, game)
    there, first = club.json(), fields(club, "", picture)
    assert first["cells"] == there["cells"]
    assert (first["turn"], first["analysis"]["moves"]) == (["alice"], [])
    second = fields(club, first["legal"][0], picture)
    assert second["turn"] == ["?"]
    line = [first["legal"][0], second["legal"][0]]
    third = fields(club, " ".join(line), picture)
    assert third["turn"] == ["alice"]
    assert third["analysis"]["line"] == line
    assert third["analysis"]["moves"] == [f"alice {line[0]}", f"? {line[1]}"]
    if game != "hextup":  # there each has tiles of their own
        assert third["pools"]["alice"] == third["pools"]["?"]


@every_game
@pytest.mark.parametrize(
    "form", ["text", "small", "list", "words", "bbcode", "markdown", "html", "svg"]
)
def test_it_has_every_format(club: Club, game: str, form: str) -> None:
    picture = opened(club, game)
    move = fields(club, "", picture)["legal"][0]
    shown = typed(club, f"{move} -format={form}", picture)
    assert f"1. alice: {move}" in shown
    assert "This is an analysis for your eyes only" in shown
    if form in ("list", "words"):
        assert all(len(line) <= WIDTH for line in shown.splitlines())


@every_game
def test_what_was_taken_is_said(club: Club, game: str) -> None:
    said = plain(typed(club, "", opened(club, game)))
    assert "A picture does not hold whose turn it is, the options, " in said
    assert ("under a tile. So you move first, as Light, " in said) == (game == "hextup")
    assert "each of you holds every tile that may be left." in said
    assert "It is your turn, alice." in said
    assert "What has happened" not in said


def test_options_and_numbers_that_were_taken_are_said(club: Club) -> None:
    odd = typed(club, "", draw(Drawing("bitten", {0: "117"})), "holo")
    wanted = "only with these options: -num_digits=7 -non_unique=yes"
    assert wanted in plain(odd)
    assert "As no cell has a number there" in plain(odd)
    club.game = "holo"
    taken = fields(club, "", ONE)["taken"]
    assert taken == {"options": {}, "numbered": False}


def test_it_is_no_board(club: Club) -> None:
    picture = opened(club, "holo")
    before = club.server.records()
    shown = fields(club, "", picture)
    assert shown.keys().isdisjoint({"board", "seal", "seed", "match", "clocks"})
    assert club.server.records() == before
    svg = club.server.type("holo analyse alice {alice} -format=svg", f"-m={picture}")
    (file,) = svg.attachments
    assert file.name == "holo-position.svg"
    assert b"a position of its own" in file.content


# By mail, and in the shell


@every_game
@pytest.mark.parametrize("mark", ["", "> ", ">> ", "   ", "> > "])
def test_a_letter_may_be_quoted(club: Club, game: str, mark: str) -> None:
    """A whole screen, with all that is around the board."""
    opened(club, game)
    lines = club.say(f"{game} show 1").splitlines()
    text = "\n".join(f"{mark}{line}" for line in lines)
    (letter,) = club.server.mail(mailed(club, "alice", "analyse alice PASSWORD", text))
    assert letter.to == (home("alice"),)
    assert "This is an analysis for your eyes only" in letter.text
    assert "It is your turn, alice." in letter.text


def test_a_board_in_words_is_one_too(club: Club) -> None:
    opened(club, "hextol")
    told = club.say("hextol show 1 -format=list")
    assert fields(club, "", told)["cells"] == club.json()["cells"]


def test_a_text_may_follow_the_command_in_a_mail(club: Club) -> None:
    picture = opened(club, "holo")
    body = f"holo analyse alice {PASSWORDS['alice']} -format=json\n\n{picture}"
    mail = f"From: {home('alice')}\nSubject: Hm\nMessage-ID: <7@x>\n\n{body}\n"
    (letter,) = club.server.mail(mail.encode())
    assert json.loads(letter.text)["cells"] == club.json()["cells"]


def test_in_a_shell_it_comes_from_standard_input(tmp_path: Path) -> None:
    club = Club(tmp_path / "store")
    line = ["holo", "analyse", "alice", PASSWORDS["alice"], "-format=json"]
    run = "from pbm_holomino import cli; raise SystemExit(cli.main())"
    found = subprocess.run(
        [sys.executable, "-c", run, *line],
        input=ONE.encode(),
        env={**os.environ, "PBM_GAMES": str(club.server.folder)},
        check=True,
        capture_output=True,
    )
    assert json.loads(found.stdout)["cells"] == {"0": "123"}


def test_a_board_that_is_named_needs_no_text(club: Club) -> None:
    opened(club, "holo")
    words = f"analyse 1 alice {PASSWORDS['alice']}"
    (letter,) = club.server.mail(mailed(club, "alice", "analyse 1 alice PASSWORD", ONE))
    assert plain(club.say(f"holo {words}")).startswith("This is an analysis")
    assert "of holo 1 after move 8" in plain(letter.text)


# What is refused


def test_without_a_text_it_says_what_to_write(club: Club) -> None:
    said = plain(club.refused_line("holo analyse alice {alice} 123:2")[0])
    assert said.startswith("Which position? Please name a board before your userid, as")
    assert '"holo analyse 12 alice"' in said


@pytest.mark.parametrize("text", ["Hello", "12345", "\0\x1b[2J", "{}" * 50, "_" * 9000])
def test_what_is_no_board_is_refused(club: Club, text: str) -> None:
    answer = club.server.type("holo analyse alice {alice}", f"-m={text}")
    assert answer.status == 1
    assert "\x1b" not in answer.text


def test_the_place_is_named_where_it_goes_wrong(club: Club) -> None:
    lines = ["Look!", "", *ONE.splitlines()]
    row = next(no for no, line in enumerate(lines) if "/" in line)
    lines[row] += "  %"
    said = plain(typed(club, "", "\n".join(lines), "holo"))
    where = f"Line {row + 1}, column {len(lines[row])}: "
    assert said.startswith(f'{where}"%" is not part of a tile')
    twice = draw(Drawing("bitten", {0: "123", 3: "231"}))
    assert "The tile 123 is on the board twice." in plain(
        typed(club, "", twice, "holo")
    )


def test_a_board_can_be_too_large(club: Club) -> None:
    long = "\n".join([ONE] * MOST)
    assert "too large for a board" in plain(typed(club, "", long, "holo"))


@pytest.mark.parametrize("words", ["-sample", "123:2 draw:124", "123:2 ?"])
def test_nothing_is_drawn(club: Club, words: str) -> None:
    said = plain(typed(club, words, ONE, "holo"))
    assert said.startswith(f'"{words.split()[-1]}" has no meaning on a board that is ')


def test_nothing_is_kept(club: Club) -> None:
    said = plain(typed(club, "-keep", ONE, "holo"))
    assert said.startswith('"-keep" keeps a line among your notes on a board of this')


def test_the_move_that_is_wrong_is_named(club: Club) -> None:
    said = plain(typed(club, "124:1 999:3", ONE, "holo"))
    assert said.startswith("Move ")
    assert "of the line: " in said


def test_only_with_a_password(club: Club) -> None:
    answer = club.server.type(f"holo analyse alice {PASSWORDS['bob']}", f"-m={ONE}")
    assert answer.status == 1
    assert "not the password" in answer.text


def test_a_line_of_any_length_has_an_end(club: Club) -> None:
    said = plain(typed(club, "124:1 " * 400, ONE, "holo"))
    assert "A line can have 200 moves and draws at most, and this one has 400" in said
