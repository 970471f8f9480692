"""A robot's advice on a move, as the player reads it."""

from pbm_holomino.languages import sentence
from pbm_holomino.letters import screen
from pbm_holomino.letters.content import Command, Content, Paragraph, content
from pbm_holomino.letters.how_to_answer import full_command
from pbm_holomino.match.board import Match
from pbm_holomino.store.robot_jobs import Advice

SUBJECT = sentence("{board}: a hint")
_WOULD_PLAY = sentence("A robot would play this on {board}:")
_NO_RESULT = sentence(
    "No robot has come to a result on {board}: the owner has been told."
)


def hint(match: Match, reader: str, advice: Advice, by_reply: bool) -> Content:
    """A move that a robot would play, and why, with the board."""
    plays = full_command(match.record, "move", reader, advice.move)
    return content(
        (
            Paragraph(_WOULD_PLAY.of(board=match.record.name)),
            Paragraph(advice.move, "  ", commands=(Command(advice.move, plays),)),
            Paragraph(advice.compared),
        ),
        *screen.screen(match, reader, by_reply=by_reply),
    )


def nothing(match: Match) -> Content:
    """What a player is told whom no robot could help."""
    return content((Paragraph(_NO_RESULT.of(board=match.record.name)),))
