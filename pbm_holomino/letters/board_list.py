"""Lines of a list of boards."""

from pbm_holomino.sentences import fill, listed
from pbm_holomino.store.summary import Summary


def board_line(summary: Summary) -> str:
    """A board's number, moves and points, and whose turn it is or who won."""
    points = ", ".join(f"{player} {score}" for player, score in summary.scores.items())
    state = f"{listed(summary.turn)} to move" if summary.turn else summary.verdict
    return fill(
        f"{summary.name:12} move {summary.ply:3}  {points};  {state}", "", " " * 14
    )
