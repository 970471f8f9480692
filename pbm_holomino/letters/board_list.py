"""Lines of a list of boards, or of open challenges."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pbm_holomino.languages import Day, Listed, sentence
from pbm_holomino.letters.content import BLANK, Block, Command, Paragraph, Part
from pbm_holomino.letters.how_to_answer import full_command
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import lapses, seats_in_words
from pbm_holomino.match.record import Record
from pbm_holomino.match.verdicts import in_a_row

if TYPE_CHECKING:
    from pbm_holomino.store.summary import Summary

# Columns are as wide in any language: what is in them has its blanks already.
_BOARD = sentence("{board} move {ply}  {scores};  {state}")
_TO_MOVE = sentence("{players} to move")
_CHALLENGE = sentence("{seats}, until {day}")
_WITH_OPTIONS = sentence("{seats}, until {day}  {options}")
_OPEN = sentence("Open challenges that anybody may take up:")
_TO_TAKE_ONE = sentence(
    "To take one up, send a line like this, with its game and number, and your "
    "password:"
)


def board_line(summary: "Summary") -> Paragraph:
    """A board's number, moves and points, and whose turn it is or who won."""
    turn = _TO_MOVE.of(players=Listed(summary.turn))
    said = _BOARD.of(
        board=f"{summary.name:12}",
        ply=f"{summary.ply:3}",
        scores=in_a_row(summary.scores.items()),
        state=turn if summary.turn else summary.verdict,
    )
    return Paragraph(said, "", " " * 14)


def challenge_line(challenge: Match) -> Paragraph:
    """Its number, its seats and its options, in a list."""
    head, chosen = f"  {challenge.record.name:12}  ", challenge.record.chosen_options
    said = (_WITH_OPTIONS if chosen else _CHALLENGE).of(
        seats=seats_in_words(challenge), day=Day(lapses(challenge)), options=chosen
    )
    return Paragraph(said, head)


def open_challenges(entries: Iterable[Block], first: Record, userid: str) -> Part:
    """A list of open challenges, and how a player takes one up, such as the `first`."""
    command = Command(full_command(first, "accept", userid))
    return Paragraph(_OPEN), BLANK, *entries, BLANK, Paragraph(_TO_TAKE_ONE), command
