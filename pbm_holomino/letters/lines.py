"""Boards in a list, a line or more each."""

from pbm_holomino.sentences import fill, listed
from pbm_holomino.store.summary import Summary


def board_line(board: Summary) -> str:
    """A board with its number, moves and points, and whose turn it is or who won."""
    points = ", ".join(f"{player} {score}" for player, score in board.scores.items())
    state = f"{listed(board.turn)} to move" if board.turn else board.verdict
    return fill(f"{board.name:12} move {board.ply:3}  {points};  {state}", "", " " * 14)
