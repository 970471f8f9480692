"""A letter, as data, and how it is sent."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pbm_holomino.match.account import Player
from pbm_holomino.sentences import fill


class Letter(NamedTuple):
    """A letter to a player or a stranger.

    `key` names it for ever; `thread` is the key of the first letter of its thread;
    `answers` is the Message-ID of the mail that it answers; `replied` says whether its
    reader asked for it; replies go to `reply_to`, or to the server if that is empty;
    `trouble` says why it cannot be written yet. A letter is sent `once` if it cannot be
    written again from a log; a `stranger` is a reader who has given no password.
    """

    key: str
    to: tuple[str, ...] = ()
    subject: str = ""
    text: str = ""
    thread: str = ""
    answers: str = ""
    replied: bool = True
    reply_to: str = ""
    trouble: str = ""
    once: bool = False
    stranger: bool = False


# Sends a letter. Returns why copies wait, by address; all other copies are handled.
Post = Callable[[Letter], Mapping[str, str]]


def address_of(player: Player | None) -> str:
    """The first address of a player, if they have one."""
    return player.addresses[0] if player and player.addresses else ""


def indented(note: str, indent: str = "  ") -> str:
    """A player's text, indented as letters quote it."""
    return "".join(fill(line, indent) or "\n" for line in note.splitlines())


def command_line(*words: object) -> str:
    """A command on a line of its own, ready to copy."""
    return f"  {' '.join(map(str, words))}\n"
