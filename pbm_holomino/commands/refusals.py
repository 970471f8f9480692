"""The answers to refused commands."""

from pbm_holomino.commands import table
from pbm_holomino.commands.request import Answer, Request, Shown
from pbm_holomino.errors import BadCommand, NoCommand, PbmError
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.letters import screen
from pbm_holomino.letters.content import Block, Command, Lines, Paragraph, content
from pbm_holomino.match.board import Match

YOUR_COMMAND = "Re: your command"  # the subject of an answer to what cannot be read


def refusal(
    error: PbmError, to: tuple[str, ...] = (), board: Shown | None = None
) -> Answer:
    """The answer to a refused command.

    `to` are the addresses of the player who gave the right password, empty for the
    sender; `board` is the screen of the board that the command was about.
    """
    said: list[Block] = [Paragraph(error.said)]
    if isinstance(error, BadCommand):
        said.append(Paragraph(_how_to_read(error.page)))
    if error.example:
        said += [Lines("\n"), Command(error.example)]
    told = content(said, *(board.content if board else ()))
    return Answer.of(told, error.status, to, error.over, board)


def no_command() -> NoCommand:
    """The error for a reply without a command."""
    return NoCommand(
        "I cannot read a command in this reply: please put a whole one into its first "
        'line or into the Subject line, such as "help tutorial".',
        "reply",
    )


def _how_to_read(page: str) -> Sentence:
    """How to get a help page; those of the owner do not come by mail."""
    if table.is_owners_help(page.split()):
        return sentence('For more, type "pbm help {page}".', page=page)
    return sentence('For more, send "help {page}".', page=page)


def board_shown(
    request: Request, match: Match | None, reader: str | None
) -> Shown | None:
    """The screen of the board that a refusal shows to a reader, or to anybody; None if
    there is no board, or if the answer has no room for one."""
    if match is None or not request.allowance.work.has_board(bool(request.userid)):
        return None
    shown = screen.screen(match, reader, by_reply=request.by_letter)
    return Shown(match, reader, shown)
