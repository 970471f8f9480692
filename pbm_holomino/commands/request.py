"""What is asked, and what is answered."""

from collections.abc import Mapping
from typing import NamedTuple

from pbm_holomino.commands.allowance import UNBOUNDED, Allowance
from pbm_holomino.match.record import SHELL


class Request(NamedTuple):
    """A command, understood but not yet judged.

    `boards` holds boards with the move after which they are wanted, None for now;
    `words` what else stands in order: userids, addresses, moves; `sender` is the
    address that a mail came from, empty in the shell; `mail` names that mail, or is
    SHELL; `allowance` is what the whole mail may cost.
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
    body: str = ""
    allowance: Allowance = UNBOUNDED

    @property
    def board(self) -> int:
        """The board of a command that is about one."""
        return self.boards[0][0]

    @property
    def by_mail(self) -> bool:
        return self.mail != SHELL

    @property
    def name(self) -> str:
        """The command as an answer may quote it, with no password: `holo move 12`."""
        words = [self.game, self.command, *(str(board) for board, _ in self.boards[:1])]
        return " ".join(word for word in words if word)

    @property
    def subject(self) -> str:
        """The subject of an answer to the command."""
        return f"Re: {self.name}"


class Answer(NamedTuple):
    """What the person who asked gets to read, with an exit status for the shell.

    `to` are the addresses for it, none for the sender; it is `posted` when it has
    gone out as a letter already. `over` is the kind of mail that has come too often,
    where that is all it says.
    """

    text: str
    status: int = 0
    to: tuple[str, ...] = ()
    posted: bool = False
    over: str = ""
