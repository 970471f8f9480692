"""The answers to refused commands."""

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import BadCommand, PbmError
from pbm_holomino.letters import screen
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import Table
from pbm_holomino.sentences import fill


def refusal(error: PbmError, to: tuple[str, ...] = (), board: str = "") -> Answer:
    """The answer to a refused command.

    `to` are the addresses of the player who gave the right password, empty for the
    sender; `board` is the screen of the board that the command was about.
    """
    text = fill(str(error))
    if isinstance(error, BadCommand):
        text += fill(f'For more, send "help {error.page}".')
    if error.example:
        text += f"\n  {error.example}\n"
    if board:
        text += f"\n{board}"
    return Answer(text, error.status, to, over=error.over)


def board_shown(request: Request, match: Table | None, reader: str | None) -> str:
    """The screen of the board that a refusal shows to a reader, or to anybody; empty if
    there is no board, or if the answer has no room for one."""
    if not isinstance(match, Match) or not request.allowance.has_board(
        bool(request.userid)
    ):
        return ""
    return screen.screen(match, reader)
