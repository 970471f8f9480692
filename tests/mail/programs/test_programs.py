"""What a player wrote is found in the mails of seven programs in eight languages."""

import re
import textwrap

import pytest

from pbm_holomino.commands.subjects import is_our_subject
from pbm_holomino.commands.texts import first_line, own_lines
from pbm_holomino.mail.incoming import Mail, read
from tests.mail.programs.languages import LANGUAGES
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


def only_html(raw: bytes) -> bytes:
    """The mail without its plain text."""
    return re.sub(rb"(?s)(--[^\r\n]+\r\n)Content-Type: text/plain.*?\1", rb"\1", raw)


def check(mail: Mail, sample: Sample) -> None:
    """The first line and the words after it are the writer's, all of them, and nothing
    else."""
    first, rest = first_line(mail.body)
    assert first == sample.first, sample
    assert " ".join(rest.split()) == " ".join(sample.rest.split()), sample


def test_there_are_two_hundred_and_twenty() -> None:
    assert len(SAMPLES) == 7 * 8 * 4
    assert len({sample.raw for sample in SAMPLES.values()}) == len(SAMPLES)
    assert sum(b"text/plain" not in sample.raw for sample in SAMPLES.values()) == 24


def test_what_the_player_wrote_is_found() -> None:
    for name in SAMPLES:
        sample = SAMPLES[name]
        mail = received(sample.raw)
        assert mail.problem == "", name
        assert (mail.sender, mail.subject) == (PLAYER, sample.subject), name
        assert is_our_subject(mail.subject), name
        assert mail.answered == (LETTER_ID, FIRST_ID), name
        assert TOKEN in mail.body, name  # the letter came back with it
        check(mail, sample)


BOTH = [name for name, sample in SAMPLES.items() if b"multipart/" in sample.raw]


def test_html_alone_says_the_same() -> None:
    for name in BOTH:
        raw = only_html(SAMPLES[name].raw)
        assert b"text/plain" not in raw, name
        check(received(raw), SAMPLES[name])


def test_each_line_of_the_letter_came_back() -> None:
    """Else the tests above would find nothing of it for another reason."""
    for sample in SAMPLES.values():
        mail = received(sample.raw)
        back = {line.strip("> ") for line in mail.body.splitlines()}
        assert {line.strip() for line in LINES} <= back


def said(body: str) -> list[str]:
    return [line for line in own_lines(body) if line]


def test_each_thing_that_a_program_adds_is_known_by_itself() -> None:
    for language in LANGUAGES:
        words = LANGUAGES[language]
        for line in (words.outlook, words.apple, words.k9, words.yahoo):
            assert said(f"Yes.\n\n{line}\n\nNow.") == ["Yes.", "Now."], language
        for line in (words.begin, *(f"----- {each} -----" for each in words.forwarded)):
            assert said(f"Yes.\n\n{line}\n\nShall we?") == ["Yes."], language
        begin, *others = words.headers
        for name in others:
            for block in (f"{begin} Bob\n{name} x", f"*{name}* x\n*{begin}* Bob"):
                assert said(f"Yes.\n\n{block}\n\nShall we?") == ["Yes."], language
        assert said(f"Yes.\n\n{words.disclaimer}\n\nShall we?") == ["Yes."], language


@pytest.mark.parametrize("width", [76, 66, 50])
@pytest.mark.parametrize("language", LANGUAGES)
def test_attributions_that_a_program_has_wrapped(language: str, width: int) -> None:
    """Wherever it breaks them, over up to three lines."""
    for wrote in LANGUAGES[language].wrote:
        long = wrote.replace("Holomino", "Holomino and other games by mail")
        lines = "\n".join(textwrap.wrap(long, width, break_on_hyphens=False))
        assert said(f"Yes.\n\n{lines}\n> Shall we?\n\nNow.") == ["Yes.", "Now."]
        if "@" in lines:
            assert said(f"Yes.\n\n{lines}\n\nShall we?") == ["Yes."]
