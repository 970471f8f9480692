"""What is passed on of the texts that players write to each other."""

import re
from collections.abc import Collection

from pbm_holomino.words import DASHES

MOST_COMMAND = 2_000  # characters of a command that comes by mail: none needs more
MOST_NOTE = 10_000  # characters of a text that is passed on
LEFT_OUT = "[a line that looks like a command was left out]"
BOARD = "#"  # in place of a board's number
CUT_OFF = "[the rest is cut off]"  # the last line of a text that was too long

# what stands in a line after it is the text that a command passes on
_TEXT = re.compile(rf"\s[{DASHES}]{{1,2}}m(?:=|\s)\s*(.*)", re.IGNORECASE)
_SIGNATURE = re.compile(r"--\s*")
_FORWARDED = re.compile(
    r"-{3,}\s*(original|forwarded|urspr|weitergeleitet).*|begin forwarded message:.*",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"\**(from|von|sent|gesendet|date|datum|to|an|cc|subject|betreff)\**:",
    re.IGNORECASE,
)


def words(line: str) -> list[str]:
    """The words of a command that comes by mail. Quotes mean nothing; behind `-m=`,
    what is left of the line is one word."""
    found = _TEXT.search(line)
    if not found:
        return line.split()
    return [*line[: found.start()].split(), f"-m={found[1]}"]


def passed_on(body: str, password: str = "") -> str:
    """What the writer of a mail says to the other players: their own lines, without
    the password."""
    text = "\n".join(own_lines(body)).strip("\n")
    if password and password in text:
        word = rf"(?<![A-Za-z0-9]){re.escape(password)}(?![A-Za-z0-9])"
        text = re.sub(word, "***", text)
    if len(text) > MOST_NOTE:
        text = f"{text[:MOST_NOTE]}\n{CUT_OFF}"
    return text


def without_commands(
    text: str, beginnings: Collection[tuple[str, ...]], userids: Collection[str]
) -> str:
    """A text without the lines in which one of these players gives a command: what
    follows the userid may be their password. `beginnings` are the words that come
    before the userid in such commands, with BOARD for a board's number."""
    lines = text.split("\n")
    words = [
        (_plain(word), number)
        for number, line in enumerate(lines)
        for word in line.split()
    ]
    cut = set[int]()
    for place, (word, _) in enumerate(words):
        for length in (1, 2, 3) if word in userids else ():
            before = words[max(0, place - length) : place]
            if tuple(word for word, _ in before) in beginnings:
                # a mail program may have broken the line
                cut |= {number for _, number in (*before, *words[place : place + 2])}
    kept = (LEFT_OUT if n in cut else line for n, line in enumerate(lines))
    return "\n".join(kept)


def _plain(word: str) -> str:
    """A word of a command, however somebody writes it in a sentence."""
    word = word.strip("\"'`*_.,:;()[]<>").lower()
    return BOARD if word.removeprefix("#").isdigit() else word


def own_lines(body: str) -> list[str]:
    """What the writer of a mail has written, in printable characters: without quoted
    text, signature, and forwarded headers."""
    lines = []
    for line in body.splitlines():
        line = _readable(line).rstrip()
        if _SIGNATURE.fullmatch(line) or _FORWARDED.match(line):
            break
        lines.append(line)
    return _without_headers(_without_quotes(lines))


def _readable(line: str) -> str:
    if line.isprintable():
        return line
    spaced = (" " if character.isspace() else character for character in line)
    return "".join(filter(str.isprintable, spaced))


def _without_quotes(lines: list[str]) -> list[str]:
    """Quoted lines go, and the line before them that says who wrote them."""
    kept: list[str] = []
    in_quote = False
    for line in lines:
        if not line.startswith(">"):
            kept.append(line)
            in_quote = in_quote and not line
        elif not in_quote:
            in_quote = True
            del kept[_attribution(kept) :]
    return kept


def _attribution(lines: list[str]) -> int:
    """Where the line or two begin that say whom the next line quotes."""
    last = next((i for i in range(len(lines) - 1, -1, -1) if lines[i]), -1)
    if last < 0 or not lines[last].endswith(":"):
        return len(lines)
    wrapped = last > 0 and lines[last - 1] and len(lines[last].split()) == 1
    return last - 1 if wrapped else last


def _without_headers(lines: list[str]) -> list[str]:
    """Two or more lines in succession that look like a mail's header go."""
    like = [bool(_HEADER.match(line)) for line in lines]
    block = [
        here and (before or after)
        for before, here, after in zip(
            [False, *like], like, [*like[1:], False], strict=False
        )
    ]
    return [line for line, headers in zip(lines, block, strict=True) if not headers]
