"""What a player wrote is found in the mails of seven programs in eight languages."""

import re

import pytest

from pbm_holomino.commands.texts import first_line
from pbm_holomino.mail.incoming import Mail, read
from tests.mail.programs.programs import (
    FIRST_ID,
    LETTER_ID,
    LINES,
    PLAYER,
    TOKEN,
    Sample,
    samples,
)

SAMPLES = dict(samples())


def received(raw: bytes) -> Mail:
    mail = read(raw, "pbm@example.org")
    assert mail is not None
    return mail


def check(mail: Mail, sample: Sample) -> None:
    """The first line and the words after it are the writer's, all of them, and nothing
    else."""
    first, rest = first_line(mail.body)
    assert first == sample.first
    assert " ".join(rest.split()) == " ".join(sample.rest.split())


def test_there_are_two_hundred_and_twenty() -> None:
    assert len(SAMPLES) == 7 * 8 * 4
    assert len({sample.raw for sample in SAMPLES.values()}) == len(SAMPLES)
    assert sum(b"text/plain" not in sample.raw for sample in SAMPLES.values()) == 24


@pytest.mark.parametrize("name", SAMPLES)
def test_what_the_player_wrote_is_found(name: str) -> None:
    sample = SAMPLES[name]
    mail = received(sample.raw)
    assert (mail.sender, mail.subject, mail.problem) == (PLAYER, sample.subject, "")
    assert mail.answered == (LETTER_ID, FIRST_ID)
    assert TOKEN in mail.body  # the letter came back with it
    check(mail, sample)


def only_html(raw: bytes) -> bytes:
    """The mail without its plain text."""
    return re.sub(rb"(?s)(--[^\r\n]+\r\n)Content-Type: text/plain.*?\1", rb"\1", raw)


BOTH = [name for name, sample in SAMPLES.items() if b"multipart/" in sample.raw]


@pytest.mark.parametrize("name", BOTH)
def test_html_alone_says_the_same(name: str) -> None:
    raw = only_html(SAMPLES[name].raw)
    assert b"text/plain" not in raw
    check(received(raw), SAMPLES[name])


def test_each_line_of_the_letter_came_back() -> None:
    """Else the tests above would find nothing of it for another reason."""
    for sample in SAMPLES.values():
        mail = received(sample.raw)
        back = {line.strip("> ") for line in mail.body.splitlines()}
        assert {line.strip() for line in LINES} <= back
