"""A walk through what players may do, all of whom read the pseudo-language: what
reaches them without its brackets cannot be translated.

    python -P tests/languages/walk.py SEED COUNT LENGTH [CODE]

prints a line of JSON for each text in which there is something bare, or beyond the last
column: what it is about, and the words. With the code of a real language, which all of
them read then, it is something that is English. It has a process of its own, as its
clocks and its chance become those of all modules.
"""

import html
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import NamedTuple
from unittest.mock import patch

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.languages import ENGLISH, ENGLISH_CODE, Language, known
from pbm_holomino.match.account import Player
from tests.bench import anything
from tests.bench.anything import Told
from tests.house import FRIENDS, PASSWORDS
from tests.languages import english
from tests.languages.pseudo import PSEUDO, without, without_brackets

WIDTH = 72  # columns of a letter
GUESTS = tuple(f"guest{number}" for number in range(5))
ROBOTS = ("robot", "robot1", "robot2", "robot3")
TITLES = tuple(
    word for name in rules.names() for word in rules.load(name).TITLE.split()
)
# What players write here has these words alone.
WRITTEN = ("Zzz", "zäh")
TEXTS = ("", "Zzz!", "Zzz zäh zzz,\n\nzzz!", "zäh")
REPLIES = tuple(re.sub(r"(chat|Thanks,) .*", r"chat Zzz!", r) for r in anything.REPLIES)
# What stands by itself and is the same in every language.
SAME = re.compile(
    r"https?://\S+|mailto:\S+|<\S+@\S+>|\S+@\S+\.\w+"  # addresses
    r"|\b[0-9a-f]{4,}\b|\b[a-z2-7]{16}\b"  # seals, seeds and tokens
    r"|-?\w+=\S*"  # options
    r"|\(\+\d+\)"  # what moves add
    r"|\b[\w-]*PASSWORD\b|\bUTC\b"
    r"|\b[RGYPB]+\b"  # walongs
)
PICTURE = re.compile(r"(?=.*[/\\_])[ _/\\|\w<>#=?*+.:'()-]*$|[ \d]*$")
COMMANDS = (*table.at_top(), *table.in_game(), "all", *rules.names())
# Words of commands, and of moves.
WORDS = (
    *(word for command in COMMANDS for word in command.split()),
    *(word for name in rules.names() for word in rules.load(name).WORDS),
    *anything.ACTS,
    "any",
    "on",
    "off",
    "x",  # an option that there is not
)
NAMES = (*FRIENDS, *GUESTS, *ROBOTS, *TITLES, *WORDS, *WRITTEN)
NAME = re.compile(rf"(?i)\b({'|'.join(NAMES)})\b")
COMMAND = re.compile(rf"(  |[>] )?({'|'.join(map(re.escape, COMMANDS))})\b[^.]*$")
ANSWERED = re.compile(rf"(Re: )?(\w+ \d+: )?({'|'.join(COMMANDS)})$")


Looking = Callable[[str], str]  # what is wrong in a text, if anything


class Found(NamedTuple):
    """Bare words, or a line that is too long, and what they are about."""

    about: str
    words: str


@contextmanager
def in_the_pseudo_language() -> Iterator[None]:
    """Every player reads it."""
    with ExitStack() as stack:
        for owner, name, value in (
            (known, "codes", lambda: (ENGLISH_CODE, PSEUDO.code)),
            (known, "language", _language),
            (Player, "language_at", lambda player, time: PSEUDO.code),
        ):
            stack.enter_context(patch.object(owner, name, value))
        yield


def _language(code: str) -> Language:
    return ENGLISH if code == ENGLISH_CODE else PSEUDO


def main() -> None:
    seed, count, length, *codes = sys.argv[1:]
    reading = (
        map(english.everybody_reads, codes) if codes else [in_the_pseudo_language()]
    )
    with (
        next(iter(reading)),
        patch.object(anything, "TEXTS", TEXTS),
        patch.object(anything, "REPLIES", REPLIES),
    ):
        looking = english.left_in if codes else bare
        for name, told in anything.commands(seed, int(count), int(length)):
            for found in findings(told, looking):
                print(json.dumps([name, *found], ensure_ascii=False), flush=True)


def findings(told: list[Told], looking: Looking) -> Iterator[Found]:
    """What is found in the letters of players, and in what those are answered who have
    typed their passwords."""
    typed = mailed = ""
    for what, text in told:
        if what in ("typed", "owner"):
            typed = text
        elif what == "mail":
            mailed = text
        elif what == "answer" and is_proved(typed) and not is_public(typed):
            status, _, answer = text.partition("\n")
            if status in "01":  # what cannot be read proves nothing
                yield from of_text(typed, answer, looking)
        elif is_players(what) and not is_public(mailed):
            yield from of_letter(text.encode("latin-1"), looking)


def is_public(asked: str) -> bool:
    """Whether something asks for a help page, of which the pseudo-language has none, or
    for what is the same in every language."""
    lines = (line for line in asked.splitlines() if not line.startswith(">"))
    return bool(re.search(r" -format=|\bhelp\b", "\n".join(lines)))


def is_proved(line: str) -> bool:
    """Whether a player's name and password are in this line, which signs nobody up."""
    words = [] if line.startswith("signup") else line.split()
    return any(PASSWORDS.get(a) == b for a, b in zip(words, words[1:], strict=False))


def is_players(what: str) -> bool:
    """Whether something is a letter to a player."""
    return what.startswith("letter to ") and any(f"{who}@" in what for who in FRIENDS)


def of_letter(raw: bytes, looking: Looking) -> Iterator[Found]:
    """What is found in a letter: in its subject, its text, and its page."""
    letter = message_from_bytes(raw, policy=default)
    assert isinstance(letter, EmailMessage)
    subject = str(letter["Subject"])
    if not ANSWERED.match(subject) and (words := looking(subject)):
        yield Found("Subject", f"{subject} :: {words}")
    text, page = letter.get_body(("plain",)), letter.get_body(("html",))
    assert text is not None
    yield from of_text(subject, text.get_content(), looking)
    if page and (words := looking(words_of(page.get_content()))):
        yield Found(f"page of {subject}", words)


def words_of(page: str) -> str:
    """The words of a page, without its style and what it draws."""
    seen = re.sub(r"(?s)<(style|svg|code)\b.*?</\1>", " ", page)
    return html.unescape(re.sub(r"<[^>]*>", " ", seen))


def of_text(about: str, text: str, looking: Looking) -> Iterator[Found]:
    """What is found in a text, or is too long for a letter."""
    if words := looking(text):
        yield Found(about, words)
    for line in text.splitlines():
        if len(line) > WIDTH and " " in line.strip() and not is_same(line):
            yield Found(f"width of {about}", line)


def bare(text: str) -> str:
    """What is not in brackets, but for what is the same in every language."""
    text = without_brackets(text.replace('"[', '"'))  # a Subject that is quoted
    lines = (line for line in text.splitlines() if not is_same(line))
    words = NAME.sub(" ", SAME.sub(" ", "\n".join(lines)))
    return without(words)


def is_same(line: str) -> bool:
    """Whether a line is a picture or a command, which no language changes."""
    return bool(PICTURE.match(line) or COMMAND.match(line))


if __name__ == "__main__":
    main()
