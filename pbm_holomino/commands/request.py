"""Requests and answers: a command as it was understood, and the reply to it."""

from collections.abc import Mapping
from typing import NamedTuple

from pbm_holomino.commands.allowance import UNBOUNDED, Allowance
from pbm_holomino.errors import NotAllowed
from pbm_holomino.match.record import SHELL


class Request(NamedTuple):
    """A command that was understood but not yet carried out.

    `boards` holds board numbers, each with the number of the move after which to show
    it, or None for now; `words` holds the other words in order: userids, addresses,
    moves. `sender` is the address that a mail came from, empty in the shell; `mail` is
    the id of that mail, or SHELL; `mail_text` is its text as it came, and `body` what
    was typed with the command; `allowance` limits what the whole mail may cost.
    """

    command: str
    game: str = ""
    userid: str = ""
    password: str = ""
    boards: tuple[tuple[int, int | None], ...] = ()
    words: tuple[str, ...] = ()
    which: str = ""
    options: Mapping[str, str] = {}
    format: str = "text"
    move_no: int | None = None
    sender: str = ""
    mail: str = SHELL
    mail_text: str = ""
    body: str = ""
    allowance: Allowance = UNBOUNDED

    @property
    def board(self) -> int:
        """The number of the first board, for commands about one board."""
        return self.boards[0][0]

    @property
    def by_mail(self) -> bool:
        return self.mail != SHELL

    @property
    def name(self) -> str:
        """The command as an answer may quote it, without password: `holo move 12`."""
        words = [self.game, self.command, *(str(board) for board, _ in self.boards[:1])]
        return " ".join(word for word in words if word)

    @property
    def subject(self) -> str:
        """The subject of an answer to the command."""
        return f"Re: {self.name}"


def check_has_text(request: Request) -> None:
    """Raises NotAllowed for a request that brings no text to pass on."""
    if not request.body:
        raise NotAllowed(
            "There is no text to pass on. Please write one above anything that you "
            "quote."
        )


class Answer(NamedTuple):
    """The answer to a command, with an exit status for the shell.

    `to` holds the addresses to send it to; if empty, it goes to the sender. It is
    `posted` if it has already gone out as a letter. `over` is the kind of mail of which
    too many have come, if the answer says nothing else.
    """

    text: str
    status: int = 0
    to: tuple[str, ...] = ()
    posted: bool = False
    over: str = ""
