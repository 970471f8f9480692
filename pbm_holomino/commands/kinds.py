"""The kinds of words in a command: each function reads one, and raises BadCommand."""

import re

import click

from pbm_holomino import rules
from pbm_holomino.errors import BadCommand
from pbm_holomino.match.account import is_userid
from pbm_holomino.sentences import DASHES, listed, quoted

LISTS = ("all", "active", "inactive", "next")
FORMATS = ("text", "bbcode", "markdown", "html", "json")
HISTORY_FORMATS = (*FORMATS, "yaml")

BOARD = re.compile(r"([0-9]{1,9})(?:#([0-9]{1,6}))?")
MOVE = re.compile(r"([!-\"$-~]{1,100})(?:#([0-9]{1,6}))?")


def userid(word: str) -> str:
    """A player's name, which is not quoted: it may be a password out of place."""
    if not is_userid(word.lower()) or word.lower() in LISTS:
        raise BadCommand(
            "Where a userid is expected stands something else: a userid is a letter "
            "and 1 to 19 more letters, digits or underscores."
        )
    return word.lower()


def password(word: str) -> str:
    """A password, asked for where it is typed as `-`."""
    return asked(word, "Password")


def asked(word: str, what: str) -> str:
    """The word, or in place of a dash the answer to a question, in the shell."""
    ask = click.get_current_context().obj
    if word not in tuple(DASHES):
        return word
    if ask is None:
        raise BadCommand(
            'By mail a password cannot be "-": nobody can be asked for it.'
        )
    return str(ask(what))


def new_password(word: str) -> str:
    """Another password than the one that a player has."""
    return asked(word, "New password")


def board(word: str) -> int:
    """A board's number."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise BadCommand(f"{quoted(word)} is no board: a board is a number, as 12.")
    return int(word)


def game(word: str) -> str:
    """A game's name."""
    if word.lower() not in rules.names():
        names = listed(rules.names())
        raise BadCommand(f"{quoted(word)} is no game: the games are {names}.")
    return word.lower()


def move(word: str) -> tuple[str, int | None]:
    """A move, and the number that it counts as, if one is given: 123:17#8."""
    found = MOVE.fullmatch(word)
    if not found:
        raise BadCommand(f"{quoted(word)} is no move in any game.", "move")
    return found[1], None if found[2] is None else int(found[2])


def sent_ahead(word: str) -> str:
    """A move for later, with the number that it is to count as, if one is given."""
    move(word)
    return word


def list_word(word: str) -> str:
    """Which of a player's boards are meant."""
    if word and word.lower() not in LISTS:
        raise BadCommand(f"{quoted(word)} is no list: those are {', '.join(LISTS)}.")
    return word.lower()


def switch(word: str) -> str:
    """`on` or `off`."""
    if word.lower() not in ("on", "off"):
        raise BadCommand(f'{quoted(word)} is neither "on" nor "off".')
    return word.lower()


def form(word: str) -> str:
    """A format of the answer."""
    choices: tuple[str, ...] = FORMATS
    if click.get_current_context().command.name == "history":
        choices = HISTORY_FORMATS
    if word.lower() not in choices:
        raise BadCommand(f"-format is one of {', '.join(choices)}, not {quoted(word)}.")
    return word.lower()
