"""What can go wrong, in the words of the person who is told.

Each error is one or two sentences that quote what was typed, say what is wrong
and what would be right. `status` is the exit status in the shell.
"""

import re
from collections.abc import Callable

DONE, REFUSED, MISUSED, TRY_LATER = 0, 1, 2, 75


class PbmError(Exception):
    """An error whose message is shown to the user who caused it.

    `example` is a line that would be right, ready to copy; `over` names the kind of
    mail that has come too often, if that is the error.
    """

    status = REFUSED
    over = ""

    def __init__(self, message: str = "", example: str = "") -> None:
        super().__init__(message)
        self.example = example


class Refused(PbmError):
    """A command that is refused, and would be again: nothing has changed."""


class TryLater(PbmError):
    """What cannot be done now, and may be possible later."""

    status = TRY_LATER


class BadCommand(Refused):
    """The words make no command; `page` is the help page that explains it."""

    status = MISUSED

    def __init__(self, message: str, page: str = "commands") -> None:
        super().__init__(message)
        self.page = page


class BadOption(BadCommand):
    """An option that is unknown, or outside its limits: the words are understood."""

    status = REFUSED


class BadMove(Refused):
    """The word is no move in this game's notation."""


class IllegalMove(BadMove):
    """A move that the rules forbid in this position.

    In its `text` the words in braces speak to the player who moves: `{your} pool`.
    Where somebody else is told, `about` names the player: `alice's pool`.
    """

    def __init__(self, text: str) -> None:
        super().__init__(_addressed(text, lambda to_player: to_player))
        self.text = text

    def about(self, who: str) -> "IllegalMove":
        """The same refusal for somebody else than the player."""
        return IllegalMove(_addressed(self.text, lambda you: _BY_NAME[you].format(who)))


# How a sentence speaks to a player, and how it speaks of them.
_BY_NAME = {
    "You": "{}",
    "you": "{}",
    "your": "{}'s",
    "you hold": "{} holds",
    "you have": "{} has",
}
_ADDRESS = re.compile(rf"\{{({'|'.join(_BY_NAME)})\}}")


def _addressed(text: str, word: Callable[[str], str]) -> str:
    return _ADDRESS.sub(lambda found: word(found[1]), text)


class NotYourTurn(Refused):
    """A move out of turn, by a stranger to the board, or after the end."""


class WrongPassword(Refused):
    """A password that does not fit."""


class TooManyGuesses(WrongPassword):
    """Too many wrong passwords have come by mail: this one has not been looked at."""


class TooMany(Refused):
    """More within an hour than one address gets without a password; `over` says of
    what."""

    def __init__(self, message: str, over: str) -> None:
        super().__init__(message)
        self.over = over


class NotFound(Refused):
    """No such board, player, or page."""


class NotAllowed(Refused):
    """A command that may not be given here and now, or by this sender."""


class CorruptFile(Refused):
    """A file of the store that cannot be read; it is named and left alone. Why it
    cannot, the owner alone is told: what is quoted then may be a player's secret."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason

    @property
    def for_the_owner(self) -> str:
        """The error with what is wrong."""
        return f"{self} What is wrong: {self.reason.rstrip('.')}."


class UnknownVersion(CorruptFile):
    """A board whose file is whole, but `made_with` rules or in a format that this
    program does not know: it is named and left alone, as what cannot be read."""

    def __init__(self, board: str, made_with: str) -> None:
        super().__init__(
            f"{board} was made with {made_with}, which this program does not know: it "
            "takes a newer version of the program. The board is left as it is.",
            "",
        )

    @property
    def for_the_owner(self) -> str:
        """The same sentence: nothing is wrong with the file."""
        return str(self)


class Busy(TryLater):
    """Somebody else holds the lock for too long: try again later."""


class StoreTrouble(TryLater):
    """The store cannot be read or written now, or its settings are wrong."""


class CannotSend(TryLater):
    """A letter that cannot leave now."""
