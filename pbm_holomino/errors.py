"""All errors of this program; their messages are shown to players or the owner.

A message is one or two sentences that quote what was typed, say what is wrong and
what to type instead. `status` is the exit status in the shell.
"""

from pbm_holomino.languages import OfPlayer, Sentence, Text, sentence

DONE, REFUSED, MISUSED, TRY_LATER = 0, 1, 2, 75


class PbmError(Exception):
    """An error whose message is shown to the user who caused it.

    `said` is what its reader is told, in their language; as a string it is in English,
    for logs. `example` is a correct line, ready to copy; `over` names the kind of mail
    of which too many have come, if that is the error.
    """

    status = REFUSED
    over = ""

    def __init__(self, message: Text = "", example: str = "") -> None:
        super().__init__(message)
        self.said = message
        self.example = example

    @property
    def in_a_line(self) -> str:
        """The message and the line to copy, for a log."""
        return f"{self} {self.example}".rstrip()


class Refused(PbmError):
    """A refused command, which would be refused again: nothing has changed."""


class TryLater(PbmError):
    """Something that cannot be done now but may work later."""

    status = TRY_LATER


class BadCommand(Refused):
    """Words that are not a command; `page` is the help page to read, empty where the
    message names one."""

    status = MISUSED

    def __init__(self, message: Text, page: str = "commands") -> None:
        super().__init__(message)
        self.page = page


class BadOption(BadCommand):
    """An unknown option, or a value outside its limits."""

    status = REFUSED


class BadMove(Refused):
    """A word that is not a move in this game's notation."""


class IllegalMove(BadMove):
    """A move that the rules forbid in this position, for the reason `why`, which may
    address the player who moves; with the `move` as it was typed, if that is known."""

    def __init__(self, why: Sentence | OfPlayer, move: str = "") -> None:
        said = why.to_them if isinstance(why, OfPlayer) else why
        super().__init__(_IS_REFUSED.of(move=move, why=said) if move else said)
        self.why = why
        self.move = move

    def of(self, move: str) -> "IllegalMove":
        """The refusal of a move that was typed so."""
        return IllegalMove(self.why, move)

    def about(self, player: str) -> "IllegalMove":
        """The same refusal, for a reader other than the player."""
        if isinstance(self.why, OfPlayer):
            return IllegalMove(self.why.about(player), self.move)
        return self


_IS_REFUSED = sentence('"{move}" is refused. {why}')


class BadBoard(Refused):
    """A text that is not a board, with the line and the column, from 1 on, where it
    goes wrong; 0 where that is nowhere in particular."""

    def __init__(self, line: int, column: int, why: Sentence) -> None:
        super().__init__(_IS_AT.of(line=line, column=column, why=why) if line else why)
        self.line, self.column = line, column


_IS_AT = sentence("Line {line}, column {column}: {why}")


class NoPosition(Refused):
    """A board that no game can come to: what lies at the position `at` is wrong, for
    the reason `why`."""

    def __init__(self, at: int, why: Sentence) -> None:
        super().__init__(why)
        self.at, self.why = at, why


class NotYourTurn(Refused):
    """A move out of turn, after the end, or by somebody who is not on the board."""


class WrongPassword(Refused):
    """A wrong password."""


class OldLetter(Refused):
    """A reply to a letter about a position that is no longer there."""


class NoCommand(BadCommand):
    """Words that do not even begin like a command."""


class TooManyGuesses(WrongPassword):
    """Too many wrong passwords have come: this one was not checked."""


class TooMany(Refused):
    """More of one kind of mail, `over`, than an address may send in an hour without a
    password."""

    def __init__(self, message: Sentence, over: str) -> None:
        super().__init__(message)
        self.over = over


class NotFound(Refused):
    """No such board, player, or page."""


class NotBegun(NotFound):
    """The number of an open challenge, for a command that needs a board."""


class NotAllowed(Refused):
    """A command that is not allowed here, now, or from this sender."""


class CorruptFile(Refused):
    """A file of the store that cannot be read; it is named and left alone. Only the
    owner is told the reason, as it may quote a player's secret."""

    def __init__(self, message: Sentence, reason: str) -> None:
        super().__init__(message)
        self.reason = reason

    @property
    def for_the_owner(self) -> str:
        """The message with the reason."""
        return f"{self} What is wrong: {self.reason.rstrip('.')}."


class UnknownVersion(CorruptFile):
    """A board whose file is intact, but was made with rules or in a format that this
    program does not know; it is named and left alone."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message, "")

    @property
    def for_the_owner(self) -> str:
        """The same sentence: nothing is wrong with the file."""
        return str(self)


class Busy(TryLater):
    """A lock that somebody else has held for too long."""


def busy(name: str) -> Busy:
    """The error about something that is locked, by its name."""
    return Busy(sentence("{name} is busy: please try again later.", name=name))


class StoreTrouble(TryLater):
    """A store that cannot be read or written now, or whose settings are wrong."""


class Again(StoreTrouble):
    """A store that may do on a second try what it could not do now, or of which nobody
    knows whether it has done it."""


class CannotSend(TryLater):
    """A letter that cannot be sent now."""


class CannotFetch(TryLater):
    """A mailbox that cannot be used now."""


class LoginRefused(CannotFetch):
    """A mailbox that does not accept the name or the password: the `complaint`, and
    what to do about it."""

    def __init__(self, complaint: str, advice: str = "") -> None:
        super().__init__(f"{complaint}: {advice}." if advice else complaint)
        self.complaint = complaint
