"""Requests and answers: a command as it was understood, and the reply to it."""

from collections.abc import Mapping
from typing import NamedTuple

from pbm_holomino.commands.allowance import UNBOUNDED, Allowance
from pbm_holomino.errors import NotAllowed
from pbm_holomino.letters.content import Content, plain, read_as, said
from pbm_holomino.letters.due import Due
from pbm_holomino.letters.letter import Attachment, Letter
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import SHELL, is_typed


class Request(NamedTuple):
    """A command that was understood but not yet carried out.

    `password` may be `~` and a reply token, and `proof` is then the number of the line
    of the letter that it answers, if it does. `boards` holds board numbers, each with
    the number of the move after which to show it, or None for now; `words` holds the
    other words in order: userids, addresses, moves. `is_large` asks for the board in
    full size on any screen. `sender` is the address that a mail says it comes from,
    empty in the shell; it `is_forged` if that is not so; `mail` is the id of that mail,
    or SHELL, and `message_id` what it calls itself; `mail_text` is its text as it came,
    and `body` what was typed with the command; `allowance` limits what the whole mail
    may cost. A player who `is_signed_in` in a browser needs no password. A player
    without an address (`has_address`) gets no letters. `read_as`
    says how a line was read that was not typed quite as a command is. `page` is the
    part of a long list that is wanted.
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
    is_large: bool = False
    move_no: int | None = None
    sender: str = ""
    is_forged: bool = False
    has_address: bool = True
    mail: str = SHELL
    message_id: str = ""
    mail_text: str = ""
    body: str = ""
    proof: int | None = None
    is_signed_in: bool = False
    allowance: Allowance = UNBOUNDED
    read_as: str = ""
    page: int = 1

    @property
    def board(self) -> int:
        """The number of the first board, for commands about one board."""
        return self.boards[0][0]

    def comes_from(self, player: Player) -> bool:
        """Whether it came by mail from an address of this player, as far as the
        mail systems on the way know."""
        return not self.is_forged and player.owns(self.sender)

    @property
    def by_mail(self) -> bool:
        return not is_typed(self.mail)

    @property
    def by_letter(self) -> bool:
        """Whether a player gets a letter of its own as the answer, to which they can
        reply: not on the terminal, nor in the one answer to several commands."""
        return (
            self.by_mail
            and "/" not in self.mail
            and bool(self.userid)
            and self.has_address
        )

    @property
    def name(self) -> str:
        """The command as an answer may quote it, without password: `holo move 12`."""
        words = [self.game, self.command, *(str(board) for board, _ in self.boards[:1])]
        return " ".join(word for word in words if word)

    @property
    def subject(self) -> str:
        """The subject of an answer to the command, which is no command itself."""
        if self.game and self.boards:
            plain = self.command.removesuffix("as")  # showas is show to its reader
            return f"{self.game} {self.board}: {plain}"
        return f"Re: your command: {self.name}"


def check_has_text(request: Request) -> None:
    """Raises NotAllowed for a request that brings no text to pass on."""
    if not request.body:
        raise NotAllowed(
            "There is no text to pass on. Please write one above anything that you "
            "quote."
        )


class Shown(NamedTuple):
    """A board as a reader is shown it, None for anybody."""

    match: Match
    reader: str | None
    content: Content


class Answer(NamedTuple):
    """The answer to a command, with an exit status for the shell.

    `to` holds the addresses to send it to; if empty, it goes to the sender. It is
    `posted` if it has already gone out as a letter. `over` is the kind of mail of which
    too many have come, if the answer says nothing else. `content` is what its text was
    made from, if a letter can do more than show the text; it may hold one `board`,
    about which the answer then is. The `letters` are sent besides, and what becomes of
    them changes nothing in the answer. The `attachments` are files that come with it;
    in the shell they are printed in place of the text. `due` are the letters that the
    command has marked: whoever has carried it out sends them.
    """

    text: str
    status: int = 0
    to: tuple[str, ...] = ()
    posted: bool = False
    over: str = ""
    content: Content = ()
    board: Shown | None = None
    letters: tuple[Letter, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    due: tuple[Due, ...] = ()

    def after_reading(self, request: Request) -> "Answer":
        """The answer, after how its command was read if it was not typed as it is. What
        programs read has only the answer."""
        if self.posted or not request.read_as or request.format != "text":
            return self
        told = (read_as(request.read_as), *(self.content or said(self.text)))
        return self._replace(text=plain(told), content=told)

    @classmethod
    def of(
        cls,
        told: Content,
        status: int = 0,
        to: tuple[str, ...] = (),
        over: str = "",
        board: Shown | None = None,
    ) -> "Answer":
        """The answer that says this."""
        return cls(plain(told), status, to, over=over, content=told, board=board)
