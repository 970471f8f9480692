"""How a reader can answer: by a reply to a letter, or by a command with a password."""

from collections.abc import Sequence

from pbm_holomino.letters.content import Command, Paragraph, Part
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.record import Record


def whole(record: Record, verb: str, who: str, *words: str) -> str:
    """A player's command about a board, without their password."""
    given = (record.game, verb, str(record.board), who, PLACEHOLDER, *words)
    return " ".join(given)


def ask(lead: str, command: Command, by_reply: bool) -> Part:
    """How to send a command, such as `To accept, send this line ...`."""
    if by_reply:
        how = f"{lead} reply to this letter with this in its first line:"
        return Paragraph(how), command
    how = f"{lead} send this line with your password:"
    return Paragraph(how), Command(command.whole)


def ask_one(lead: str, commands: Sequence[Command], by_reply: bool) -> Part:
    """How to send one of several commands."""
    if by_reply:
        how = f"{lead} reply to this letter with one of these in its first line:"
        return (Paragraph(how), *commands)
    how = f"{lead} send one of these lines with your password:"
    return (Paragraph(how), *(Command(command.whole) for command in commands))
