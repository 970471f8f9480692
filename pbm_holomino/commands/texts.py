"""Which parts of a player's text are passed on to others."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from pbm_holomino.sentences import DASHES

MOST_COMMAND = 2_000  # characters of a command by mail: none needs more
MOST_NOTE = 10_000  # characters of a text that is passed on
LEFT_OUT = "[a line that looks like a command was left out]"
CUT_OFF = "[the rest is cut off]"  # the last line of a text that was too long

# what follows it on the line is the text that a command passes on
_TEXT = rf"(?i)\s[{DASHES}]{{1,2}}m(?:=|\s)\s*(.*)"


def words(line: str) -> list[str]:
    """The words of a command by mail. Quotes have no meaning; after `-m=`, the rest of
    the line is one word."""
    found = re.search(_TEXT, line)
    if not found:
        return line.split()
    return [*line[: found.start()].split(), f"-m={found[1]}"]


def passed_on(body: str, password: str = "") -> str:
    """The text that a mail's writer says to the other players: their own lines, without
    the password."""
    text = "\n".join(own_lines(body)).strip("\n")
    if password and password in text:
        word = rf"(?<![A-Za-z0-9]){re.escape(password)}(?![A-Za-z0-9])"
        text = re.sub(word, "***", text)
    if len(text) > MOST_NOTE:
        text = f"{text[:MOST_NOTE]}\n{CUT_OFF}"
    return text


class Commands(NamedTuple):
    """The words by which commands are recognised: the names of `games`; the `secret`
    words, which follow a game's name in commands with a password; and the first words
    of the `others`."""

    games: frozenset[str]
    secret: frozenset[str]
    others: frozenset[str]


def without_commands(
    text: str, commands: Commands, userids: Collection[str] = ()
) -> str:
    """A text without the lines that look like a command, as they may hold a password:
    lines with a command after a game's name, and lines that begin like a command, with
    or without the game's name, and name one of these players."""
    lines = text.split("\n")
    words = [
        (re.sub(_EDGES, "", word).lower(), number)
        for number, line in enumerate(lines)
        for word in line.split()
    ]
    cut = set[int]()
    for place, (word, number) in enumerate(words):
        near = [other for other, _ in words[place + 1 : place + _LONGEST]]
        is_first = place == 0 or words[place - 1][1] != number
        if (
            (word in commands.games and not commands.secret.isdisjoint(near[:3]))
            or (
                is_first
                and word in commands.games | commands.others
                and (word == "signup" or not {*near[:-1]}.isdisjoint(userids))
            )
            or (is_first and word in commands.secret and _is_seat(near, userids))
        ):
            # up to the words after the userid: a mail program may have wrapped the line
            named = [n for n, other in enumerate(near) if other in userids]
            end = named[0] + 3 + (word == "change") if named else _LONGEST
            end = 3 if word == "signup" else end
            cut |= {number for _, number in words[place : place + end]}
    kept = (LEFT_OUT if n in cut else line for n, line in enumerate(lines))
    return "\n".join(kept)


def _is_seat(words: Sequence[str], userids: Collection[str]) -> bool:
    """Whether these words begin with a board and one of these players."""
    board, userid = [*words, "", ""][:2]
    return board.isdecimal() and userid in userids


_EDGES = r"^\W+|\W+$"
_LONGEST = 5  # words of a command up to a password: holo move 12 alice secret


def own_lines(body: str) -> list[str]:
    """The lines that the writer of a mail wrote, with only printable characters:
    without quoted text, signature, and forwarded headers."""
    if not body.strip():
        return []
    from pbm_holomino.commands import quotations  # most commands come without a text

    return quotations.own_lines(body)


def first_line(body: str) -> tuple[str, str]:
    """The first line that the writer of a mail wrote, without spaces around it, and
    their own words after it; both are empty if they wrote none."""
    lines = own_lines(body)
    first = next((i for i, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return "", ""
    return lines[first].strip(), "\n".join(lines[first + 1 :]).strip("\n")
