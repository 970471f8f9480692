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
