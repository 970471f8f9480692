"""Lines of a list of boards, or of open challenges."""

from typing import TYPE_CHECKING

from pbm_holomino.letters.content import Command
from pbm_holomino.letters.how_to_answer import full_command
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import lapses, seats_in_words
from pbm_holomino.match.record import Record
from pbm_holomino.sentences import fill, listed

if TYPE_CHECKING:
    from pbm_holomino.store.summary import Summary


def board_line(summary: "Summary") -> str:
    """A board's number, moves and points, and whose turn it is or who won."""
    points = ", ".join(f"{player} {score}" for player, score in summary.scores.items())
    state = f"{listed(summary.turn)} to move" if summary.turn else str(summary.verdict)
    return fill(
        f"{summary.name:12} move {summary.ply:3}  {points};  {state}", "", " " * 14
    )


def challenge_line(challenge: Match) -> str:
    """Its number, its seats and its options, in a list."""
    head = f"  {challenge.record.name:12}  "
    text = f"{seats_in_words(challenge)}, until {lapses(challenge)[:10]}"
    chosen = challenge.record.chosen_options
    options = f"  {chosen}" if chosen else ""
    return fill(f"{text}{options}", head, " " * len(head))


def how_to_take(first: Record, userid: str) -> str:
    """How a player takes up a challenge in a list, such as the `first` one."""
    how = fill(
        "To take one up, send a line like this, with its game and number, and your "
        "password:"
    )
    return how + Command(full_command(first, "accept", userid)).plain()
