"""How a reader can answer: by a reply to a letter, or by a command with a password."""

from pbm_holomino.letters.content import Command, Paragraph, Part
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.record import Record


def full_command(record: Record, verb: str, who: str, *words: str) -> str:
    """A player's command about a board, without their password."""
    given = (record.game, verb, str(record.board), who, PLACEHOLDER, *words)
    return " ".join(given)


def how_to_send(lead: str, by_reply: bool, *commands: Command) -> Part:
    """How to send a command, or one of several: `To accept, send this line ...`."""
    is_one = len(commands) == 1
    if by_reply:
        this = "this" if is_one else "one of these"
        how = f"{lead} reply to this letter with {this} in its first line:"
        return (Paragraph(how), *commands)
    line = "this line" if is_one else "one of these lines"
    how = f"{lead} send {line} with your password:"
    return (Paragraph(how), *(Command(command.whole) for command in commands))
