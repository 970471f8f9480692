"""Mails that nobody means well with: each is dealt with, and does no harm."""

import gc
import importlib.util
import random
import re
import tracemalloc
from collections.abc import Iterator
from email import message_from_bytes
from itertools import islice
from pathlib import Path

import pytest

from pbm_holomino.letters.content import said
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import incoming
from pbm_holomino.mail.message import message
from pbm_holomino.store import yaml as strict
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import WELCOMES
from pbm_holomino.store.files import spool
from tests.faults.mutate import (
    ORDINARY,
    Trial,
    assert_decent,
    fault_of,
    faults_of_the_library,
    mutants,
)
from tests.faults.scene import lay, secrets_of
from tests.house import House, mail_of
from tests.mail.test_transcripts import NAMES, parts_of
from tests.processes import deliver
from tests.sizes import sized
from tests.storage import is_of_index

EVE = "eve@example.net"
MUTANTS, IN_A_PROCESS = sized(250, 1200), sized(5, 15)


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    return Trial(tmp_path / "games")


@pytest.fixture
def server(server: House) -> House:
    """Alice and bob play board 1, and it is alice's turn."""
    server.challenge()
    return server


def test_long_headers_leave_nothing_in_memory() -> None:
    """What is remembered of mails is bounded in bytes: strangers send these."""

    def read(n: int) -> None:
        long = "".join(f";a{i}={n}" for i in range(200))
        head = f'From: "{n}{"x" * 1_500}" <{EVE}>\nContent-Type: text/plain{long}\n'
        found = incoming.read(
            f"{head}Subject: help\n\nHello!\n".encode(), "pbm@localhost"
        )
        assert found is not None
        assert found.sender == EVE

    tracemalloc.start()
    try:
        read(0)
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for n in range(1, 51):
            read(n)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 50_000  # of 150 kB that came


# By chance


def test_mutants(trial: Trial) -> None:
    for raw in islice(mutants(random.Random(20)), MUTANTS):
        trial.receive(raw)
    unread = sum(n for kind, n in trial.found.items() if kind[0].isupper())
    assert MUTANTS / 10 < unread < MUTANTS
    assert trial.found["letters"] > MUTANTS / 10
    assert trial.found["to come again"] == 0


def test_the_mutants_break_the_library_itself() -> None:
    """Else they would prove nothing."""
    some = islice(mutants(random.Random(20)), 700)
    broken = {kind(raw) for raw in some for kind in (faults_of_the_library, fault_of)}
    assert broken - {"", "ValueError"}


def test_mutants_in_a_process(tmp_path: Path) -> None:
    folder = lay(tmp_path / "games")
    unread = set[bytes]()
    for raw in islice(mutants(random.Random(21)), IN_A_PROCESS):
        assert deliver(folder, raw) == (0, "", "")
        if fault_of(raw):
            unread.add(raw)
    kept = {path.read_bytes() for path in (folder / "quarantine").iterdir()}
    assert kept == unread != set()


# By hand


def corpus() -> Iterator[bytes]:
    """The awkward mails that Python tests itself with, where they are installed."""
    found = importlib.util.find_spec("test.test_email")
    for place in (found and found.submodule_search_locations) or ():
        for path in sorted(Path(place, "data").glob("*.txt")):
            yield path.read_bytes()


NUL = mail_of("help\x00")
PARTS = b"".join(
    b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n)
    for n in range(2000)
)
MONSTERS = {
    "an encoded line break": mail_of("=?utf-8?q?help=0ABcc:_bob@example.org?=", EVE),
    "an encoded return": mail_of("=?utf-8?b?aGVscA1CY2M6IGFAYi5vcmc=?=", EVE),
    "an encoded NUL": mail_of("=?utf-8?q?holo_show_1=00?=", EVE),
    "a NUL": NUL,
    "a NUL in the sender": NUL.replace(b"alice", b"al\0ice"),
    "two Subjects": mail_of("holo show 1", EVE, SUBJECT="help"),
    "open comments": mail_of("help", "(" * 2000 + EVE),
    "closed comments": mail_of("help", "(" * 2000 + ")" * 2000 + EVE),
    "nested parts": b"From: eve@example.net\nSubject: help\n" + PARTS,
    "nested messages": b"From: eve@example.net\nSubject: help\n"
    + b"Content-Type: message/rfc822\n\n" * 2000,
    "HTML alone": mail_of("help", EVE, "<p>Hi", Content_Type="text/html"),
    "no charset": mail_of("=?nobody-knows?q?help?=", EVE),
    "a charset that is none": mail_of("=?rot13?q?uryc?=", EVE),
    "half a charset": mail_of("=?utf-16?q?h?=", EVE),
    "many words": mail_of("help " * 200_000, EVE),
    "many encoded words": mail_of("=?utf-8?q?a?= " * 500_000, EVE),
    "a long header": mail_of("help", EVE, X_Long="x" * 5_000_000),
    "many headers": b"X: y\n" * 100_000 + mail_of("help", EVE),
    "a sender who is an option": mail_of("help", "-OQueueDirectory=/tmp@example.net"),
    "a sender with a line break": mail_of("help", '"a\n b"@example.net'),
    "many senders": mail_of("help", ", ".join([EVE] * 1000)),
    # minutes of work for the library, each of them
    "a sender without end": mail_of("help", "@" * 6_000_000),
    "a type without end": mail_of(
        "help", EVE, Content_Type="text/plain" + ";" * 6_000_000
    ),
    "a folded type without end": mail_of(
        "help", EVE, Content_Type="text/plain;" + "\n a;" * 2_000_000
    ),
    "a part's type without end": mail_of(
        "help",
        EVE,
        "--b\nContent-Type: text/plain" + ";" * 6_000_000 + "\n\nHi!\n--b--",
        Content_Type="multipart/mixed; boundary=b",
    ),
    "parts without end": b"From: eve@example.net\nSubject: help\n" + PARTS * 50,
}


@pytest.mark.parametrize("what", MONSTERS)
def test_a_monster(trial: Trial, what: str) -> None:
    """It is dealt with, and soon: the test run would not end else."""
    trial.receive(MONSTERS[what])
    assert trial.found["letters"] <= 1
    assert trial.found["to come again"] == 0


def test_the_library_s_own_corpus(trial: Trial) -> None:
    for raw in (*corpus(), *ORDINARY):
        trial.receive(raw)
        # as if each had a command: most of them are ordinary but for their shape
        head = b"From: eve@example.net\nSubject: holo show 1\n"
        for name in (b"From", b"Subject"):
            raw = re.sub(rb"(?m)^%b:.*\n(?:[ \t].*\n)*" % name, b"", raw)
        trial.receive(head + raw)
    assert trial.found["letters"] > 0


# Loops


def automatic(server: House) -> Iterator[bytes]:
    """What programs send that our letters have gone to, and our letters themselves."""
    ours = [message(letter, server.config) for letter in server.sent]
    assert ours
    for raw in ours:
        yield raw
        headers = raw.partition(b"\n\n")[0]
        from_daemon = b"From: MAILER-DAEMON@example.org\nTo: pbm@localhost\n"
        null = b"Return-Path: <>\nFrom: someone@example.org\n"
        for head in (from_daemon, null):
            yield head + b"Subject: holo show 1\n\n" + raw
            yield head + b"Subject: Returned mail: holo show 1\n\n" + headers
        yield mail_of("holo show 1", Auto_Submitted="auto-replied (vacation)")
        yield mail_of("holo show 1", Auto_Submitted="auto-generated; x=y")
        yield mail_of("holo show 1", AUTO_SUBMITTED="No, auto-replied")
        yield mail_of("holo show 1", Precedence="bulk")
        yield raw.replace(b"From: pbm@localhost", b"From: alice@example.org")


def test_nothing_answers_what_programs_send(server: House) -> None:
    server.mail(mail_of("holo move 1 alice xanadu 142:4"))
    for raw in list(automatic(server)):
        assert server.mail(raw) == []


@pytest.mark.parametrize("name", NAMES)
def test_no_letter_of_the_transcripts_brings_a_letter(server: House, name: str) -> None:
    """Fed back in as they left; and where somebody forwards them, who takes our marks
    away, there is one answer to that person, and nothing changes."""
    before = board_files(server)
    for head, body in parts_of(name):
        if head == "letter":
            subject = body.partition("Subject: ")[2].partition("\n")[0]
            text = body.partition("\n\n")[2]
            letter = Letter("a.1", ("alice@example.org",), subject, said(text))
            assert server.mail(message(letter, server.config)) == []
            answers = server.mail(mail_of(f"Fwd: {subject}", EVE, text))
            assert [letter.to for letter in answers] == [(EVE,)]
    assert board_files(server) == before


def board_files(server: House) -> dict[str, bytes]:
    """All documents but those that remember which strangers were welcomed."""
    found = (p for p in server.folder.rglob("*.yaml") if p.parent.name != WELCOMES)
    return {str(p): p.read_bytes() for p in found}


def test_two_servers_do_not_write_to_each_other_for_ever(
    server: House, tmp_path: Path
) -> None:
    """Somebody signs up here with the other's address, and there with ours."""
    other = House(tmp_path / "other")
    other.config = Config(address="games@example.net")
    letters = server.mail(mail_of("signup carol better5", "games@example.net"))
    assert [letter.to for letter in letters] == [("games@example.net",)]
    for letter in letters:
        assert other.mail(message(letter, server.config)) == []


def test_signing_up_with_the_servers_own_address_is_not_answered(
    server: House,
) -> None:
    (letter,) = server.mail(mail_of("signup carol better5 pbm@localhost", EVE))
    assert server.mail(message(letter, server.config)) == []


# Floods


def sizes(folder: Path) -> dict[str, int]:
    """What files take up, but for the index, which is derived."""
    files = (p for p in folder.rglob("*") if p.is_file() and not is_of_index(p))
    return {p.name: min(p.stat().st_size, p.stat().st_blocks * 512) for p in files}


@pytest.mark.parametrize(
    "command",
    ["help", "holo showas alice wrong", "xyzzy", "holo challenge alice bob"]
    + ["signup carol x", "holo move 1 alice wrong 142:4"],
)
def test_300_mails_from_one_address_in_a_minute(server: House, command: str) -> None:
    before = sizes(server.folder)
    answers = 0
    for number in range(300):
        answers += len(server.mail(mail_of(command, EVE, Message_ID=f"<{number}@x>")))
    # and one letter that says when it goes on
    assert 0 < answers <= server.config.answers_per_hour + 1 == 61
    after = sizes(server.folder)
    new = after.keys() - before.keys() - {"carol.lock"}
    assert len(new) <= 3  # what counts them, and whoever was welcomed
    assert sum(after.values()) - sum(before.values()) <= 50_000  # pages of the counts
    # those who have a password are as welcome as ever
    assert len(server.mail(mail_of("holo move 1 alice xanadu 142:4"))) == 2


def test_a_flood_of_unreadable_mail_does_not_fill_the_disk(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MOST_KEPT", 20)
    monkeypatch.setattr(spool, "MOST_KEPT_BYTES", 5_000)
    folder = server.folder / "quarantine"
    for number in range(50):
        server.mail(b"no mail %d" % number)
    assert len(list(folder.iterdir())) == 20
    assert b"no mail 49" in {path.read_bytes() for path in folder.iterdir()}
    server.mail(b"no mail" * 500)
    server.mail(b"no mail either" * 100)
    assert sum(sizes(folder).values()) <= 5_000
    assert b"no mail either" * 100 in {path.read_bytes() for path in folder.iterdir()}
    server.mail(b"no mail" * 1000)  # the last is kept, whatever its size
    assert [path.read_bytes() for path in folder.iterdir()] == [b"no mail" * 1000]


def test_a_flood_of_words_does_not_fill_a_board(server: House) -> None:
    """Who chats without end cannot keep the other from moving."""
    for number in range(60):
        subject = "holo chat 1 alice xanadu"
        server.mail(mail_of(subject, body="x" * 20_000, Message_ID=f"<{number}@x>"))
    assert len(server.mail(mail_of("holo move 1 alice xanadu 142:4"))) == 2
    size = (server.folder / "holo" / "1.yaml").stat().st_size
    assert size < strict.MOST_BYTES / 4


def test_a_mail_of_ours_is_decent_whatever_it_answers(tmp_path: Path) -> None:
    """From a real outbox: what stands there is what leaves."""
    folder = lay(tmp_path / "games")
    for number, raw in enumerate(MONSTERS.values()):
        if number % 4 == 0:
            assert deliver(folder, raw) == (0, "", "")
    secrets = list(secrets_of(folder))
    letters = list((folder / "outbox").glob("answer.*.eml"))
    assert letters
    for path in letters:
        assert_decent(path.read_bytes(), secrets)
    assert not any(message_from_bytes(p.read_bytes())["Bcc"] for p in letters)
