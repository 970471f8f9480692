"""How letters leave, and what becomes of each copy."""

import os
import re
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.letters.content import said
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import submission, transports
from pbm_holomino.mail.message import message
from pbm_holomino.mail.outcomes import GONE, Outcome, Parcel
from pbm_holomino.mail.transports import send
from pbm_holomino.store.config import Config
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import Home
from tests.mail.postboxes import HANG_UP, Sendmail, postbox
from tests.processes import wait_until
from tests.sizes import some

ALICE, BOB, CAROL = TO = ("alice@example.org", "b.o+b@example.net", "carol@example.com")
CONFIG = Config(address="games@play.example")
TEXT = "Dear Alice,\n\n  /2 \\__\n\n.\n.. dots\nyour turn, J\xf6rg.\n"
LETTER = Letter("holo.12.3.alice", TO, "holo 12: your turn", said(TEXT))
PARCEL = Parcel(LETTER.key, message(LETTER, CONFIG), TO)


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(str(tmp_path / "games"))


@pytest.fixture
def sendmail(tmp_path: Path) -> Sendmail:
    return Sendmail(tmp_path)


def kinds(config: Config, store: FileStore, parcel: Parcel = PARCEL) -> str:
    """What becomes of the copies, in the order of the addresses: `g`one, tried again
    `l`ater, `n`ever."""
    outcomes = send(parcel, Home(store.root, config))
    assert set(outcomes) == set(parcel.to)
    found = [outcomes[to] for to in parcel.to]
    assert all(bool(outcome.why) == (outcome != GONE) for outcome in found)
    return "".join("gln"[bool(o.why) + o.for_good] for o in found)


# The outbox


def test_the_outbox_keeps_files_that_mail_programs_open(store: FileStore) -> None:
    assert kinds(CONFIG, store) == kinds(CONFIG, store) == "ggg"
    (file,) = Path(store.path("outbox")).iterdir()
    assert file.name == "holo.12.3.alice.eml"
    mail = message_from_bytes(file.read_bytes(), policy=default)
    assert mail["Subject"] == "holo 12: your turn"
    assert file.stat().st_mode & 0o777 == 0o600


def test_an_outbox_that_cannot_be_written(store: FileStore) -> None:
    os.mkdir(store.root)
    Path(store.path("outbox")).write_text("a file in place of a folder")
    assert kinds(CONFIG, store) == "lll"


# sendmail


def test_sendmail_is_called_for_each_address(
    sendmail: Sendmail, store: FileStore
) -> None:
    assert kinds(sendmail.config(), store) == "ggg"
    assert sendmail.calls() == [f"'-i' '-f' '' '--' '{to}'" for to in TO]
    mail = message_from_bytes(sendmail.mail(), policy=default)
    assert (mail["To"], mail.get_content()) == (", ".join(TO), TEXT)
    assert not os.path.exists(store.path("outbox"))


# sysexits.h: 65 the data, 67 no such user, 68 no such host; 69 and 75 are for now,
# 64, 70 and 78 somebody must mend first
STATUSES = [(65, "n"), (67, "n"), (68, "n")]
STATUSES += [(st, "l") for st in (1, 2, 64, 66, 69, 70, 71, 73, 75, 77, 78, 127)]


@pytest.mark.parametrize(("status", "kind"), some(STATUSES, 8))
def test_an_exit_status_is_about_one_address(
    sendmail: Sendmail, store: FileStore, status: int, kind: str
) -> None:
    sendmail.answer({BOB: status})
    assert kinds(sendmail.config(), store) == f"g{kind}g"
    assert sendmail.sent() == [ALICE, CAROL]
    why = send(PARCEL, Home(store.root, sendmail.config()))[BOB].why
    assert why == f"{sendmail.path} failed with {status}."


def script(folder: Path, text: str) -> Config:
    path = folder / "script"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return CONFIG._replace(send="sendmail", sendmail=str(path))


@pytest.mark.parametrize(
    ("complaint", "told"),
    [
        ("", "failed with 75."),
        ("\n", "failed with 75."),
        ("warning: old\nfatal: no queue\n\n", "failed with 75 (fatal: no queue)."),
        ("caf\u00e9", "failed with 75 (caf\u00e9)."),
        ("x" * 999, f"failed with 75 ({'x' * 200})."),
    ],
)
def test_complaints_of_sendmail_are_reported(
    tmp_path: Path, store: FileStore, complaint: str, told: str
) -> None:
    (tmp_path / "complaint").write_text(complaint, "utf-8")
    config = script(tmp_path, f"cat {tmp_path}/complaint >&2\nexit 75")
    outcome = Outcome(f"{config.sendmail} {told}")
    assert send(PARCEL, Home(store.root, config)) == dict.fromkeys(TO, outcome)


@pytest.mark.parametrize("path", ["missing", ".", "plain", "a\0b"])
def test_a_sendmail_that_does_not_exist(
    tmp_path: Path, store: FileStore, path: str
) -> None:
    (tmp_path / "plain").write_text("not executable")
    config = CONFIG._replace(send="sendmail", sendmail=f"{tmp_path}/{path}")
    assert kinds(config, store) == "lll"


def test_a_sendmail_that_reads_nothing(tmp_path: Path, store: FileStore) -> None:
    large = PARCEL._replace(mail=b"x" * 10_000_000)
    assert kinds(script(tmp_path, "exit 0"), store, large) == "ggg"


def be_impatient(
    monkeypatch: pytest.MonkeyPatch,
    has_begun: Callable[[Any], bool],
) -> None:
    """A program has little time from when this holds, however slowly it begins."""
    communicate = subprocess.Popen.communicate

    def wait(process: Any, *words: Any, **named: Any) -> Any:
        wait_until(lambda: has_begun(process))
        return communicate(process, *words, **named)

    monkeypatch.setattr(subprocess.Popen, "communicate", wait)
    monkeypatch.setattr(transports, "_PATIENCE", 0.2)


HANGING = {
    "itself": "echo $$ >>$0.pids; exec sleep 1000",
    "a child": "sleep 1000 & echo $$ $! >>$0.pids; cat >/dev/null; wait",
    "grandchildren": "(sleep 1000 | sleep 1000 & echo $! >>$0.pids; wait) & "
    "echo $$ $! >>$0.pids; wait",
    "deaf": "trap '' TERM INT HUP; echo $$ >>$0.pids; while :; do sleep 1; done",
}


@pytest.mark.parametrize("who", HANGING)
def test_a_sendmail_that_hangs_is_ended_with_its_children(
    tmp_path: Path, store: FileStore, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    """And nobody waits for it a second time."""
    pids = tmp_path / "script.pids"
    be_impatient(monkeypatch, lambda process: pids.exists())
    config = script(tmp_path, HANGING[who])
    outcomes = send(PARCEL, Home(store.root, config))
    assert {o.why for o in outcomes.values()} == {
        f"{config.sendmail} does not work: no answer in 0.2 seconds."
    }
    running = pids.read_text().split()
    assert running
    wait_until(lambda: not any(map(is_running, running)), "the end of all processes")


def is_running(pid: str) -> bool:
    with suppress(FileNotFoundError):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state not in "ZX"
    return False


def test_processes_that_sendmail_leaves_behind_go_on(
    tmp_path: Path, store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that delivers in the background has done its work, even if that still holds
    its standard error."""
    be_impatient(monkeypatch, lambda process: process.poll() is not None)
    text = "(while ! [ -e $0.go ]; do sleep 0.02; done; touch $0.done) & exit 0"
    config = script(tmp_path, text)
    assert kinds(config, store, PARCEL._replace(to=(ALICE,))) == "g"
    (tmp_path / "script.go").touch()
    wait_until((tmp_path / "script.done").exists)


# SMTP


def test_a_mail_server_gets_the_addresses_and_the_message(store: FileStore) -> None:
    with postbox() as box:
        assert kinds(box.config(), store) == "ggg"
    (mail,) = box.brought
    assert (mail.sender, mail.to) == ("", TO)
    assert not re.search(rb"(?<!\r)\n", mail.text)
    read = message_from_bytes(mail.text.replace(b"\r\n", b"\n"), policy=default)
    assert (read["Subject"], read.get_content()) == ("holo 12: your turn", TEXT)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        # before the first RCPT it is the server's fault
        ({"CONNECT": "421"}, "lll"),
        ({"CONNECT": "554"}, "lll"),
        ({"CONNECT": HANG_UP}, "lll"),
        ({"EHLO": "554", "HELO": "554"}, "lll"),
        ({"MAIL": "451"}, "lll"),
        ({"MAIL": "550"}, "lll"),
        ({"MAIL": HANG_UP}, "lll"),
        # at RCPT that address's
        ({BOB: "451"}, "glg"),
        ({BOB: "550"}, "gng"),
        ({BOB: "251"}, "ggg"),
        ({ALICE: "450", BOB: "550"}, "lng"),
        ({ALICE: "550", BOB: "550", CAROL: "553"}, "nnn"),
        ({ALICE: "451", BOB: "452", CAROL: "450"}, "lll"),
        # what is refused for good stays so when the server goes
        ({ALICE: "550", BOB: HANG_UP}, "nll"),
        ({ALICE: "550", BOB: "421", CAROL: HANG_UP}, "nll"),
        # from DATA on the letter's
        ({"DATA": "451"}, "lll"),
        ({"DATA": "554"}, "nnn"),
        ({"DATA": HANG_UP}, "lll"),
        ({BOB: "450", "DATA": "554"}, "nln"),
        ({".": "451"}, "lll"),
        ({".": "552"}, "nnn"),
        ({".": HANG_UP}, "lll"),
        ({ALICE: "550", ".": "452"}, "nll"),
        ({BOB: "450", ".": "554"}, "nln"),
        # what has gone has gone, however one parts
        ({"QUIT": "421"}, "ggg"),
        ({"QUIT": HANG_UP}, "ggg"),
        ({"QUIT": "554", BOB: "550"}, "gng"),
        # no such code
        ({"MAIL": "999"}, "lll"),
        ({".": "xyz"}, "lll"),
    ],
)
def test_each_problem_names_whose_fault_it_is(
    store: FileStore, answers: dict[str, str], expected: str
) -> None:
    with postbox(answers) as box:
        assert kinds(box.config(), store) == expected
    gone = tuple(to for to, kind in zip(TO, expected, strict=True) if kind == "g")
    taken = [mail.to for mail in box.brought]
    assert taken == ([gone] if gone else [])


def test_the_owner_is_told_what_the_server_said(store: FileStore) -> None:
    with postbox({ALICE: "550", BOB: "451", ".": "554"}) as box:
        outcomes = send(PARCEL, Home(store.root, box.config()))
    assert outcomes[ALICE] == Outcome(
        f"{box.name} said 550 to RCPT (to {ALICE}).", for_good=True, bounced=True
    )
    assert outcomes[BOB] == Outcome(f"{box.name} said 451 to RCPT (to {BOB}).")
    assert outcomes[CAROL] == Outcome(
        f"{box.name} said 554 to DATA (to .).", for_good=True
    )
    with postbox({"MAIL": "530"}) as box:
        outcomes = send(PARCEL, Home(store.root, box.config()))
    why = f"{box.name} does not take letters: 530 (to MAIL)."
    assert outcomes == dict.fromkeys(TO, Outcome(why))


def test_a_server_of_ipv6(store: FileStore) -> None:
    with postbox(host="::1") as box:
        assert box.name.startswith("[::1]:")
        assert kinds(box.config(), store) == "ggg"
    assert box.got() == [TO]


@pytest.mark.parametrize(
    "smtp", ["127.0.0.1:1", "[::1]:1", "127.0.0.1:x", "nowhere.invalid", "\udc80"]
)
def test_a_mail_server_that_is_not_there(store: FileStore, smtp: str) -> None:
    assert kinds(CONFIG._replace(send="smtp", smtp=smtp), store) == "lll"


def test_a_mail_server_that_says_nothing(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission, "_PATIENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        smtp = f"127.0.0.1:{silent.getsockname()[1]}"
        assert kinds(CONFIG._replace(send="smtp", smtp=smtp), store) == "lll"
