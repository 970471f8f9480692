"""What is put into a forum: the board, its last move, scores and tiles, whose turn it
is and, where there are pages, a link; and nothing that only a player needs."""

import re
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.draw.text import draw
from pbm_holomino.match.board import Match
from pbm_holomino.match.verdicts import ended
from pbm_holomino.rules import names
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.sentences import listed
from tests.boards import Case, answer, chronicle, opened, played
from tests.house import House
from tests.processes import run
from tests.sizes import sized

FORMS = ["bbcode", "markdown", "html"]


def without_places(drawing: Drawing) -> Drawing:
    labels = drawing.labels.items()
    return drawing._replace(labels={at: k for at, k in labels if k.kind != "move"})


def check(board: Match, text: str) -> None:
    """A snapshot of a board has all that it promises, and nothing else."""
    record, view = board.record, board.view(None)
    flat = " ".join(text.split())
    # without what their tiles are called, and why they are gone
    rows = re.sub(r" \([A-Za-z, ]+\)", "", flat)
    for drawing in filter(None, (view.ended, view.drawing)):
        assert draw(without_places(drawing)) in text
    for seat, player in enumerate(record.players):
        tiles = " ".join(view.pools[seat]) or "-"
        assert f"{player} {view.scores[seat]} {tiles}" in rows
    if board.result is not None:
        assert str(ended(board)) in flat
    elif len(board.turn) == 1:
        assert f"It is {board.turn[0]}'s turn." in flat
    else:
        assert f"{listed(board.turn)} are to move." in flat
    assert f"Seal: {record.seal[:6]}...{record.seal[-6:]}\n" in text
    for word in ("PASSWORD", "possible", "send", "reply", "verify", record.seal[:7]):
        assert word not in text
    assert record.seed.hex() not in text


@pytest.mark.parametrize("name", names())
@settings(max_examples=sized(4, 10))
@given(seed=st.integers(0, 10**6), lines=st.integers(1, 70))
def test_a_snapshot_has_what_it_promises_and_no_more(
    name: str, seed: int, lines: int
) -> None:
    *_, board = islice(chronicle(seed, name), lines)
    text = answer(board, "show 1 -format=bbcode")
    assert text.startswith("[code]\n")
    assert text.endswith("[/code]\n")
    check(board, text)


def board_of(name: str, plies: int) -> Match:
    words = {"draft": "random"} if name == "walomino" else {}
    return played(opened(Case(name, 2, words), 6), 5, plies)


@pytest.mark.parametrize("name", names())
def test_the_last_move_is_told(name: str) -> None:
    board = board_of(name, 6)
    line = board.public_line(board.moves[-1])
    tile, _, place = str(line.action).partition(":")
    text = " ".join(answer(board, "show 1 -format=markdown").split())
    assert f"{line.who} played {tile}:{place}" in text


@pytest.mark.parametrize("name", names())
def test_a_past_position_is_nobodys_turn(name: str) -> None:
    text = answer(board_of(name, 6), "show 1#4 -format=bbcode")
    assert "turn" not in text
    assert "to move" not in text
    assert "  > " not in text


@pytest.mark.parametrize("name", names())
def test_a_preview_says_that_it_is_one(name: str) -> None:
    board = board_of(name, 6)
    move = board.view(None).legal[0]
    text = answer(board, f"preview 1 {move} -format=html")
    assert text.startswith("<pre>\nThis is a preview: nothing has been played.\n")
    assert board.record.seal not in text
    assert "PASSWORD" not in text


def test_a_player_who_asks_shows_a_forum_no_secrets(server: House) -> None:
    server.challenge()
    server.type("holo queue 1 bob {bob} 123:99")
    shown = server.type("holo showas bob {bob} 1").text
    assert "123:99" in shown
    for form in FORMS:
        told = server.type(f"holo showas bob {{bob}} 1 -format={form}").text
        assert told == server.type(f"holo show 1 -format={form}").text
        assert "123:99" not in told


# The link

LINKS = {
    "bbcode": "[url]{}[/url]\n",
    "markdown": "<{}>\n",
    "html": '<p><a href="{0}">{0}</a></p>\n',
}


@pytest.mark.parametrize("form", FORMS)
def test_where_there_are_pages_there_is_a_link(server: House, form: str) -> None:
    server.challenge()
    server.play(1, moves=3)
    lines = {
        "show 1": "/holo/1",
        "show 1#2": "/holo/1/2",
        "history 1": "/holo/1",
        f"preview 1 {server.match().view(None).legal[0]}": "/holo/1",
    }
    for line, path in lines.items():
        plain = server.type(f"holo {line} -format={form}").text
        assert "http" not in plain
        server.server.web = "https://example.org/pbm/"
        link = LINKS[form].format(f"https://example.org/pbm{path}")
        told = server.type(f"holo {line} -format={form}").text
        assert told.removeprefix(plain).lstrip("\n") == link
        server.server.web = ""


def test_the_settings_say_where_the_pages_are(server: House) -> None:
    server.challenge()
    Path(server.folder, "config.yaml").write_text("web: https://example.org\n")
    done = run(server.folder, "holo", "show", "1", "-format=bbcode")
    assert done.out.endswith("[/code]\n[url]https://example.org/holo/1[/url]\n")


# A record


def test_a_record_in_a_forum_has_the_ends_of_the_seal(server: House) -> None:
    server.challenge()
    seal = server.match().record.seal
    short = f"Seal: {seal[:6]}...{seal[-6:]}\n"
    for form in FORMS:
        told = server.type(f"holo history 1 -format={form}").text
        assert short in told
        assert seal not in told
    assert seal in server.type("holo history 1").text
