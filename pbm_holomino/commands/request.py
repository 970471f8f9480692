"""Requests and answers: a command as it was understood, and the reply to it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbm_holomino.commands.allowance import UNBOUNDED, Allowance
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import ENGLISH_CODE, Text, sentence
from pbm_holomino.letters.content import (
    Content,
    Printed,
    plain,
    read_as,
    said,
    spoken,
)
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import SHELL, is_typed
from pbm_holomino.named_tuples import NamedTuple

ANSWERED = sentence("Re: your command: {command}")  # the subject of an answer

if TYPE_CHECKING:
    from pbm_holomino.letters.letter import Attachment, Due, Letter


class Origin(NamedTuple):
    """Where a command came from."""

    mail: str = SHELL  # the id of the mail, or of what was typed
    sender: str = ""  # the address that a mail says it comes from
    is_forged: bool = False  # whether it does not come from there
    message_id: str = ""  # what the mail calls itself
    text: str = ""  # that of the mail, as it came
    reader: str = ""  # the player whose letter it answers, from an address of theirs
    proof: int | None = None  # the line of the letter that it answers by its token
    is_signed_in: bool = False  # in a browser: then it needs no password
    has_address: bool = True  # whether the player gets letters
    languages: str = ""  # those that whoever asks reads, as their programs say it

    def is_from(self, player: Player) -> bool:
        """Whether it came by mail from an address of this player, as far as the
        mail systems on the way know."""
        return not self.is_forged and player.owns(self.sender)

    @property
    def by_mail(self) -> bool:
        return not is_typed(self.mail)


class Request(NamedTuple):
    """A command that was understood but not yet carried out."""

    command: str  # its words, without the game's
    game: str = ""
    userid: str = ""  # the player whose password is given
    password: str = ""  # it may be `~` and a reply token
    # the boards' numbers, each with that of the move after which to show it, if any
    boards: tuple[tuple[int, int | None], ...] = ()
    words: tuple[str, ...] = ()  # the others in order: userids, addresses, moves
    which: str = ""  # the list of boards that is wanted: `next`
    options: Mapping[str, str] = {}  # of the board that is opened, or of the owner's
    format: str = "text"
    is_large: bool = False  # whether the board is in full size on any screen
    move_no: int | None = None  # which the move must have
    page: int = 1  # of a long list
    body: str = ""  # the text that was typed with it
    read_as: str = ""  # how its line was read, if it was not typed as commands are
    keeps_back: bool = False  # whether a word beside it may be a password, and stays
    origin: Origin = Origin()
    allowance: Allowance = UNBOUNDED

    @property
    def board(self) -> int:
        """The number of the first board, for commands about one board."""
        return self.boards[0][0]

    def coming(self, **origin: Any) -> "Request":
        """The same from elsewhere: with these fields of its origin."""
        return self._replace(origin=self.origin._replace(**origin))

    @property
    def reading(self) -> Content:
        """What its sender is told of how it was read."""
        return read_as(self.read_as, self.keeps_back)

    @property
    def by_letter(self) -> bool:
        """Whether a player gets a letter of its own as the answer, to which they can
        reply: not on the terminal, nor in the one answer to several commands."""
        return (
            self.origin.by_mail
            and "/" not in self.origin.mail
            and bool(self.userid)
            and self.origin.has_address
        )

    @property
    def name(self) -> str:
        """The command as an answer may quote it, without password: `holo move 12`."""
        words = [self.game, self.command, *(str(board) for board, _ in self.boards[:1])]
        return " ".join(word for word in words if word)

    @property
    def subject(self) -> Text:
        """The subject of an answer to the command, which is no command itself."""
        if self.game and self.boards:
            plain = self.command.removesuffix("as")  # showas is show to its reader
            return f"{self.game} {self.board}: {plain}"
        return ANSWERED.of(command=self.name)


def check_has_text(request: Request) -> None:
    """Raises NotAllowed for a request that brings no text to pass on."""
    if not request.body:
        raise NotAllowed(
            sentence(
                "There is no text to pass on. Please write one above anything that you "
                "quote."
            )
            if request.origin.by_mail
            else sentence("There is no text to pass on. Please write one.")
        )


class Shown(NamedTuple):
    """A board as a reader is shown it, None for anybody."""

    match: Match
    reader: str | None
    content: Content


class Answer(NamedTuple):
    """The answer to a command."""

    text: str
    status: int = 0  # the shell's exit status
    to: tuple[str, ...] = ()  # the addresses to send it to; the sender's if empty
    posted: bool = False  # whether it has already gone out as a letter
    over: str = ""  # the kind of mail of which too many came, if it says nothing else
    content: Content = ()  # what its text was made from, where a letter can do more
    reader: str = ""  # the player who has proved who they are, if it shows no board
    board: Shown | None = None  # which it is about: its content may hold this one
    # boards that it shows its reader, who has proved who they are, and that wait for
    # them: those that a reply can name
    waiting: tuple[Match, ...] = ()
    # sent besides; what becomes of them changes nothing
    letters: "tuple[Letter, ...]" = ()
    attachments: "tuple[Attachment, ...]" = ()  # the shell prints them, and no text
    due: "tuple[Due, ...]" = ()  # letters that are marked, which the caller sends
    language: str = ENGLISH_CODE  # the code of its reader's
    is_to_player: bool = False  # whether its reader is known, if only by their address
    form: str = ""  # how it looks to who has not proved who they are, if not as usual

    def after_reading(self, request: Request) -> "Answer":
        """The answer, after how its command was read if it was not typed as it is. What
        programs read has only the answer."""
        if self.posted or not request.reading or request.format != "text":
            return self
        read = spoken(request.reading, self.language)
        whole = (*read, *(self.content or said(self.text)))
        return self._replace(text=plain(whole), content=whole)

    def in_language(self, code: str) -> "Answer":
        """The answer to somebody who reads the language with this code."""
        said = spoken(self.content, code)
        if said is self.content:
            return self
        return self._replace(text=plain(said), content=said, language=code)

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

    @property
    def stays(self) -> bool:
        """Whether it stays as it is, in whichever form its reader wants letters: what
        programs read, or forums."""
        return not self.content or isinstance(self.content[0][0], Printed)


class Answers(NamedTuple):
    """The answers to a mail under their subject; `reader` is the player to whom those
    go that have an address and show no board."""

    subject: Text
    answers: Sequence[Answer]
    reader: str = ""
