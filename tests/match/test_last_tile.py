"""The tile that was played last, which drawings name, worked out from the log."""

import re

import pytest

from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.rules import names
from pbm_holomino.rules.contract import Drawing
from tests.boards import Case, chronicle, opened, plain_cases, played, sent, undone
from tests.sizes import some


def named(action: str) -> set[int]:
    """The positions that a move names, such as `123:17` or `24:7,19`."""
    found = re.fullmatch(r"[0-9RGYPB]+:([0-9,]+)", action)
    return set(map(int, found[1].split(","))) if found else set()


def last(board: Match) -> set[int]:
    """The positions of the tile played last on the present board."""
    return set(board.view(None).drawing.last)


def pictures(board: Match) -> list[Drawing]:
    """The present board, and that of the round before as long as letters show it."""
    view = board.view(None)
    return [view.drawing, *([view.ended] if view.ended else [])]


def last_move(board: Match) -> str:
    """The last move that counts, in its public form."""
    lines = map(board.public_line, range(len(board.record.log)))
    kept = [line for line in lines if line.no and line.no <= board.ply]
    return str(kept[-1].action) if kept else ""


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("seed", some(range(12), 4))
def test_the_last_tile_is_where_the_last_move_put_it(name: str, seed: int) -> None:
    for board in chronicle(seed, name):
        expected = named(last_move(board))
        latest = pictures(board)[-1]  # a move that ends a round lies in that round
        assert set(latest.last) == expected
        assert all(not drawing.last for drawing in pictures(board)[:-1])


@pytest.mark.parametrize("case", plain_cases(), ids=str)
def test_nothing_is_marked_before_the_first_tile(case: Case) -> None:
    board = opened(case)
    while board.turn and not named(last_move(board)):
        assert last(board) == set()
        board = played(board, 1, 1)


@pytest.mark.parametrize("case", plain_cases(), ids=str)
def test_past_positions_and_undone_moves_have_their_own_last_tile(case: Case) -> None:
    board = opened(case)
    while len(named(last_move(board))) == 0:
        board = played(board, 2, 1)
    first = board
    second = played(board, 3, 1)
    assert last(first) != last(second) != set()
    assert last(second.after_ply(first.ply)) == last(first) != set()
    assert last(undone(second, second.record.log[-1].who)) == last(first)
    assert last(second.after_ply(0)) == set()


@pytest.mark.parametrize("name", names())
def test_a_previewed_tile_is_the_last_one(name: str) -> None:
    board = played(opened(Case(name, 2, {})), 4, 12)
    move = board.view(None).legal[0]
    previewed = replay.preview(board, move)
    assert previewed is not None
    assert last(previewed) == named(move) != last(board)


def test_after_a_pass_no_tile_is_marked() -> None:
    board = opened(Case("holo", 2, {"board_size": "3", "num_digits": "4"}))
    while not board.view(None).legal[0].startswith("pass"):
        board = sent(board, board.turn[0], board.view(None).legal[0])
    assert last(board) != set()
    assert last(sent(board, board.turn[0], "pass")) == set()


@pytest.mark.parametrize("name", names())
def test_only_a_file_of_the_first_format_has_no_mark(name: str) -> None:
    board = played(opened(Case(name, 2, {})), 4)
    assert last(board) != set()
    asked = board.record._replace(challenger=board.record.players[0])
    assert (board.record.format, asked.format) == (1, 2)
    marked = to_data(board._replace(record=asked))["picture"]
    pairs = zip(marked, to_data(board)["picture"], strict=True)
    changes = {(ink, plain) for ink, plain in pairs if ink != plain}
    # without a mark one sees what is under it: nothing, or the shade of a half
    assert changes
    assert changes <= {("#", " "), ("#", ".")}
