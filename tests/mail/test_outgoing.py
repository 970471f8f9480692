"""Letters on their way out: what the message holds."""

import re
import time
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime

from pbm_holomino.letters.content import said
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.store.config import Config
from tests.house import House, mail_of
from tests.prose import text_of

CONFIG = Config(address="games@play.example")
TEXT = "Dear Alice,\n\n  /2 \\__\n\nyour turn.\n"
TO = ("alice@example.org", "a.l+x@example.net")
FIRST, TOKEN = "holo.12.0.alice.qkchdnkh3lneetrm", "qcrakxwifecgekoe"
LETTER = Letter(
    "holo.12.3.alice",
    TO,
    "holo 12: your turn",
    said(TEXT),
    f"holo.12.3.alice.{TOKEN}",
    references=(FIRST,),
)
ANSWER = Letter("answer.0", TO, "Re: your command: help", said("x\n"))


def parsed(letter: Letter, config: Config = CONFIG) -> EmailMessage:
    read = message_from_bytes(message(letter, config), policy=default)
    assert isinstance(read, EmailMessage)
    assert not read.defects
    return read


# The message


def test_the_headers_of_a_letter() -> None:
    mail = parsed(LETTER)
    assert mail["From"] == "games@play.example"
    assert mail["To"] == ", ".join(TO)
    assert mail["Subject"] == "holo 12: your turn"
    assert mail["X-Loop"] == "games@play.example"
    assert mail["Message-ID"] == f"<holo.12.3.alice.{TOKEN}@play.example>"
    assert mail["References"] == f"<{FIRST}@play.example>"
    assert mail["Reply-To"] is None
    assert mail["In-Reply-To"] is None
    assert mail["Content-Type"] == 'text/plain; charset="us-ascii"'
    assert "flowed" not in str(mail)
    assert text_of(mail) == TEXT


def test_the_date_is_now_in_utc(monkeypatch) -> None:
    monkeypatch.setattr(
        time, "gmtime", lambda: time.struct_time([2026, 11, 20] + [8] * 6)
    )
    date = parsedate_to_datetime(parsed(LETTER)["Date"])
    assert date.isoformat() == "2026-11-20T08:08:08+00:00"


def test_an_answer_differs_from_letters_sent_unasked() -> None:
    assert parsed(LETTER)["Auto-Submitted"] == "auto-replied"
    others = LETTER._replace(replied=False)
    assert parsed(others)["Auto-Submitted"] == "auto-generated"


def test_an_answer_refers_to_the_mail_that_it_answers() -> None:
    mail = parsed(ANSWER._replace(answers="<1@example.org>"))
    assert mail["In-Reply-To"] == mail["References"] == "<1@example.org>"
    assert mail["Message-ID"] == "<answer.0@play.example>"


def test_a_letter_that_answers_nothing_refers_to_nothing() -> None:
    for letter in (ANSWER, LETTER._replace(references=())):  # first of a thread, too
        mail = parsed(letter)
        assert mail["In-Reply-To"] is mail["References"] is None


def test_an_answer_about_a_board_follows_the_boards_letters_too() -> None:
    """The mail that it answers comes last: it is the nearest (RFC 5322, 3.6.4)."""
    mail = parsed(LETTER._replace(answers="<1@example.org>"))
    assert mail["In-Reply-To"] == "<1@example.org>"
    assert mail["References"].split() == [
        f"<{FIRST}@play.example>",
        "<1@example.org>",
    ]


def test_sending_twice_is_the_same_message() -> None:
    assert parsed(LETTER)["Message-ID"] == parsed(LETTER)["Message-ID"]
    lines = [message(LETTER, CONFIG).splitlines() for _ in range(2)]
    assert len(set(lines[0]) ^ set(lines[1])) in (0, 2)  # but for the Date


def test_text_beyond_ascii_survives() -> None:
    text = "  J\xf6rg schreibt:\n\n\u2026 =20 \u20ac\nFrom here on.\n.\n" + "\xe4" * 70
    raw = message(LETTER._replace(content=said(text + "\n")), CONFIG)
    assert raw.isascii()
    assert max(map(len, raw.split(b"\n"))) <= 78
    assert text_of(parsed(LETTER._replace(content=said(text + "\n")))) == text + "\n"


def test_no_line_ends_in_a_blank() -> None:
    text = "a  \n\t\n  b\t\n \xa0\n\n"
    for more in ("", "\xe9 \n"):
        mail = parsed(LETTER._replace(content=said(text + more)))
        want = "a\n\n  b\n\n\n" + more.replace(" ", "")
        assert text_of(mail) == want
    assert not re.search(rb"[ \t]$", message(LETTER, CONFIG), re.MULTILINE)


def test_no_line_is_longer_than_mail_allows() -> None:
    addresses = tuple(f"{'a' * 60}@{'b' * 180}{i}.org" for i in range(20))
    raw = message(LETTER._replace(to=addresses), CONFIG)
    assert max(map(len, raw.splitlines())) <= 998
    mail = parsed(LETTER._replace(to=addresses))
    assert tuple(a.addr_spec for a in mail["To"].addresses) == addresses


def test_a_line_for_a_program_stays_whole() -> None:
    """A board as JSON is one line; a mail's line ends after 998 characters."""
    text = '{"game": "holo", "cells": {' + '"0": "123", ' * 200 + "}}\n"
    letter = LETTER._replace(content=said(text))
    assert max(map(len, message(letter, CONFIG).splitlines())) <= 998
    assert text_of(parsed(letter)) == text


# The letters of the server


def test_the_letters_of_a_board_hang_together(server: House) -> None:
    server.mail(mail_of("holo challenge alice bob", Message_ID="<1@x>"))
    first = {letter.to[0][:3]: parsed(letter) for letter in server.sent}
    server.mail(mail_of("holo move 1 alice xanadu 142:4", Message_ID="<2@x>"))
    server.mail(mail_of("holo move 1 bob better4 234:3", "bob@example.org"))
    assert len(first) == 2
    for letter in server.sent:
        mail, begin = parsed(letter), first[letter.to[0][:3]]
        assert begin["Message-ID"] in (mail["References"] or "").split()
        assert mail["Message-ID"] != begin["Message-ID"]
        who_asked = mail["To"] == "bob@example.org"
        replied = "auto-replied" if who_asked else "auto-generated"
        assert mail["Auto-Submitted"] == replied


def test_all_that_the_server_writes_is_plain(server: House) -> None:
    sent = server.mail(mail_of("holo challenge alice bob", body="Hello " * 30))
    sent += server.mail(mail_of("holo move 1 alice xanadu 132:9"))
    sent += server.mail(mail_of("help"))
    sent += server.mail(mail_of("holo move 1 alice xanadu 142:4", body="J\xf6rg " * 30))
    sent += server.mail(mail_of("change address alice xanadu a@b.org"))
    assert len(sent) == 8
    for letter in sent:
        raw = message(letter, CONFIG)
        assert raw.isascii()
        assert not re.search(rb"[ \t]$", raw, re.MULTILINE)
        assert max(map(len, letter.text.splitlines())) <= 72
        assert text_of(parsed(letter)) == letter.text
