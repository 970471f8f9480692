"""Mail from an mbox file, to which other programs append while they hold its locks."""

import fcntl
import mailbox
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import time

import pytest

from pbm_holomino.errors import CannotFetch
from pbm_holomino.fetch.mbox import MboxMailbox, split
from tests import sizes
from tests.fetch.club import FetchingHouse, chat, chats
from tests.house import dies
from tests.processes import surroundings

FROM = b"From alice@example.org Fri Nov 20 08:00:00 2026\n"


@pytest.fixture
def file(fetching: FetchingHouse, tmp_path: Path) -> Path:
    """The file that mail is fetched from. There is none before the first mail."""
    path = tmp_path / "mail"
    fetching.configure(fetch=f"mbox:{path}")
    return path


def append(path: Path, *mails: bytes) -> None:
    """Deliver mails as the standard library does it."""
    box = mailbox.mbox(path)
    box.lock()
    for mail in mails:
        box.add(FROM + mail)
    box.flush()
    box.close()


def test_each_mail_is_carried_out_and_removed(
    fetching: FetchingHouse, file: Path
) -> None:
    assert fetching.fetch() == "There is no mail.\n"
    append(file, *chats(3))
    before = file.stat().st_ino
    assert fetching.fetch() == "Mails fetched: 3.\n"
    assert fetching.heard() == [1, 2, 3]
    assert file.read_bytes() == b""
    assert file.stat().st_ino == before
    assert not file.with_name("mail.lock").exists()


def test_split() -> None:
    """A line that begins with From after a blank one begins a mail (RFC 4155)."""
    one = FROM + b"Subject: one\n\nHello\nFrom here on\n\n>From there\n"
    two = FROM + b"Subject: two\n\n"
    assert [*split((one + b"\n" + two).splitlines(keepends=True))] == [one, two[:-1]]
    assert [*split([])] == []


def test_a_file_that_is_no_mbox(fetching: FetchingHouse, file: Path) -> None:
    file.write_bytes(b"Dear diary\n")
    answer = fetching.type("fetch")
    assert answer.status == 75
    assert "is not an mbox" in answer.text
    assert file.read_bytes() == b"Dear diary\n"


def test_a_bounce_is_not_answered(fetching: FetchingHouse, file: Path) -> None:
    """The sender of the envelope is in the line before the mail."""
    file.write_bytes(b"From MAILER-DAEMON Fri Nov 20 08:00:00 2026\n" + chat(1))
    assert fetching.fetch() == "Mails fetched: 1.\n"
    assert fetching.heard() == []


def test_a_file_that_another_program_has_locked(
    fetching: FetchingHouse, file: Path
) -> None:
    append(file, chat(1))
    lock = file.with_name("mail.lock")
    lock.write_bytes(b"")
    assert "has locked" in fetching.type("fetch").text
    lock.unlink()
    holder = "import fcntl, sys; f = open(sys.argv[1], 'rb+'); fcntl.lockf(f, 2)\n"
    holder += "print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", holder, file],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=surroundings(),
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert "has locked" in fetching.type("fetch").text
        assert not lock.exists()
        process.communicate(b"")
    assert fetching.fetch() == "Mails fetched: 1.\n"


def test_a_lock_that_was_left_behind(fetching: FetchingHouse, file: Path) -> None:
    append(file, chat(1))
    lock = file.with_name("mail.lock")
    lock.write_bytes(b"")
    os.utime(lock, (time() - 301, time() - 301))
    assert fetching.fetch() == "Mails fetched: 1.\n"
    assert not lock.exists()


def test_killed_at_every_moment(
    file: Path, tmp_path: Path, fetching: FetchingHouse
) -> None:
    """Each mail is there afterwards, once, in the file or beside it."""
    moment, is_killed = 0, True
    while is_killed:
        moment += 1
        mails = [FROM + mail for mail in chats(2)]
        file.write_bytes(b"\n".join(mails))
        into = tmp_path / f"into.{moment}"
        box = MboxMailbox(str(file), str(into), "")
        is_killed = dies(fetching.house, moment, box.mails)
        file.with_name("mail.lock").unlink(missing_ok=True)
        again = MboxMailbox(str(file), str(into), "")
        assert [again.read(name) for name in again.mails()] == mails
    assert moment > 10


_WRITER = """\
import mailbox, sys, time
path, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for number in range(first, first + count):
    box = mailbox.mbox(path)
    while True:
        try:
            box.lock()
            break
        except mailbox.ExternalClashError:
            time.sleep(0.001)
    box.add(f"From a@b Fri Nov 20 08:00:00 2026\\nSubject: {number}\\n\\n{number}\\n")
    box.flush()
    box.close()
"""


def test_programs_that_deliver_meanwhile(tmp_path: Path) -> None:
    """No mail is lost, and none is there twice."""
    count = 300 if sizes.full else 40
    file, into = tmp_path / "mail", tmp_path / "into"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, file, str(first), str(count)],
            env=surroundings(),
        )
        for first in (0, count)
    ]
    box = MboxMailbox(str(file), str(into), "")
    while any(writer.poll() is None for writer in writers):
        _mails(box)
    names = _mails(box)
    assert [writer.returncode for writer in writers] == [0, 0]
    texts = [box.read(name) or b"" for name in names]
    numbers = sorted(int(text.split()[-1]) for text in texts)
    assert numbers == [*range(2 * count)]


def _mails(box: MboxMailbox) -> list[str]:
    """The mails in it, or none while somebody has locked it."""
    with suppress(CannotFetch):
        return box.mails()
    return []


def test_the_lock_is_the_systems(file: Path, fetching: FetchingHouse) -> None:
    """A program that holds no lock of fcntl does not keep us out."""
    append(file, chat(1))
    with open(file, "rb+") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert fetching.fetch() == "Mails fetched: 1.\n"
