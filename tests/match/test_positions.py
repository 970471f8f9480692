"""Boards that are pasted are positions: what can be played there is what could be
played on the board that was copied."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.draw.text import draw
from pbm_holomino.errors import BadBoard
from pbm_holomino.match.board import Match
from pbm_holomino.match.positions import pasted, with_every_tile
from pbm_holomino.rules import names
from pbm_holomino.rules.contract import Drawing
from tests.boards import Case, opened, played, sent, written
from tests.sizes import sized

Faces = dict[int, str]


def some_board(name: str, seed: int, moves: int) -> Match:
    words = {"draft": "random"} if name == "walomino" else {}
    return played(opened(Case(name, 2, words), seed % 251), seed, moves)


def text_of(board: Match, small: bool = False) -> str:
    return draw(board.view(None).drawing, small)


@pytest.mark.parametrize("name", names())
@settings(max_examples=sized(6, 60))
@given(seed=st.integers(0, 10**6), moves=st.integers(1, 30), small=st.booleans())
def test_what_could_be_played_can_be_played(
    name: str, seed: int, moves: int, small: bool
) -> None:
    board = some_board(name, seed, moves)
    if not board.turn or not board.view(None).drawing.faces:
        return
    (player, *_), text = board.turn, text_of(board, small)
    if board.rules.SIDES and player != board.record.players[0]:
        return  # who is to move is Light
    if "move" not in {x.kind for x in board.view(None).drawing.labels.values()}:
        return
    found = pasted(name, text, player)
    puts = {word for word in written(board, player) if not word.startswith("pass")}
    assert found.is_numbered
    assert found.match.turn == (player,)
    assert puts <= {*written(found.match, player)}


@pytest.mark.parametrize("name", names())
@settings(max_examples=sized(3, 30))
@given(seed=st.integers(0, 10**6), moves=st.integers(1, 12))
def test_moves_follow_as_on_a_board(name: str, seed: int, moves: int) -> None:
    board = some_board(name, seed, moves)
    if not board.turn or not board.view(None).drawing.faces:
        return
    match = pasted(name, text_of(board), "alice").match
    for number in range(4):
        before = match.view(None).drawing.faces
        player = ("alice", "?")[number % 2]
        assert match.turn == (player,)
        puts = [word for word in written(match, player) if "pass" not in word]
        if not puts:
            return
        match = with_every_tile(sent(match, player, puts[seed % len(puts)]))
        faces = match.view(None).drawing.faces
        assert before.keys() < faces.keys() or match.rules.SIDES
        if match.result is not None:
            return


# What cannot be


def refused(name: str, drawing: Drawing, small: bool = False) -> str:
    with pytest.raises(BadBoard) as error:
        pasted(name, draw(drawing, small), "alice")
    assert error.value.line > 0
    return str(error.value)


def halves(faces: Faces, *joints: tuple[int, int]) -> Drawing:
    return Drawing("hextile", faces, joints)


@pytest.mark.parametrize("small", [False, True])
def test_a_board_that_cannot_be_is_refused_where_it_is_wrong(small: bool) -> None:
    """Position 2 is north-east of 0, and 9 of 2."""
    apart = halves({0: "2", 1: "2", 23: "3", 42: "4"}, (0, 1), (23, 42))
    assert "connected" in refused("hextol", apart, small)
    twice = halves({0: "2", 1: "2", 2: "2", 9: "2"}, (0, 1), (2, 9))
    assert "The tile 22 is on the board twice." in refused("hextol", twice, small)
    unequal = halves({0: "2", 1: "2", 2: "3", 9: "4"}, (0, 1), (2, 9))
    assert "does not fit" in refused("hextol", unequal, small)
    assert "2 is not the colour" in refused("walomino", unequal, small)
    colours = halves({0: "R", 1: "R"}, (0, 1))
    assert "R is not a number of pips." in refused("hextol", colours, small)
    assert "two open ends" in refused("walomino", colours, small)
    lone = halves({0: "2", 1: "2", 2: "2"}, (0, 1))
    assert "The other half of this tile is missing." in refused("hextol", lone, small)


def test_holomino_is_judged_too() -> None:
    """Position 3 is south-east of 0: its upper left corner meets the right one of
    0."""
    fits = Drawing("bitten", {0: "123", 3: "245"})
    assert pasted("holo", draw(fits), "alice").match.turn == ("alice",)
    assert "does not fit" in refused("holo", Drawing("bitten", {0: "123", 3: "345"}))
    twice = Drawing("bitten", {0: "123", 3: "231"})
    assert "The tile 123 is on the board twice." in refused("holo", twice)


def test_options_are_those_that_the_board_needs() -> None:
    def words(name: str, drawing: Drawing) -> dict[str, str]:
        return pasted(name, draw(drawing), "alice").words

    assert words("hextol", halves({0: "2", 1: "2"}, (0, 1))) == {}
    assert words("hextol", halves({0: "8", 1: "8"}, (0, 1))) == {"max_pips": "8"}
    assert words("holo", Drawing("bitten", {0: "123"})) == {}
    odd = Drawing("bitten", {0: "117"})
    assert words("holo", odd) == {"num_digits": "7", "non_unique": "yes"}


def test_moves_of_a_position_are_judged() -> None:
    match = pasted("hextol", draw(halves({0: "2", 1: "2"}, (0, 1))), "alice").match
    match = with_every_tile(sent(match, "alice", "24:2,9"))
    assert match.turn == ("?",)
    assert match.view(None).pools[0] == match.view(None).pools[1]
    assert "24" not in match.view(None).pools[0]
