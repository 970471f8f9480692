"""Letters on their way out: what stands in the message, and how it leaves."""

import json
import re
import socketserver
import sys
import threading
import time
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from pbm_holomino.config import Config
from pbm_holomino.errors import CannotSend
from pbm_holomino.letters import Letter
from pbm_holomino.post import message, sender
from pbm_holomino.store import Store
from tests.robots import Robot, mail_of

CONFIG = Config(address="games@play.example")
TEXT = "Dear Alice,\n\n  /2 \\__\n\nyour turn.\n"
TO = ("alice@example.org", "a.l+x@example.net")
LETTER = Letter("holo.12.3.alice", TO, "holo 12: your turn", TEXT, "holo.12.0.alice")


def parsed(letter: Letter, config: Config = CONFIG) -> EmailMessage:
    read = message_from_bytes(message(letter, config), policy=default)
    assert isinstance(read, EmailMessage)
    assert not read.defects
    return read


def text_of(mail: EmailMessage) -> str:
    return str(mail.get_content())


# The message


def test_the_headers_of_a_letter() -> None:
    mail = parsed(LETTER)
    assert mail["From"] == "games@play.example"
    assert mail["To"] == ", ".join(TO)
    assert mail["Subject"] == "holo 12: your turn"
    assert mail["X-Loop"] == "games@play.example"
    assert mail["Message-ID"] == "<holo.12.3.alice@play.example>"
    assert mail["References"] == "<holo.12.0.alice@play.example>"
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


def test_an_answer_is_told_from_what_is_sent_unasked() -> None:
    assert parsed(LETTER)["Auto-Submitted"] == "auto-replied"
    others = LETTER._replace(replied=False)
    assert parsed(others)["Auto-Submitted"] == "auto-generated"


def test_an_answer_refers_to_the_mail_that_it_answers() -> None:
    mail = parsed(Letter("answer.0", TO, "Re: help", "x\n", answers="<1@example.org>"))
    assert mail["In-Reply-To"] == mail["References"] == "<1@example.org>"
    assert mail["Message-ID"] == "<answer.0@play.example>"


def test_a_letter_that_answers_nothing_refers_to_nothing() -> None:
    for first in ("", "players.alice.1"):  # the first of a thread, too
        mail = parsed(Letter("players.alice.1", TO, "alice: welcome", "x\n", first))
        assert mail["In-Reply-To"] is mail["References"] is None


def test_sending_twice_is_the_same_message() -> None:
    assert parsed(LETTER)["Message-ID"] == parsed(LETTER)["Message-ID"]
    lines = [message(LETTER, CONFIG).splitlines() for _ in range(2)]
    assert len(set(lines[0]) ^ set(lines[1])) in (0, 2)  # but for the Date


def test_text_beyond_ascii_survives() -> None:
    text = "  J\xf6rg schreibt:\n\n\u2026 =20 \u20ac\nFrom here on.\n.\n" + "\xe4" * 70
    raw = message(LETTER._replace(text=text + "\n"), CONFIG)
    assert raw.isascii()
    assert max(map(len, raw.split(b"\n"))) <= 78
    assert text_of(parsed(LETTER._replace(text=text + "\n"))) == text + "\n"


def test_no_line_ends_in_a_blank() -> None:
    text = "a  \n\t\n  b\t\n \xa0\n\n"
    for more in ("", "\xe9 \n"):
        mail = parsed(LETTER._replace(text=text + more))
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
    letter = LETTER._replace(text=text)
    assert max(map(len, message(letter, CONFIG).splitlines())) <= 998
    assert text_of(parsed(letter)) == text


# The letters of the server


def test_the_letters_of_a_board_hang_together(robot: Robot) -> None:
    robot.mail(mail_of("holo challenge alice bob", Message_ID="<1@x>"))
    first = {letter.to[0][:3]: parsed(letter) for letter in robot.sent}
    robot.mail(mail_of("holo move 1 alice secret 142:4", Message_ID="<2@x>"))
    robot.mail(mail_of("holo move 1 bob better4 234:3", "bob@example.com"))
    assert len(first) == 2
    for letter in robot.sent:
        mail, begin = parsed(letter), first[letter.to[0][:3]]
        assert begin["Message-ID"] in (mail["References"] or "").split()
        assert mail["Message-ID"] != begin["Message-ID"]
        who_asked = mail["To"] == "bob@example.com"
        replied = "auto-replied" if who_asked else "auto-generated"
        assert mail["Auto-Submitted"] == replied


def test_all_that_the_server_writes_is_plain(robot: Robot) -> None:
    sent = robot.mail(mail_of("holo challenge alice bob", body="Hello " * 30))
    sent += robot.mail(mail_of("holo move 1 alice secret 132:9"))
    sent += robot.mail(mail_of("help"))
    sent += robot.mail(mail_of("holo move 1 alice secret 142:4", body="J\xf6rg " * 30))
    sent += robot.mail(mail_of("change address alice secret a@b.org"))
    assert len(sent) == 8
    for letter in sent:
        raw = message(letter, CONFIG)
        assert raw.isascii()
        assert not re.search(rb"[ \t]$", raw, re.MULTILINE)
        assert max(map(len, letter.text.splitlines())) <= 72
        assert text_of(parsed(letter)) == letter.text


# Ways out


def outbox(folder: Path) -> Store:
    return Store(str(folder))


def test_the_outbox_keeps_files_that_mail_programs_open(tmp_path: Path) -> None:
    post = sender(CONFIG, outbox(tmp_path))
    post(LETTER)
    post(LETTER)
    (file,) = (tmp_path / "outbox").iterdir()
    assert file.name == "holo.12.3.alice.eml"
    mail = message_from_bytes(file.read_bytes(), policy=default)
    assert mail["Subject"] == "holo 12: your turn"
    assert file.stat().st_mode & 0o777 == 0o600


def test_an_outbox_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "outbox").write_text("a file in place of a folder")
    with pytest.raises(CannotSend):
        sender(CONFIG, outbox(tmp_path))(LETTER)


SENDMAIL = """#!{python}
import json, sys
with open("{folder}/called", "w") as file:
    json.dump([sys.argv[1:], sys.stdin.buffer.read().decode("ascii")], file)
sys.exit({status})
"""


def fake_sendmail(folder: Path, status: int) -> Config:
    script = folder / "sendmail"
    script.write_text(
        SENDMAIL.format(python=sys.executable, folder=folder, status=status)
    )
    script.chmod(0o755)
    return CONFIG._replace(send="sendmail", sendmail=str(script))


def test_sendmail_gets_the_addresses_and_the_message(tmp_path: Path) -> None:
    sender(fake_sendmail(tmp_path, 0), outbox(tmp_path))(LETTER)
    words, stdin = json.loads((tmp_path / "called").read_text())
    assert words == ["-i", "-f", "", "--", *TO]
    mail = message_from_bytes(stdin.encode(), policy=default)
    assert (mail["Subject"], mail.get_content()) == ("holo 12: your turn", TEXT)
    assert not (tmp_path / "outbox").exists()


@pytest.mark.parametrize("status", [1, 70, 75])
def test_a_sendmail_that_fails(tmp_path: Path, status: int) -> None:
    with pytest.raises(CannotSend, match=str(status)):
        sender(fake_sendmail(tmp_path, status), outbox(tmp_path))(LETTER)


@pytest.mark.parametrize(
    ("complaint", "told"),
    [
        ("", "failed with 75."),
        ("\n", "failed with 75."),
        ("warning: old\nfatal: no queue\n\n", "failed with 75 (fatal: no queue)."),
        ("caf\u00e9", "failed with 75 (caf\ufffd\ufffd)."),
        ("x" * 999, f"failed with 75 ({'x' * 200})."),
    ],
)
def test_what_sendmail_complains_of_is_told(
    tmp_path: Path, complaint: str, told: str
) -> None:
    script = tmp_path / "sendmail"
    (tmp_path / "complaint").write_text(complaint, "utf-8")
    script.write_text(f"#!/bin/sh\ncat {tmp_path}/complaint >&2\nexit 75\n")
    script.chmod(0o755)
    config = CONFIG._replace(send="sendmail", sendmail=str(script))
    with pytest.raises(CannotSend) as error:
        sender(config, outbox(tmp_path))(LETTER)
    assert str(error.value) == f"{script} {told}"


@pytest.mark.parametrize("status", [67, 68])
def test_a_sendmail_that_knows_nobody_there(tmp_path: Path, status: int) -> None:
    # else the mail that the letter answers would come again for days
    sender(fake_sendmail(tmp_path, status), outbox(tmp_path))(LETTER)


@pytest.mark.parametrize("path", ["missing", ".", "plain"])
def test_a_sendmail_that_is_none(tmp_path: Path, path: str) -> None:
    (tmp_path / "plain").write_text("not executable")
    config = CONFIG._replace(send="sendmail", sendmail=str(tmp_path / path))
    with pytest.raises(CannotSend):
        sender(config, outbox(tmp_path))(LETTER)


class Conversation(socketserver.StreamRequestHandler):
    """A mail server that takes one message, unless it refuses a command."""

    def handle(self) -> None:
        server: Postbox = self.server  # type: ignore[assignment]
        self.wfile.write(b"220 ready\r\n")
        while line := self.rfile.readline().strip():
            server.heard.append(line)
            verb = line.upper().split(b":")[0].split(b" ")[0]
            if verb == server.refused:
                self.wfile.write(server.code + b" no\r\n")
                continue
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                while (text := self.rfile.readline()) != b".\r\n":
                    server.data += text
            self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 fine\r\n")


class Postbox(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, refused: bytes = b"", code: bytes = b"554") -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.heard: list[bytes] = []
        self.data = b""
        self.refused = refused
        self.code = code

    def send(self, letter: Letter, folder: Path) -> None:
        port = self.server_address[1]
        config = CONFIG._replace(send="smtp", smtp=f"127.0.0.1:{port}")
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        try:
            sender(config, outbox(folder))(letter)
        finally:
            self.shutdown()


def test_a_mail_server_gets_the_addresses_and_the_message(tmp_path: Path) -> None:
    text = TEXT + ".\n.. dots\nJ\xf6rg\n"
    with Postbox() as box:
        box.send(LETTER._replace(text=text), tmp_path)
    said = [line for line in box.heard if line.lower().startswith((b"mail", b"rcpt"))]
    assert said[0].upper().startswith(b"MAIL FROM:<>")
    assert [line.split(b"<")[1].rstrip(b">").decode() for line in said[1:]] == list(TO)
    data = re.sub(rb"^\.", b"", box.data, flags=re.MULTILINE)
    assert b"\n" not in data.replace(b"\r\n", b"")
    mail = message_from_bytes(data.replace(b"\r\n", b"\n"), policy=default)
    assert (mail["Subject"], mail.get_content()) == ("holo 12: your turn", text)


@pytest.mark.parametrize("refused", [b"MAIL", b"RCPT", b"DATA"])
def test_a_mail_server_that_refuses(tmp_path: Path, refused: bytes) -> None:
    with Postbox(refused, b"451") as box, pytest.raises(CannotSend):
        box.send(LETTER, tmp_path)


def test_a_letter_to_nobody_is_as_good_as_sent(tmp_path: Path) -> None:
    # else the mail that it answers would come again for days
    with Postbox(b"RCPT", b"550") as box:
        box.send(LETTER, tmp_path)
    assert not box.data


@pytest.mark.parametrize("smtp", ["127.0.0.1:1", "127.0.0.1:x", "127.0.0.1:99999"])
def test_a_mail_server_that_is_not_there(tmp_path: Path, smtp: str) -> None:
    config = CONFIG._replace(send="smtp", smtp=smtp)
    with pytest.raises(CannotSend):
        sender(config, outbox(tmp_path))(LETTER)
