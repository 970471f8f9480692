"""What a test reads in a text: its sentences, and the boards that it shows."""

import re
from collections.abc import Sequence
from email.message import EmailMessage


def text_of(mail: EmailMessage) -> str:
    """What a mail says as plain text."""
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def plain(text: str) -> str:
    """A text without line breaks."""
    return " ".join(text.split())


def sentence_of(text: str) -> str:
    """What an answer says before it shows a board or names a help page."""
    first = plain(text.partition("\n\n")[0])
    return re.sub(r' For more, send "help [a-z]+"\.$', "", first)


def count_sentences(text: str) -> int:
    """How many sentences there are; `...` in a usage line ends none."""
    return len(re.findall(r"[.?!](?=\s|$)", text.replace("...", "")))


def titles(text: str) -> Sequence[str]:
    """The boards that a text shows, by the lines that head them."""
    return re.findall(r"^Holomino, board (\d+),", text, re.M)


# Sentences that are said better today.
BETTER = {
    "It counts for nobody.": "It does not count in standings and ratings.",
    "Walongs are being taken.": "The players take walongs, the curled tiles of this "
    "game, of which each later joins theirs into pairs.",
}


def assert_still_told(told: str, today: str) -> None:
    """That boards as an earlier program showed them are shown today: the same drawing,
    and every row and sentence, wherever it stands. Which moves are possible is left
    out, and which of them is the example: letters list forty at most, and JSON has them
    all."""
    told = re.sub(r"These moves are possible:\n(?: .*\n)+", "", told)
    told = re.sub(r"(?<=password:\n) +\w+ move .*\n", "", told)
    for before, now in BETTER.items():
        told = re.sub(r"\s+".join(map(re.escape, before.split())), now, told)
    assert drawn(told) == drawn(today)
    rows = [line for line in told.splitlines() if line.startswith(" ")]
    assert set(rows) <= {*today.splitlines()}
    now = plain(today)
    for line in set(told.splitlines()) - {*rows, *drawn(told)}:
        for sentence in re.split(r"(?<=[.:]) ", line):
            assert sentence in now


def without_zone(told: str) -> str:
    """A text without UTC, which tables name today, and the room that it takes."""
    said = told.replace(" (UTC)", "").replace("Times are in UTC.\n", "")
    return re.sub("  +", "  ", said)


def drawn(text: str) -> list[str]:
    """The lines of the drawings in a text: they hold no long word and no move."""
    return [
        line
        for line in text.splitlines()
        if line.strip() and not re.search("[a-z]{4}|[:,]", line)
    ]
