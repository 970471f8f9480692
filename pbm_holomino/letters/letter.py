"""A letter, as data, and how it is sent."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pbm_holomino.match.account import Player
from pbm_holomino.sentences import fill


class Letter(NamedTuple):
    """A letter to a player or a stranger. `key` names it for ever, `thread` is the
    key of the first letter that it belongs with; `answers` is the Message-ID of the
    mail that it answers; it is `replied` where its reader has asked for it; a reply to
    it goes to `reply_to`, if anybody is there; `trouble` says why it cannot be written
    yet. It is sent `once` if no log keeps what it could be written again from; a
    `stranger` is somebody who has given no password."""

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


# Sends a letter. It returns the addresses whose copies wait, and why they do: all
# others are dealt with.
Post = Callable[[Letter], Mapping[str, str]]


def address_of(player: Player | None) -> str:
    """The first address of a player, if they have one."""
    return player.addresses[0] if player and player.addresses else ""


def indented(note: str) -> str:
    """A text that somebody has written, as a letter quotes it."""
    return "".join(fill(line, "  ") or "\n" for line in note.splitlines())


def command_line(*words: object) -> str:
    """A command, ready to be copied, on a line of its own."""
    return f"  {' '.join(map(str, words))}\n"
