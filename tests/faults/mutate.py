"""Mails that break parsers, made by chance from ordinary ones.

    python -m tests.faults.mutate SECONDS [SEED]

tries as many as there is time for, and tells what it has found.
"""

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from email import message_from_bytes
from email.utils import getaddresses
from pathlib import Path
from unittest import mock

from pbm_holomino.errors import Busy, CannotSend, StoreTrouble
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import incoming
from pbm_holomino.mail.message import message
from pbm_holomino.match.account import is_address
from pbm_holomino.server import inbox
from tests.faults.scene import lay, opened, secrets_of
from tests.house import mail_of

# Headers, or bits of them, that parsers have stumbled over.
AWKWARD = [
    b"From: =?utf-8?q?=00?= <a@b.org>",
    b"From: a@b.org\r",
    b"From: " + b"(" * 2000 + b"a@b.org",
    b"From: \xff\xfe@b.org",
    b'From: "a\\" <b@c.org>',
    b"From: <@a,@b:c@d.org>",
    b"From: undisclosed:;",
    b"From: a@[1.2.3.4]",
    b"Subject: =?utf-8?b?" + b"A" * 13 + b"?=",
    b"Subject: =?utf-8?x?abc?=",
    b"Subject: =?no-such-charset?q?help?=",
    b"Subject: =?idna?q?" + b"a" * 70 + b"?=",
    b"Subject: =?utf-16?b?AAA=?= =?utf-7?q?+AAA?=",
    b"Subject: =?punycode?q?\x80?=",
    b"Subject: help =?utf-8?q?=0ABcc:_eve@example.net?=",
    b"Subject: holo move 1 alice xanadu\x00 142:4",
    b"Subject: " + b"Re: " * 600,
    b"Subject: =?unicode_escape?q?=5Cud800?=",
    b"Subject: =?undefined?q?help?=",
    b"Subject:\r\n \r\n help",
    b"Content-Type: text/plain; charset*=utf-8''%FF%FE; charset*0=a",
    b"Content-Type: text/plain; charset*0*=x'y; charset*1=",
    b'Content-Type: text/plain; charset="rot13"',
    b"Content-Type: text/plain; charset=hex",
    b"Content-Type: multipart/mixed; boundary=",
    b"Content-Type: multipart/mixed; boundary*1*=b; boundary*0=a",
    b"Content-Type: multipart/digest; boundary=b",
    b"Content-Type: message/rfc822",
    b"Content-Type: message/delivery-status",
    b"Content-Type: ;;;=",
    b"Content-Type: text/plain; " + b"a;" * 3000,
    b"Content-Disposition: ; filename*=",
    b"Content-Disposition: attachment; filename*0*=a'b; filename*1",
    b"Content-Transfer-Encoding: base64",
    b"Content-Transfer-Encoding: x-uuencode",
    b"Content-Transfer-Encoding: quoted-printable",
    b"Message-ID: <" + b"@" * 400 + b">",
    b"Auto-Submitted: =?utf-8?q?no?=",
    b"Date: 99 Xxx 99999 99:99:99 +99999",
    b" folded before anything",
    b": no name",
    b"From ",
    b">From nobody",
    b"\x80\x81\x82: \x83",
    b"--b",
    b"--b--",
    b"begin 666 file\n\xff\xff\nend",
    b"=" * 77,
]
ORDINARY = [
    mail_of("holo move 1 alice xanadu 142:4", body="Hello!"),
    mail_of("help", "eve@example.net", Content_Type='text/plain; charset="utf-8"'),
    mail_of("=?utf-8?q?holo_show_1?=", Content_Transfer_Encoding="base64", body="SGk="),
    mail_of(
        "signup eve1 better5",
        "Eve (comment) <eve@example.net>",
        "--b\nContent-Type: text/html\n\n<p>Hi\n--b\n\nHi!\n--b--",
        MIME_Version="1.0",
        Content_Type="multipart/alternative; boundary=b",
    ),
    mail_of(
        "holo chat 1 bob better4",
        "bob@example.org",
        "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nHi!\n--c--\n--b--",
        Content_Type="multipart/mixed; boundary=b",
    ),
    mail_of(
        "holo chat 1 bob better4",
        "bob@example.org",
        "<p hidden>No<p style='margin:0'>Hi&amp;!<blockquote><pre>holo 1</pre>\n<br>",
        Content_Type="text/html; charset=utf-8",
    ),
]


def _bytes_changed(raw: bytearray, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 8)):
        raw[chance.randrange(len(raw))] = chance.randrange(256)


def _piece_gone(raw: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(raw))
    del raw[start : start + chance.randint(1, 40)]


def _piece_twice(raw: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(raw))
    piece = raw[start : start + chance.randint(1, 60)]
    place = chance.randrange(len(raw))
    raw[place:place] = piece * chance.choice((1, 2, 50))


def _cut(raw: bytearray, chance: random.Random) -> None:
    del raw[chance.randrange(len(raw)) :]


def _awkward(raw: bytearray, chance: random.Random) -> None:
    """One more line, or one in place of that of the same name."""
    new = chance.choice(AWKWARD)
    lines = bytes(raw).split(b"\n")
    place = chance.randrange(len(lines))
    if chance.random() < 0.7:
        name = new.partition(b":")[0] + b":"
        same = [n for n, line in enumerate(lines) if line.startswith(name)]
        place = same[0] if same else 0
        lines[place : place + bool(same)] = [new]
    else:
        lines.insert(place, new)
    raw[:] = b"\n".join(lines)


def _other_ends(raw: bytearray, chance: random.Random) -> None:
    raw[:] = bytes(raw).replace(
        b"\n", chance.choice((b"\r\n", b"\r", b"\n\r", b"\x0b\n"))
    )


def _nested(raw: bytearray, chance: random.Random) -> None:
    head = b"Content-Type: message/rfc822\n\n"
    raw[:] = b"From: a@b.org\nSubject: help\n" + head * chance.choice((1, 40)) + raw


CHANGES: list[Callable[[bytearray, random.Random], None]] = [
    _bytes_changed,
    _piece_gone,
    _piece_twice,
    _cut,
    _awkward,
    _awkward,
    _awkward,
    _other_ends,
    _nested,
]


def mutants(chance: random.Random) -> Iterator[bytes]:
    """Mails without end, each an ordinary one after a few changes."""
    while True:
        raw = bytearray(chance.choice(ORDINARY))
        for _ in range(chance.randint(1, 5)):
            if raw:
                chance.choice(CHANGES)(raw, chance)
        yield bytes(raw[:200_000])


class Trial:
    """A store that mails are tried on, and what has come of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = lay(folder)
        self.secrets = list(secrets_of(folder))
        self.server, home = opened(folder)
        self.config = home.config._replace(answers_per_hour=10**9)
        self.server.delivery.post = self._post
        self.found = Counter[str]()

    def _post(self, letter: Letter) -> Mapping[str, str]:
        self.found["letters"] += 1
        assert_decent(message(letter, self.config), self.secrets)
        return {}

    def receive(self, raw: bytes) -> None:
        """Deal with a mail: it is dealt with, or must come again; and one that nobody
        can read is in quarantine, byte by byte."""
        try:
            inbox.receive(raw, self.server, self.config)
        except (Busy, StoreTrouble, CannotSend):
            self.found["to come again"] += 1
        why = fault_of(raw)
        if why:
            self.found[why] += 1
            (new,) = self.kept()
            assert new.read_bytes() == raw
            new.unlink()

    def kept(self) -> list[Path]:
        return list((self.folder / "quarantine").glob("*"))


HEADERS = {"From", "Reply-To", "To", "Subject", "Date", "Message-ID", "In-Reply-To"}
HEADERS |= {"References", "Auto-Submitted", "X-Loop", "MIME-Version", "Content-Type"}
HEADERS |= {"Content-Transfer-Encoding", "List-Unsubscribe"}


def assert_decent(raw: bytes, secrets: Iterable[bytes]) -> None:
    """A letter has our headers, each once; no line that mail does not allow; only
    people's addresses; and tells no secret."""
    letter = message_from_bytes(raw)
    names = letter.keys()
    assert set(names) <= HEADERS
    assert len(set(names)) == len(names)
    assert not letter.defects
    assert max(map(len, raw.split(b"\n"))) <= 998
    assert b"\r" not in raw
    for _, address in getaddresses([letter["To"]]):
        assert is_address(address)
    parts = (part.get_payload(decode=True) for part in letter.walk())
    told = raw + b"".join(part for part in parts if isinstance(part, bytes))
    assert b"Traceback" not in told
    for secret in secrets:
        assert secret not in told


def fault_of(raw: bytes) -> str:
    """The exception that keeps a mail from being read; empty where it can be."""
    try:
        incoming.read(raw, "pbm@localhost")
    except incoming.Unreadable as error:
        return str(error).partition(":")[0]
    return ""


def faults_of_the_library(raw: bytes) -> str:
    """What the standard library itself raises where a mail's headers are looked at
    without any care."""
    try:
        message = message_from_bytes(raw)
        list(message.items())
        for part in message.walk():
            part.get_content_charset()
            part.get_filename()
            part.get_payload(decode=True)
    except Exception as error:
        return type(error).__name__
    return ""


def main(seconds: float, seed: int) -> None:
    """Try for so long, and tell."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder) / "games")
        end, raw = time.monotonic() + seconds, b""
        try:
            for raw in mutants(random.Random(seed)):
                if time.monotonic() > end:
                    break
                trial.receive(raw)
                trial.found["mails"] += 1
        except BaseException:
            Path("mutant.eml").write_bytes(raw)
            print(f"after {trial.found['mails']} mails, with mutant.eml:")
            raise
        print(dict(trial.found))


if __name__ == "__main__":
    with mock.patch("pbm_holomino.match.account._SCRYPT", (2, 1, 1)):
        main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
