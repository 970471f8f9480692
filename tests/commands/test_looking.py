"""What `look` and `fits` say of a board, in sentences."""

import re

import pytest

from pbm_holomino.errors import NotFound, PbmError
from pbm_holomino.match.board import Match
from pbm_holomino.rules import load, names
from tests.boards import Case, answer, opened, played


def told(board: Match, line: str) -> str:
    """The answer to a question in one line, without what names the board."""
    _, _, said = " ".join(answer(board, line).split()).partition(" against bob")
    return said.strip("x_ ")


@pytest.fixture(scope="module")
def holo() -> Match:
    """Tiles lie at 0, where the spiral begins, and beside it."""
    return played(opened(Case("holo", 2, {}), 3), 5, 14)


def test_a_position_that_is_taken_has_its_tile_and_what_is_beside_it(
    holo: Match,
) -> None:
    upper, right, lower = [*holo.view(None).drawing.faces[0]]
    said = told(holo, "look 1 0")
    whole = f"0: upper left {upper}, right {right}, lower left {lower}. Beside it: "
    assert said.startswith(whole)


def test_an_empty_position_says_what_can_be_played_there(holo: Match) -> None:
    game, state = holo.rules, holo.state
    player = holo.turn[0]
    move = game.legal(state, holo.record.players.index(player))[0]
    at = game.covers(move)[0]
    said = told(holo, f"look 1 {at}")
    assert said.startswith(f"Position {at} is empty. A tile there needs ")
    there = [m for m in game.legal(state, 0) if game.covers(m) == (at,)]
    _, _, plays = said.partition(f"{player} can play there: ")
    assert plays.count(f":{at} ") == len(there)
    for one, score in zip(there, game.gains(state, there), strict=True):
        assert f"{game.format_move(one)} scores {score or 'nothing'}" in plays


def test_a_position_far_away_has_nothing_beside_it(holo: Match) -> None:
    said = told(holo, "look 1 9918")
    assert said.startswith("Position 9918 is empty. No tile is beside 9918.")
    for word in ("9919", "99999999"):
        with pytest.raises(NotFound, match=f'"{word}" is not a position'):
            answer(holo, f"look 1 {word}")


@pytest.mark.parametrize("name", [g for g in names() if not load(g).SECRETS])
def test_a_tile_is_told_with_every_place_where_it_fits(name: str) -> None:
    board = played(opened(Case(name, 2, {}), 4), 2, 9)
    game, state = board.rules, board.state
    seat = game.to_move(state)[0]
    legal = game.legal(state, seat)
    tiles = {game.format_move(move).partition(":")[0] for move in legal}
    for tile in tiles:
        mine = [m for m in legal if game.format_move(m).startswith(f"{tile}:")]
        said = told(board, f"fits 1 {tile}")
        places = "one place" if len(mine) == 1 else f"{len(mine)} places"
        assert said.startswith(f"{tile} fits at {places}")
        best = max(game.gains(state, mine))
        written = [game.format_move(move) for move in mine]
        shown = [w for w in written if w.partition(":")[2] in said]
        more = len(written) - len(shown)
        assert f"And at {more} more" in said or not more
        assert best == 0 or re.search(rf"\b{best} [^.]*at most\.", said)


def test_a_tile_has_the_names_of_its_turns(holo: Match) -> None:
    tile = holo.view(None).pools[0][0]
    for name in (tile, tile[1:] + tile[0], tile[2] + tile[:2]):
        assert told(holo, f"fits 1 {name}") == told(holo, f"fits 1 {tile}")
    with pytest.raises(NotFound, match=r'Nobody holds "999" now\. alice'):
        answer(holo, "fits 1 999")


def test_another_player_s_tile_is_told_as_that(holo: Match) -> None:
    (waiting,) = {*holo.record.players} - {*holo.turn}
    tile = holo.view(None).pools[holo.record.players.index(waiting)][0]
    said = told(holo, f"fits 1 {tile}")
    assert said.startswith(f"{waiting} holds {tile}, and it is not {waiting}'s turn.")


@pytest.mark.parametrize("words", ["look 1", "look 1 x", "look 1 -3", "fits 1", "look"])
def test_what_is_no_question_is_refused(holo: Match, words: str) -> None:
    with pytest.raises(PbmError):
        answer(holo, words)
